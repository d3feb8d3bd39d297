"""Learners. Each is given a score function, and knows nothing of chess."""
