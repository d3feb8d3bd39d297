"""Looking inside brains, over many positions: what their neurons do, and what changed from one brain to the next."""

from okapi.analysis.explain.changes import Change, Changes, changes
from okapi.analysis.explain.survey import Excited, NeuronFacts, Survey

__all__ = ["Change", "Changes", "Excited", "NeuronFacts", "Survey", "changes"]
