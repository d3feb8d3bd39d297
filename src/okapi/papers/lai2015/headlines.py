"""The headline figures of lai2015, and what both they and the page read in results."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from okapi.papers.headlines import Headline, Headlines, Measured
from okapi.papers.published import read_published
from okapi.recipes.proportions import Proportion

PUBLISHED: Final = read_published("lai2015")

Data = Mapping[str, Any]

ALL: Final = "all"
QUIET: Final = "quiet"
"""Test positions of the move network: those of Table 4, and of Table 5."""


def _first(rows: Sequence[Data], key: str, value: str) -> Data | None:
    return next((row for row in rows if row[key] == value), None)


def by_name(data: Data, name: str) -> Data | None:
    """The row of a player, or of a network."""
    return _first(data["rows"], "name", name)


def explained(row: Data, spread: float) -> float:
    """The share of the variance of a teacher's values that a network explains."""
    return 1 - float(row["mse"]) / spread if spread else 0.0


def ranked_within(table: Data, moves: int) -> Proportion:
    """How often the best move is among the first so many of the network."""
    return Proportion(sum(table["counts"][:moves]), sum(table["counts"]))


def _explained(name: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row, spread = by_name(data, name), data["spread"]
        if row is None or not spread:
            return Measured(None)
        reach = 100 * 1.96 * row["mse_error"] / spread
        share = 100 * explained(row, spread)
        return Measured(share, share - reach, share + reach, f"{row['size']:,} weights")

    return measure


def _of_curve(place: str) -> Callable[[Data], Measured]:
    """STS points of a TD-Leaf run: the first, the last or the most that were measured."""

    def measure(data: Data) -> Measured:
        points = [point for point in data["curve"] if point.get("sts") is not None]
        if not points:
            return Measured(None)
        chosen = {"first": points[0], "last": points[-1], "most": max(points, key=lambda point: float(point["sts"]))}
        return Measured(chosen[place]["sts"], note=f"after {chosen[place]['positions']:,} positions")

    return measure


def _gained(data: Data) -> Measured:
    points = [point for point in data["curve"] if point.get("elo") is not None]
    last = points[-1] if points else None
    return Measured(None) if last is None else Measured(last["elo"], last.get("elo_low"), last.get("elo_high"))


def _value(key: str) -> Callable[[Data], Measured]:
    return lambda data: Measured(data.get(key))


def _suite(name: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row = by_name(data, name)
        if row is None:
            return Measured(None)
        nodes = "" if row["nodes"] is None else f"{row['nodes']:,} nodes a position"
        return Measured(row["points"], row["low"], row["high"], nodes)

    return measure


def _match(key: str) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        row = _first(data["rows"], "key", key)
        return Measured(None) if row is None else Measured(row["elo"], row["low"], row["high"], f"{row['games']} games")

    return measure


def _ranked(table: str, moves: int) -> Callable[[Data], Measured]:
    def measure(data: Data) -> Measured:
        found = data["tables"].get(table)
        if not found or not sum(found["counts"]):
            return Measured(None)
        share = ranked_within(found, moves)
        low, high = share.interval
        return Measured(100 * share.value, 100 * low, 100 * high, f"{share.count:,} positions")

    return measure


def _slower(data: Data) -> Measured:
    mine, theirs = (by_name(data, name) for name in ("giraffe by depth", "Stockfish"))
    return Measured(None if mine is None or theirs is None else theirs["nps"] / max(mine["nps"], 1))


def _place(data: Data) -> Measured:
    row = by_name(data, "giraffe")
    return Measured(None) if row is None else Measured(row["elo"], row["low"], row["high"], f"{row['games']} games")


def _headline(what: str, theirs: float | None, unit: str, experiment: str) -> Headline:
    return Headline(what, theirs, unit, experiment, source="thesis")


NAIVE, NETWORK_NODES, NETWORK_TIME = (gain.elo for gain in PUBLISHED.naive_gains + PUBLISHED.move_network_gains)

MATCHES: Final[dict[str, tuple[str, float | None]]] = {
    f"{way}_{shape}_{limit}": (
        f"{called}: {name} against depth, equal {limit}",
        NAIVE if (way, shape, limit) == ("naive", "even", "nodes") else None,
    )
    for way, called in (("naive", "Naive"), ("best", "With all heuristics"))
    for shape, name in (("even", "even probabilities"), ("shares", "Giraffe's shares"))
    for limit in ("nodes", "time")
}

MOVE_MATCHES: Final[dict[str, tuple[str, float | None]]] = {
    "even_nodes": ("Move network against even probabilities, equal nodes", NETWORK_NODES),
    "even_time": ("Move network against even probabilities, equal time", NETWORK_TIME),
    "ordering_nodes": ("Move network as ordering in depth-limited search, equal nodes", None),
    "ordering_time": ("Move network as ordering in depth-limited search, equal time", None),
    "depth_nodes": ("Search shaped by the move network against depth, equal nodes", None),
    "depth_time": ("Search shaped by the move network against depth, equal time", None),
}

HEADLINES: Final[Headlines] = {
    **{
        f"representation_{name.replace('-', '_')}": (
            _headline(f"Variance of a teacher's values explained, {what}", None, "percent", "representation"),
            _explained(name),
        )
        for name, what in {
            "giraffe": "giraffe-363",
            "giraffe-mover": "giraffe-363 for the mover",
            "bitmap": "bitmap-768",
            "bitmap-mover": "a bitmap for the mover",
        }.items()
    },
    "sts_bootstrap": (
        _headline("STS points before TD-Leaf", PUBLISHED.bootstrap_sts, "STS", "tdleaf"),
        _of_curve("first"),
    ),
    "sts_trained": (_headline("STS points at the end", PUBLISHED.trained_sts, "STS", "tdleaf"), _of_curve("last")),
    "sts_peak": (_headline("STS points, maximum", PUBLISHED.peak_sts, "STS", "tdleaf"), _of_curve("most")),
    "elo_gained": (_headline("Elo gained by TD-Leaf on the bootstrap", None, "elo", "tdleaf"), _gained),
    "core_hours": (_headline("Core-hours of TD-Leaf", PUBLISHED.core_hours, "hours", "tdleaf"), _value("core_hours")),
    **{
        f"sts_{key}": (_headline(f"STS points, {name}", theirs, "STS", "sts"), _suite(name))
        for key, name, theirs in (
            ("0_1s", "Giraffe (0.1 s)", PUBLISHED.table_3[2].points),
            ("0_5s", "Giraffe (0.5 s)", PUBLISHED.table_3[1].points),
            ("1s", "Giraffe (1 s)", PUBLISHED.table_3[0].points),
            ("gnuchess", "GNU Chess", PUBLISHED.table_3[9].points),
            ("stockfish", "Stockfish", PUBLISHED.table_3[3].points),
        )
    },
    **{key: (_headline(what, theirs, "elo", "shapes"), _match(key)) for key, (what, theirs) in MATCHES.items()},
    **{
        f"{name}_{moves}": (
            _headline(f"Best move ranked {said}, {name} positions", sum(theirs[:moves]), "percent", "move_network"),
            _ranked(name, moves),
        )
        for name, theirs in ((ALL, PUBLISHED.table_4), (QUIET, PUBLISHED.table_5))
        for moves, said in ((1, "first"), (3, "in the first three"))
    },
    **{
        f"moves_{key}": (_headline(what, theirs, "elo", "move_network"), _match(key))
        for key, (what, theirs) in MOVE_MATCHES.items()
    },
    "slower": (_headline("Stockfish searches so many times faster", None, "ratio", "speed"), _slower),
    "self_play": (
        _headline("Positions a second and core in self-play", PUBLISHED.self_play_rate, "positions", "speed"),
        lambda data: Measured(data["self_play"]["rate"]),
    ),
    "rating": (_headline("Place on the ladder", PUBLISHED.rating, "elo", "strength"), _place),
}
"""What is measured, and how, by keys that programs may rely on."""
