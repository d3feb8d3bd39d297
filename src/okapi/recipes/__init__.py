"""Everything that `okapi train` can do."""
