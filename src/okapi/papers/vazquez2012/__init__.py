"""E. Vázquez-Fernández, *An Evolutionary Approach for Tuning a Chess Evaluation Function*, thesis, CINVESTAV, 2012."""
