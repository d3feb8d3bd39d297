"""Games, test positions and trained networks, which the other experiments use; and Figures 3.1 and 3.2."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.brains.files import brain_file
from okapi.core import Position, version
from okapi.core.keys import KeySet, position_keys
from okapi.data.store import Store
from okapi.errors import NotFound, UsageError
from okapi.papers import jobs
from okapi.papers.experiment import RESULTS, ExperimentContext, ExperimentResult
from okapi.papers.games import game_store
from okapi.papers.singh2015 import jobs as thesis
from okapi.recipes import splits
from okapi.recipes.arrays import NONE, TEST, TRAIN, VALIDATION, read_array, write_array
from okapi.recipes.config import Size
from okapi.recipes.game_jobs import TEACHER_ELO, BestMoves, GameJobs
from okapi.recipes.jobs import export_brain
from okapi.recipes.labels import load_labels
from okapi.recipes.moves import PlayedMoves
from okapi.training.report import TrainingReport, read_network, write_arrays
from okapi.training.supervised import SupervisedConfig

AT_ONCE: Final = 1 << 20  # positions of training games in one batch: 32 MB


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EvaluationSet(PlayedMoves):
    """Positions of test games with the played move: arrays of the same length, one entry for each position."""

    seen: NDArray[np.bool_]
    """Whether the position also occurs in a training game."""

    @classmethod
    def of(cls, store: Store, games: ArrayLike, training: ArrayLike) -> Self:
        """All positions of some games of a store; `training` are the training games."""
        played = PlayedMoves.played(store, games)
        columns = {each.name: getattr(played, each.name) for each in fields(PlayedMoves)}
        return cls(**columns, seen=occurring(store, training, played.positions))

    def some(self, count: int, seed: int) -> Self:
        """A random sample without replacement, in their order; all, where there are no more."""
        chosen = np.random.default_rng(seed).permutation(len(self))[:count]
        return self.take(np.sort(chosen))


def occurring(store: Store, games: ArrayLike, positions: NDArray[np.void]) -> NDArray[np.bool_]:
    """Which of these positions occur in those games."""
    keys, chosen = position_keys(positions), np.asarray(games, np.int64)
    wanted, found = KeySet(len(keys)), KeySet()
    wanted.add(keys)
    ends = store.plies()[chosen].astype(np.int64).cumsum()
    for part in np.split(chosen, np.searchsorted(ends, np.arange(AT_ONCE, ends[-1] if len(ends) else 0, AT_ONCE))):
        there = position_keys(np.ascontiguousarray(store.played(part)["position"]))
        found.add(there[wanted.contains(there)])
    return found.contains(keys)


def first_moves(store: Store, games: ArrayLike) -> dict[str, int]:
    """Counts of the first moves of games from the start position: all twenty, the most frequent first."""
    chosen = np.asarray(games, np.int64)
    chosen = chosen[store.plies()[chosen] > 0]
    start = Position.start()
    usual = position_keys(store.positions(chosen, 0)) == start.key
    after = position_keys(store.positions(chosen[usual], 1))
    played = {str(move): int((after == start.after(move).key).sum()) for move in start.legal_moves()}
    return dict(sorted(played.items(), key=lambda item: -item[1]))


SPLITS: Final[dict[Size, splits.TournamentSplit]] = {
    "tiny": splits.TournamentSplit(validation=0.1, test=0.2),
    "quick": splits.TournamentSplit(validation=0.02, test=0.05),
    "full": splits.TournamentSplit(apart=("Carlsen,M", "Paehtz,E", "Farago,S", "Sukhareva,E")),
}
"""At full size all games of four players of very different ratings are left out, for `okapi train personal`."""

MOST: Final[dict[Size, int]] = {"tiny": 200, "quick": 6_000, "full": 0}
"""Games to use, those with the lowest hashes; 0: all."""


@dataclass(frozen=True, slots=True, eq=False)
class SplitGames:
    """A store, and the part of each of its games."""

    store: Store
    parts: splits.Parts

    def of(self, part: int) -> NDArray[np.int64]:
        return np.flatnonzero(self.parts == part)


def gathered(context: ExperimentContext, folder: Path) -> SplitGames:
    """Split as in the folder of jobs; else by tournament, or by game where there are too few tournaments."""
    folder.mkdir(parents=True, exist_ok=True)
    store = game_store(context)
    try:
        parts = read_array(folder, "parts")
    except NotFound:
        split = replace(SPLITS[context.size], salt=context.seed)
        parts = _enough(splits.split_by_tournament(store, split), store.hashes(), MOST[context.size], split)
        write_array(folder, "parts", parts)
    if len(parts) != len(store):
        said = f"the training jobs in `{folder}` are of {len(parts):,} games, not of {len(store):,}"
        raise UsageError(said, hint="give the games that it was made of")
    return SplitGames(store, parts)


def _enough(parts: splits.Parts, hashes: NDArray[np.uint64], most: int, split: splits.TournamentSplit) -> splits.Parts:
    """At most so many games, and some in each part."""
    usable = np.flatnonzero(parts != NONE)
    chosen = usable[np.argsort(hashes[usable], kind="stable")][: most or None]
    parts = np.where(np.isin(np.arange(len(parts)), chosen), parts, NONE).astype(np.uint8)
    if not {TRAIN, VALIDATION, TEST} <= set(parts.tolist()):
        test, validation = (max(1, round(share * len(chosen))) for share in (split.test, split.validation))
        parts[chosen] = TRAIN
        parts[chosen[:test]], parts[chosen[test : test + validation]] = TEST, VALIDATION
    return parts


OUTCOME: Final = {"form": "number", "view": "mover", "low": 0, "high": 10_000}
"""Of V: a game won at once is a hundred pawns."""
FAR_OUTCOME: Final = {**OUTCOME, "high": 1_000}  # of our own, whose discount is smaller: a tenth of that

LABELS: Final[dict[Size, int | None]] = {"tiny": 400, "quick": 40_000, "full": None}
"""Positions with a teacher's best moves, at most."""

