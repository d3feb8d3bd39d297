"""The panels of the board, in the order of the page's tabs. web/src/panels.ts is the page's half of this table."""

from typing import Final

from okapi.frontends.web.panel import Panel
from okapi.frontends.web.panels.analyse import Analyse
from okapi.frontends.web.panels.brains import Brains
from okapi.frontends.web.panels.evolution import Evolution
from okapi.frontends.web.panels.inside import Inside
from okapi.frontends.web.panels.instinct import Instinct
from okapi.frontends.web.panels.judges import Judges
from okapi.frontends.web.panels.league import League
from okapi.frontends.web.panels.play import Play
from okapi.frontends.web.panels.runs import Runs
from okapi.frontends.web.panels.tournaments import Tournaments
from okapi.frontends.web.panels.trees import Trees

__all__ = ["PANELS"]

PANELS: Final[tuple[type[Panel], ...]] = (
    Play,
    Analyse,
    Brains,
    Judges,
    Inside,
    Instinct,
    Trees,
    Runs,
    Evolution,
    Tournaments,
    League,
)
