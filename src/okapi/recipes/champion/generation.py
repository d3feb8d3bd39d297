"""One generation of a champion: its folder, and its three steps: play, train, test."""

import json
import shlex
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import torch

from okapi.arena.match import Match, local_workers, play_match
from okapi.arena.match import MatchReport as Score
from okapi.arena.settings import AdjudicationRules
from okapi.arena.sprt import Verdict
from okapi.arena.time_control import TimeControl
from okapi.brains import ModelCard, card, evaluator
from okapi.brains.library import BRAIN
from okapi.brains.nnue import FULL, KIND, UNIT, QuantisedNnue
from okapi.core import Adjudication as Endings
from okapi.core import version
from okapi.core.packed import fens
from okapi.core.selfplay import play_games
from okapi.data.datagen import DatagenConfig, DatagenProgress, generate_samples
from okapi.errors import InvalidText, Unfinished
from okapi.files import file_hash, replace_file
from okapi.formats.numbers import finite
from okapi.models.nnue import Nnue
from okapi.recipes.champion.config import ChampionConfig
from okapi.recipes.run import RecipeProgress, RecipeRun
from okapi.training.nnue import NnueConfig, train_nnue, write_weights
from okapi.training.nnue_export import export_brain
from okapi.training.report import TrainingReport
from okapi.training.shards import find_shards, load_shards, pack_samples
from okapi.training.trainer import TrainingProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationResult:
    """What it played, what it learned from, and games of its test; the mean error is that of the expected score."""

    generation: int
    accepted: bool
    """Was it proved stronger than the champion, whose place it then has?"""
    positions: int
    learned_from: int
    """Different positions, those of the generations before and of the teacher among them."""
    validation_loss: float
    value_mae: float
    games: int
    elo: float
    low: float | None
    high: float | None
    verdict: str
    """Of the SPRT; `undecided` if all games were played without one."""
    seconds: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> "GenerationResult | None":
        if not path.exists():
            return None
        try:
            return cls(**json.loads(path.read_bytes()))
        except (ValueError, TypeError):
            raise InvalidText(f"`{path}` is damaged", hint="delete it: the test will be read again") from None


DECIDED: Final = AdjudicationRules(resign_score=1000, resign_moves=4, draw_score=10, draw_moves=8, draw_after=40)
UNITS: Final = {"accumulator.weight": FULL, "accumulator.bias": FULL, "output.weight": UNIT, "output.bias": FULL * UNIT}
"""What stands for 1 in a brain."""


