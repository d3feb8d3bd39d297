"""The school of singh2015: its lessons are had, and what they came to is a brain, a report and an exam."""

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.brains.files import brain_file, replace_file
from okapi.core import version
from okapi.papers.experiment import ExperimentContext
from okapi.papers.jobs import JobsLeft, train_jobs
from okapi.papers.singh2015.exam import Exam, first_moves
from okapi.papers.singh2015.games import Games, gathered
from okapi.papers.singh2015.lessons import GAMMAS, NETWORKS, OURS, QUICK_VALUE, TEACHER, VALUE, lessons, outcome
from okapi.recipes.arrays import TEST, TRAIN
from okapi.recipes.best_moves import TEACHER_ELO, BestMoves
from okapi.recipes.config import Size
from okapi.recipes.game_jobs import GameJobs
from okapi.recipes.jobs import export_brain
from okapi.recipes.labels import load_labels
from okapi.recipes.played_moves import PlayedMoves
from okapi.recipes.splits import LOOKED_UP, SHARES, SplitBy, split_labels
from okapi.recipes.tournaments import transcribed
from okapi.training.report import NETWORK_FILE, TrainingReport, read_network

__all__ = ["School", "keep_best_moves", "schooled"]

SETTINGS: Final[dict[str, Any]] = {"course": "", "device": "auto", "at_once": 1}
"""Of the experiment `training`: a folder for the course, a device for lessons, and how many are had at a time."""

BRAINS: Final = "brains"
EXAM: Final = "exam.npz"

OUTCOME: Final = {"form": "number", "view": "mover", "low": 0, "high": 10_000}
"""Of V: a hundred pawns up is a game that is won at once."""
FAR_SIGHTED: Final = {**OUTCOME, "high": 1_000}
"""Of our own, whose discount is so small that a pawn is a tenth of that."""

LABELS: Final[dict[Size, int | None]] = {"tiny": 400, "quick": 40_000, "full": None}
"""Positions with a teacher's best moves, at most."""
WON: Final = 2

PROMOTING: Final = 2_000
"""Training games that say what pawns become."""


@dataclass(frozen=True, slots=True, eq=False)
class School:
    """What was taught."""

    seven: Path | None
    """The brain of the seven networks; None as long as not all of them are here."""
    ours: Path | None
    teacher: Path | None
    """Ours, taught a stronger player's best moves."""
    value: Path | None
    """Our small value network."""
    quick_value: Path | None
    """And the perceptron that was taught the same."""
    outcome: Mapping[float, Path]
    """Value networks by their discounts."""
    reports: Mapping[str, TrainingReport]
    """Of every lesson that is over."""
    exam: Exam
    first_moves: Mapping[str, int]
    """How often each move began a training game."""


def schooled(lab: ExperimentContext) -> School:
    """Train the networks, or find them: JobsLeft if none is trained yet and they are for another machine."""
    chosen = lab.chosen("training", SETTINGS)
    folder = Path(chosen["course"]) if chosen["course"] else lab.folder / "course"
    games = gathered(lab, folder)
    course = _course(lab, games, folder)
    keep_best_moves(lab, folder)
    names = [name for name in course.jobs if name != TEACHER or BestMoves.found_in(folder)]
    try:
        train_jobs(lab, course, names, device=chosen["device"], at_once=chosen["at_once"])
    except JobsLeft:
        if not any(_is_here(course, name) for name in names):
            raise
    reports = {name: report for name in names if (report := course.report(name)) is not None}
    graduates = _Graduates(lab, course, reports, _promotions(games))
    return School(
        seven=graduates.seven(),
        ours=graduates.one(OURS, graduates.moves),
        teacher=graduates.one(TEACHER, graduates.moves),
        value=graduates.one(VALUE, FAR_SIGHTED),
        quick_value=graduates.one(QUICK_VALUE, FAR_SIGHTED),
        outcome={gamma: path for gamma in GAMMAS if (path := graduates.one(outcome(gamma), OUTCOME)) is not None},
        reports=reports,
        exam=_exam(lab.folder / EXAM, games),
        first_moves=first_moves(games.store, games.of(TRAIN)),
    )


