"""The headline figures of vazquez2012, and what both they and the page read in results."""

from math import hypot
from statistics import mean, pstdev
from typing import Any, Final

from okapi.arena.elo import MatchResult, estimate_elo, expected_score
from okapi.formats.numbers import counted, number
from okapi.papers.headlines import Measured, elo, find_row, need
from okapi.papers.page import tally_of
from okapi.papers.published import read_published
from okapi.recipes.proportions import Difference, Proportion, difference

PUBLISHED: Final = read_published("vazquez2012")

THEORY: Final = {"knight": 300, "bishop": 300, "rook": 500, "queen": 900}
"""What the thesis calls the theoretical values."""

Data = dict[str, Any]


def rated_row(row: Data) -> dict[str, Any]:
    """A rating of a result as Bayeselo prints it: whole numbers, per cent, and distances to the interval's ends."""
    ends = {"plus": round(row["high"] - row["elo"]), "minus": round(row["elo"] - row["low"])}
    shares = {key: round(100 * row[key]) for key in ("score", "draws")}
    return {**row, "elo": round(row["elo"]), "opposition": round(row["opposition"]), **ends, **shares}


def found(data: Data, name: str) -> list[float]:
    """Of `five`: a weight in each run."""
    return [run["weights"][name][0] for run in data["runs"]]


def last_against_first(data: Data) -> Measured:
    """The range of the runs; of a single one, the interval of its games."""
    runs = list(map(tally_of, data["runs"]))
    if len(runs) == 1:
        return Measured(*_score(runs[0]), f"1 run{_of(data)}, the interval of its games")
    spread = [100 * run.score for run in runs]
    return Measured(mean(spread), min(spread), max(spread), f"{counted(len(runs), 'run')}{_of(data)}, their range")


def _of(data: Data) -> str:
    """Of how many runs, if some are missing."""
    return f" of {data['unfinished']['of']}" if "unfinished" in data else ""


def pieces_gain(data: Data) -> Measured:
    return Measured(data["gain"], data["gain_low"], data["gain_high"])


def pieces_elo(data: Data) -> Measured:
    after = rated_row(find_row(data, name=list(data["tallies"])[1]))
    return Measured(after["elo"], after["elo"] - after["minus"], after["elo"] + after["plus"], _briefly(data))


def piece_value(data: Data, name: str) -> Measured:
    ends = found(data, name)
    away, between = 100 * abs(mean(ends) / THEORY[name] - 1), number(pstdev(ends), 1)
    said = f"{away:.1f} % from theory; range of {len(ends)} runs, deviation between them {between}"
    return Measured(mean(ends), min(ends), max(ends), said)


def five_seconds(data: Data) -> Measured:
    generations = counted(data["history"][-1]["generation"], "generation")
    return Measured(mean(run["seconds"] for run in data["runs"]), note=generations)


def person_score(data: Data) -> Measured:
    """With Wilson's interval."""
    row = next(row for row in data["rows"] if not row["name"].startswith("stockfish"))
    low, high = Proportion(round(row["score"] * row["games"]), row["games"]).interval
    return Measured(100 * row["score"], 100 * low, 100 * high, data["conditions"])


def score(data: Data, who: str = "") -> Measured:
    tally = tally_of(data["games"][who] if who else data)
    return Measured(*_score(tally), counted(tally.games, "game"))


def _score(tally: MatchResult) -> tuple[float, float, float]:
    """Per cent, with the interval of the Elo difference."""
    found = estimate_elo(tally)
    return 100 * tally.score, 100 * expected_score(found.low), 100 * expected_score(found.high)


def _games_of(data: Data, reading: str) -> MatchResult:
    """Of all runs of a reading."""
    return sum(need([tally_of(row) for row in data["rows"] if row["reading"] == reading]), MatchResult())


def _best(found: dict[float, tuple[float, float, float]]) -> tuple[float, float, float]:
    """Of settings by their value, low and high: the best, and the range of those whose interval meets its own."""
    best = max(found, key=lambda setting: found[setting][0])
    as_good = [setting for setting, (_, _, high) in found.items() if high >= found[best][1]]
    return best, min(as_good), max(as_good)


def best_c(data: Data) -> Measured:
    """Of the runs of each c; 0.5 is that of the thesis' settings."""
    names = {0.5: "as in the thesis", **{tenth / 10: f"c {tenth / 10:.1f}" for tenth in range(1, 11) if tenth != 5}}
    found = {c: _score(_games_of(data, name)) for c, name in names.items()}
    best, low, high = _best(found)
    note = f"{found[best][0]:.1f} %, {found[0.5][0]:.1f} % with 0.5; range of those as good by their games"
    return Measured(best, low, high, f"{note}; {data['conditions']}")


