"""A brain in a line: its sentence, its size and its measured Elo, the same in every list and on every card."""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from okapi.brains.card import ModelCard
from okapi.brains.library import RUN_FILE, SHIPPED, SNAPSHOTS
from okapi.files import file_hash
from okapi.formats.numbers import interval, number, signed

CARDS: Final = SHIPPED / "cards.json"
"""Sentences and ratings of the shipped brains: scripts/ship_league.py and scripts/rate_brains.py."""

LOG: Final = "log.jsonl"
LAST_MATCH: Final = "summary.json"
"""What a run wrote at its end: its last match has more games than those of its log."""
LONGEST: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Strength:
    """A measured Elo with its interval: `Elo 2834 ± 145`, or `Elo +215 ± 35 against material`."""

    elo: float
    low: float | None
    high: float | None
    games: int
    against: str = ""
    """The opponent that it is relative to; on the scale of known engines if there is none."""

    @classmethod
    def read(cls, found: Mapping[str, Any], prefix: str = "elo", against: str = "") -> "Strength | None":
        """From a card or a line of a log; None if it has none."""
        sides = ("low", "high") if prefix == "elo" else (f"{prefix}_low", f"{prefix}_high")
        value, low, high, games = (found.get(key) for key in (prefix, *sides, "games"))
        if not isinstance(value, int | float):
            return None
        low, high = (bound if isinstance(bound, int | float) else None for bound in (low, high))
        return cls(value, low, high, int(games or 0), against or str(found.get("against", "")))

    def __str__(self) -> str:
        value = signed(self.elo) if self.against else number(self.elo)
        spread = f" ({interval(self.low, self.high)})"
        if self.low is not None and self.high is not None:
            spread = f" ± {number((self.high - self.low) / 2)}"
        return f"Elo {value}{spread}" + (f" against {self.against}" if self.against else "")


def sentence(brain: ModelCard) -> str:
    details = brain.details()
    told = _shipped(brain).get("sentence") or details.get("note") or details.get("title")
    told, recipe = told or _read(_run_of(brain.path) / RUN_FILE).get("title"), details.get("recipe")
    text = str(told or (f"Made by {recipe}" if recipe else f"A brain of kind {brain.kind}"))
    return text if text.endswith(".") else f"{text}."


def size(brain: ModelCard) -> str:
    """Weights and bytes that people can read: `201 k weights, 0.4 MB`."""
    size = f"{brain.size / 1e6:.1f} MB" if brain.size >= 50_000 else f"{brain.size / 1e3:.1f} kB"
    return f"{_short(brain.weights)} weights, {size}"


def strength(brain: ModelCard) -> Strength | None:
    """From the card, from the last match of the run that made the brain, or from the run's log."""
    said = _shipped(brain).get("strength") or brain.details().get("strength")
    found = Strength.read(said) if isinstance(said, dict) else None
    return found or _last_match(brain.path) or _logged(brain.path)


def summary(brain: ModelCard) -> dict[str, Any]:
    measured = strength(brain)
    return {
        **{name: getattr(brain, name) for name in ("name", "kind", "size", "weights")},
        "says": "moves" if brain.predicts_moves else "values",
        "sentence": sentence(brain),
        "size_text": size(brain),
        "shipped": brain.path.parent == SHIPPED,
        **{name: getattr(measured, name, None) for name in ("elo", "low", "high", "games", "against")},
        "elo_text": str(measured) if measured else "",
    }


def _short(count: int) -> str:
    """A count of at most four characters and a letter: 58, 1.4 k, 201 k, 3.1 M."""
    for factor, letter in ((1_000_000, " M"), (1_000, " k")):
        if count >= factor * 0.9995:
            return f"{count / factor:.{1 if count < 10 * factor else 0}f}{letter}"
    return str(count)


def _shipped(brain: ModelCard) -> Mapping[str, Any]:
    return _cards().get(brain.path.stem, {}) if brain.path.parent == SHIPPED else {}


@cache
def _cards() -> dict[str, dict[str, Any]]:
    return dict(json.loads(CARDS.read_bytes()))


def _run_of(path: Path) -> Path:
    return path.parent.parent if path.parent.name in SNAPSHOTS else path.parent


def _last_match(path: Path) -> Strength | None:
    """The one that the run played with what it left; none for a checkpoint."""
    told = _read(path.parent / LAST_MATCH)
    known = isinstance(told.get("elo"), dict) and told.get("brain") == file_hash(path)
    return Strength.read(told["elo"], against="material") if known else None


def _read(path: Path) -> dict[str, Any]:
    """A file of JSON; empty where there is none."""
    with suppress(OSError, ValueError):
        found = json.loads(path.read_bytes())
        return found if isinstance(found, dict) else {}
    return {}


def _logged(path: Path) -> Strength | None:
    """What the run's log says about a brain: of a checkpoint at its step, of the brain itself last."""
    step = int(path.stem) if path.parent.name in SNAPSHOTS and path.stem.isdecimal() else None
    lines = list[bytes]()
    with suppress(OSError), (_run_of(path) / LOG).open("rb") as file:
        file.seek(max(0, file.seek(0, 2) - LONGEST))
        lines = [line for line in file if b'"elo_material"' in line]
    for line in reversed(lines):
        with suppress(ValueError):
            found = json.loads(line)
            if isinstance(found, dict) and step in (None, found.get("step")):
                return Strength.read(found, "elo_material", "material")
    return None
