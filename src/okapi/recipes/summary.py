"""What a run says at its end: what it used, what it left out, where it overfitted, how strong it is, what to try."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from okapi.brains import card, evaluator, is_native
from okapi.core import Limits
from okapi.errors import InvalidBrain
from okapi.files import file_hash, replace_file
from okapi.formats.numbers import finite, interval, signed

if TYPE_CHECKING:
    from okapi.recipes.run import RecipeResult, RecipeRun

SUMMARY_FILE: Final = "summary.json"
GAMES: Final = 100
RISEN: Final = 1.02
"""A validation loss that is so many times its lowest has risen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    sentences: Sequence[str] = ()
    brain: str = ""
    """The hash of the brain's file."""
    elo: Mapping[str, float] = field(default_factory=dict)
    """`elo`, `low`, `high`, `games` and `depth` against material; empty if it was not measured."""
    data: Mapping[str, Any] = field(default_factory=dict)


def summarise(run: "RecipeRun", result: "RecipeResult") -> Summary:
    """Play the last match, and write summary.json; a finished run has it already."""
    digest = file_hash(run.brain) if run.brain.exists() else ""
    if (known := read_summary(run.folder)) is not None and known.brain == digest:
        return known
    elo = _measured(run, run.brain) if digest else {}
    told = [*_findings(result, elo), *_against_league(run, result, measured=bool(elo))]
    data = {} if result.data is None else asdict(result.data)
    summary = Summary(sentences=[*told, *_advice(run, result.curve, elo)], brain=digest, elo=elo, data=data)
    if run.folder.is_dir():
        replace_file(run.folder / SUMMARY_FILE, json.dumps(asdict(summary), indent=1).encode())
    return summary


def read_summary(folder: Path) -> Summary | None:
    """The one of a run, if it is finished and has one."""
    try:
        return Summary(**json.loads((folder / SUMMARY_FILE).read_bytes()))
    except (OSError, ValueError, TypeError):
        return None


def _measured(run: "RecipeRun", brain: Path) -> dict[str, float]:
    """A hundred games of three plies against material; twenty of one ply for a network that is slow."""
    from okapi.recipes.snapshots import OPPONENT, ShortMatch

    config = run.config.snapshots()
    if not config.elo or card(str(brain)).details().get("output", {}).get("form") == "bounds":
        return {}
    try:
        evaluator(str(brain))
    except InvalidBrain:  # it predicts moves or allots time
        return {}
    match = ShortMatch.affordable(brain, _games(run), config.elo_depth, run.config.executor.workers)
    found = match.play(str(brain), OPPONENT)
    numbers = {"elo": round(found.elo, 1), "low": finite(found.low), "high": finite(found.high)}
    known = {name: value for name, value in numbers.items() if value is not None}
    return {**known, "games": match.games, "depth": match.depth}


def _against_league(run: "RecipeRun", result: "RecipeResult", *, measured: bool) -> Iterator[str]:
    """What the league expects of such a training and, if its strength was measured, what it is under that limit."""
    from okapi.recipes.league.laws import expected_of_recipe
    from okapi.recipes.league.report import expectation
    from okapi.recipes.league.result import shipped
    from okapi.recipes.snapshots import OPPONENT, PLAY, play_pairs

    data, pool = result.data, shipped().main
    found = expected_of_recipe(run.name, data.used) if data is not None and data.unit == "positions" else None
    if data is None or found is None or pool is None:
        return
    yield expectation(run.name, data.used)
    if measured and pool.nodes and is_native(str(run.brain)):
        games, expected = _games(run), found[2]
        limits = Limits(nodes=pool.nodes)
        match = play_pairs(str(run.brain), OPPONENT, limits, games, run.config.executor.workers, adjudication=PLAY)
        side = "more than" if match.low > expected.high else "less than" if match.high < expected.low else "as"
        what = f"{signed(match.elo)} Elo ({interval(finite(match.low), finite(match.high))}), {side} expected"
        yield f"In {games} games against `material` at {pool.name}: {what}."


def _games(run: "RecipeRun") -> int:
    return GAMES if run.config.size != "tiny" else run.config.snapshots().elo_games


def _findings(result: "RecipeResult", elo: Mapping[str, float]) -> Iterator[str]:
    """What it learned from, where it overfitted and how strong it is."""
    data, curve = result.data, result.curve
    if data is not None:
        left = ", ".join(f"{count:,} {why}" for why, count in data.left_out.items() if count)
        yield f"It learned from {data.used:,} of {data.found:,} {data.unit}{f'; left out: {left}' if left else ''}."
    if (rise := _overfitted(curve)) >= RISEN:
        best = _best(curve)
        yield (
            f"It overfitted after epoch {best['epoch']} of {len(curve)}: the validation loss rose by {rise - 1:.0%}, "
            f"while the training loss fell from {best['train_loss']:.4g} to {curve[-1]['train_loss']:.4g}. "
            f"The weights of epoch {best['epoch']} were kept."
        )
    if elo:
        between = interval(elo.get("low"), elo.get("high"))
        games = f"{elo['games']} games at depth {elo['depth']}"
        yield f"Against counting pieces (`material`): {signed(elo['elo'])} Elo ({between}) in {games}."


def _best(curve: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    return min(curve, key=lambda entry: entry["validation_loss"])


def _overfitted(curve: Sequence[Mapping[str, Any]]) -> float:
    """By how much the validation loss rose after its lowest; 1: not at all."""
    least = _best(curve)["validation_loss"] if curve else 0.0
    return float(curve[-1]["validation_loss"] / least) if least > 0 else 1.0


def _advice(run: "RecipeRun", curve: Sequence[Mapping[str, Any]], elo: Mapping[str, float]) -> Iterator[str]:
    if elo and elo["elo"] < 0:
        other = "" if run.name == "nnue" else ", or the recipe `nnue`"
        yield f"It is weaker than counting pieces: try more positions and a longer training{other}."
    elif _overfitted(curve) >= RISEN:
        yield "To try next: more positions, or a smaller network."
    elif curve and _best(curve) is curve[-1]:
        yield "It was still learning at its end. To try next: more minutes, then more neurons."
    if elo and run.brain.exists():
        name = run.folder.name
        yield f"`okapi match {name} champion` and `okapi play --brain {name}` show what it can do."
