"""What fills the tables and figures of lai2015's paper.toml."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from okapi.core import Position
from okapi.formats.html import Boards, Figure, Notes, Part, Prose, Table
from okapi.formats.numbers import counted, elo, lasted, number, percent, signed
from okapi.formats.svg import Curve, Lines, figure
from okapi.papers.lai2015.headlines import (
    ALL,
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
from okapi.recipes.proportions import Proportion

Data = Mapping[str, Any]
Cells = tuple[str, ...]

BUDGETS: Final = {
    "depth": "depth",
    "even": "even probabilities",
    "shares": "Giraffe's shares",
    "learned": "the move network",
}
"""What limits a search, by the keys of results."""


# --- Feature representation -------------------------------------------------------------------------------------------


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
    rows = [
        {
            **row,
            "error": 100 * row["mse"] ** 0.5,
            "explained": explained(row, data["spread"]),
            "distance": 100 * row["mae"],
            "train_error": 100 * row["train_mse"] ** 0.5,
        }
        for weight in ("light", "heavy")
        for row in data["rows"]
        if row["weight"] == weight
    ]
    sizes = {weight: sum(row["weight"] == weight for row in rows) for weight in ("light", "heavy")}
    return {
        "rows": rows,
        "bands": [(weight, size) for weight, size in sizes.items() if size],
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


PAIRS: Final = (
    ("giraffe", "bitmap", "Giraffe's features instead of the bitmap"),
    ("giraffe-mover", "bitmap-mover", "the same, both oriented for the mover"),
    ("giraffe-mover", "giraffe", "the board oriented for the mover"),
    ("giraffe-mover", "giraffe-mixed", "modalities separate in the first layer"),
    ("giraffe-heavy", "bitmap-heavy", "Giraffe's features instead of the bitmap, heavy networks"),
)


def representation_gaps(data: Data) -> Iterator[Data]:
    made = {row["name"] for row in data["rows"]}
    for one, other, what in PAIRS:
        if {one, other} <= made:
            gap = error_gap(data, one, other)
            yield {"what": what, "gap": gap.ours, "low": gap.low, "high": gap.high}


# --- TD-Leaf ----------------------------------------------------------------------------------------------------------


def errors_of_table_2(data: Data) -> Iterator[Cells]:
    steps = PUBLISHED.table_2
    for place, (step, mine) in enumerate(zip(steps, data["contributions"], strict=True)):
        factor = f"{data['discount']:g}^{place}"
        yield number(step.score), number(step.change), factor, number(step.contribution, 2), number(mine, 2)
    yield "total, as printed", "", "", number(PUBLISHED.table_2_total, 2), ""
    yield "total", "", "", number(sum(step.contribution for step in steps), 2), number(data["total"], 2)
    yield "total by the update rule", "", "", "–", number(data["by_the_rule"], 2)


def _by_positions(points: Sequence[Data], key: str) -> str:
    return "; ".join(f"{number(point['positions'])}: {number(point[key])}" for point in points)


def figure_4(data: Data) -> Data:
    pictures, runs = [], data["runs"]
    if tested := {name: points for name in runs if (points := measured_points(data, name, "sts"))}:
        longest = max(points[-1]["positions"] for points in tested.values()) / 1e6
        ends = (0.0, max(longest, 1e-3))
        heights = {"thesis, bootstrap": PUBLISHED.bootstrap_sts, "thesis, at the end": PUBLISHED.trained_sts}
        theirs = [Curve(name, [(end, float(height)) for end in ends]) for name, height in heights.items()]
        mine = [
            Curve(name, [(point["positions"] / 1e6, point["sts"]) for point in points], dots=len(points) < 3)
            for name, points in tested.items()
        ]
        chart = Lines("STS points of 15,000", [*mine, *theirs], "million positions", within=(0, 15_000))
        said = "; ".join(f"{name}: {_by_positions(points, 'sts')}" for name, points in tested.items())
        pictures.append(figure(chart, f"STS points by positions: {said}", width=460))
    for name in runs:
        played = measured_points(data, name, "elo")
        if len(played) > 1:  # the first is the bootstrap itself
            lines = [
                Curve(line, [(point["positions"] / 1e6, point[key]) for point in played if point.get(key) is not None])
                for line, key in (("Elo", "elo"), ("low", "elo_low"), ("high", "elo_high"))
            ]
            title = f"Elo against the bootstrap, {name}"
            chart = Lines(title, [line for line in lines if line.points], "million positions")
            pictures.append(figure(chart, f"Elo by positions, {name}: {_by_positions(played, 'elo')}", width=460))
    limits = " and ".join(dict.fromkeys(filter(None, (run["suite_limits"] for run in runs.values()))))
    return {"pictures": pictures, "limits": limits or "that of the run"}


def training_numbers(data: Data) -> Data:
    runs = data["runs"]
    keys = ("positions", "core_hours", "bootstrap_sts", "trained_sts", "peak_sts")
    names = ("positions searched", "core-hours", "STS, bootstrap", "STS, at the end", "STS, maximum")
    thesis = [*(number(PUBLISHED[key]) for key in keys), number(None)]
    ours = (_numbers_of_run(data, name) for name in runs)
    rows = zip((*names, "Elo against the bootstrap"), thesis, *ours, strict=True)
    told = "; ".join(f"{name}: {run['how']}" for name, run in runs.items())
    return {"rows": list(rows), "heads": ("", "thesis", *runs), "told": told}


def _numbers_of_run(data: Data, name: str) -> Cells:
    run, points = data["runs"][name], [point["sts"] for point in measured_points(data, name, "sts")] or [None]
    gained = elo_gained(data, name)
    sts = tuple(map(number, (points[0], points[-1], max(points))))
    won = "–" if gained.ours is None else elo(gained.ours, gained.low, gained.high)
    return number(run["positions"]), number(run["core_hours"], 2), *sts, won


def optimiser_curves(data: Data) -> list[str]:
    lines = [Curve(row["name"], [(step, error) for step, error in row["curve"]]) for row in data["rows"]]
    described = "; ".join(f"{row['name']} ends at {number(row['curve'][-1][1], 4)}" for row in data["rows"])
    return [figure(Lines("loss", lines, "steps"), described, width=760)]


def optimiser_errors(data: Data) -> list[Data]:
    rows = [{**row, "rate": f"{row['rate']:g}", "gain": data["start"] - row["error"]} for row in data["rows"]]
    return sorted(rows, key=lambda row: float(row["error"]))


# --- The engine -------------------------------------------------------------------------------------------------------


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


# --- Probability-limited search ---------------------------------------------------------------------------------------


def trees(data: Data) -> Iterator[Part]:
    yield Prose(
        f"Trees of the last iteration that searches of {number(data['nodes'])} nodes finish, without quiescence: naive "
        "ones, which are alpha-beta and nothing else, and those with all heuristics. The boards of the thesis are "
        "lost; on these, too, one move leaves the opponent few replies, or both sides fewer moves."
    )
    for drawn in data["positions"]:
        name, san, ways = {"check": "Figure 5", "queens": "Figure 6"}[drawn["key"]], drawn["san"], drawn["ways"]
        board = Position.from_fen(drawn["fen"])
        yield Boards(name=name, caption=f"The move to compare is {san}.", boards=[(board, [san])])
        yield Figure(
            name=f"{name}, trees",
            caption="Of searches with all heuristics, the nodes nearest to the root, one row a ply; those below "
            f"{san} are coloured.",
            pictures=[tree_picture(BUDGETS[budget], tree["drawn"], san) for budget, tree in ways[PICTURED].items()],
        )
        pictures = [_by_ply(way, budgets) for way, budgets in ways.items()]
        caption = "Nodes of the tree by distance from the root."
        yield Figure(name=f"{name}, nodes by ply", caption=caption, pictures=pictures)
        yield Table(
            name=f"{name}, numbers",
            caption=f"Nodes below {san} and below all other moves, and the depth of the tree there. The thesis expects "
            f"a tree of even probabilities to be deeper below {san}.",
            heads=("limited by", f"nodes below {san}", "of all", "deepest", "nodes below others", "deepest"),
            rows=[_tree_row(BUDGETS[budget], tree) for budgets in ways.values() for budget, tree in budgets.items()],
            bands=[(way, len(budgets)) for way, budgets in ways.items()],
        )


def _by_ply(way: str, budgets: Data) -> str:
    lines = [Curve(BUDGETS[budget], list(enumerate(tree["by_ply"]))) for budget, tree in budgets.items()]
    described = "; ".join(f"{line.name} reaches ply {len(line.points) - 1}" for line in lines)
    return figure(Lines(f"nodes, {way}", lines, "ply"), f"{way}: {described}", width=460)


def _tree_row(name: str, tree: Data) -> Cells:
    branch, others = tree["branch"], tree["others"]
    share = branch["nodes"] / max(branch["nodes"] + others["nodes"], 1)
    below = number(branch["nodes"]), percent(share), number(branch["deepest"])
    return name, *below, number(others["nodes"]), number(others["deepest"])


# --- Matches ----------------------------------------------------------------------------------------------------------


THEIR_GAINS: Final = {
    gain.key: f"{signed(gain.elo)} ± {number(gain.high - gain.elo)}"
    for gain in (*PUBLISHED.naive_gains, *PUBLISHED.move_network_gains)
}


def matches(data: Data) -> Data:
    rows = [
        {
            **row,
            "thesis": THEIR_GAINS.get(row["key"], "–"),
            "tally": tally_of(row),
            "nodes": " / ".join(number(effort["nodes"]) for effort in row["efforts"]),
            "seconds": " / ".join(number(effort["seconds"], 3) for effort in row["efforts"]),
        }
        for row in data["rows"]
    ]
    return {"rows": rows, "brain_name": Path(data.get("brain") or "").name}


def untried(data: Data) -> list[Part]:
    return [Notes([f"Not tried here: {'; '.join(data['missing'])}."])] if data["missing"] else []


# --- The move network -------------------------------------------------------------------------------------------------


def ranks(data: Data) -> Iterator[Part]:
    for name, key, theirs, said in (
        ("Table 4", ALL, PUBLISHED.table_4, "all positions"),
        ("Table 5", QUIET, PUBLISHED.table_5, "positions whose best move is no winning capture"),
    ):
        if data["tables"].get(key):
            yield from _rank_table(name, said, theirs, data["tables"][key])


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
    tables = (PUBLISHED.table_4, PUBLISHED.table_5)
    shares = (f"{number(sum(table[:moves]), 2)} %" for table in tables for moves in (1, 3))
    yield "thesis", *shares, number(PUBLISHED.move_positions), "", ""
    for name, row in data["jobs"].items():
        shares = (percent(ranked_within(row[key], moves).value, 2) for key in (ALL, QUIET) for moves in (1, 3))
        about = number(row["positions"]), number(row["epochs"]), lasted(row["seconds"])
        yield NETWORK_NAMES.get(name, name), *shares, *about


NETWORK_NAMES: Final = {
    "letter": "as in the thesis",
    "letter-adam": "as in the thesis, with Adam",
    "program-adam": "captures, checks, exchanges and the number of moves besides, with Adam",
}
