"""Text and tables that the chess world speaks: PGN, EPD, Syzygy. python-chess does the work."""
