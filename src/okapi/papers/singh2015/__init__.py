"""A. Singh, *Convolutional Neural Networks learn to play Chess* (ConvChess), IIT Kanpur, 2015."""
