"""`okapi train giraffe-moves`: inner nodes of searches with the best move of each, and the move network of lai2015 that
learns from them (sections 6.3 and 6.4).

Positions of games are searched, some nodes of each search are drawn evenly, and each of those is searched again, by
itself: its best move is the label. The thesis limits both by time, we by nodes, so that results are reproducible.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from okapi import brains
from okapi.brains.move_prediction import Predictor
from okapi.core import Move
from okapi.core.keys import KeySet, position_keys
from okapi.core.labelling import best_moves, internal_nodes
from okapi.core.packed import SAMPLE, rows, unpack
from okapi.data.runs import Run
from okapi.data.samples import Samples, SampleWriter
from okapi.data.shuffle import Shuffle, hashed
from okapi.data.sources import StoreSource
from okapi.data.split import assign, identity
from okapi.data.store import Store
from okapi.errors import InvalidSamples, InvalidText, UsageError
from okapi.files import replace_file
from okapi.models.move_network import move_brain
from okapi.recipes.arrays import AS_CODES, NONE, PARTS, TEST, TRAIN, VALIDATION, read_array, write_array
from okapi.recipes.jobs import Jobs, Stop, Watch, read_jobs, write_jobs
from okapi.recipes.moves import game_library, move_ranks
from okapi.recipes.run import RecipeResult, RecipeRun
from okapi.training import moves as move_training
from okapi.training.devices import find_device
from okapi.training.moves import MOVE_CONFIGS, RANKS, MoveConfig, MoveDataset, cumulative
from okapi.training.report import TrainingReport

ARRAYS: Final = ("inner-positions", "inner-moves", "inner-parts", "inner-quiet")
IN_A_FILE: Final = 500_000


class InnerNodes(NamedTuple):
    """Arrays of one length: packed positions, Move.bits of the best moves, parts, and whether best moves are quiet."""

    positions: NDArray[np.uint8]
    moves: NDArray[np.uint16]
    parts: NDArray[np.uint8]
    quiet: NDArray[np.uint8]

    def write(self, folder: Path) -> None:
        """Compressed, into a folder of jobs."""
        folder.mkdir(parents=True, exist_ok=True)
        plain = self.positions.copy()
        plain[:, 26:] = 0  # counts of moves, which no move network reads: zeros compress well
        columns: tuple[NDArray[Any], ...] = (plain, self.moves, self.parts, self.quiet)
        for number, begin in enumerate(range(0, len(plain), IN_A_FILE), start=1):
            for name, column in zip(ARRAYS, columns, strict=True):
                write_array(folder, f"{name}-{number}", column[begin : begin + IN_A_FILE], compressed=True)

    @classmethod
    def read(cls, folder: Path) -> Self:
        """All files that are there: NotFound, InvalidText."""
        numbers = sorted({int(path.name.split(".")[0].rpartition("-")[2]) for path in folder.glob(f"{ARRAYS[0]}-*")})
        files = ([read_array(folder, f"{name}-{number}") for number in numbers] for name in ARRAYS)
        columns = [np.concatenate(pieces) for pieces in files]
        if len(set(map(len, columns))) != 1 or columns[0].shape[1:] != (32,):
            raise InvalidText(f"{columns[0].shape} positions have {len(columns[1])} best moves")
        return cls(*columns)

    def part(self, number: int) -> "InnerNodes":
        return InnerNodes(*(column[self.parts == number] for column in self))

    def fingerprint(self) -> str:
        return hashlib.blake2b(b"".join(column.tobytes() for column in self[:3]), digest_size=16).hexdigest()


@dataclass(frozen=True, eq=False)
class MoveNetworkJobs(Jobs):
    jobs: Mapping[str, MoveConfig]
    nodes: InnerNodes

    @staticmethod
    def found_in(folder: Path) -> bool:
        return any(folder.glob(f"{ARRAYS[0]}-*"))

    @classmethod
    def read(cls, folder: Path) -> Self:
        return cls(folder, read_jobs(folder, lambda told: MoveConfig.from_json(told["plan"])), InnerNodes.read(folder))

    @classmethod
    def write(cls, folder: Path, nodes: InnerNodes | None, jobs: Mapping[str, MoveConfig]) -> Self:
        """Write jobs, or more jobs, into a folder: the positions stay those that were there first."""
        if not cls.found_in(folder):
            if nodes is None:
                raise UsageError(f"`{folder}` holds no inner nodes yet", hint="give some")
            nodes.write(folder)
        write_jobs(folder, {name: {"plan": config.as_json()} for name, config in jobs.items()}, add=True)
        return cls.read(folder)

    def depends_on(self, name: str) -> str | None:
        return None

    def train(self, name: str, device: str, watch: Watch, stop: Stop, *, cut: bool = False) -> None:
        """Find the legal moves of all positions, once, where that is fastest, and learn which are best."""
        config, where = self.jobs[name], find_device(device)

        def dataset(number: int) -> MoveDataset:
            positions, moves, _, quiet = self.nodes.part(number)
            positions[:, 28] = positions[:, 28].clip(min=1)  # a move number: files have none, the core asks for it
            return MoveDataset.from_positions(positions, moves, quiet, config.design, where)

        train, validation, test = map(dataset, (TRAIN, VALIDATION, TEST))
        how: dict[str, Any] = {"data": self.nodes.fingerprint(), "watch": watch, "stop": stop}
        move_training.train_moves(config, train, validation, test, self.job_folder(name), **how)

    def counts(self) -> dict[str, int]:
        return {name: int((self.nodes.parts == number).sum()) for name, number in PARTS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class InnerNodesConfig:
    """At least so many positions: of searches of `root_nodes`, `each` nodes are drawn and searched with `nodes`."""

    store: Path
    brain: str
    positions: int = 3_000_000
    root_nodes: int = 1024
    each: int = 8
    nodes: int = 256
    seed: int = 1

    def card(self, store: Store) -> dict[str, Any]:
        brain = brains.find(self.brain)
        digest = hashlib.blake2b(brain.read_bytes(), digest_size=16).hexdigest()
        settings = {name: getattr(self, name) for name in ("root_nodes", "each", "nodes", "seed")}
        return {"inner_nodes_of": identity(store.hashes()), "brain": brain.stem, "brain_hash": digest, **settings}


def label_inner_nodes(
    gathering: InnerNodesConfig,
    to: Path,
    *,
    threads: int = 1,
    watch: Callable[[int, int], object] = lambda done, wanted: None,
) -> int:
    """Label inner nodes until there are enough, or go on with that; how many there are. The file is the same whatever
    the number of threads, and however often it was interrupted."""
    store, evaluator = Store.open(gathering.store), brains.evaluator(gathering.brain)
    source = StoreSource(store)
    order = Shuffle(len(source), gathering.seed)
    with SampleWriter.open(to, card=gathering.card(store)) as writer:
        batch = (writer.cursor or {}).get("batches", 0)
        while len(writer) < gathering.positions:
            roots = source.take(np.sort(order[128 * batch : 128 * (batch + 1)]))  # a second's work, which a kill loses
            if not len(roots):
                told = f"the {len(source)} positions of the games have {len(writer)} inner nodes, not more"
                raise InvalidSamples(told, hint="more games, or --each with a larger number")
            writer.append(_labelled(gathering, evaluator, roots, batch, threads))
            batch += 1
            writer.commit({"batches": batch})
            watch(len(writer), gathering.positions)
        return len(writer)


def _labelled(
    gathering: InnerNodesConfig, evaluator: Any, roots: NDArray[np.void], batch: int, threads: int
) -> NDArray[np.void]:
    """The nodes of these roots, as samples of the games that their roots are from."""
    seed = int(hashed(np.array([batch]), gathering.seed)[0] >> np.uint64(1))
    how = {"nodes": gathering.root_nodes, "each": gathering.each, "seed": seed, "threads": threads}
    positions, below = internal_nodes(evaluator, roots["position"].copy(), **how)
    moves, values = best_moves(evaluator, positions, nodes=gathering.nodes, threads=threads)
    samples = np.zeros(len(positions), SAMPLE)
    samples["position"], samples["move"] = positions, moves
    samples["value"] = values.clip(-32000, 32000)
    samples["result"], samples["nodes"] = -1, gathering.nodes
    samples["game"], samples["ply"] = roots["game"][below], roots["ply"][below]
    return np.asarray(samples[moves != 0])


def parts_of_games(games: NDArray[Any]) -> NDArray[np.uint8]:
    """What the nodes of these games are for, by the game's number alone: 3 % TEST, 1 % VALIDATION, the rest TRAIN."""
    return AS_CODES[assign(hashed(games, 9) % np.uint64(100), 3, 3 + 1)]