@dataclass(frozen=True, slots=True)
class _Graduates:
    """Writes brains."""

    lab: ExperimentContext
    course: GameJobs
    reports: Mapping[str, TrainingReport]
    promotions: list[float]

    @property
    def moves(self) -> dict[str, Any]:
        """How answers of one network for whole moves are read."""
        return {"form": "moves", "promotions": self.promotions}

    def one(self, name: str, output: Mapping[str, Any]) -> Path | None:
        """The brain of one lesson, if its network is here."""
        if not _is_here(self.course, name):
            return None
        lesson, learned = self.course.jobs[name], read_network(self.course.job_folder(name))
        return self._written(name, export_brain(lesson, learned, self.reports[name], output, self._card(name)))

    def seven(self) -> Path | None:
        """All of them in one brain."""
        if not all(_is_here(self.course, name) for name in NETWORKS):
            return None
        learned = {name: read_network(self.course.job_folder(name)) for name in NETWORKS}
        seen = {name: self.course.jobs[name].plan.encoding for name in NETWORKS}
        entries = {
            "made_with": f"okapi {version}",
            **self._card("seven"),
            "kind": "seven-networks",
            "encoding": seen[NETWORKS[0]],
            "networks": json.dumps(
                {name: {"encoding": seen[name], "layers": learned[name].layers} for name in NETWORKS}
            ),
            "output": json.dumps({"form": "squares", "promotions": self.promotions}),
            "test": json.dumps({name: self.reports[name].test for name in NETWORKS}),
        }
        tensors = {f"{name}/{key}": tensor for name in NETWORKS for key, tensor in learned[name].tensors.items()}
        return self._written("seven", brain_file(entries, tensors))

    def _card(self, name: str) -> dict[str, str]:
        return {"name": f"singh2015-{name}", "recipe": "okapi paper singh2015"}

    def _written(self, name: str, content: bytes) -> Path:
        path = self.lab.folder / BRAINS / f"{name}.safetensors"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_bytes() != content:
            replace_file(path, content)
        return path


def _course(lab: ExperimentContext, games: Games, folder: Path) -> GameJobs:
    """The one that lies there, with what came of its lessons; or a new one."""
    if GameJobs.found_in(folder):
        return GameJobs.read(folder)
    chosen = np.flatnonzero(games.parts <= TEST)
    lab.tell("games become transcripts")
    return GameJobs.write(folder, transcribed(games.store, chosen, games.parts[chosen]), lessons(lab.size, lab.seed))


def keep_best_moves(lab: ExperimentContext, folder: Path) -> None:
    """What the teacher of --labels would play, split by game, beside the games; once."""
    if lab.labels is None or BestMoves.found_in(folder):
        return
    labels = load_labels(lab, most=LABELS[lab.size])
    if labels.moves is None or not labels.moves.any():
        return
    labels = labels.take(labels.moves != 0)
    how: SplitBy = "positions" if labels.games is None else "games"
    split = split_labels(labels, how, lab.seed, SHARES if labels.library is None else LOOKED_UP)
    assert labels.moves is not None
    count = len(labels)
    taught = PlayedMoves(
        positions=labels.positions,
        moves=labels.moves,
        elos=np.full(count, TEACHER_ELO, np.int32),
        plies=labels.plies.astype(np.int32),
        games=np.full(count, -1),
        outcomes=np.full(count, WON, np.int8),
    ).dataset()
    BestMoves(taught.positions, taught.targets.astype(np.uint16), split).write(folder)


def _is_here(course: GameJobs, name: str) -> bool:
    """Reports may come back alone from where they were written."""
    return name in course.jobs and course.report(name) is not None and (course.job_folder(name) / NETWORK_FILE).exists()


def _promotions(games: Games) -> list[float]:
    return PlayedMoves.played(games.store, games.of(TRAIN)[:PROMOTING]).promotions()


def _exam(path: Path, games: Games) -> Exam:
    """Made once: looking up all positions of all training games takes minutes."""
    if not path.exists():
        exam = Exam.of(games.store, games.of(TEST), games.of(TRAIN))
        buffer = io.BytesIO()
        np.savez(buffer, **{each.name: getattr(exam, each.name) for each in fields(exam)})
        replace_file(path, buffer.getvalue())
    with np.load(path, allow_pickle=False) as arrays:
        return Exam(**{each.name: arrays[each.name] for each in fields(Exam)})
