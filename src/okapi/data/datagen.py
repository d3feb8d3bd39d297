"""Training data from self-play: samples of whole games in a file that grows and can be resumed."""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import ModelCard, default_name, evaluator, find
from okapi.core.selfplay import DECIDED, play_games
from okapi.data.runs import Run
from okapi.data.samples import SampleWriter
from okapi.errors import Unfinished
from okapi.files import file_hash
from okapi.settings import Config

PLIES: Final = 100  # of an average game, whose first moves are random
NODES_IN_A_BATCH: Final = 5_000_000
SMALLEST_BATCH: Final = 16
LARGEST_BATCH: Final = 4096  # games that are played together: some seconds of work, which is what a kill can lose
RESULTS: Final = ("0-1", "1/2-1/2", "1-0")


@dataclass(frozen=True, slots=True, kw_only=True)
class DatagenConfig(Config):
    brain: str | None = None  # name or path; the default brain if not given
    nodes: int = 500  # a search starts no new depth after so many
    random_plies: int = 8  # random moves at the start of a game: so many, or one more
    balanced: int = 1000  # centipawns by which a side may lead after the random moves
    seed: int = 1

    @property
    def batch(self) -> int:
        """Games that are written together. It does not depend on threads: the same command gives the same bytes."""
        return min(max(NODES_IN_A_BATCH // (PLIES * self.nodes), SMALLEST_BATCH), LARGEST_BATCH)

    def card(self) -> dict[str, Any]:
        """The card of the file: a file with another card is not continued."""
        path = find(self.brain or default_name())
        teacher = {"teacher": ModelCard.read(path).name, "teacher_file": file_hash(path)}
        decided = {name: value for name, value in asdict(DECIDED).items() if value is not None}
        return {**teacher, **self.search, "adjudication": decided}

    @property
    def search(self) -> dict[str, Any]:
        """How it plays, whatever the brain."""
        return {name: getattr(self, name) for name in ("nodes", "random_plies", "balanced", "seed")}


@dataclass(slots=True)
class DatagenProgress:
    games: int = 0
    positions: int = 0
    nodes: int = 0
    results: Counter[str] = field(default_factory=Counter)  # as in PGN; * where a game was too long
    kept: int = 0  # games that were in the file before this session
    kept_positions: int = 0
    seconds: float = 0.0

    @property
    def positions_per_second(self) -> float:
        """Since this session began, on all threads."""
        return (self.positions - self.kept_positions) / self.seconds if self.seconds else 0.0

    def add(self, samples: NDArray[np.void], games: int) -> None:
        self.games += games
        self.positions += len(samples)
        self.nodes += int(samples["nodes"].sum(dtype=np.int64))
        self.results.update(results_of(samples))

    @classmethod
    def of(cls, writer: SampleWriter) -> "DatagenProgress":
        kept = writer.cursor or {"games": 0, "nodes": 0, "results": {}}
        games, positions = kept["games"], len(writer)
        return cls(games, positions, kept["nodes"], Counter(kept["results"]), games, positions)


def generate_samples(
    config: DatagenConfig,
    games: int,
    to: Path | str,
    *,
    threads: int = 1,
    watch: Callable[[DatagenProgress], object] = lambda progress: None,
    stop: Callable[[], bool] = lambda: False,
) -> DatagenProgress:
    """Play until the file has so many games; `watch` is called before the first batch and after each.

    If `stop` returns true, what was played is kept and Unfinished is raised. The file is the same for any number of
    interruptions and threads.
    """
    to = Path(to)
    brain, about = evaluator(config.brain or None), config.card()
    with closing(SampleWriter.open(to, card=about)) as writer:
        progress = DatagenProgress.of(writer)
        watch(progress)
        if progress.games >= games:
            return progress
        folder = to.with_name(f"{to.name}.run")
        with Run.start(folder, "selfplay", total=games, unit="games", title=to.name, settings=about) as run:
            begun = time.monotonic()
            while progress.games < games:
                if stop():
                    raise Unfinished(f"{progress.games:,} of {games:,} games are in {to}")
                batch = min(config.batch, games - progress.games)
                samples = play_games(brain, games=batch, first=progress.games, threads=threads, **config.search)
                progress.add(samples, batch)
                writer.append(samples)
                writer.commit({"games": progress.games, "nodes": progress.nodes, "results": dict(progress.results)})
                progress.seconds = time.monotonic() - begun
                watch(progress)
                shares = {f"{result} share": progress.results[result] / progress.games for result in RESULTS}
                run.log(progress.games, positions_a_second=progress.positions_per_second, **shares)
    return progress


def results_of(samples: NDArray[np.void]) -> Counter[str]:
    """Count the results of the games that the samples are from. Samples of a game follow each other.

    >>> from okapi.core.packed import SAMPLE
    >>> samples = np.zeros(3, SAMPLE)
    >>> samples["game"], samples["result"], samples["position"]["turn"] = (7, 7, 8), (0, 2, -1), (1, 0, 0)
    >>> sorted(results_of(samples).items())
    [('*', 1), ('1-0', 1)]
    """
    first = samples[np.unique(samples["game"], return_index=True)[1]]
    white = np.where(first["position"]["turn"] == 0, first["result"], 2 - first["result"])
    counts = np.bincount(np.where(first["result"] < 0, len(RESULTS), white), minlength=len(RESULTS) + 1)
    return +Counter(dict(zip((*RESULTS, "*"), counts.tolist(), strict=True)))
