"""Trainings in Python: what `okapi train` does, with the same settings."""

import io
import json
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cyclopts import CycloptsError

from okapi.api.brain import Brain
from okapi.cli.app import make_app
from okapi.errors import Unfinished, UsageError

Setting = str | Path | int | float | bool | Sequence[str | Path] | None


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """What a training left: the folder of its run, its brain, and the figures that `okapi train --json` prints.

    >>> TrainingResult(Path("runs/mine"), {"brain": "material"}).brain
    <Brain material: material, 5 weights>
    """

    folder: Path
    figures: Mapping[str, Any]

    @property
    def brain(self) -> Brain:
        """NotFound where the recipe makes no brain."""
        return Brain.load(self.figures.get("brain", self.folder))


def train(
    recipe: str,
    *,
    out: str | Path | None = None,
    labels: str | Path | None = None,
    games: str | Path | None = None,
    brain: str | Path | Brain | None = None,
    size: Literal["tiny", "quick", "full"] | None = None,
    seed: int | None = None,
    change: Mapping[str, Any] | None = None,
    **options: Setting,
) -> TrainingResult:
    """Train by a recipe of `okapi train --list`; arguments are the options of that command, progress is printed.

    `change` are settings of the recipe, as in `change={"lr": 0.01}`; other options are given by name, as in
    `minutes=10`. The same call goes on after an interruption.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = train("vazquez-five", size="tiny", out=folder)
    ...     result.brain.card.kind
    'linear-5'
    """
    base = str(brain.card.path) if isinstance(brain, Brain) else brain
    given = {"out": out, "labels": labels, "games": games, "brain": base, "size": size, "seed": seed, **options}
    changes = [f"{name}={value}" for name, value in (change or {}).items()]
    arguments = ["train", recipe, *_flags({**given, "change": changes}), "--json"]
    printed = io.StringIO()
    try:
        with redirect_stdout(printed):
            code = make_app(arguments)(arguments)
    except CycloptsError as error:
        raise UsageError(" ".join(str(error).split()), hint="`okapi train --help` lists the options") from None
    if code:
        raise Unfinished(f"the training by `{recipe}` was interrupted", hint="the same call goes on")
    figures = json.loads(printed.getvalue().strip().splitlines()[-1])
    return TrainingResult(Path(figures["run"]), figures)


def _flags(options: Mapping[str, Setting]) -> list[str]:
    """Options as on the command line."""
    flags: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(value, bool):
            flags += [flag] if value else []
        elif value is not None:
            values = [value] if isinstance(value, str | Path | int | float) else value
            flags += [word for each in values for word in (flag, str(each))]
    return flags
