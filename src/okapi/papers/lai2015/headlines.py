"""The headline figures of lai2015, and what both they and the page read in results."""

from collections.abc import Mapping
from typing import Any, Final

from okapi.papers.headlines import Measured, elo, find_row, need
from okapi.papers.published import read_published
from okapi.recipes.proportions import Proportion, Z

PUBLISHED: Final = read_published("lai2015")

Data = Mapping[str, Any]

ALL: Final = "all"
QUIET: Final = "quiet"
"""Test positions of the move network: those of Table 4, and of Table 5."""


def explained(row: Data, spread: float) -> float:
    """The share of the variance of a teacher's values that a network explains."""
    return 1 - float(row["mse"]) / spread if spread else 0.0


def ranked_within(table: Data, moves: int) -> Proportion:
    """How often the best move is among the first so many of the network."""
    return Proportion(sum(table["counts"][:moves]), sum(table["counts"]))


FREQUENCIES: Final = {ALL: PUBLISHED.table_4, QUIET: PUBLISHED.table_5}
FIRST: Final = {key: table[0] for key, table in FREQUENCIES.items()}
FIRST_THREE: Final = {key: sum(table[:3]) for key, table in FREQUENCIES.items()}
"""Per cent of the best moves that the thesis' network ranks so."""


def explained_by(data: Data, name: str) -> Measured:
    row, spread = find_row(data, name=name), need(data["spread"])
    reach = 100 * Z * row["mse_error"] / spread
    share = 100 * explained(row, spread)
    return Measured(share, share - reach, share + reach, f"{row['size']:,} weights")


def error_gap(data: Data, one: str, other: str) -> Measured:
    """The change of the squared error, per cent, with the first network instead of the second."""
    first, second = find_row(data, name=one), find_row(data, name=other)
    gap = first["mse"] / second["mse"] - 1
    reach = Z * (first["mse_error"] ** 2 + second["mse_error"] ** 2) ** 0.5 / second["mse"]
    return Measured(100 * gap, 100 * (gap - reach), 100 * (gap + reach))


def optimiser_place(data: Data, name: str) -> Measured:
    """The place of an optimiser among the thesis' four, by its loss on test leaves."""
    tried = [row for row in data["rows"] if row["name"] in ("momentum", "Nesterov", "AdaGrad", "AdaDelta")]
    order = [row["name"] for row in sorted(tried, key=lambda row: float(row["error"]))]
    need(name in order)
    return Measured(1 + order.index(name), note=", ".join(order))


def deeper(data: Data, key: str, way: str) -> Measured:
    """By how many plies a search by even probabilities looks deeper below a move than one by depth."""
    found = find_row({"rows": data["positions"]}, key=key)
    even, depth = (found["ways"][way][budget]["branch"]["deepest"] for budget in ("even", "depth"))
    return Measured(even - depth, note=f"{even} and {depth} plies below {found['san']}")


def measured_points(data: Data, run: str, key: str) -> list[Data]:
    """The points of the curve of a TD-Leaf run that have a value."""
    return [point for point in data["runs"].get(run, {"curve": []})["curve"] if point.get(key) is not None]


def of_curve(data: Data, run: str, place: str) -> Measured:
    """STS points of a TD-Leaf run: the first, or the last once it is finished. The most would be chosen on the test."""
    points = need(measured_points(data, run, "sts"))
    chosen = points[0] if place == "first" else need(data["runs"][run]["finished"] and points[-1])
    return Measured(chosen["sts"], note=f"after {chosen['positions']:,} positions")


def elo_gained(data: Data, run: str) -> Measured:
    last = next(reversed(measured_points(data, run, "elo")), {})
    return Measured(last.get("elo"), last.get("elo_low"), last.get("elo_high"))


def suite(data: Data, name: str) -> Measured:
    row = find_row(data, name=name)
    nodes = "" if row["nodes"] is None else f"{row['nodes']:,} nodes a position"
    return Measured(row["points"], row["low"], row["high"], nodes)


def suite_gap(data: Data, name: str) -> Measured:
    """Points of Giraffe less those of another player with the same limits."""
    other = find_row(data, name=name)
    same = (row for row in data["rows"] if row["name"].startswith("Giraffe (") and row["limits"] == other["limits"])
    mine = need(next(same, None))
    reach = sum((row["high"] - row["points"]) ** 2 for row in (mine, other)) ** 0.5
    gap = mine["points"] - other["points"]
    return Measured(gap, gap - reach, gap + reach, f"{mine['limits']}: {mine['points']:,} and {other['points']:,}")


def match(data: Data, key: str) -> Measured:
    return elo(data, {"key": key}, "{games} games")


def ranked(data: Data, table: str, moves: int) -> Measured:
    share = ranked_within(need(data["tables"].get(table)), moves)
    return Measured.of_share(share, f"{share.count:,} positions")


def trained(data: Data, job: str) -> Measured:
    """How often a network that was trained here ranks the best move first."""
    row = need(data["jobs"].get(job))
    share = ranked_within(row[ALL], 1)
    return Measured.of_share(share, f"{row['positions']:,} training positions, {share.count:,} for the test")


def slower(data: Data) -> Measured:
    speeds = {row["name"]: float(row["nps"]) for row in data["rows"]}
    mine, theirs = (speeds.get(name) for name in ("giraffe by depth", "Stockfish"))
    return Measured(None if mine is None or theirs is None else theirs / max(mine, 1))
