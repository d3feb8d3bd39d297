"""The panels of the board. web/src/panels.ts is the page's half of this table, and divides them into tabs."""

from okapi.web.panels.analyse import Analyse
from okapi.web.panels.brains import Brains
from okapi.web.panels.compare import Compare
from okapi.web.panels.evolution import EvolutionPanel
from okapi.web.panels.experiments import Experiments
from okapi.web.panels.explain import Explain
from okapi.web.panels.human_moves import HumanMoves
from okapi.web.panels.league import League
from okapi.web.panels.play import Play
from okapi.web.panels.runs import Runs
from okapi.web.panels.tournaments import Tournaments
from okapi.web.panels.train import Train
from okapi.web.panels.trees import Trees

PANELS = (
    *(Play, Analyse, Brains, Compare, Explain, HumanMoves, Trees),
    *(Train, Runs, EvolutionPanel, Tournaments, Experiments, League),
)