RECIPE: Final = "okapi paper singh2015"

PROMOTING: Final = 2_000  # training games from which the shares of promotions are taken


TRAINED: Final = ("seven", "ours")


@dataclass(frozen=True, slots=True, eq=False)
class TrainedNetworks:
    """Brains of the trained networks, their reports, and the positions to test them on."""

    seven: Path | None
    """The brain of the seven networks, or of the seven small ones; None as long as not all of them are here."""
    ours: Path | None
    teacher: Path | None
    """Ours, trained further on a stronger player's best moves."""
    value: Path | None
    quick_value: Path | None
    """Our small value network, and a perceptron with the same target."""
    outcome: Mapping[float, Path]
    """Value networks by their discounts; the small one where the whole one is not here."""
    reports: Mapping[str, TrainingReport]
    """Of every finished training job."""
    tests: EvaluationSet
    first_moves: Mapping[str, int]
    """How often each move began a training game."""

    @property
    def movers(self) -> dict[str, Path]:
        """Brains that predict moves, by their names in results."""
        return {name: path for name, path in zip(TRAINED, (self.seven, self.ours), strict=True) if path is not None}


def trained_networks(context: ExperimentContext) -> TrainedNetworks:
    """Run the training jobs, or find their results: JobsLeft, where all are left for another machine."""
    chosen = context.chosen("training", jobs.JOB_SETTINGS)
    folder = jobs.jobs_folder(context, chosen)
    games = gathered(context, folder)
    if GameJobs.found_in(folder):
        job_set = GameJobs.read(folder)
    else:
        job_set = GameJobs.write(folder, games.store, games.parts, thesis.training_jobs(context.size, context.seed))
    keep_best_moves(context, folder)
    names = [name for name in job_set.jobs if name != thesis.TEACHER or BestMoves.found_in(folder)]
    try:
        jobs.train_jobs(context, job_set, names, chosen)
    except jobs.JobsLeft:
        if not any(jobs.has_weights(job_set, name) for name in names):
            raise
    reports = jobs.finished_reports(job_set, names)
    promotions = PlayedMoves.played(games.store, games.of(TRAIN)[:PROMOTING]).promotions()
    writer, moves = _BrainWriter(context, job_set, reports, promotions), {"form": "moves", "promotions": promotions}
    small_seven = writer.seven([thesis.small(name) for name in thesis.NETWORKS], "convchess")
    small_v = {thesis.GAMMAS[0]: writer.one(thesis.small(thesis.outcome(thesis.GAMMAS[0])), OUTCOME, "convchess-v")}
    v = {gamma: writer.one(thesis.outcome(gamma), OUTCOME) or small_v.get(gamma) for gamma in thesis.GAMMAS}
    return TrainedNetworks(
        seven=writer.seven(thesis.NETWORKS) or small_seven,
        ours=writer.one(thesis.OURS, moves),
        teacher=writer.one(thesis.TEACHER, moves),
        value=writer.one(thesis.VALUE, FAR_OUTCOME),
        quick_value=writer.one(thesis.QUICK_VALUE, FAR_OUTCOME),
        outcome={gamma: path for gamma, path in v.items() if path is not None},
        reports=reports,
        tests=_evaluation_set(context.folder / "exam.npz", games),
        first_moves=first_moves(games.store, games.of(TRAIN)),
    )


