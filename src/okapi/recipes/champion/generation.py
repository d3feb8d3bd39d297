"""One generation of a champion: its folder, and its three steps: play, train, test."""

import json
import math
import shlex
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

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
from okapi.data.datagen import generate_samples
from okapi.errors import InvalidText, Unfinished
from okapi.files import file_hash, replace_file
from okapi.models.nnue import Nnue
from okapi.recipes.champion.config import ChampionConfig
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


class GenerationFolder:
    def __init__(self, run_folder: Path, number: int) -> None:
        self.number = number
        self.folder = folder = run_folder / f"{number:02}"
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


# --- The steps --------------------------------------------------------------------------------------------------------

Watch = Callable[[str, float, str], None]
"""Takes the name of a step, the share that is done (0 to 1), and a few words."""
Stop = Callable[[], bool]

OPENING_NODES: Final = 100
OPENING_BALANCE: Final = 100
"""How the champion judges an opening of a test: with so many nodes, and neither side so many centipawns ahead."""

DECIDED: Final = AdjudicationRules(resign_score=1000, resign_moves=4, draw_score=10, draw_moves=8, draw_after=40)

COMPARED: Final = 4
"""Parts on whose validation positions fractions and whole numbers are compared."""

UNITS: Final = {
    "accumulator.weight": FULL,
    "accumulator.bias": FULL,
    "output.weight": UNIT,
    "output.bias": FULL * UNIT,
}
"""What stands for 1 in a brain."""


def play_generation(config: ChampionConfig, here: GenerationFolder, player: Path, watch: Watch, stop: Stop) -> None:
    if here.packed.exists():
        return
    games = config.settings["games"]
    with here.timed("play"):
        generate_samples(
            config.own_games(player, here.number),
            games,
            here.games,
            threads=config.threads,
            watch=lambda now: watch("playing", now.games / games, f"{now.positions_per_second:,.0f} positions/s"),
            stop=stop,
        )
    with here.timed("pack"):
        packed = pack_samples(
            [here.games], here.parts, config.packing, watch=lambda name, part: watch("packing", part, name)
        )
    told = {name: getattr(packed, name) for name in ("read", "positions", "validation", "size")}
    replace_file(here.packed, json.dumps(told).encode())


def train_generation(
    config: ChampionConfig,
    here: GenerationFolder,
    places: list[Path],
    champion: Path | None,
    device: str,
    watch: Watch,
    stop: Stop,
) -> None:
    """Train a network on shards; one that was trained on another machine and copied here is used as it is."""
    if here.brain.exists():
        return
    plan = config.plan
    torch.set_num_threads(config.threads)
    start = (
        _weights_of(champion, plan, here.folder / "start.npz") if champion and config.settings["warm_start"] else None
    )
    replace_file(here.script, _train_script(plan, here, places, start).encode())
    if config.settings["remote"] and TrainingReport.read(here.training) is None:
        root = here.folder.parent
        raise Unfinished(
            f"generation {here.number} is to be trained on another machine",
            hint=f"copy `{root}` there, run `sh {here.script.relative_to(root)}` in it, copy `{here.training}` back, "
            "and repeat the command",
        )
    with here.timed("train"):
        train_nnue(
            plan,
            places,
            here.training,
            warm_start=start,
            device=device,
            watch=lambda now: watch("training", now.done, f"{now.samples_per_second:,.0f} samples/s"),
            stop=stop,
            threads=config.threads,
        )
    watch("exporting", 1.0, "")
    parent = {} if champion is None else {"parent": f"{ModelCard.read(champion).name} {file_hash(champion)}"}
    about = {
        "recipe": "okapi train champion",
        "made_with": f"okapi {version}",
        "generation": str(here.number),
        "campaign": json.dumps(dict(config.settings)),
        **parent,
    }
    sample = load_shards(find_shards(places)[-COMPARED:], threads=config.threads)[1]
    export_brain(here.training, here.brain, name=f"champion-{here.number}", sample=sample, card=about)


def _train_script(plan: NnueConfig, here: GenerationFolder, places: list[Path], start: Path | None) -> str:
    """The training as a command, to be given in the config's folder."""
    root = here.folder.parent
    words = ["python", "-m", "okapi.training", "train", *(_seen_from(root, place) for place in places)]
    words += ["--out", _seen_from(root, here.training)]
    if start is not None:
        words += ["--warm-start", _seen_from(root, start)]
    usual = NnueConfig().as_json()
    changed = {name: value for name, value in plan.as_json().items() if value != usual[name]}
    for name, value in changed.items():
        words += ["--change", f"{name}={value}"]
    return shlex.join(words) + "\n"


def _seen_from(root: Path, path: Path) -> str:
    return str(path.relative_to(root) if path.is_relative_to(root) else path.resolve())


def test_generation(
    config: ChampionConfig, here: GenerationFolder, champion: Path, watch: Watch, stop: Stop
) -> GenerationResult:
    """Games against the champion, until it is decided whether the new one is stronger."""
    known = GenerationResult.read(here.outcome)
    if known is not None:
        return known
    settings = config.settings
    games = settings["test_games"]

    def told(score: Score, _: object) -> None:
        status = score.sprt_status
        llr = "" if status is None else f", LLR {status.llr:.2f} of {status.upper:.2f}"
        watch("testing", score.games / games, f"+{score.wins} ={score.draws} -{score.losses}{llr}")
        if stop():
            raise Unfinished(f"the test of generation {here.number} stopped after {score.games} games")

    match = Match(
        first=f"alphabeta:{here.brain.resolve()}",
        second=f"alphabeta:{champion.resolve()}",
        control=TimeControl(nodes=settings["test_nodes"]),
        openings=str(_openings(config, here, champion)),
        adjudication=DECIDED,
        seed=settings["seed"],
    )
    with here.timed("test"):
        score = play_match(
            match,
            games,
            names=(f"generation {here.number}", "champion"),
            sprt=config.sprt,
            store=here.folder / "test.sqlite",
            make_workers=lambda orders: local_workers(orders, config.threads),
            on_game=told,
        )
    outcome = _outcome(here, score)
    replace_file(here.outcome, json.dumps(asdict(outcome), indent=1).encode())
    return outcome


def _outcome(here: GenerationFolder, score: Score) -> GenerationResult:
    report = TrainingReport.read(here.training)
    assert report is not None and score.sprt_status is not None
    found = score.estimate
    return GenerationResult(
        generation=here.number,
        accepted=score.sprt_status.verdict is Verdict.H1,
        positions=json.loads(here.packed.read_bytes())["read"],
        learned_from=report.train["count"],
        validation_loss=report.validation["loss"],
        value_mae=report.validation["value_mae"],
        games=score.games,
        elo=round(found.elo, 1),
        low=_finite(found.low),
        high=_finite(found.high),
        verdict=score.sprt_status.verdict.value,
        seconds=here.seconds(),
    )


def _openings(config: ChampionConfig, here: GenerationFolder, champion: Path) -> Path:
    """Where the games of a test begin: random moves, after which the champion sees nobody far ahead."""
    path = here.folder / "openings.epd"
    if not path.exists():
        firsts = play_games(
            evaluator(str(champion)),
            games=(config.settings["test_games"] + 1) // 2,
            nodes=OPENING_NODES,
            seed=1_000 * config.settings["seed"] + here.number + 500,
            balanced=OPENING_BALANCE,
            adjudication=Endings(max_plies=1),
            threads=config.threads,
        )
        replace_file(path, "".join(f"{fen}\n" for fen in fens(firsts["position"])).encode())
    return path


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


def _finite(number: float) -> float | None:
    return round(number, 1) if math.isfinite(number) else None
