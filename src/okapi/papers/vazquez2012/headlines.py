"""The headline figures of vazquez2012, and what both they and the page read in results."""

from collections.abc import Callable
from statistics import mean, pstdev
from typing import Any, Final

from okapi.arena.elo import MatchResult
from okapi.formats.numbers import counted, number
from okapi.papers.headlines import Headline, Headlines, Measured
from okapi.papers.page import tally_of
from okapi.papers.published import read_published

PUBLISHED: Final = read_published("vazquez2012")

THEORY: Final = {"knight": 300, "bishop": 300, "rook": 500, "queen": 900}
"""What the thesis calls the theoretical values."""

Data = dict[str, Any]


def rated_row(row: Data) -> dict[str, Any]:
    """A rating of a result as Bayeselo prints it: whole numbers, per cent, and distances to the interval's ends."""
    return {
        "name": row["name"],
        "elo": round(row["elo"]),
        "plus": round(row["high"] - row["elo"]),
        "minus": round(row["elo"] - row["low"]),
        "games": row["games"],
        "score": round(100 * row["score"]),
        "opposition": round(row["opposition"]),
        "draws": round(100 * row["draws"]),
    }


def runs_of(data: Data) -> list[MatchResult]:
    """Of `pieces`: the games of each run, evolved against the start."""
    return [tally_of(run) for run in data["runs"]]


def players_of(data: Data) -> tuple[Data, Data]:
    """Of `pieces_rating`: the player before evolution, and after."""
    rows = {row["name"]: rated_row(row) for row in data["rows"]}
    before, after, *_ = data["tallies"]
    return rows[before], rows[after]


def found(data: Data, name: str) -> tuple[float, float]:
    """Of `five`: a weight over all runs, its mean and the deviation between runs."""
    means = [run["weights"][name][0] for run in data["runs"]]
    return mean(means), pstdev(means)


def _last_against_first(data: Data) -> Measured:
    runs = runs_of(data)
    spread = [100 * run.score for run in runs]
    return Measured(mean(spread), note=f"{counted(len(runs), 'run')}, {min(spread):.1f} to {max(spread):.1f} %")


def _pieces_gain(data: Data) -> Measured:
    return Measured(data["gain"], data["gain_low"], data["gain_high"])


def _pieces_elo(data: Data) -> Measured:
    after = players_of(data)[1]
    return Measured(after["elo"], after["elo"] - after["minus"], after["elo"] + after["plus"], _briefly(data))


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
    """The first of the conditions: the search depth."""
    return str(data["conditions"]).partition(";")[0]


MEAN_OF_TABLE_9: Final = 100 * mean(tally_of(run).score for run in PUBLISHED.table_9)
RATED: Final = {rated.name: rated.elo for rated in PUBLISHED.table_10 + PUBLISHED.table_18}
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
        f"five_{name}": (
            _thesis(f"Five weights: {name}", PUBLISHED.table_13[name].mean, "centipawns", "five"),
            _piece(name),
        )
        for name in THEORY
    },
    "five_seconds": (
        _thesis("Time of a run of chapter 5", PUBLISHED.seconds_of_chapter_5, "seconds", "five"),
        _five_seconds,
    ),
    "solved_before": (
        _thesis(
            "Training positions solved before Hooke-Jeeves", PUBLISHED.solved.exploration, "percent", "exploitation"
        ),
        _share("trained", "before"),
    ),
    "solved_after": (
        _thesis(
            "Training positions solved after Hooke-Jeeves", PUBLISHED.solved.exploitation, "percent", "exploitation"
        ),
        _share("trained", "after"),
    ),
    "solved_fresh": (
        _thesis("Fresh positions solved after Hooke-Jeeves", PUBLISHED.solved.fresh, "percent", "exploitation"),
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
