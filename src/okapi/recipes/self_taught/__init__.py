"""Brains that teach themselves: what `okapi train giraffe` and `okapi train tdleaf` do."""

from typing import Final

__all__ = ["LESSONS"]

LESSONS: Final[dict[str, str]] = {
    "giraffe": "okapi.recipes.self_taught.orders:giraffe",
    "tdleaf": "okapi.recipes.self_taught.orders:tdleaf",
}
"""Names, and the functions that make them of an order; imported when they are asked for."""