class ChampionGeneration:
    """A generation of a run. After kill -9 its steps resume; a finished one is not repeated."""

    def __init__(self, config: ChampionConfig, run: RecipeRun, number: int) -> None:
        self.config, self.run, self.number = config, run, number
        self.folder = folder = run.folder / f"{number:02}"
        folder.mkdir(parents=True, exist_ok=True)
        self.games, self.parts, self.packed = folder / "own.samples", folder / "own", folder / "packed.json"
        """The champion's games; the same, packed; and the result of packing, written when it is done."""
        self.training, self.script = folder / "training", folder / "train.sh"
        """The training, here or copied from another machine; and its command, with paths from the run's folder."""
        self.brain, self.outcome = folder / BRAIN, folder / "outcome.json"
        """The result is written after the test."""

    def watch(self, step: str, part: float, words: str) -> None:
        """Show the share of a step that is done, and a few words."""
        stage = f"generation {self.number}/{self.config.generations}, {step}"
        self.run.watch(RecipeProgress(done=part, text=f"{part:.0%}, {words}", stage=stage))

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add up the time of a step over all sessions; a kill loses the time of the current one."""
        begun, seconds = time.monotonic(), self.seconds()
        try:
            yield
        finally:
            seconds[step] = round(seconds.get(step, 0.0) + time.monotonic() - begun, 2)
            replace_file(self.folder / "seconds.json", json.dumps(seconds).encode())

    def seconds(self) -> dict[str, float]:
        path = self.folder / "seconds.json"
        return dict(json.loads(path.read_bytes())) if path.exists() else {}

    def play(self, player: Path) -> None:
        if self.packed.exists():
            return
        settings, threads, stop = self.config.settings, self.config.threads, self.run.stop
        games, seed = settings["games"], 1_000 * settings["seed"] + self.number  # another seed in each generation
        own = DatagenConfig.from_settings(settings, brain=str(player), seed=seed)

        def told(now: DatagenProgress) -> None:
            self.watch("playing", now.games / games, f"{now.positions_per_second:,.0f} positions/s")

        with self.timed("play"):
            generate_samples(own, games, self.games, threads=threads, watch=told, stop=stop)
        with self.timed("pack"):
            self.pack([self.games], self.parts, self.packed)

    def pack(self, files: list[Path], to: Path, done: Path, **how: Any) -> None:
        """Pack samples as shards, and write the counts into a file when that is done."""
        if done.exists():
            return
        how["watch"] = lambda name, part: self.watch("packing", part, name)
        packed = pack_samples(files, to, self.config.packing, **how)
        counts = {name: getattr(packed, name) for name in ("read", "positions", "validation", "size")}
        replace_file(done, json.dumps(counts).encode())

    def train(self, places: list[Path], champion: Path | None) -> None:
        """Train a network on shards; one that was trained on another machine and copied here is used as it is."""
        if self.brain.exists():
            return
        config, plan = self.config, self.config.plan
        torch.set_num_threads(config.threads)
        start = None
        if champion is not None and config.settings["warm_start"]:
            start = _weights_of(champion, plan, self.folder / "start.npz")
        replace_file(self.script, self._train_script(places, start).encode())
        if config.settings["remote"] and TrainingReport.read(self.training) is None:
            root = self.folder.parent
            hint = f"copy `{root}` there, run `sh {self.script.relative_to(root)}` in it, copy `{self.training}` back"
            told = f"generation {self.number} is to be trained on another machine"
            raise Unfinished(told, hint=f"{hint}, and repeat the command")

        def show(now: TrainingProgress) -> None:
            self.watch("training", now.done, f"{now.samples_per_second:,.0f} samples/s")

        how: dict[str, Any] = {"device": self.run.device, "stop": self.run.stop, "threads": config.threads}
        with self.timed("train"):
            train_nnue(plan, places, self.training, warm_start=start, watch=show, **how)
        self.watch("exporting", 1.0, "")
        about = {"recipe": "okapi train champion", "made_with": f"okapi {version}", "generation": str(self.number)}
        about["campaign"] = json.dumps(dict(config.settings))
        if champion is not None:
            about["parent"] = f"{ModelCard.read(champion).name} {file_hash(champion)}"
        sample = load_shards(find_shards(places)[-4:], threads=config.threads)[1]  # to compare the whole numbers on
        export_brain(self.training, self.brain, name=f"champion-{self.number}", sample=sample, card=about)

    def _train_script(self, places: list[Path], start: Path | None) -> str:
        """The training as a command, to be given in the run's folder."""
        root = self.folder.parent
        words = ["python", "-m", "okapi.training", "train", *(_seen_from(root, place) for place in places)]
        words += ["--out", _seen_from(root, self.training)]
        if start is not None:
            words += ["--warm-start", _seen_from(root, start)]
        plan, usual = self.config.plan.as_json(), NnueConfig().as_json()
        for change in [f"{name}={value}" for name, value in plan.items() if value != usual[name]]:
            words += ["--change", change]
        return shlex.join(words) + "\n"

    def test(self, champion: Path) -> GenerationResult:
        """Games against the champion, until it is decided whether the new one is stronger."""
        known = GenerationResult.read(self.outcome)
        if known is not None:
            return known
        settings, games, threads = self.config.settings, self.config.settings["test_games"], self.config.threads

        def told(score: Score, _: object) -> None:
            status = score.sprt_status
            llr = "" if status is None else f", LLR {status.llr:.2f} of {status.upper:.2f}"
            self.watch("testing", score.games / games, f"+{score.wins} ={score.draws} -{score.losses}{llr}")
            if self.run.stop():
                raise Unfinished(f"the test of generation {self.number} stopped after {score.games} games")

        first, second = (f"alphabeta:{brain.resolve()}" for brain in (self.brain, champion))
        control, starts = TimeControl(nodes=settings["test_nodes"]), str(self._openings(champion))
        terms: dict[str, Any] = {"control": control, "openings": starts, "adjudication": DECIDED}
        match = Match(first=first, second=second, **terms, seed=settings["seed"])
        with self.timed("test"):
            how: dict[str, Any] = {"names": (f"generation {self.number}", "champion"), "sprt": self.config.sprt}
            how |= {"store": self.folder / "test.sqlite", "on_game": told}
            score = play_match(match, games, **how, make_workers=lambda orders: local_workers(orders, threads))
        outcome = self._outcome(score)
        replace_file(self.outcome, json.dumps(asdict(outcome), indent=1).encode())
        return outcome

    def _openings(self, champion: Path) -> Path:
        """Where the games of a test begin: random moves, after which the champion sees nobody far ahead."""
        path, settings = self.folder / "openings.epd", self.config.settings
        if not path.exists():
            how: dict[str, Any] = {"games": (settings["test_games"] + 1) // 2, "threads": self.config.threads}
            how |= {"seed": 1_000 * settings["seed"] + self.number + 500, "adjudication": Endings(max_plies=1)}
            firsts = play_games(evaluator(str(champion)), nodes=100, balanced=100, **how)
            replace_file(path, "".join(f"{fen}\n" for fen in fens(firsts["position"])).encode())
        return path

    def _outcome(self, score: Score) -> GenerationResult:
        report = TrainingReport.read(self.training)
        assert report is not None and score.sprt_status is not None
        verdict, found, validation = score.sprt_status.verdict, score.estimate, report.validation
        strength: dict[str, Any] = {"elo": round(found.elo, 1), "low": finite(found.low), "high": finite(found.high)}
        counts = {"games": score.games, "positions": json.loads(self.packed.read_bytes())["read"]}
        counts |= {"generation": self.number, "learned_from": report.train["count"]}
        errors: dict[str, Any] = {"validation_loss": validation["loss"], "value_mae": validation["value_mae"]}
        fate: dict[str, Any] = {"accepted": verdict is Verdict.H1, "verdict": verdict.value}
        return GenerationResult(**counts, **errors, **strength, **fate, seconds=self.seconds())


def _seen_from(root: Path, path: Path) -> str:
    return str(path.relative_to(root) if path.is_relative_to(root) else path.resolve())


def _weights_of(brain: Path, plan: NnueConfig, to: Path) -> Path | None:
    """The weights of a brain as training takes them; None where its network has another shape."""
    if card(str(brain)).kind != KIND:
        return None
    whole = QuantisedNnue.open(brain)
    if (whole.neurons, len(whole.output_bias)) != (plan.neurons, plan.buckets):
        return None
    network = Nnue(plan.neurons, plan.buckets)
    fractions = {name: torch.from_numpy(array / UNITS[name]).float() for name, array in whole.tensors().items()}
    for name in ("output.weight", "output.bias"):
        fractions[name] *= whole.scale / plan.scale
    network.load_state_dict(fractions)
    write_weights(to, network)
    return to
