"""Positions that a teacher labelled: read, or made here; and split, with a word on how honest the split is."""

from okapi.recipes.labelled.reading import labelled
from okapi.recipes.labelled.record import Labelled
from okapi.recipes.labelled.splits import LOOKED_UP, SHARES, How, Near, both_ways, neighbours, parts, thinned

__all__ = ["LOOKED_UP", "SHARES", "How", "Labelled", "Near", "both_ways", "labelled", "neighbours", "parts", "thinned"]
