"""What fills the tables and figures of lai2015's paper.toml, in the order of its sections."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from okapi.core import Position
from okapi.formats.html import Boards, Figure, Notes, Part, Prose, Table
from okapi.formats.numbers import counted, elo, lasted, number, percent, signed
from okapi.formats.svg import Curve, Lines, figure
from okapi.papers.lai2015.headlines import (
    ALL,
    FREQUENCIES,
    PUBLISHED,
    QUIET,
    elo_gained,
    error_gap,
    explained,
    measured_points,
    ranked_within,
    slower,
)
from okapi.papers.lai2015.search import PICTURED, tree_picture
from okapi.papers.page import tally_of
from okapi.papers.published import read_toml
from okapi.recipes.proportions import Proportion

Data = Mapping[str, Any]
Cells = tuple[str, ...]


def features_by_kind(data: Data) -> Iterator[Cells]:
    for name, count in data["kinds"].items():
        yield name, "–", number(count)
    yield "all", number(PUBLISHED.features), number(sum(data["kinds"].values()))


def board_of_table_1(data: Data) -> list[tuple[str, list[str]]]:
    return [(data["fen"], ["White to move"])]


def feature_values(data: Data) -> Data:
    rows = [(name, theirs, data["table"].get(name, "–")) for name, theirs in PUBLISHED.table_1.items()]
    return {"rows": rows, "count": len(rows)}


def similar_boards(data: Data) -> list[tuple[str, list[str]]]:
    return [(fen, [side]) for side, fen in data["boards"].items()]


def distances_between_boards(data: Data) -> list[Data]:
    return [{"name": name, **far, "ratio": far["right"] / far["left"]} for name, far in data["apart"].items()]


def represented(data: Data) -> Data:
    rows = []
    for row in sorted(data["rows"], key=lambda row: row["weight"] == "heavy"):
        error, train_error = (100 * row[mse] ** 0.5 for mse in ("mse", "train_mse"))
        shares = {"explained": explained(row, data["spread"]), "distance": 100 * row["mae"]}
        rows.append({**row, "error": error, "train_error": train_error, **shares})
    return {
        "rows": rows,
        "bands": list(Counter(row["weight"] for row in rows).items()),
        "training": counted(data["parts"]["train"], "position"),
        "test": number(data["parts"]["test"]),
        "kept": data["split"].removesuffix("s"),
    }


def validation_losses(data: Data) -> list[str]:
    lines = [Curve(row["name"], [(epoch, loss) for epoch, loss in row["curve"]]) for row in data["rows"]]
    if all(len(line.points) < 2 for line in lines):
        return []
    described = "; ".join(f"{line.name} ends at {line.points[-1][1]:.4f}" for line in lines if line.points)
    return [figure(Lines("squared error on validation positions", lines, "epoch"), described, width=720)]


def representation_gaps(data: Data) -> Iterator[Data]:
    made = {row["name"] for row in data["rows"]}
    for one, other, what in read_toml("lai2015", "networks")["compared"]:
        if {one, other} <= made:
            gap = error_gap(data, one, other)
            yield {"what": what, "gap": gap.ours, "low": gap.low, "high": gap.high}


def errors_of_table_2(data: Data) -> Iterator[Cells]:
    steps = PUBLISHED.table_2
    for place, (step, mine) in enumerate(zip(steps, data["contributions"], strict=True)):
        factor = f"{data['discount']:g}^{place}"
        yield number(step.score), number(step.change), factor, number(step.contribution, 2), number(mine, 2)
    yield "total, as printed", "", "", number(PUBLISHED.table_2_total, 2), ""
    yield "total", "", "", number(sum(step.contribution for step in steps), 2), number(data["total"], 2)
    yield "total by the update rule", "", "", "–", number(data["by_the_rule"], 2)


def _points(points: Sequence[Data], key: str) -> list[tuple[float, float]]:
    """Millions of positions, and what was measured after them."""
    return [(point["positions"] / 1e6, point[key]) for point in points if point.get(key) is not None]


def _told(points: Sequence[Data], key: str) -> str:
    return "; ".join(f"{number(point['positions'])}: {number(point[key])}" for point in points)


def figure_4(data: Data) -> Data:
    pictures, runs = [], data["runs"]
    if tested := {name: points for name in runs if (points := measured_points(data, name, "sts"))}:
        ends = (0.0, max(1e-3, *(points[-1]["positions"] / 1e6 for points in tested.values())))
        lines = [Curve(name, _points(points, "sts"), dots=len(points) < 3) for name, points in tested.items()]
        heights = {"thesis, bootstrap": PUBLISHED.bootstrap_sts, "thesis, at the end": PUBLISHED.trained_sts}
        lines += [Curve(name, [(end, float(height)) for end in ends]) for name, height in heights.items()]
        chart = Lines("STS points of 15,000", lines, "million positions", within=(0, 15_000))
        said = "; ".join(f"{name}: {_told(points, 'sts')}" for name, points in tested.items())
        pictures.append(figure(chart, f"STS points by positions: {said}", width=460))
    for name in runs:
        played = measured_points(data, name, "elo")
        if len(played) > 1:  # the first is the bootstrap itself
            keys = {"Elo": "elo", "low": "elo_low", "high": "elo_high"}
            curves = {line: _points(played, key) for line, key in keys.items()}
            lines = [Curve(line, points) for line, points in curves.items() if points]
            chart = Lines(f"Elo against the bootstrap, {name}", lines, "million positions")
            pictures.append(figure(chart, f"Elo by positions, {name}: {_told(played, 'elo')}", width=460))
    limits = " and ".join(dict.fromkeys(filter(None, (run["suite_limits"] for run in runs.values()))))
    return {"pictures": pictures, "limits": limits or "that of the run"}


def training_numbers(data: Data) -> Data:
    runs = data["runs"]
    names = {
        "positions": "positions searched",
        "core_hours": "core-hours",
        "bootstrap_sts": "STS, bootstrap",
        "trained_sts": "STS, at the end",
        "peak_sts": "STS, maximum",
    }
    columns = [(*names.values(), "Elo against the bootstrap"), (*(number(PUBLISHED[key]) for key in names), "–")]
    for name, run in runs.items():
        points = [point["sts"] for point in measured_points(data, name, "sts")] or [None]
        gained = elo_gained(data, name)
        sts = map(number, (points[0], points[-1], max(points)))
        won = "–" if gained.ours is None else elo(gained.ours, gained.low, gained.high)
        columns.append((number(run["positions"]), number(run["core_hours"], 2), *sts, won))
    told = "; ".join(f"{name}: {run['how']}" for name, run in runs.items())
    return {"rows": list(zip(*columns, strict=True)), "heads": ("", "thesis", *runs), "told": told}


def optimiser_curves(data: Data) -> list[str]:
    lines = [Curve(row["name"], [(step, error) for step, error in row["curve"]]) for row in data["rows"]]
    described = "; ".join(f"{row['name']} ends at {number(row['curve'][-1][1], 4)}" for row in data["rows"])
    return [figure(Lines("loss", lines, "steps"), described, width=760)]


def optimiser_errors(data: Data) -> list[Data]:
    rows = [{**row, "rate": f"{row['rate']:g}", "gain": data["start"] - row["error"]} for row in data["rows"]]
    return sorted(rows, key=lambda row: float(row["error"]))


def absent_engines(data: Data) -> list[Data]:
    return [{"name": name, "why": why} for name, why in data["absent"].items()]


def nodes_a_second(data: Data) -> Data:
    best = max((1, *(row["nps"] for row in data["rows"])))
    rows = [{**row, "share": row["nps"] / best} for row in data["rows"]]
    return {"rows": rows, **{key: number(data[key]) for key in ("positions", "nodes")}}


def compared_speeds(data: Data) -> list[Cells]:
    rates = number(PUBLISHED.self_play_rate), number(data["self_play"]["rate"])
    return [
        ("positions of self-play, a second and core", *rates),
        ("nodes a second of Stockfish / ours", f"< {PUBLISHED.most_slower}", number(slower(data).ours, 1)),
    ]


def trees(data: Data) -> Iterator[Part]:
    yield Prose(
        f"Trees of the last iteration that searches of {number(data['nodes'])} nodes finish, without quiescence: naive "
        "ones, which are alpha-beta and nothing else, and those with all heuristics. The boards of the thesis are "
        "lost; on these, too, one move leaves the opponent few replies, or both sides fewer moves."
    )
    names = {"depth": "depth", "even": "even probabilities"}
    names |= {"shares": "Giraffe's shares", "learned": "the move network"}
    for drawn in data["positions"]:
        name, san = {"check": "Figure 5", "queens": "Figure 6"}[drawn["key"]], drawn["san"]
        ways = {way: {names[by]: tree for by, tree in budgets.items()} for way, budgets in drawn["ways"].items()}
        board = Position.from_fen(drawn["fen"])
        yield Boards(name=name, caption=f"The move to compare is {san}.", boards=[(board, [san])])
        yield Figure(
            name=f"{name}, trees",
            caption="Of searches with all heuristics, the nodes nearest to the root, one row a ply; those below "
            f"{san} are coloured.",
            pictures=[tree_picture(budget, tree["drawn"], san) for budget, tree in ways[PICTURED].items()],
        )
        pictures = [_by_ply(way, budgets) for way, budgets in ways.items()]
        caption = "Nodes of the tree by distance from the root."
        yield Figure(name=f"{name}, nodes by ply", caption=caption, pictures=pictures)
        yield Table(
            name=f"{name}, numbers",
            caption=f"Nodes below {san} and below all other moves, and the depth of the tree there. The thesis expects "
            f"a tree of even probabilities to be deeper below {san}.",
            heads=("limited by", f"nodes below {san}", "of all", "deepest", "nodes below others", "deepest"),
            rows=[_tree_row(*tree) for budgets in ways.values() for tree in budgets.items()],
            bands=[(way, len(budgets)) for way, budgets in ways.items()],
        )


def _by_ply(way: str, budgets: Data) -> str:
    lines = [Curve(budget, list(enumerate(tree["by_ply"]))) for budget, tree in budgets.items()]
    described = "; ".join(f"{line.name} reaches ply {len(line.points) - 1}" for line in lines)
    return figure(Lines(f"nodes, {way}", lines, "ply"), f"{way}: {described}", width=460)


def _tree_row(name: str, tree: Data) -> Cells:
    below, others = tree["branch"], tree["others"]
    nodes, other_nodes = below["nodes"], others["nodes"]
    share = percent(nodes / max(nodes + other_nodes, 1))
    return name, number(nodes), share, number(below["deepest"]), number(other_nodes), number(others["deepest"])


def matches(data: Data) -> Data:
    gains = (*PUBLISHED.naive_gains, *PUBLISHED.move_network_gains)
    theirs = {gain.key: f"{signed(gain.elo)} ± {number(gain.high - gain.elo)}" for gain in gains}
    rows = []
    for row in data["rows"]:
        digits = {"nodes": 0, "seconds": 3}
        efforts = {key: " / ".join(number(each[key], digits[key]) for each in row["efforts"]) for key in digits}
        rows.append({**row, "thesis": theirs.get(row["key"], "–"), "tally": tally_of(row), **efforts})
    return {"rows": rows, "brain_name": Path(data.get("brain") or "").name}


def untried(data: Data) -> list[Part]:
    return [Notes([f"Not tried here: {'; '.join(data['missing'])}."])] if data["missing"] else []


def ranks(data: Data) -> Iterator[Part]:
    quiet = "positions whose best move is no winning capture"
    for name, key, said in (("Table 4", ALL, "all positions"), ("Table 5", QUIET, quiet)):
        if table := data["tables"].get(key):
            yield from _rank_table(name, said, FREQUENCIES[key], table)


def _rank_table(name: str, said: str, theirs: Sequence[float], table: Data) -> Iterator[Part]:
    positions = sum(table["counts"])
    within = [ranked_within(table, rank + 1) for rank in range(len(theirs))]
    rows = []
    for rank, published in enumerate(theirs):
        share = 100 * Proportion(table["counts"][rank], positions).value
        cells = (published, share, sum(theirs[: rank + 1]), 100 * within[rank].value)
        rows.append(("below 10th" if rank == len(theirs) - 1 else number(rank), *(number(each, 2) for each in cells)))
    yield Table(
        name=name,
        caption=f"Predicted rank of the best move, per cent; {said}, {counted(positions, 'test position')}. Best move "
        f"ranked first: {within[0]}; in the first three: {within[2]}.",
        heads=("rank", "thesis", "ours", "thesis", "ours"),
        groups=(("", 1), ("frequency", 2), ("cumulative", 2)),
        rows=rows,
    )
    places = range(1, len(theirs))
    lines = [
        Curve("thesis", [(rank, sum(theirs[:rank])) for rank in places]),
        Curve("ours", [(rank, 100 * within[rank - 1].value) for rank in places]),
    ]
    described = "; ".join(f"{line.name}: {line.points[0][1]:.1f} % first" for line in lines)
    drawn = figure(Lines("best move in the first moves, per cent", lines, "moves"), described, width=460)
    yield Figure(name=f"{name}, chart", caption="The cumulative columns.", pictures=[drawn])


def trained_networks(data: Data) -> Iterator[Cells]:
    if not data["jobs"]:
        return
    names = {
        "letter": "as in the thesis",
        "letter-adam": "as in the thesis, with Adam",
        "program-adam": "captures, checks, exchanges and the number of moves besides, with Adam",
    }
    shown = list(product((ALL, QUIET), (1, 3)))
    shares = (f"{number(sum(FREQUENCIES[key][:moves]), 2)} %" for key, moves in shown)
    yield "thesis", *shares, number(PUBLISHED.move_positions), "", ""
    for name, row in data["jobs"].items():
        shares = (percent(ranked_within(row[key], moves).value, 2) for key, moves in shown)
        yield names.get(name, name), *shares, number(row["positions"]), number(row["epochs"]), lasted(row["seconds"])
