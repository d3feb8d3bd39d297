"""
A champion is raised in a folder, generation after generation, where everybody can see how it goes and nothing is lost.

The folder is a run (docs/runs.md) with the plan, the teacher's positions packed, a folder for each generation, and the
champion. After kill -9 the same call goes on; a step that is done is not done again.
"""

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from okapi.brains import card, find
from okapi.brains.nnue import QuantisedNnue
from okapi.data.runs import Run
from okapi.errors import UsageError
from okapi.files import replace_file
from okapi.recipes.champion.config import (
    ChampionConfig,
    ChampionEstimate,
    ChampionSpeed,
    estimate_champion,
    measure_champion_speed,
)
from okapi.recipes.champion.generation import (
    GenerationFolder,
    GenerationResult,
    Stop,
    Watch,
    play_generation,
    test_generation,
    train_generation,
)
from okapi.recipes.evolution import BRAIN
from okapi.training.shards import Shard, find_shards, pack_samples

__all__ = ["ChampionResult", "train_champion"]

PLAN: Final = "plan.json"
LABELS: Final = "labels"
PACKED: Final = "packed.json"

LABELS_A_PART: Final = 1 << 18
"""Small parts, so that a share of them is a share of the positions."""

NOTHING: Final = "material"
"""What a champion begins with that is given nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChampionResult:
    """The champion, and how it came to be."""

    brain: Path
    champion: int
    """The generation that it is of; 0: what it began with was never beaten."""
    accepted: int
    outlook: ChampionEstimate
    generations: Sequence[GenerationResult]

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return {
            "champion": self.champion,
            "accepted": self.accepted,
            "outlook": self.outlook.as_json(),
            "generations": [asdict(outcome) for outcome in self.generations],
        }


def train_champion(
    campaign: ChampionConfig,
    folder: Path,
    *,
    device: str = "auto",
    tell: Callable[[ChampionEstimate], object] = lambda outlook: None,
    watch: Callable[[int, str, float, str], None] = lambda generation, step, part, words: None,
    stop: Stop = lambda: False,
    on_outcome: Callable[[GenerationResult], object] = lambda outcome: None,
) -> ChampionResult:
    """Carry it out, or go on with it.

    `tell` hears the plan, `watch` how each step of a generation goes, `on_outcome` what became of each; `stop` is asked
    whether to go on: if not, everything is kept and Unfinished raised. UsageError if the folder was begun otherwise.
    """
    folder.mkdir(parents=True, exist_ok=True)
    about = {"recipe": "champion", **campaign.settings}
    total = campaign.generations
    with Run.start(folder, "train", total=total, unit="generations", title="champion", settings=about) as run:
        _refuse_others(folder, campaign.settings)
        labels = _labels(campaign, folder, partial(watch, 0))
        player = campaign.brain or find(NOTHING)
        known = sum(int(Shard.read_about(part)["positions"]) for part in labels)
        outlook = _outlook(campaign, folder, player, known, device)
        tell(outlook)
        best = _begin(campaign, GenerationFolder.of(folder, 0), labels, device, partial(watch, 0), stop)
        outcomes: list[GenerationResult] = []
        crown: GenerationResult | None = None
        for number in range(1, total + 1):
            here = GenerationFolder.of(folder, number)
            heard = partial(watch, number)
            play_generation(campaign, here, best, heard, stop)
            train_generation(campaign, here, _places(campaign, folder, number, labels), best, device, heard, stop)
            outcome = test_generation(campaign, here, best, heard, stop)
            outcomes.append(outcome)
            on_outcome(outcome)
            if outcome.accepted:
                best, crown = here.brain, outcome
            run.log(number, **_numbers(outcome))
        replace_file(folder / BRAIN, best.read_bytes() if crown is None else _with_strength(campaign, best, crown))
        return ChampionResult(
            brain=folder / BRAIN,
            champion=0 if crown is None else crown.generation,
            accepted=sum(outcome.accepted for outcome in outcomes),
            outlook=outlook,
            generations=outcomes,
        )


def _refuse_others(folder: Path, wanted: Mapping[str, Any]) -> None:
    """UsageError for another plan; how many generations there are may change, and who trains them."""
    path = folder / PLAN
    if not path.exists():
        return
    found = json.loads(path.read_bytes())["settings"]
    settings = json.loads(json.dumps(dict(wanted)))
    for name in sorted({*found, *settings} - {"generations", "size", "elsewhere"}):
        if found.get(name) != settings.get(name):
            raise UsageError(
                f"`{folder}` was begun otherwise: {name} {found.get(name)}, not {settings.get(name)}",
                hint="choose another folder, or ask for the same again",
            )


def _outlook(campaign: ChampionConfig, folder: Path, player: Path, labels: int, device: str) -> ChampionEstimate:
    """At the pace that was measured when it began."""
    path = folder / PLAN
    if path.exists():
        pace = ChampionSpeed(**json.loads(path.read_bytes())["pace"])
    else:
        pace = measure_champion_speed(campaign, player, device)
        told = {"settings": dict(campaign.settings), "pace": asdict(pace)}
        replace_file(path, json.dumps(told, indent=1).encode())
    return estimate_champion(campaign, pace, labels)


def _labels(campaign: ChampionConfig, folder: Path, watch: Watch) -> list[Path]:
    """The teacher's positions as parts: those that are packed already, and those that are now."""
    folders = [path for path in campaign.labels if path.is_dir()]
    files = [path for path in campaign.labels if not path.is_dir()]
    place = folder / LABELS
    done = place / PACKED
    if files and not done.exists():
        told: Callable[[str, float], None] = lambda name, part: watch("packing", part, name)  # noqa: E731
        packed = pack_samples(files, place, campaign.packing, watch=told, rows_per_shard=LABELS_A_PART)
        replace_file(done, json.dumps({"read": packed.read, "positions": packed.positions}).encode())
    places = [*folders, *([place] if files else [])]
    return find_shards(places) if places else []


