"""The headline figures: theirs and ours, each with a key that stays."""

from collections.abc import Callable
from statistics import mean
from typing import Any, Final

from okapi.formats.numbers import counted, number
from okapi.papers.headlines import Headline, Headlines, Measured, as_figures, measured
from okapi.papers.vazquez2012.published import SECONDS_OF_CHAPTER_5, SOLVED, TABLE_9, TABLE_10, TABLE_13, TABLE_18
from okapi.papers.vazquez2012.reading import THEORY, Data, found, players_of, runs_of
from okapi.recipes.lab import Results

__all__ = ["figures", "headlines"]


def figures(results: Results) -> dict[str, dict[str, Any]]:
    """For programs: figures.json."""
    return as_figures(headlines(results))


def headlines(results: Results) -> dict[str, Headline]:
    """All of them, measured or not."""
    return measured(HEADLINES, results)


def _last_against_first(data: Data) -> Measured:
    runs = runs_of(data)
    spread = [100 * run.score for run in runs]
    return Measured(mean(spread), note=f"{counted(len(runs), 'run')}, {min(spread):.1f} to {max(spread):.1f} %")


def _pieces_gain(data: Data) -> Measured:
    return Measured(data["gain"], data["gain_low"], data["gain_high"])


def _pieces_elo(data: Data) -> Measured:
    after = players_of(data)[1]
    return Measured(after.elo, after.elo - after.minus, after.elo + after.plus, _briefly(data))


def _piece(name: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        average, between = found(data, name)
        away = 100 * abs(average / THEORY[name] - 1)
        runs = len(data["runs"])
        return Measured(average, note=f"{away:.1f} % from theory; deviation between {runs} runs {number(between, 1)}")

    return measure


def _five_seconds(data: Data) -> Measured:
    generations = counted(data["history"][-1]["generation"], "generation")
    return Measured(mean(run["seconds"] for run in data["runs"]), note=generations)


def _share(part: str, when: str) -> Callable[[Data], Measured]:
    return lambda data: Measured(100 * data[part][when] / data[part]["total"])


def _gain(what: str) -> Callable[[Data], Measured]:
    return lambda data: Measured(data["gains"][what]["elo"], data["gains"][what]["low"], data["gains"][what]["high"])


def _best_elo(data: Data) -> Measured:
    best = max((row for row in data["rows"] if row["name"] in data["players"]), key=lambda row: float(row["elo"]))
    return Measured(best["elo"], best["low"], best["high"], f"{best['name']}, {_briefly(data)}")


def _briefly(data: Data) -> str:
    """The first of the conditions: how deep everybody looks."""
    return str(data["conditions"]).partition(";")[0]


MEAN_OF_TABLE_9: Final = 100 * mean(run.score for run in TABLE_9)
RATED: Final = {rated.name: rated.elo for rated in TABLE_10 + TABLE_18}
PIECES_GAIN: Final = RATED["Player50"] - RATED["Player0"]
EXPLORATION_GAIN: Final = RATED["VP200 exploration"] - RATED["VP0 exploration"]
EXPLOITATION_GAIN: Final = RATED["VP exploitation"] - RATED["VP200 exploration"]
BEST: Final = 2425
"""As in Table 17; Table 18 has 2424."""


def _thesis(what: str, theirs: float, unit: str, experiment: str) -> Headline:
    return Headline(what, theirs, unit, experiment, source="thesis")


HEADLINES: Final[Headlines] = {
    "last_against_first": (
        _thesis("Best of the last generation against best of the first", MEAN_OF_TABLE_9, "percent", "pieces"),
        _last_against_first,
    ),
    "pieces_gain": (
        _thesis("Elo gained by evolving the piece networks", PIECES_GAIN, "elo", "pieces_rating"),
        _pieces_gain,
    ),
    "pieces_elo": (
        _thesis("Elo of the evolved piece networks", RATED["Player50"], "elo", "pieces_rating"),
        _pieces_elo,
    ),
    **{
        f"five_{name}": (_thesis(f"Five weights: {name}", TABLE_13[name].mean, "centipawns", "five"), _piece(name))
        for name in THEORY
    },
    "five_seconds": (
        _thesis("Time of a run of chapter 5", SECONDS_OF_CHAPTER_5, "seconds", "five"),
        _five_seconds,
    ),
    "solved_before": (
        _thesis("Training positions solved before Hooke-Jeeves", SOLVED["exploration"], "percent", "exploitation"),
        _share("trained", "before"),
    ),
    "solved_after": (
        _thesis("Training positions solved after Hooke-Jeeves", SOLVED["exploitation"], "percent", "exploitation"),
        _share("trained", "after"),
    ),
    "solved_fresh": (
        _thesis("Fresh positions solved after Hooke-Jeeves", SOLVED["fresh"], "percent", "exploitation"),
        _share("fresh", "after"),
    ),
    "exploration_gain": (
        _thesis("Elo gained by exploration", EXPLORATION_GAIN, "elo", "exploration_rating"),
        _gain("exploration"),
    ),
    "exploitation_gain": (
        _thesis("Elo gained by Hooke-Jeeves", EXPLOITATION_GAIN, "elo", "exploration_rating"),
        _gain("exploitation"),
    ),
    "best_elo": (
        _thesis("Elo of the best evolved player", BEST, "elo", "beyond_rating"),
        _best_elo,
    ),
}
"""What is measured, and how, by keys that programs may rely on."""
