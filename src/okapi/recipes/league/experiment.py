"""The method of the league, in the order in which it is carried out: data, trainings, games, ratings.

**Data.** All ways that learn from labels see the same ones. They are split by game once; a budget of N positions
is the first N of the training part in an order that depends on games only, so smaller budgets are parts of larger ones.
What a recipe needs for validation it takes from its N. Ways that play their own games are given N positions to play.

**Trainings.** Each is one run of `okapi train RECIPE` in a folder of its own, on one processor.

**Games.** Each condition is a pool of its own: the same search, switches and limits for all, from the same balanced
openings, each with both colours. In each round those with the widest intervals play somebody near their rating whom
they met least. A round depends on nothing but the games before it: an interrupted league comes to the same table.

**Ratings.** The model of `okapi rate`; `material` is 0 in each pool, or engines have their nominal ratings. Intervals
are those of Bayeselo's `exactdist`: they take the ratings of the opponents as certain. How well the distance to the
mean of the pool is known is told beside them. In a last pool shipped references play with all limits: it says how much
a limit adds to `material`, which puts all pools on one scale.
"""

import json
import os
import platform
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, product
from pathlib import Path
from typing import Any, Final

import numpy as np

from okapi.arena.ladder import LADDER, usable
from okapi.arena.match import WorkerFactory
from okapi.arena.ratings import Rating, RatingPool, rate
from okapi.arena.settings import AdjudicationRules
from okapi.arena.standings import Standings
from okapi.arena.time_control import TimeControl
from okapi.arena.tournament import Matchup, MatchupSettings, play_matchups
from okapi.brains.library import BRAIN
from okapi.core import version
from okapi.core.keys import position_keys
from okapi.core.packed import SAMPLE
from okapi.core.samples import as_samples
from okapi.data.shuffle import hashed
from okapi.data.sources import read_samples, write_samples
from okapi.errors import OkapiError, Unfinished
from okapi.files import file_hash, replace_file
from okapi.optimize.executor import Executor, ThreadExecutor
from okapi.recipes.arrays import TRAIN
from okapi.recipes.config import RecipeConfig, Tell
from okapi.recipes.labels import load_labels
from okapi.recipes.league.plan import Cell, Condition, LeaguePlan, multiplications
from okapi.recipes.league.result import BRAINS, LIMITS, REFERENCE, LeagueBrain, LeaguePool, LeagueResult, LeagueRow
from okapi.recipes.run import RecipeRun
from okapi.recipes.splits import LOOKED_UP, SHARES, SplitBy, split_labels
from okapi.training.report import refuse_settings

# --- Data -------------------------------------------------------------------------------------------------------------

LABELS: Final = "labels"
TRAINING: Final = "training.samples"
DATA: Final = "data.json"
SPLIT_SEED: Final = 1
"""The same split for all seeds: they differ in how a learner begins, not in what it is shown."""


def prepare(config: RecipeConfig, folder: Path) -> int:
    """Write the training part of the labels, shuffled by game, into the folder, once; the number of its positions."""
    files = {"labels": config.labels, "games": config.games}
    wanted = {"size": config.size, **{what: path and f"{path.name} {file_hash(path)}" for what, path in files.items()}}
    about, path = folder / DATA, folder / TRAINING
    if about.exists():
        refuse_settings(folder, json.loads(about.read_bytes()), wanted)
    if not path.exists():
        labels = load_labels(config, folder=folder)
        how: SplitBy = "positions" if labels.games is None else "games"
        parts = split_labels(labels, how, SPLIT_SEED, SHARES if labels.library is None else LOOKED_UP)
        rows = np.zeros(len(labels), SAMPLE)
        rows["position"], rows["value"] = labels.positions, labels.values
        rows["move"] = 0 if labels.moves is None else labels.moves
        rows["result"], rows["ply"] = -1, np.maximum(labels.plies, 0)
        known = np.full(len(labels), -1) if labels.games is None else labels.games
        alone = known.max(initial=0) + 1 + np.arange(len(labels))  # a position whose game nobody knows
        rows["game"] = np.where(known >= 0, known, alone)
        rows = rows[parts == TRAIN]
        order = np.lexsort((hashed(position_keys(rows["position"]), SPLIT_SEED), hashed(rows["game"], SPLIT_SEED)))
        replace_file(about, json.dumps(wanted).encode())
        write_samples(path, [rows[order]])
    return sum(map(len, read_samples(path)))


