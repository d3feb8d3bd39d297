"""For people and programs: the command line, the terminal board, UCI."""
