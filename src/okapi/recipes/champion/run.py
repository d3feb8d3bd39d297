"""
Train a champion: each generation plays games, trains on them, and replaces the champion if a test by games accepts it.

The folder is a run (docs/reference/runs.md) with the plan, the labels as shards, a folder for each generation, and the
champion. After kill -9 the same call resumes; a finished step is not repeated.
"""

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch

from okapi.brains import card
from okapi.brains.library import BRAIN
from okapi.brains.nnue import QuantisedNnue
from okapi.data.runs import Run
from okapi.files import replace_file
from okapi.formats.numbers import elo, lasted
from okapi.recipes.champion.config import OLD_NAMES, ChampionConfig, champion
from okapi.recipes.champion.generation import ChampionGeneration, GenerationResult
from okapi.recipes.nnue import NnueSpeed, measure_speed
from okapi.recipes.run import RecipeResult, RecipeRun
from okapi.recipes.snapshots import Snapshots
from okapi.training.report import refuse_settings
from okapi.training.shards import Shard, find_shards

MEASURE_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class ChampionEstimate:
    """The plan that is printed first; seconds are those of all generations, of tests at most."""

    generations: int
    positions: int
    """Played in a generation."""
    labels: int
    """Labelled positions that can be learned from."""
    play_seconds: float
    train_seconds: float
    test_seconds: float
    pace: NnueSpeed

    @property
    def seconds(self) -> float:
        return self.play_seconds + self.train_seconds + self.test_seconds


def measure_champion_speed(config: ChampionConfig, device: str) -> NnueSpeed:
    """Of the first player."""
    torch.set_num_threads(config.threads)
    how: dict[str, Any] = {"nodes": config.settings["nodes"], "threads": config.threads, "device": device}
    return measure_speed(str(config.first_player), config.plan, config.packing, **how, seconds=MEASURE_S)


def estimate_champion(config: ChampionConfig, pace: NnueSpeed, labels: int) -> ChampionEstimate:
    settings, plan = config.settings, config.plan
    positions = round(settings["games"] * pace.positions_a_game)
    numbers = np.arange(config.generations + 1)
    own = np.minimum(numbers, settings["window"]) * positions * pace.taken
    theirs = np.array([config.share_of_labels(int(number)) for number in numbers]) * labels
    eaten = own + theirs
    if config.brain is not None or not labels:
        eaten[0] = 0  # it begins with what is there
    samples = plan.epochs * np.minimum(eaten, plan.samples or np.inf)
    play_s = config.generations * positions / pace.positions_per_second
    train_s = float(samples.sum()) / pace.samples_per_second
    tested = config.generations * settings["test_games"] * pace.positions_a_game
    test_s = tested * settings["test_nodes"] / pace.nodes_per_second
    return ChampionEstimate(config.generations, positions, labels, play_s, train_s, test_s, pace)


@dataclass(frozen=True, slots=True)
class ChampionResult:
    brain: Path
    champion: int
    """Its generation; 0: no generation was accepted."""
    accepted: int
    estimate: ChampionEstimate
    generations: Sequence[GenerationResult]

    def as_json(self) -> dict[str, Any]:
        estimate = {**asdict(self.estimate), "seconds": self.estimate.seconds}
        figures = {"champion": self.champion, "accepted": self.accepted, "estimate": estimate}
        figures["outlook"] = estimate  # until version 0.9
        return {**figures, "generations": list(map(asdict, self.generations))}


def train_champion(config: ChampionConfig, run: RecipeRun) -> ChampionResult:
    """Train, or resume: UsageError if the folder was begun with other settings."""
    folder = run.folder
    about = {"recipe": "champion", **config.settings}
    total = config.generations
    with Run.start(folder, "train", total=total, unit="generations", title="champion", settings=about) as log:
        pace, first = _speed(config, folder, run.device), ChampionGeneration(config, run, 0)
        labels = _labels(first)
        known = sum(int(Shard.read_about(part)["positions"]) for part in labels)
        estimate = estimate_champion(config, pace, known)
        run.plan(_told(estimate, config.threads))
        best = _begin(first, labels)
        kept = Snapshots(log, run.config.snapshots(), threads=config.threads)
        if kept.count:
            kept.take(0, best.read_bytes())
        outcomes: list[GenerationResult] = []
        crown: GenerationResult | None = None
        for number in range(1, total + 1):
            here = ChampionGeneration(config, run, number)
            here.play(best)
            here.train(_places(here, labels), best)
            outcome = here.test(best)
            outcomes.append(outcome)
            run.tell(f"generation {number}: {_verdict(outcome)}")
            if outcome.accepted:
                best, crown = here.brain, outcome
            strength = {"elo": outcome.elo, "elo_low": outcome.low, "elo_high": outcome.high}
            log.log(number, **strength, loss=outcome.validation_loss)
            if kept.count and outcome.accepted:
                kept.take(number, best.read_bytes())
        kept.finish()
        replace_file(folder / BRAIN, best.read_bytes() if crown is None else _with_strength(config, best, crown))
        champion, accepted = crown.generation if crown else 0, sum(outcome.accepted for outcome in outcomes)
        return ChampionResult(folder / BRAIN, champion, accepted, estimate, outcomes)


def run_recipe(run: RecipeRun) -> RecipeResult:
    config = champion(run.config, run.labels)
    if run.time is not None:
        decided = run.time.once("games", lambda left: _fitting(config, run.device, left))
        config = champion(run.changed(**decided).config, run.labels)
    crowned = train_champion(config, run)
    return RecipeResult(figures=crowned.as_json(), lines=list(_summary(crowned)))


