"""Matches, tournaments, ratings, SPRT, test suites, self-play."""
