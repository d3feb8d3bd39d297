"""Training of networks: one Trainer, and the trainings that run on it."""