def _fitting(config: ChampionConfig, device: str, left: float) -> dict[str, int]:
    """The games of a generation that are played, trained on and tested in its share of so many seconds."""
    pace = measure_champion_speed(config, device)
    each = left / config.generations
    test_games = min(int(config.settings["test_games"]), 100)
    test_s = test_games * pace.positions_a_game * config.settings["test_nodes"] / pace.nodes_per_second
    samples = config.plan.epochs * config.settings["window"] * pace.taken
    game_s = pace.positions_a_game * (1 / pace.positions_per_second + samples / pace.samples_per_second)
    return {"games": max(50, int((each - test_s) / game_s)), "test_games": test_games}


def _told(estimate: ChampionEstimate, threads: int) -> str:
    pace = estimate.pace
    return (
        f"{estimate.generations} × {estimate.positions:,} positions at {pace.positions_per_second:,.0f}/s on "
        f"{threads} threads, {lasted(estimate.play_seconds)}; training at {pace.samples_per_second:,.0f} samples/s, "
        f"{lasted(estimate.train_seconds)}; tests by games, {lasted(estimate.test_seconds)} at most: "
        f"about {lasted(estimate.seconds)} in all"
    )


def _verdict(outcome: GenerationResult) -> str:
    fate = "accepted" if outcome.accepted else f"discarded: {outcome.verdict}"
    return f"{elo(outcome.elo, outcome.low, outcome.high)} Elo after {outcome.games:,} games, {fate}"


def _summary(crowned: ChampionResult) -> Iterator[str]:
    yield f"{'':>4}{'positions':>12}{'learned from':>14}{'loss':>10}{'time':>14}  Elo over the champion"
    for outcome in crowned.generations:
        yield (
            f"{outcome.generation:>4}{outcome.positions:>12,}{outcome.learned_from:>14,}"
            f"{outcome.validation_loss:>10.5f}{lasted(sum(outcome.seconds.values())):>14}  {_verdict(outcome)}"
        )
    taken = sum(sum(outcome.seconds.values()) for outcome in crowned.generations)
    yield (
        f"{crowned.accepted} of {len(crowned.generations)} accepted in {lasted(taken)}; planned were "
        f"{lasted(crowned.estimate.seconds)} at most; the champion is generation {crowned.champion}"
    )


def _speed(config: ChampionConfig, folder: Path, device: str) -> NnueSpeed:
    """That was measured at the start of the run: UsageError if its settings were others, but for some of them."""
    path = folder / "plan.json"
    if not path.exists():
        told = {"settings": dict(config.settings), "pace": asdict(measure_champion_speed(config, device))}
        replace_file(path, json.dumps(told, indent=1).encode())
    kept = json.loads(path.read_bytes())
    found = {OLD_NAMES.get(name, name): value for name, value in kept["settings"].items()}
    refuse_settings(folder, found, json.loads(json.dumps(dict(config.settings))), {"generations", "size", "remote"})
    return NnueSpeed(**kept["pace"])


def _labels(first: ChampionGeneration) -> list[Path]:
    """The teacher's positions as parts: those that are packed already, and those that are now."""
    places = [path for path in first.config.labels if path.is_dir()]
    files = [path for path in first.config.labels if not path.is_dir()]
    if files:
        place = first.run.folder / "labels"  # in small shards, so that a share of them is a share of the positions
        first.pack(files, place, place / "packed.json", rows_per_shard=1 << 18)
        places.append(place)
    return find_shards(places) if places else []


def _begin(first: ChampionGeneration, labels: list[Path]) -> Path:
    """Generation 0: the brain that was given, what is learned from the labels, or material."""
    if not first.brain.exists():
        if first.config.brain is None and labels:
            first.train(labels, None)
        else:
            replace_file(first.brain, first.config.first_player.read_bytes())
    return first.brain


def _places(here: ChampionGeneration, labels: list[Path]) -> list[Path]:
    """What a generation learns from: games of the last ones, and a share of the teacher's positions."""
    config, number = here.config, here.number
    first = max(1, number - config.settings["window"] + 1)
    own = [ChampionGeneration(config, here.run, each).parts for each in range(first, number + 1)]
    return own + share_of(labels, config.share_of_labels(number), number)


def share_of(parts: list[Path], share: float, number: int) -> list[Path]:
    """So many of the parts, others in each generation.

    >>> paths = [Path("a"), Path("b"), Path("c"), Path("d")]
    >>> [str(path) for path in share_of(paths, 0.5, 1)], [str(path) for path in share_of(paths, 0.5, 2)]
    (['a', 'b'], ['c', 'd'])
    """
    count = math.ceil(share * len(parts))
    first = (number - 1) * count
    return [parts[(first + each) % len(parts)] for each in range(count)]


def _with_strength(config: ChampionConfig, brain: Path, outcome: GenerationResult) -> bytes:
    """A brain's file, with what its test has shown in its card."""
    told, test = card(str(brain)).metadata, config.sprt
    low, high = ("?" if end is None else f"{end:+.0f}" for end in (outcome.low, outcome.high))
    parent = told["parent"].rpartition(" ")[0]  # without its hash
    strength = (
        f"{outcome.elo:+.0f} ({low} … {high}) Elo over {parent} at {config.settings['test_nodes']} nodes a move, "
        f"{outcome.games} games after random moves, SPRT {test.elo0:g} {test.elo1:g}: {outcome.verdict}"
    )
    return QuantisedNnue.open(brain).file({**told, "strength": strength})
