"""The recipes of E. Vázquez-Fernández, *An Evolutionary Approach for Tuning a Chess Evaluation Function*, 2012."""
