"""What `from okapi import …` gives besides the core: brains, matches, the board, trainings."""