def first_positions(folder: Path, positions: int) -> Path:
    """A file with the first of the training positions."""
    path = folder / f"first-{positions}.samples"
    if not path.exists():
        every = np.concatenate([as_samples(rows) for rows in read_samples(folder / TRAINING)])
        write_samples(path, [every[:positions]])
    return path


# --- Trainings --------------------------------------------------------------------------------------------------------

TRAINED: Final = "trained.json"
OWN_GAMES: Final = Path("labels", "own.samples")
"""What an NNUE's run keeps of the games that it plays."""


def record_training(folder: Path, cell: Cell, figures: Mapping[str, Any]) -> None:
    passes = float(figures[cell.way.passes] if isinstance(cell.way.passes, str) else cell.way.passes)
    each = multiplications(folder / BRAIN)
    told = {"passes": passes, "multiplications": each, "operations": cell.way.operations(cell.positions, passes, each)}
    replace_file(folder / TRAINED, json.dumps(told | {"seconds": figures.get("seconds")}).encode())


def _beginning(which: str, folder: Path, seed: int) -> Path:
    """The brain that a way begins with: what theory says, or noise, a perceptron on bitmaps."""
    from okapi.brains.files import brain_file
    from okapi.recipes.vazquez2012.twenty_eight import GENES, Expression, theory

    path = folder / f"{which}.safetensors"
    if path.exists():
        return path
    folder.mkdir(parents=True, exist_ok=True)
    if which == "theory":
        replace_file(path, Expression("parts")(theory(GENES), {"name": "theory"}))
    else:
        import torch

        from okapi.models.express import express
        from okapi.models.perceptron import perceptron

        torch.manual_seed(seed)
        made = express(perceptron(768, [64, 16], 1, last="sigmoid"))
        card = {"name": "noise", "kind": "perceptron", "encoding": "bitmap-768", "layers": json.dumps(made.layers)}
        replace_file(path, brain_file({**card, "output": '{"form": "score", "view": "mover"}'}, made.tensors))
    return path


