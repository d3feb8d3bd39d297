"""Learners. Each is given a score function and knows nothing of chess; supervised ones get positions and answers."""
