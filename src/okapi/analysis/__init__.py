"""What games, positions and brains are made of: game reports, explanations of brains, comparisons."""