@dataclass(frozen=True)
class LeagueTrainings:
    """All trainings of a plan, in a folder; and all that a process or another machine needs to do one of them."""

    plan: LeaguePlan
    folder: Path
    device: str = "cpu"

    def brain(self, cell: Cell) -> Path:
        return self.folder / BRAINS / cell.name / BRAIN

    def done(self, cell: Cell) -> bool:
        return self.brain(cell).with_name(TRAINED).exists()

    def _told(self) -> dict[str, dict[str, Any]]:
        """What is known of the trainings that are done, by name."""
        done = filter(self.done, self.plan.cells)
        return {cell.name: json.loads(self.brain(cell).with_name(TRAINED).read_bytes()) for cell in done}

    def failed(self) -> dict[str, str]:
        """Trainings that failed or build on one that did, and why."""
        return {name: told["failed"] for name, told in self._told().items() if "failed" in told}

    @property
    def trained(self) -> list[Cell]:
        failed = self.failed()
        return [cell for cell in self.plan.cells if self.done(cell) and cell.name not in failed]

    def entries(self) -> Iterator[LeagueBrain]:
        every = self._told()
        for cell in self.trained:
            about = {name: getattr(cell, name) for name in ("name", "kind", "budget", "seed", "positions")}
            told = every[cell.name]
            yield LeagueBrain(way=cell.way.name, train_seconds=told.pop("seconds"), **about, **told)

    def run(self, executor: Executor, tell: Tell) -> None:
        """Do those that are not done, the cheapest first."""
        finished = sum(map(self.done, self.plan.cells))

        def told(name: str) -> None:
            nonlocal finished
            finished += 1
            tell(f"{finished} of {len(self.plan.cells)} brains are trained: {name}")

        for wave in self.plan.waves():
            left = sorted((cell for cell in wave if not self.done(cell)), key=lambda cell: (cell.positions, cell.seed))
            for cell in left:
                self._labels(cell)  # here, because several processes would write the same file
            executor.map(self.train, left, told)

    def train(self, cell: Cell) -> str:
        """Train, or resume; the name of the training, whose folder then has its brain and trained.json.

        What cannot be trained is left out of the league, with its error: the others go on.
        """
        folder = self.brain(cell).parent
        folder.mkdir(parents=True, exist_ok=True)
        if self.done(cell):
            return cell.name
        if cell.way.same:
            for path in (path for name in (BRAIN, TRAINED) if (path := self._parent(cell) / name).exists()):
                replace_file(folder / path.name, path.read_bytes())
            return cell.name
        try:
            result = self.recipe_run(cell).start()
        except Unfinished:
            raise
        except OkapiError as error:
            replace_file(folder / TRAINED, json.dumps({"failed": str(error)}).encode())
            return cell.name
        assert result is not None
        record_training(folder, cell, result.figures)
        for unneeded in ("checkpoints", "champions"):
            shutil.rmtree(folder / unneeded, ignore_errors=True)
        return cell.name

    def recipe_run(self, cell: Cell) -> RecipeRun:
        """As `okapi train` would run it, on one processor."""
        way, folder, labels = cell.way, self.brain(cell).parent, self._labels(cell)
        changes = way.changes(cell.positions)
        if way.begins:
            changes["brain"] = str(_beginning(way.begins, folder, cell.seed))
        if way.after and way.learns != "both":
            changes["start"] = str(self._parent(cell) / BRAIN)
        config = RecipeConfig(self.plan.recipes, cell.seed, ThreadExecutor(1), None, changes, labels, folder / LABELS)
        run = RecipeRun(name=way.recipe, config=config, folder=folder, device=self.device, threads=1)
        files = [labels, self._parent(cell) / OWN_GAMES if way.learns == "both" else None]
        return replace(run, labels=[*filter(None, files)]) if run.recipe.method in ("nnue", "champion") else run

    def _parent(self, cell: Cell) -> Path:
        """The folder of the training that it builds on."""
        return self.folder / BRAINS / cell.parent

    def _labels(self, cell: Cell) -> Path | None:
        return first_positions(self.folder / LABELS, cell.positions) if cell.way.labelled else None

    # --- On another machine -------------------------------------------------------------------------------------------

    def hand_over(self, to: Path) -> int:
        """Write the trainings that suit a GPU as jobs (okapi.recipes.jobs), a folder for each way and budget."""
        from okapi.recipes.jobs import write_labelled_jobs
        from okapi.recipes.training import LabelTraining

        count = 0
        for group in self._groups():
            made: list[tuple[Cell, LabelTraining]] = [(cell, self.recipe_run(cell).make()) for cell in group]
            parts = {str(cell.seed): training.parts for cell, training in made}
            jobs = {cell.name: replace(training.job, parts=str(cell.seed)) for cell, training in made}
            labels = made[0][1].labels
            write_labelled_jobs(to / group[0].group, labels.positions, labels.values, parts, jobs)
            count += len(jobs)
        return count

    def collect(self, jobs: Path) -> int:
        """Take the brains of jobs that were trained; the number of those that are missing."""
        from okapi.recipes.jobs import LabelledJobs, export_job

        missing = 0
        for cell in (cell for group in self._groups() for cell in group):
            folder, to = jobs / cell.group, self.brain(cell)
            report = LabelledJobs.read(folder).report(cell.name)
            if report is None:
                missing += 1
                continue
            card = {"recipe": f"okapi train {cell.way.recipe}", "title": cell.way.title}
            to.parent.mkdir(parents=True, exist_ok=True)
            replace_file(to, export_job(folder, cell.name, card))
            record_training(to.parent, cell, {"epochs": report.epochs, "seconds": report.seconds})
        return missing

    def _groups(self) -> list[list[Cell]]:
        """A way and a budget: seeds, which stand together."""
        left = (cell for cell in self.plan.cells if cell.way.gpu and not self.done(cell))
        return [list(group) for _, group in groupby(left, lambda cell: cell.group)]