def inner_nodes(samples: Samples, *, most: int | None = None) -> InnerNodes:
    """The nodes of a file for training: each position once, and none in training that is kept out of it. Whether a best
    move is quiet is only found out where it is counted: not in training."""
    found = samples[: len(samples) if most is None else most]
    parts = parts_of_games(found["game"])
    keys = position_keys(found["position"].copy())
    seen = KeySet(len(found))
    for part in (TEST, VALIDATION, TRAIN):
        here = np.flatnonzero(parts == part)
        parts[here[~seen.add(keys[here])]] = NONE
    found, parts = found[parts != NONE], parts[parts != NONE]
    quiet = np.ones(len(found), np.uint8)
    for row in np.flatnonzero(parts != TRAIN):
        quiet[row] = is_quiet(found["position"][row], int(found["move"][row]))
    packed = np.ascontiguousarray(rows(found["position"].copy()))
    return InnerNodes(packed.reshape(-1, 32), found["move"].copy(), parts, quiet)


def is_quiet(position: Any, bits: int) -> bool:
    """Is the best move something else than a capture that gains material, if both sides take as often as it pays?"""
    board, move = unpack(position), Move.from_bits(bits)
    return not (board.is_capture(move) and board.see(move) > 0)


class MoveRanks(NamedTuple):
    """How often the best move had rank 0, 1, … 10, or a lower one: Table 4, and Table 5 of quiet best moves only."""

    all: list[int]
    quiet: list[int]