def _begin(
    campaign: ChampionConfig, here: GenerationFolder, labels: list[Path], device: str, watch: Watch, stop: Stop
) -> Path:
    """Generation 0: the brain that was given, what is learned from the labels, or material."""
    if not here.brain.exists():
        if campaign.brain is None and labels:
            train_generation(campaign, here, labels, None, device, watch, stop)
        else:
            replace_file(here.brain, (campaign.brain or find(NOTHING)).read_bytes())
    return here.brain


def _places(campaign: ChampionConfig, folder: Path, number: int, labels: list[Path]) -> list[Path]:
    """What a generation learns from: games of the last ones, and a share of the teacher's positions."""
    first = max(1, number - campaign.settings["window"] + 1)
    own = [GenerationFolder.of(folder, each).parts for each in range(first, number + 1)]
    return own + share_of(labels, campaign.share_of_labels(number), number)


def share_of(parts: list[Path], share: float, number: int) -> list[Path]:
    """So many of the parts, others in each generation.

    >>> paths = [Path("a"), Path("b"), Path("c"), Path("d")]
    >>> [str(path) for path in share_of(paths, 0.5, 1)], [str(path) for path in share_of(paths, 0.5, 2)]
    (['a', 'b'], ['c', 'd'])
    """
    count = math.ceil(share * len(parts))
    first = (number - 1) * count
    return [parts[(first + each) % len(parts)] for each in range(count)]


def _with_strength(campaign: ChampionConfig, brain: Path, outcome: GenerationResult) -> bytes:
    """A brain's file, with what its test has shown in its card."""
    told, test = card(str(brain)).metadata, campaign.sprt
    low, high = ("?" if end is None else f"{end:+.0f}" for end in (outcome.low, outcome.high))
    parent = told["parent"].rpartition(" ")[0]  # without its hash
    strength = (
        f"{outcome.elo:+.0f} ({low} … {high}) Elo over {parent} at {campaign.settings['test_nodes']} nodes a move, "
        f"{outcome.games} games after random moves, SPRT {test.elo0:g} {test.elo1:g}: {outcome.verdict}"
    )
    return QuantisedNnue.open(brain).file({**told, "strength": strength})


def _numbers(outcome: GenerationResult) -> dict[str, float]:
    told = {"elo": outcome.elo, "elo_low": outcome.low, "elo_high": outcome.high, "loss": outcome.validation_loss}
    return {name: value for name, value in told.items() if value is not None}
