"""A brain trained by a recipe: five weights by evolution, on games that ship with okapi."""

from okapi import match, train

result = train("vazquez-five", size="tiny", seed=7, out="five")  # `okapi play` offers it by that name
print(result.brain, "in", result.folder)
print(match(result.brain, "material", games=20, depth=2))