def rank_best_moves(predictor: Predictor, samples: NDArray[np.void]) -> MoveRanks:
    found = np.zeros(len(samples), np.int64)
    for some in np.array_split(np.arange(len(samples)), range(4096, len(samples), 4096)):
        likely = predictor.probabilities(samples["position"][some])
        found[some] = move_ranks(likely, samples["move"][some]).clip(max=RANKS)
    quiet = np.array([is_quiet(sample["position"], int(sample["move"])) for sample in samples], np.bool_)
    return MoveRanks(*(np.bincount(ranks, minlength=RANKS + 1).tolist() for ranks in (found, found[quiet])))


def run_recipe(run: RecipeRun) -> RecipeResult:
    """Label, train, export the brain and compute Tables 4 and 5, or resume."""
    config, threads = run.config, run.config.executor.workers
    settings = config.settings_of("giraffe-moves")
    name = settings["network"]
    if name not in MOVE_CONFIGS:
        raise UsageError(f"`network` is `{name}`", hint=f"expected {' or '.join(MOVE_CONFIGS)}")
    network = replace(MOVE_CONFIGS[name], **{key: settings[key] for key in ("epochs", "batch") if settings[key]})
    library = game_library(config)
    drawn = {key: settings[key] for key in ("brain", "positions", "root_nodes", "each", "nodes")}
    about = {"recipe": run.name, **config.about(settings, games=library.name)}
    with Run.start(run.folder, "train", title="The move network of lai2015", settings=about):
        path, where = run.folder / "inner.samples", run.folder / "jobs"
        gathering = InnerNodesConfig(store=library.store.path, seed=config.seed, **drawn)
        label_inner_nodes(
            gathering, path, threads=threads, watch=lambda done, of: run.say(f"labelling: {done:,} of {of:,} positions")
        )
        samples = Samples.open(path)
        nodes = None if MoveNetworkJobs.found_in(where) else inner_nodes(samples)
        jobs = MoveNetworkJobs.write(where, nodes, {name: network})
        if jobs.report(name) is None:
            jobs.train(name, run.device, run.show_epoch, run.stop)
        write_move_brain(jobs.job_folder(name), run.brain, "giraffe-moves")
        figures = {**jobs.counts(), **rank_tables(samples[: len(samples)], str(run.brain), threads)}
    first, third = (f"{figures['table_4'][rank][1]:.1f} %" for rank in (0, 2))
    found = f"the best move is first in {first} and among the first three in {third}"
    line = f"{figures['train']:,} training positions; of {figures['positions']:,} test positions {found}"
    return RecipeResult(figures=figures, lines=[line])


def write_move_brain(job: Path, to: Path, name: str) -> None:
    report, network = TrainingReport.read(job), move_training.read_move_network(job)
    told = {} if report is None else {"learned": json.dumps({"plan": report.about.get("config"), "test": report.test})}
    replace_file(to, move_brain(network, {"name": name, "paper": "lai2015, chapter 6", **told}))


def rank_tables(found: NDArray[np.void], brain: str, threads: int = 1) -> dict[str, Any]:
    """Tables 4 and 5 of a brain, on the nodes of games that nothing was learned from."""
    test = found[parts_of_games(found["game"]) == TEST]
    ranks = rank_best_moves(brains.predictor(brain, threads=threads), test)
    table_4, table_5 = ([[round(number, 2) for number in line] for line in cumulative(each)] for each in ranks)
    return {"positions": len(test), "table_4": table_4, "quiet": sum(ranks.quiet), "table_5": table_5}
