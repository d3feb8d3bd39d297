"""J. Sheehan, *Neural Networks for Chess State Evaluation*, Princeton, 2016."""
