"""Optimizers: each is given a cost function and knows no chess."""
