"""File formats: PGN, EPD, Syzygy tables, samples, charts and pages."""