@dataclass(frozen=True, slots=True)
class _BrainWriter:
    context: ExperimentContext
    job_set: GameJobs
    reports: Mapping[str, TrainingReport]
    promotions: list[float]

    def one(self, name: str, output: Mapping[str, Any], ships_as: str | None = None) -> Path | None:
        """The brain of one training job, if its network is here; one that ships is small."""
        if not jobs.has_weights(self.job_set, name):
            return None
        job, learned = self.job_set.jobs[name], read_network(self.job_set.job_folder(name))
        card = {"name": ships_as or f"singh2015-{name}", "recipe": RECIPE}
        brain = export_brain(job, learned, output, card, self.reports[name], bits=8 if ships_as else 32)
        return self.context.write_brain(ships_as or name, brain)

    def seven(self, names: Sequence[str], ships_as: str | None = None) -> Path | None:
        """The brain of seven jobs in the order of NETWORKS."""
        if not all(jobs.has_weights(self.job_set, job) for job in names):
            return None
        tensors: dict[str, NDArray[Any]] = {}
        networks, tests = {}, {}
        for name, job in zip(thesis.NETWORKS, names, strict=True):
            learned = read_network(self.job_set.job_folder(job))
            tensors |= {f"{name}/{key}": tensor for key, tensor in learned.tensors.items()}
            networks[name] = {"encoding": self.job_set.jobs[job].plan.encoding, "layers": learned.layers}
            tests[name] = self.reports[job].test
        card = {"name": ships_as or "singh2015-seven", "recipe": RECIPE, "made_with": f"okapi {version}"}
        entries = {
            **card,
            "kind": "seven-networks",
            "encoding": str(networks[thesis.NETWORKS[0]]["encoding"]),
            "networks": json.dumps(networks),
            "output": json.dumps({"form": "squares", "promotions": self.promotions}),
            "test": json.dumps(tests),
        }
        return self.context.write_brain(ships_as or "seven", brain_file(entries, tensors, bits=8 if ships_as else 32))


def keep_best_moves(context: ExperimentContext, folder: Path) -> None:
    """Write the best moves of --labels, split by game, beside the games; once."""
    if context.labels is None or BestMoves.found_in(folder):
        return
    labels = load_labels(context.label_config(), most=LABELS[context.size])
    if labels.moves is None or not labels.moves.any():
        return
    labels = labels.take(labels.moves != 0)
    split = splits.split_labels(labels, splits.usual_split(labels), context.seed, splits.usual_shares(labels))
    assert labels.moves is not None
    count = len(labels)
    best = PlayedMoves(
        positions=labels.positions,
        moves=labels.moves,
        elos=np.full(count, TEACHER_ELO, np.int32),
        plies=labels.plies.astype(np.int32),
        games=np.full(count, -1),
        outcomes=np.full(count, 2, np.int8),  # won
    ).dataset()
    BestMoves(best.positions, best.targets.astype(np.uint16), split).write(folder)


def test_positions(context: ExperimentContext) -> EvaluationSet:
    """Of the test games, for a brain from elsewhere: nothing is trained here."""
    return _evaluation_set(context.folder / "exam.npz", gathered(context, context.folder))


def _evaluation_set(path: Path, games: SplitGames) -> EvaluationSet:
    """Kept in a file: looking up all positions of all training games takes minutes."""
    if not path.exists():
        tests = EvaluationSet.of(games.store, games.of(TEST), games.of(TRAIN))
        write_arrays(path, {each.name: getattr(tests, each.name) for each in fields(tests)})
    with np.load(path, allow_pickle=False) as arrays:
        return EvaluationSet(**{each.name: arrays[each.name] for each in fields(EvaluationSet)})


VALIDATED: Final = ("loss", "accuracy", "top_3", "top_5", "top_10")
CURVE: Final = ("epoch", "train_loss", *(f"validation_{what}" for what in VALIDATED))


def training(context: ExperimentContext) -> dict[str, Any]:
    """Every finished training job: its curve, test, time and settings. Jobs that are not here stay as stored."""
    trained = trained_networks(context)
    stored = context.stored and context.stored.parent / RESULTS / "training.json"
    found = ExperimentResult.read(stored).data["jobs"] if stored and stored.exists() else {}
    found |= {name: _job(report) for name, report in trained.reports.items()}
    folder = jobs.jobs_folder(context, context.chosen("training", jobs.JOB_SETTINGS))
    if GameJobs.found_in(folder):
        job_set = GameJobs.read(folder)
        targets = {name: job.target for name, job in job_set.jobs.items() if name in found and job.target.gamma}
        # The mean squared error of a V that is always 0, on the test samples.
        samples = {target: job_set.dataset(name, TEST).targets for name, target in targets.items()}
        errors = {target: float(np.square(each, dtype=np.float64).mean()) for target, each in samples.items()}
        for name, target in targets.items():
            found[name]["always_0"] = errors[target]
    return {"jobs": found}


def _job(report: TrainingReport) -> dict[str, Any]:
    plan = SupervisedConfig.from_json(report.about["config"])
    optimiser = {"optimiser": plan.optimiser["name"], "rate": plan.optimiser["lr"], "eps": plan.optimiser.get("eps")}
    return {
        **{key: getattr(report, key) for key in jobs.TOLD},
        **{key: getattr(plan, key) for key in ("encoding", "precision", "batch")},
        **optimiser,
        "test": {key: value for key, value in report.test.items() if isinstance(value, int | float)},
        "curve": [{key: entry[key] for key in CURVE if key in entry} for entry in report.curve],
        "model": plan.model.rpartition(":")[2],
        "samples": plan.samples and plan.samples * report.epochs,
    }
