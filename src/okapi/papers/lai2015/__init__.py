"""M. Lai, *Giraffe: Using Deep Reinforcement Learning to Play Chess*, Imperial College London, 2015."""
