"""Games that players make to learn from: who plays, how, and where each game begins."""

from dataclasses import asdict, dataclass, field
from itertools import combinations
from typing import Any, Final

from okapi.arena.adjudication import Adjudication
from okapi.arena.control import Control
from okapi.arena.fingerprint import fingerprint
from okapi.arena.match import short_name
from okapi.arena.starts import Starts
from okapi.arena.worker import Orders
from okapi.core import Position
from okapi.errors import UsageError

__all__ = ["SelfPlay"]

SPAN: Final = 64
"""Games that two of several players play before it is the turn of the next two: the core plays them together."""

LONG_SPAN: Final = 2048
"""The same where there are only two: no more than that is planned ahead."""

PLIES: Final = 80
"""Of a usual game."""

NODES_IN_A_BLOCK: Final = 1 << 22
SMALLEST_BLOCK: Final = 4
LARGEST_BLOCK: Final = 256
"""Games of a block: as many as are played in a few seconds, because that is what a kill can cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlay:
    """What is to be played: everything that decides how the games go."""

    players: tuple[str, ...]
    """One plays against itself, several everybody against everybody."""
    control: Control
    """Depth or nodes: clocks would not give the same games again."""
    starts: Starts
    opened: str
    """What the starts are, in words that make a difference."""
    adjudication: Adjudication = field(default_factory=Adjudication)
    max_plies: int = 400
    """Games that are longer have no result; 0: all are played to their end."""
    seed: int = 1

    def __post_init__(self) -> None:
        if self.control.timed:
            raise UsageError("games by the clock are never the same again", hint="--depth 6 or --nodes 5000")

    @property
    def everybody(self) -> tuple[str, ...]:
        """Who sits at the boards: one who plays against itself sits on both sides."""
        return self.players * 2 if len(self.players) == 1 else self.players

    @property
    def names(self) -> tuple[str, ...]:
        """What the store calls them."""
        return tuple(map(short_name, self.everybody))

    @property
    def block(self) -> int:
        """Games that are stored together."""
        nodes = self.control.nodes or round(30 * 2.5 ** (self.control.depth or 0))
        return min(max(NODES_IN_A_BLOCK // (PLIES * nodes), SMALLEST_BLOCK), LARGEST_BLOCK)

    def orders(self) -> Orders:
        """The same for those who play."""
        return Orders(
            players=self.everybody,
            control=self.control,
            adjudication=self.adjudication,
            seed=self.seed,
            max_plies=self.max_plies,
            lines=True,
        )

    def describe(self) -> dict[str, Any]:
        """What the store says about its games; others are not mixed with them."""
        return {
            "players": list(self.players),
            "limits": str(self.control),
            "starts": self.opened,
            "adjudication": {name: value for name, value in asdict(self.adjudication).items() if value is not None},
            "max_plies": self.max_plies,
            "seed": self.seed,
            "made_of": [fingerprint(player) for player in self.players],
        }

    def span(self, number: int) -> int:
        """The first game after `number` that two others may play."""
        length = LONG_SPAN if len(self.everybody) == 2 else SPAN
        return (number // length + 1) * length

    def pairing(self, number: int) -> tuple[int, int, Position]:
        """Who has White and who Black in a game, and where it begins.

        One who plays against itself begins each game elsewhere; two others begin two games from each start.
        """
        if len(self.players) == 1:
            return 0, 1, self.starts[number]
        pairs = list(combinations(range(len(self.players)), 2))
        length = self.span(0)
        turn, place = divmod(number, length)
        first, second = pairs[turn % len(pairs)]
        theirs = turn // len(pairs) * length + place
        white, black = (second, first) if theirs % 2 else (first, second)
        return white, black, self.starts[theirs // 2]