# --- Games ------------------------------------------------------------------------------------------------------------

ENDS: Final = AdjudicationRules(resign_score=1000, resign_moves=4, draw_score=10, draw_moves=8, draw_after=40)
"""Games on whose result both sides agree are ended; most of the time is spent there otherwise."""

FIRST: Final = 4
"""Games of each player against the reference, and against its neighbour, before anybody has a rating."""

MORE: Final = (8, 40)
"""Games of a pair that is drawn in a later round, at least and at most: fewer rounds where many are wanted."""

FAULTY: Final = 0.05
"""An engine that loses more of its games by its clock or by faults says nothing of the scale."""

OnRound = Callable[[str, int, float], object]
"""Takes the pool, its games so far, and the widest half-width."""


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Players under one condition, and the games that make their intervals narrow."""

    name: str
    players: Mapping[str, str]
    """Specifications by name."""
    control: TimeControl
    anchors: Mapping[str, float]
    """Engines with their nominal ratings, if any play."""
    games: int
    """Of each player, at most."""
    half_width: float
    most: float
    """Games of all players together, after which no round begins."""
    seed: int
    folder: Path
    make_workers: WorkerFactory | None = None
    together: bool = False
    tell: Tell = lambda line: None
    """Gets a line after each game."""

    def play(self, watch: OnRound = lambda name, games, widest: None) -> LeaguePool:
        """All rounds; games that are stored are not played again."""
        met: dict[tuple[str, str], Standings] = {}
        counts: Counter[tuple[str, str]] = Counter()
        wanted = self._first()
        while wanted:
            counts.update(wanted)
            met |= self._meet({pair: counts[pair] for pair in wanted})
            games = [game for _, standings in sorted(met.items()) for game in standings.results()]
            ratings, distances = self._ratings(games, exact=True), self._ratings(games, exact=False)
            watch(self.name, len(games), max(map(_half_width, ratings.values())))
            wanted = self._next(ratings, distances, counts) if len(games) < self.most else {}
        faults: Counter[str] = Counter()
        for row in (row for each in met.values() for row in each.rows()):
            faults[row.name] += sum(row.faults.values())
        sound = {name: elo for name, elo in self.anchors.items() if faults[name] <= FAULTY * ratings[name].games}
        return replace(self, anchors=sound or self.anchors)._table(games, faults)

    def _ratings(self, games: Sequence[tuple[str, str, float]], *, exact: bool) -> dict[str, Rating]:
        """On the scale of the engines, or with the reference at 0."""
        found = rate(RatingPool.of(games), anchors=self.anchors, exact=exact).players
        zero = 0.0 if self.anchors else next(one.elo for one in found if one.name == REFERENCE)
        return {one.name: replace(one, elo=one.elo - zero, low=one.low - zero, high=one.high - zero) for one in found}

    def _first(self) -> dict[tuple[str, str], int]:
        """A star around the reference, and a chain: all are linked."""
        names = list(self.players)
        star = [(REFERENCE, name) for name in names if name != REFERENCE]
        return {_pair(*pair): FIRST for pair in [*star, *pairwise(names)]}

    def _next(
        self, ratings: Mapping[str, Rating], distances: Mapping[str, Rating], counts: Mapping[tuple[str, str], int]
    ) -> dict[tuple[str, str], int]:
        """Pairs for those whose intervals are too wide, each with somebody near whom it met least; none at the end.

        Whose distance to the others is least certain comes first.
        """
        order = sorted(self.players, key=lambda name: (-_half_width(distances[name]), name))
        drawn: dict[tuple[str, str], int] = {}
        busy: set[str] = set()
        for name in order:
            wide = _half_width(ratings[name]) > self.half_width and ratings[name].games < self.games
            if not wide or name in busy:
                continue

            def cost(other: str, name: str = name) -> tuple[float, str]:
                far = _distance(ratings[name].elo, ratings[other].elo)
                return (1 + counts.get(_pair(name, other), 0)) * far, other

            near = min((other for other in order if other != name and other not in busy), key=cost, default=None)
            if near is None:
                break
            drawn[_pair(name, near)] = self._more(ratings[name])
            busy |= {name, near}
        return drawn

    def _more(self, rating: Rating) -> int:
        """Half of the games that its interval seems to need, as pairs: a rating that moved is met by somebody else."""
        needed = rating.games * ((_half_width(rating) / self.half_width) ** 2 - 1) / 2
        return int(np.clip(min(needed, self.games - rating.games), *MORE)) // 2 * 2

    def _meet(self, games: Mapping[tuple[str, str], int]) -> dict[tuple[str, str], Standings]:
        """The standings of each pair by itself. All is played first: workers start once, not for each pair."""
        for quick in (True, False):
            some = [Matchup(*pair, count) for pair, count in games.items() if self._is_quick(pair) == quick]
            if some:
                self._play({name for one in some for name in (one.first, one.second)}, some)
        return {pair: self._play(pair, [Matchup(*pair, count)]) for pair, count in games.items()}

    def _is_quick(self, pair: tuple[str, str]) -> bool:
        """Can the core play it without processes?"""
        return self.together or all(self.players[name].startswith("alphabeta:") for name in pair)

    def _play(self, names: Iterable[str], matchups: Sequence[Matchup]) -> Standings:
        there = {name: self.players[name] for name in sorted(names)}
        settings = MatchupSettings(players=there, control=self.control, adjudication=ENDS, seed=self.seed)
        how: dict[str, Any] = {"make_workers": self.make_workers, "together": self.together, "on_game": self._count}
        return play_matchups(settings, matchups, self.folder, **how)

    def _count(self, played: int, missing: int) -> None:
        self.tell(f"{self.name}: {played:,} of {missing:,} games of a round")

    def _table(self, games: Sequence[tuple[str, str, float]], faults: Mapping[str, int]) -> LeaguePool:
        ratings, distances = self._ratings(games, exact=True), self._ratings(games, exact=False)
        rows = []
        for name, one in ratings.items():
            elo, low, high = (round(each, 1) for each in (one.elo, one.low, one.high))
            played, score = one.games, round(one.score, 4)
            rows.append(
                LeagueRow(name=name, elo=elo, low=low, high=high, games=played, score=score, faults=faults[name])
            )
        rows.sort(key=lambda row: (-row.elo, row.name))
        known = [_half_width(found) for found in distances.values()]
        of = " and ".join(sorted(self.anchors)) if self.anchors else "the pool"
        note = (
            f"with the opponents' ratings uncertain, too, the distance to the mean of {of} is known to "
            f"± {np.median(known):.0f} Elo, and that of the furthest to ± {max(known):.0f}."
        )
        return LeaguePool(name=self.name, limits=str(self.control), games=len(games), rows=tuple(rows), note=note)


def _half_width(rating: Rating) -> float:
    return max(rating.elo - rating.low, rating.high - rating.elo)


def _pair(first: str, second: str) -> tuple[str, str]:
    return (first, second) if first <= second else (second, first)


def _distance(first: float, second: float) -> float:
    """1 for equals, and more the less a game between two tells.

    >>> _distance(0, 0), round(_distance(0, 400), 2)
    (1.0, 3.02)
    """
    score = 1 / (1 + 10 ** (-min(abs(first - second), 1600) / 400))
    return 1 / (4 * score * (1 - score))


# --- The whole league -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class LeagueExperiment:
    """A plan in a folder; the same call goes on where it was."""

    plan: LeaguePlan
    folder: Path
    labels: str
    command: str
    executor: Executor
    make_workers: WorkerFactory | None = None
    cluster: bool = False
    device: str = "cpu"
    tell: Tell = lambda line: None
    """Gets a line after each game."""

    @property
    def trainings(self) -> LeagueTrainings:
        return LeagueTrainings(self.plan, self.folder, self.device)

    def train(self, tell: Tell) -> None:
        self.trainings.run(self.executor, tell)

    def rate(self, watch: OnRound, keep: Callable[[LeagueResult], object]) -> LeagueResult:
        """Play all pools; `keep` gets the result after each."""
        plan, trainings = self.plan, self.trainings
        brains, marks = tuple(trainings.entries()), tuple(mark.entry for mark in plan.marks)
        left_out = {**plan.left_out, **trainings.failed(), **plan.too_slow()}
        where: dict[str, Any] = {
            "version": version,
            "machine": machine(),
            "labels": self.labels,
            "command": self.command,
        }
        result = LeagueResult(size=plan.size, seed=plan.seed, brains=brains, marks=marks, left_out=left_out, **where)
        for pool in self._pools():
            result = replace(result, pools=(*result.pools, pool.play(watch)))
            keep(result)
        return result

    def _pools(self) -> Iterator[Pool]:
        """One for each condition, and the one that links them."""
        linked = [condition for condition in self.plan.conditions if not condition.tc and not condition.options]
        for condition in self.plan.conditions:
            rungs = usable([rung for rung in LADDER if rung.name in condition.engines])[0]
            anchors = {rung.name: float(rung.elo) for rung in rungs}
            players = self._players(condition) | {rung.name: rung.player for rung in rungs}
            yield self._pool(condition.name, players, condition, anchors)
        if len(linked) > 1:
            yield replace(self._pool(LIMITS, self._linking(linked), linked[0], {}), half_width=self.plan.half_width)

    def _players(self, condition: Condition) -> dict[str, str]:
        marks = [(mark.name, mark.player, mark.name) for mark in self.plan.marks if condition.admits(mark)]
        trained = [cell for cell in self.trainings.trained if self.plan.plays(condition, cell)]
        cells = [(cell.name, cell.way.player, str(self.trainings.brain(cell).absolute())) for cell in trained]
        return {name: condition.player(pattern, brain) for name, pattern, brain in [*marks, *cells]}

    def _linking(self, conditions: Sequence[Condition]) -> dict[str, str]:
        """Three shipped brains with all limits; the reference is `material` at the first of them."""
        searching = [mark for mark in self.plan.marks if mark.player.startswith("alphabeta")]
        chosen = [mark for mark in searching if all(condition.admits(mark) for condition in conditions)]
        both = product(conditions, chosen[:3])
        players = {f"{mark.name} @ {one.name}": one.fixed(mark.player, mark.name) for one, mark in both}
        return {REFERENCE: players.pop(f"{REFERENCE} @ {conditions[0].name}"), **players}

    def _pool(self, name: str, players: Mapping[str, str], condition: Condition, anchors: Mapping[str, float]) -> Pool:
        return Pool(
            name=name,
            players=players,
            control=condition.control,
            anchors=anchors,
            games=self.plan.games,
            half_width=self.plan.width(condition),
            most=condition.most,
            seed=self.plan.seed,
            folder=self.folder / "games",
            make_workers=self.make_workers,
            together=self.cluster,
            tell=self.tell,
        )


def machine() -> str:
    return f"{os.cpu_count()} processors, {platform.machine()}, {platform.system()}, Python {platform.python_version()}"