def more_games(data: Data) -> Measured:
    more, usual = (_score(_games_of(data, reading)) for reading in ("n - 1 games", "as in the thesis"))
    gap = more[0] - usual[0]
    below, above = hypot(more[0] - more[1], usual[2] - usual[0]), hypot(more[2] - more[0], usual[0] - usual[1])
    return Measured(gap, gap - below, gap + above, data["conditions"])


def best_rate(data: Data) -> Measured:
    """The interval: rates whose runs are not all worse than those of the best; of one run each, all of them."""
    rates = sorted({row["rate"] for row in data["rows"]})
    runs = {rate: [row["matched"] for row in data["rows"] if row["rate"] == rate] for rate in rates}
    found = {rate: (mean(each), min(each), max(each)) for rate, each in runs.items()}
    best, low, high = _best(found)
    if min(map(len, runs.values())) == 1:
        low, high = rates[0], rates[-1]
    said = ", ".join(f"{100 * rate:.0f} %: {value:.2f}" for rate, (value, _, _) in found.items())
    return Measured(100 * best, 100 * low, 100 * high, f"matched {said}; range of those as good by their runs")


def subset_gain(data: Data) -> Measured:
    """The smaller of both pieces' differences; the best other subset is that of the training positions."""
    gains: dict[str, Difference] = {}
    for piece in dict.fromkeys(row["piece"] for row in data["rows"]):
        rows = [row for row in data["rows"] if row["piece"] == piece]
        full = max(rows, key=lambda row: str(row["features"]).count("+"))
        best = max((row for row in rows if row is not full), key=lambda row: int(row["solved"]))
        fresh = (Proportion(row["fresh"], row["fresh_total"]) for row in (full, best))
        gains[f"{piece}: {best['features']}"] = difference(*fresh)
    name, gap = min(gains.items(), key=lambda each: each[1].points)
    return Measured(gap.points, gap.low, gap.high, f"best other subset of the {name}")


def bayeselo_off(data: Data) -> Measured:
    return Measured(max(data["farthest"][table] for table in ("table_10", "table_18")))


def printed_gain(data: Data, scale: str = "softened") -> Measured:
    row = find_row({"rows": data["solved"]}, scale=scale)
    gap = difference(*(Proportion(row[column], row["total"]) for column in ("exploitation", "exploration")))
    return Measured(gap.points, gap.low, gap.high, f"{scale}, {counted(row['total'], 'position')}")


def scale_solved(data: Data, scale: str) -> Measured:
    shares = need([100 * row["solved"] / row["total"] for row in data["rows"] if row["scale"] == scale])
    return Measured(mean(shares), min(shares), max(shares), f"{counted(len(shares), 'run')}, their range")


def explored_share(data: Data) -> Measured:
    """Of the best run, with the range of all; of a single one, with Wilson's interval."""
    shares = [Proportion(run["solved"], run["total"]) for run in data["runs"]]
    if len(shares) == 1:
        return Measured.of_share(shares[0], f"1 run{_of(data)}")
    solved = [100 * share.value for share in shares]
    note = f"the best of {counted(len(shares), 'run')}{_of(data)}, their range"
    return Measured(max(solved), min(solved), max(solved), note)


def solved_share(data: Data, part: str, when: str) -> Measured:
    return Measured.of_share(Proportion(data[part][when], data[part]["total"]))


def best_elo(data: Data) -> Measured:
    """Of the player that was chosen before the games, not of the one that did best in them."""
    return elo(data, {"name": data.get("chosen", data["players"][0])}, f"{{name}}, {_briefly(data)}")


def _briefly(data: Data) -> str:
    """The first of the conditions: the search depth."""
    return str(data["conditions"]).partition(";")[0]


MEAN_OF_TABLE_9: Final = 100 * mean(tally_of(run).score for run in PUBLISHED.table_9)
FIVE_AVERAGE: Final = PUBLISHED.games_of_chapter_5.average[0] / 100
PERSON_SCORE: Final = PUBLISHED.table_14[1].score
TABLE_17: Final = tally_of(PUBLISHED.table_17_games).score
RATED: Final = {rated.name: rated.elo for rated in PUBLISHED.table_10 + PUBLISHED.table_18}
PIECES_GAIN: Final = RATED["Player50"] - RATED["Player0"]
EXPLORATION_GAIN: Final = RATED["VP200 exploration"] - RATED["VP0 exploration"]
EXPLOITATION_GAIN: Final = RATED["VP exploitation"] - RATED["VP200 exploration"]
PRINTED_GAIN: Final = PUBLISHED.solved.fresh - PUBLISHED.solved.exploration
