"""The log of an evolution run: its generations and their champions, read while they are written.

`okapi evolve` writes genes.json, generations.jsonl and champions/NNNN.safetensors into the folder of its run.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

from okapi.brains.library import checkpoints
from okapi.data.runs import JsonLinesReader, ThinnedSeries, finite, stamp
from okapi.errors import InvalidText, NotFound

GENES: Final = "genes.json"
GENERATIONS: Final = "generations.jsonl"

MOST_GENES: Final = 4096
LONGEST_NAME: Final = 80
MOST_BYTES: Final = 1 << 20  # of genes.json
MOST_GENERATIONS: Final = 1000  # kept; a longer log is thinned out evenly
Numbers: TypeAlias = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class GeneInfo:
    """Names and bounds of the genes of a run, from genes.json."""

    names: tuple[str, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    recipe: str = ""

    @classmethod
    def read(cls, folder: Path) -> Self:
        """InvalidText if the file is damaged or too large, NotFound if it does not exist yet."""
        path = folder / GENES
        try:
            with path.open("rb") as file:
                data = file.read(MOST_BYTES + 1)
        except OSError as error:
            raise NotFound(f"this run has no {GENES}: {error.strerror}") from None
        try:
            if len(data) > MOST_BYTES:
                raise ValueError
            found = json.loads(data)
            names = tuple(str(name)[:LONGEST_NAME] for name in found["names"])
            low, high = (tuple(map(_number, found[side])) for side in ("low", "high"))
            if not len(names) == len(low) == len(high) <= MOST_GENES:
                raise ValueError
            return cls(names, low, high, str(found.get("recipe", ""))[:LONGEST_NAME])
        except (ValueError, TypeError, KeyError, RecursionError):
            hint = f"it holds the names and bounds of at most {MOST_GENES:,} genes"
            raise InvalidText(f"{GENES} of this run is damaged or too large", hint=hint) from None


@dataclass(frozen=True, slots=True, eq=False)
class GenerationStats:
    number: int
    best: float
    mean: float
    spread: float
    weights: Numbers | None = None  # [best, mean, deviation; genes], if they were logged

    @classmethod
    def read(cls, line: Mapping[str, Any], genes: int) -> Self | None:
        """Parse a line of generations.jsonl; None if it is not valid."""
        with suppress(KeyError, TypeError, ValueError, OverflowError):
            number = line["generation"]
            best, mean, spread = (_number(line[key]) for key in ("best", "mean", "spread"))
            if type(number) is int and number >= 0:
                return cls(number, best, mean, spread, _weights(line.get("weights"), genes))
        return None


class EvolutionLog:
    """Reads the log of one run while it grows. A generation logged again replaces that one and all later ones."""

    def __init__(self, folder: Path) -> None:
        self.genes: GeneInfo | None = None
        self.problem: InvalidText | None = None  # why the log cannot be shown
        self.champions: tuple[int, ...] = ()  # the generations whose best player was saved as a brain
        self._folder = folder
        self._written: tuple[int, int] | None = None
        self._begin()

    @property
    def generations(self) -> list[GenerationStats]:
        return [passed for _, passed in self._series.items]

    def look(self) -> bool:
        """Read what is new; is there anything?"""
        written = stamp(self._folder / GENES)
        if changed := written != self._written:  # other genes: another run began in the same folder
            self._written, self.genes, self.problem = written, None, None
            self._begin()
            try:
                self.genes = GeneInfo.read(self._folder)
            except InvalidText as error:
                self.problem = error
            except NotFound:
                pass
        if self.genes is not None:
            for line in self._lines.new():
                if (passed := GenerationStats.read(line, len(self.genes.names))) is not None:
                    self._series.add(passed.number, passed)
                    changed = True
        before, self.champions = self.champions, tuple(kept.step for kept in checkpoints(self._folder))
        return changed or before != self.champions

    def find(self, number: int) -> GenerationStats:
        """The generation of that number, or the latest kept one before it; NotFound if there is none."""
        earlier = [passed for passed in self.generations if passed.number <= number]
        if not earlier:
            raise NotFound(f"this run has no generation {number}")
        return earlier[-1]

    def _begin(self) -> None:
        self._lines = JsonLinesReader(self._folder / GENERATIONS)
        self._series = ThinnedSeries[GenerationStats](MOST_GENERATIONS)


def moved_most(genes: GeneInfo, generations: Sequence[GenerationStats], count: int) -> list[int]:
    """The genes whose mean moved furthest relative to their bounds, in their own order."""
    weights = [passed.weights for passed in generations if passed.weights is not None]
    if not weights:
        return []
    far = np.abs(weights[-1][1] - weights[0][1]) / np.maximum(np.subtract(genes.high, genes.low), 1e-9)
    return sorted(np.argsort(-far, kind="stable")[:count].tolist())


def _weights(data: Any, genes: int) -> Numbers | None:
    if data is None:
        return None
    numbers = np.array([data[key] for key in ("best", "mean", "deviation")], np.float32)
    if numbers.shape != (3, genes) or not np.isfinite(numbers).all():
        raise ValueError
    return numbers


def _number(data: Any) -> float:
    number = finite(data)
    if number is None:
        raise ValueError
    return number
