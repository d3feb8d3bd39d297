"""Who is stronger, and how sure: matches, tournaments, ratings, SPRT, suites."""
