"""The champion: generations that play, learn from their games, and are kept where a test by games says so."""
