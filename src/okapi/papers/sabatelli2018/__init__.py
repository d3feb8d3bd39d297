"""M. Sabatelli, F. Bidoia, V. Codreanu, M. Wiering, *Learning to Evaluate Chess Positions with Deep Neural Networks and
Limited Lookahead*, 2018."""
