"""Games with what was wrong put right, or left out."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from okapi.core import Color
from okapi.core._core import RawGame
from okapi.core.packed import NO_VALUE
from okapi.data.doctor.games import UNCHANGED, Checkup
from okapi.data.doctor.sources import Tell, nobody
from okapi.data.doctor.views import Agreement, Whose, turned
from okapi.data.store import Store, StoreWriter
from okapi.errors import InvalidStore
from okapi.formats.samples.units import RESULTS

__all__ = ["Surgery"]

AT_A_TIME: Final = 1000
"""Games between two reports of progress."""


@dataclass(frozen=True, slots=True)
class Surgery:
    """What a copy of a store is to differ in."""

    drop: frozenset[int] = frozenset()
    """Games to leave out."""
    results: Mapping[int, int] = field(default_factory=dict)
    """Results to put right."""
    bare: Mapping[int, set[str]] = field(default_factory=dict)
    """Tags to take away."""
    values: Whose = Whose.MOVER
    """Whose view the values are."""

    @classmethod
    def after(cls, checkup: Checkup, values: Agreement) -> "Surgery":
        """What an examination asks for."""
        changed = np.flatnonzero(checkup.results != UNCHANGED)
        return cls(
            drop=frozenset(np.flatnonzero(checkup.drop).tolist()),
            results=dict(zip(changed.tolist(), checkup.results[changed].tolist(), strict=True)),
            bare=checkup.bare,
            values=values.view if values.is_overwhelming else Whose.MOVER,
        )

    def copy(self, store: Store, to: Path | str, tell: Tell = nobody) -> int:
        """Write the copy; how many games it has. It gets its name when it is whole, and not before."""
        to = Path(to)
        part = to.with_name(f".{to.name}.part")
        part.unlink(missing_ok=True)
        with StoreWriter.open(part) as writer:
            for number, game in _readable(store):
                if number not in self.drop:
                    writer.add(self._mended(number, game))
                if number % AT_A_TIME == 0:
                    tell(number / len(store))
            written = len(writer)
        part.replace(to)
        return written

    def _mended(self, number: int, game: RawGame) -> RawGame:
        turns_values = self.values is not Whose.MOVER and game.values
        if number not in self.results and number not in self.bare and not turns_values:
            return game
        bare = self.bare.get(number, set())
        return RawGame(
            tags=[(name, text) for name, text in game.tags if name not in bare],
            start=game.start,
            moves=game.moves,
            result=RESULTS[self.results[number]] if number in self.results else game.result,
            values=self._turned(game) if turns_values else game.values,
            best=game.best,
            lines=game.lines,
            clocks=game.clocks,
        )

    def _turned(self, game: RawGame) -> list[int]:
        first = int(game.start.turn is Color.BLACK)
        turn = (np.arange(len(game.values)) + first) % 2
        wrong = turned(self.values, turn.astype(np.uint8)).tolist()
        return [-value if turn and value != NO_VALUE else value for value, turn in zip(game.values, wrong, strict=True)]


def _readable(store: Store) -> Iterator[tuple[int, RawGame]]:
    """All games but those of damaged blocks."""
    for number in range(len(store)):
        try:
            yield number, store.record(number)
        except InvalidStore:
            continue
