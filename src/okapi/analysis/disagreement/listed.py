"""`disagreements.json`: where a brain and its teacher are furthest apart, as runs leave it for the board."""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.analysis.disagreement.apart import most_apart, worst_of_kinds
from okapi.analysis.disagreement.kinds import KINDS, kinds_of
from okapi.brains.output import expected_scores
from okapi.core import Position
from okapi.core.packed import fens
from okapi.core.samples import Rows
from okapi.errors import InvalidText, NotFound, OkapiError
from okapi.files import replace_file

__all__ = ["DISAGREEMENTS", "Disagreement", "Listed", "list_disagreements"]

DISAGREEMENTS: Final = "disagreements.json"
"""Its name, in the folder of a run or in one below."""

MOST: Final = 200
OF_EACH_KIND: Final = 5
"""Positions of each kind that a list has at least, if there are so many."""

MOST_BYTES: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A position, and what both think of the side to move."""

    fen: str
    teacher_cp: int
    """Centipawns."""
    teacher: float
    """The same as an expected score."""
    value: float
    """What the brain says: an expected score."""
    kinds: tuple[str, ...] = ()
    """The kinds of position it is of."""


@dataclass(frozen=True, slots=True)
class Listed:
    """The positions, the worst first."""

    brain: str
    teacher: str
    positions: tuple[Disagreement, ...]

    def write(self, folder: Path | str) -> None:
        """Leave it in a folder, all at once."""
        replace_file(
            Path(folder) / DISAGREEMENTS, json.dumps(asdict(self), ensure_ascii=False, indent=1).encode() + b"\n"
        )

    @classmethod
    def read(cls, path: Path | str) -> Self:
        """Read one; files may hold anything, so nothing is believed: NotFound, InvalidText."""
        path = Path(path)
        try:
            if os.path.getsize(path) > MOST_BYTES:
                raise InvalidText(f"{path.name} is larger than any list of ours")
            told = json.loads(path.read_text(encoding="utf-8"))
            positions = tuple(_disagreement(entry) for entry in told["positions"][:MOST])
            return cls(str(told["brain"])[:200], str(told["teacher"])[:200], positions)
        except OSError as error:
            raise NotFound(f"`{path}` cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError, OkapiError):
            raise InvalidText(
                f"{path.name} is no list of disagreements", hint="`okapi brains compare` makes one"
            ) from None


def list_disagreements(
    brain: str, teacher: str, rows: Rows, values: NDArray[Any], count: int = 60, each: int = OF_EACH_KIND
) -> Listed:
    """The list for a brain whose expected scores of these labelled samples, for the side to move, are `values`.

    It has the worst `count` of all, and of each kind of position the worst `each`.

    >>> from okapi.core.packed import NO_GAME, SAMPLE, pack_fens
    >>> rows = np.zeros(2, SAMPLE)
    >>> rows["position"] = pack_fens(["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1"])
    >>> rows["value"], rows["game"] = [100, 3000], NO_GAME
    >>> list_disagreements("mine", "Stockfish", rows, np.array([0.6, 0.3])).positions[0].fen
    '4k3/8/8/8/8/8/8/Q3K3 w - - 0 1'
    """
    teachers = expected_scores(rows["value"])
    apart = np.abs(teachers - values)
    kinds = kinds_of(rows["position"])
    found = [most_apart(rows, apart, min(count, MOST)), *worst_of_kinds(rows, apart, kinds, each).values()]
    chosen = np.unique(np.concatenate(found))
    worst = chosen[np.argsort(-apart[chosen], kind="stable")][:MOST]
    told = zip(
        fens(rows["position"][worst]),
        rows["value"][worst].tolist(),
        np.round(teachers[worst], 4).tolist(),
        np.round(np.asarray(values, np.float64)[worst], 4).tolist(),
        [tuple(name for name, are in kinds.items() if are[row]) for row in worst.tolist()],
        strict=True,
    )
    return Listed(brain, teacher, tuple(Disagreement(*entry) for entry in told))


def _disagreement(entry: Any) -> Disagreement:
    found = Disagreement(
        Position.from_fen(str(entry["fen"])[:120]).fen(),
        int(entry["teacher_cp"]),
        float(entry["teacher"]),
        float(entry["value"]),
        tuple(name for name in KINDS if name in entry.get("kinds", ())),
    )
    if not (0 <= found.teacher <= 1 and 0 <= found.value <= 1):
        raise ValueError(entry)
    return found
