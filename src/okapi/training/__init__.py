"""Trainers of networks: one loop for supervised learning, NNUE, TD-Leaf and move networks."""
