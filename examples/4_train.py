"""A brain trained by a recipe: five weights by evolution, on games that ship with okapi."""

from tempfile import TemporaryDirectory

from okapi import match, train

with TemporaryDirectory() as folder:
    result = train("vazquez-five", size="tiny", seed=7, out=folder)  # out="mine" keeps it, and `okapi play` offers it
    print(result.brain.card.name, "with", result.brain.card.weights, "weights")
    print(match(result.brain, "material", games=20, depth=2))
