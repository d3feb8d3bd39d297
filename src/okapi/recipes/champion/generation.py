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
from okapi.data.datagen import DatagenProgress, generate_samples
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


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationResult:
    generation: int
    accepted: bool
    """Was it proved stronger than the champion, whose place it then has?"""
    positions: int
    """Its own, that were played."""
    learned_from: int
    """Different positions, those of the generations before and of the teacher among them."""
    validation_loss: float
    value_mae: float
    """The mean mistake in expected score on positions that are not in its training, against the values there."""
    games: int
    """Of the test."""
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


OPENING_NODES: Final = 100
OPENING_BALANCE: Final = 100
"""How the champion judges an opening of a test: with so many nodes, and neither side so many centipawns ahead."""

DECIDED: Final = AdjudicationRules(resign_score=1000, resign_moves=4, draw_score=10, draw_moves=8, draw_after=40)

COMPARED: Final = 4
"""Parts on whose validation positions fractions and whole numbers are compared."""

UNITS: Final = {"accumulator.weight": FULL, "accumulator.bias": FULL, "output.weight": UNIT, "output.bias": FULL * UNIT}
"""What stands for 1 in a brain."""


class ChampionGeneration:
    """A generation of a run. After kill -9 its steps resume; a finished one is not repeated."""

    def __init__(self, config: ChampionConfig, run: RecipeRun, number: int) -> None:
        self.config, self.run, self.number = config, run, number
        self.folder = folder = run.folder / f"{number:02}"
        folder.mkdir(parents=True, exist_ok=True)
        self.games = folder / "own.samples"
        """The champion's games; and the same, packed."""
        self.parts = folder / "own"
        self.packed = folder / "packed.json"
        """The result of packing; written when it is done."""
        self.training = folder / "training"
        """The folder of the training, here or copied from another machine."""
        self.script = folder / "train.sh"
        """The command that trains it, for another machine; paths are relative to the run's folder."""
        self.brain = folder / BRAIN
        self.outcome = folder / "outcome.json"
        """The result; written after the test."""

    def watch(self, step: str, part: float, words: str) -> None:
        """Show the share of a step that is done, and a few words."""
        stage = f"generation {self.number}/{self.config.generations}, {step}"
        self.run.watch(RecipeProgress(done=part, text=f"{part:.0%}, {words}", stage=stage))

    @contextmanager
    def timed(self, step: str) -> Iterator[None]:
        """Add up the time of a step over all sessions; a kill loses the time of the current one."""
        begun, path = time.monotonic(), self.folder / "seconds.json"
        try:
            yield
        finally:
            seconds = self.seconds()
            seconds[step] = round(seconds.get(step, 0.0) + time.monotonic() - begun, 2)
            replace_file(path, json.dumps(seconds).encode())

    def seconds(self) -> dict[str, float]:
        path = self.folder / "seconds.json"
        taken: dict[str, float] = json.loads(path.read_bytes()) if path.exists() else {}
        return taken

    def play(self, player: Path) -> None:
        if self.packed.exists():
            return
        games = self.config.settings["games"]
        own, threads, stop = self.config.own_games(player, self.number), self.config.threads, self.run.stop

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
            raise Unfinished(
                f"generation {self.number} is to be trained on another machine",
                hint=f"copy `{root}` there, run `sh {self.script.relative_to(root)}` in it, copy `{self.training}` "
                "back, and repeat the command",
            )
        with self.timed("train"):
            train_nnue(
                plan,
                places,
                self.training,
                warm_start=start,
                device=self.run.device,
                watch=lambda now: self.watch("training", now.done, f"{now.samples_per_second:,.0f} samples/s"),
                stop=self.run.stop,
                threads=config.threads,
            )
        self.watch("exporting", 1.0, "")
        parent = {} if champion is None else {"parent": f"{ModelCard.read(champion).name} {file_hash(champion)}"}
        about = {
            "recipe": "okapi train champion",
            "made_with": f"okapi {version}",
            "generation": str(self.number),
            "campaign": json.dumps(dict(config.settings)),
            **parent,
        }
        sample = load_shards(find_shards(places)[-COMPARED:], threads=config.threads)[1]
        export_brain(self.training, self.brain, name=f"champion-{self.number}", sample=sample, card=about)

    def _train_script(self, places: list[Path], start: Path | None) -> str:
        """The training as a command, to be given in the run's folder."""
        root = self.folder.parent
        words = ["python", "-m", "okapi.training", "train", *(_seen_from(root, place) for place in places)]
        words += ["--out", _seen_from(root, self.training)]
        if start is not None:
            words += ["--warm-start", _seen_from(root, start)]
        usual = NnueConfig().as_json()
        for name, value in self.config.plan.as_json().items():
            if value != usual[name]:
                words += ["--change", f"{name}={value}"]
        return shlex.join(words) + "\n"

    def test(self, champion: Path) -> GenerationResult:
        """Games against the champion, until it is decided whether the new one is stronger."""
        known = GenerationResult.read(self.outcome)
        if known is not None:
            return known
        settings = self.config.settings
        games = settings["test_games"]

        def told(score: Score, _: object) -> None:
            status = score.sprt_status
            llr = "" if status is None else f", LLR {status.llr:.2f} of {status.upper:.2f}"
            self.watch("testing", score.games / games, f"+{score.wins} ={score.draws} -{score.losses}{llr}")
            if self.run.stop():
                raise Unfinished(f"the test of generation {self.number} stopped after {score.games} games")

        match = Match(
            first=f"alphabeta:{self.brain.resolve()}",
            second=f"alphabeta:{champion.resolve()}",
            control=TimeControl(nodes=settings["test_nodes"]),
            openings=str(self._openings(champion)),
            adjudication=DECIDED,
            seed=settings["seed"],
        )
        with self.timed("test"):
            score = play_match(
                match,
                games,
                names=(f"generation {self.number}", "champion"),
                sprt=self.config.sprt,
                store=self.folder / "test.sqlite",
                make_workers=lambda orders: local_workers(orders, self.config.threads),
                on_game=told,
            )
        outcome = self._outcome(score)
        replace_file(self.outcome, json.dumps(asdict(outcome), indent=1).encode())
        return outcome

    def _openings(self, champion: Path) -> Path:
        """Where the games of a test begin: random moves, after which the champion sees nobody far ahead."""
        path = self.folder / "openings.epd"
        if not path.exists():
            firsts = play_games(
                evaluator(str(champion)),
                games=(self.config.settings["test_games"] + 1) // 2,
                nodes=OPENING_NODES,
                seed=1_000 * self.config.settings["seed"] + self.number + 500,
                balanced=OPENING_BALANCE,
                adjudication=Endings(max_plies=1),
                threads=self.config.threads,
            )
            replace_file(path, "".join(f"{fen}\n" for fen in fens(firsts["position"])).encode())
        return path

    def _outcome(self, score: Score) -> GenerationResult:
        report = TrainingReport.read(self.training)
        assert report is not None and score.sprt_status is not None
        found = score.estimate
        return GenerationResult(
            generation=self.number,
            accepted=score.sprt_status.verdict is Verdict.H1,
            positions=json.loads(self.packed.read_bytes())["read"],
            learned_from=report.train["count"],
            validation_loss=report.validation["loss"],
            value_mae=report.validation["value_mae"],
            games=score.games,
            elo=round(found.elo, 1),
            low=finite(found.low),
            high=finite(found.high),
            verdict=score.sprt_status.verdict.value,
            seconds=self.seconds(),
        )


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
