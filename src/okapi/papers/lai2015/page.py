"""The page of lai2015: its tables and figures with published and measured numbers."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from okapi.core import Position
from okapi.formats.html import Boards, Figure, Notes, Part, Prose, Table
from okapi.formats.numbers import counted, elo, interval, lasted, number, percent, signed
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.lai2015.headlines import ALL, HEADLINES, PUBLISHED, QUIET, by_name, explained, ranked_within
from okapi.papers.lai2015.search import tree_picture
from okapi.papers.page import (
    RATED,
    Column,
    Data,
    IntervalsOf,
    PageSection,
    PaperPage,
    Shown,
    TableOf,
    counts,
    decimals,
    tally_of,
)
from okapi.recipes.proportions import Proportion, Z

BUDGETS: Final = {
    "depth": "depth",
    "even": "even probabilities",
    "shares": "Giraffe's shares",
    "learned": "the move network",
}
"""What limits a search, by the keys of results."""


# --- Feature representation -------------------------------------------------------------------------------------------


def _features(data: Data) -> Iterator[Part]:
    kinds = data["kinds"]
    yield Table(
        name="Features",
        caption="Inputs of the network by kind.",
        heads=("kind", "thesis", "ours"),
        rows=[
            *((name, "–", number(count)) for name, count in kinds.items()),
            ("all", number(PUBLISHED.features), number(sum(kinds.values()))),
        ],
    )
    yield Boards(
        name="Figure 2",
        caption="The board of the thesis is lost; all rows of Table 1 are true of this one.",
        boards=[(Position.from_fen(data["fen"]), ["White to move"])],
    )
    yield Table(
        name="Table 1",
        caption=f"Features of the position in Figure 2: {data['agree']} of {len(PUBLISHED.table_1)} rows equal the "
        "thesis'. Kings, the other slots, mobility and control of squares are left out, as in the thesis.",
        heads=("feature", "thesis", "ours"),
        rows=[(name, theirs, data["table"].get(name, "–")) for name, theirs in PUBLISHED.table_1.items()],
        words=(1, 2),
    )
    yield Boards(
        name="Figure 1",
        caption="Positions like those of the lost figure. The first two are similar.",
        boards=[(Position.from_fen(fen), [side]) for side, fen in data["boards"].items()],
    )
    yield Table(
        name="Distances in Figure 1",
        caption="Distances from the board in the middle, in feature space.",
        heads=("encoding", "to the left", "to the right", "right / left"),
        rows=[
            (name, number(far["left"], 2), number(far["right"], 2), number(far["right"] / far["left"], 2))
            for name, far in data["apart"].items()
        ],
    )


def _representations(data: Data) -> Iterator[Part]:
    rows, spread = data["rows"], data["spread"]
    parts, kept = data["parts"], data["split"].removesuffix("s")
    by_weight = {weight: [row for row in rows if row["weight"] == weight] for weight in ("light", "heavy")}
    yield Table(
        name="Representations",
        caption=f"Networks that learned a teacher's values of {counted(parts['train'], 'position')}, as expected "
        f"scores, tested on {number(parts['test'])} others, split by {kept}. The error is the root of the mean "
        "square, in points of a hundred; explained is the share of the values' variance. The thesis gives no numbers.",
        heads=("network", "input", "weights", "error", "explained", "mean distance", "in training", "epochs"),
        rows=[
            (
                row["name"],
                row["what"],
                number(row["size"]),
                number(100 * row["mse"] ** 0.5, 2),
                percent(explained(row, spread)),
                number(100 * row["mae"], 2),
                number(100 * row["train_mse"] ** 0.5, 2),
                number(row["epochs"]),
            )
            for weight in by_weight.values()
            for row in weight
        ],
        bands=[(weight, len(band)) for weight, band in by_weight.items() if band],
        words=(1,),
    )
    lines = [Line(row["name"], [(epoch, loss) for epoch, loss in row["curve"]]) for row in rows]
    if any(len(line.points) > 1 for line in lines):
        described = "; ".join(f"{line.name} ends at {line.points[-1][1]:.4f}" for line in lines if line.points)
        drawn = figure(Lines("squared error on validation positions", lines, "epoch"), described, width=720)
        yield Figure(name="Validation loss", caption="After each epoch.", pictures=[drawn])
    yield from DIFFERENCES(data)


PAIRS: Final = (
    ("giraffe", "bitmap", "Giraffe's features instead of the bitmap"),
    ("giraffe-mover", "bitmap-mover", "the same, both oriented for the mover"),
    ("giraffe-mover", "giraffe", "the board oriented for the mover"),
    ("giraffe-mover", "giraffe-mixed", "modalities separate in the first layer"),
    ("giraffe-heavy", "bitmap-heavy", "Giraffe's features instead of the bitmap, heavy networks"),
)


def _differences(data: Data) -> Iterator[Data]:
    for one, other, what in PAIRS:
        first, second = by_name(data, one), by_name(data, other)
        if first is not None and second is not None:
            gap = first["mse"] / second["mse"] - 1
            reach = Z * (first["mse_error"] ** 2 + second["mse_error"] ** 2) ** 0.5 / second["mse"]
            yield {"what": what, "gap": 100 * gap, "low": 100 * (gap - reach), "high": 100 * (gap + reach)}


DIFFERENCES: Final = TableOf(
    name="Differences between representations",
    caption="Change of the squared error, per cent.",
    rows=_differences,
    columns=(
        Column("change", "what"),
        Column("squared error, %", "gap", lambda value: signed(value, 1)),
        Column("95 %", ("low", "high"), lambda low, high: interval(low, high, 1)),
    ),
)


# --- TD-Leaf ----------------------------------------------------------------------------------------------------------


def _table_2(data: Data) -> Iterator[Part]:
    steps = PUBLISHED.table_2
    yield Table(
        name="Table 2",
        caption=f"The error of the first of twelve positions, with λ = {data['discount']:g}. The table discounts a "
        "change by the moves from the first position up to and including it; the update rule of the thesis by one "
        "move less. The total that the thesis prints is not the sum of its contributions.",
        heads=("search score", "score change", "discount factor", "thesis", "ours"),
        rows=[
            *(
                (
                    number(step.score),
                    number(step.change),
                    f"{data['discount']:g}^{place}",
                    number(step.contribution, 2),
                    number(mine, 2),
                )
                for place, (step, mine) in enumerate(zip(steps, data["contributions"], strict=True))
            ),
            ("total, as printed", "", "", number(PUBLISHED.table_2_total, 2), ""),
            ("total", "", "", number(sum(step.contribution for step in steps), 2), number(data["total"], 2)),
            ("total by the update rule", "", "", "–", number(data["by_the_rule"], 2)),
        ],
    )


def _curve(data: Data) -> Iterator[Part]:
    points = data["curve"]
    tested = [point for point in points if point.get("sts") is not None]
    played = [point for point in points if point.get("elo") is not None]
    pictures = []
    if tested:
        ours = Line("ours", [(point["positions"] / 1e6, point["sts"]) for point in tested], dots=len(tested) < 3)
        ends = (0.0, max(tested[-1]["positions"] / 1e6, 1e-3))
        theirs = [
            Line(name, [(end, float(height)) for end in ends])
            for name, height in (
                ("thesis, bootstrap", PUBLISHED.bootstrap_sts),
                ("thesis, at the end", PUBLISHED.trained_sts),
            )
        ]
        described = "; ".join(f"{number(point['positions'])}: {number(point['sts'])}" for point in tested)
        chart = Lines("STS points of 15,000", [ours, *theirs], "million positions", within=(0, 15_000))
        pictures.append(figure(chart, f"STS points by positions: {described}", width=460))
    if played:
        lines = [
            Line(name, [(point["positions"] / 1e6, point[key]) for point in played if point.get(key) is not None])
            for name, key in (("Elo", "elo"), ("low", "elo_low"), ("high", "elo_high"))
        ]
        described = "; ".join(f"{number(point['positions'])}: {number(point['elo'])}" for point in played)
        chart = Lines("Elo against the bootstrap", [line for line in lines if line.points], "million positions")
        pictures.append(figure(chart, f"Elo by positions: {described}", width=460))
    if pictures:
        yield Figure(
            name="Figure 4",
            caption="During training: points of the Strategic Test Suite, and Elo against the bootstrap with its 95 % "
            "interval. The thesis' curve is lost but for what its text states. The thesis does not state the search "
            f"limit of the suite; ours is {data['suite_limits'] or 'that of the run'}.",
            pictures=pictures,
        )
    yield Table(
        name="The run",
        caption=f"Cost and result of training; {data['how']}.",
        heads=("", "thesis", "ours"),
        rows=[
            ("positions searched", number(PUBLISHED.positions), number(data["positions"])),
            ("core-hours", number(PUBLISHED.core_hours), number(data["core_hours"], 2)),
            ("STS, bootstrap", number(PUBLISHED.bootstrap_sts), number(tested[0]["sts"] if tested else None)),
            ("STS, at the end", number(PUBLISHED.trained_sts), number(tested[-1]["sts"] if tested else None)),
            ("STS, maximum", number(PUBLISHED.peak_sts), number(max((p["sts"] for p in tested), default=None))),
            (
                "Elo against the bootstrap",
                number(None),
                elo(played[-1]["elo"], played[-1].get("elo_low"), played[-1].get("elo_high")) if played else "–",
            ),
        ],
    )


def _optimisers(data: Data) -> Iterator[Part]:
    rows = sorted(data["rows"], key=lambda row: float(row["error"]))
    lines = [Line(row["name"], [(step, error) for step, error in row["curve"]]) for row in data["rows"]]
    described = "; ".join(f"{row['name']} ends at {number(row['error'], 4)}" for row in data["rows"])
    yield Figure(
        name="Optimisers",
        caption=f"Loss on held-out leaves, by steps. Every optimiser learned from the same "
        f"{counted(data['leaves'], 'leaf', 'leaves')} in the same order, from the same start.",
        pictures=[figure(Lines("loss", lines, "steps"), described, width=760)],
    )
    yield Table(
        name="Optimisers, at the end",
        caption="Each with the best of its learning rates. The thesis found AdaDelta best, and gives no numbers.",
        heads=("optimiser", "learning rate", "loss", "less than at the start"),
        rows=[
            (row["name"], f"{row['rate']:g}", number(row["error"], 4), signed(data["start"] - row["error"], 4))
            for row in rows
        ],
    )


# --- The engine -------------------------------------------------------------------------------------------------------

SUITE: Final = TableOf(
    name="Table 3",
    caption="Points of the Strategic Test Suite, of 15,000; ours on {positions:,} positions of {suite}, one engine "
    "after the other with one thread, intervals over positions. Failed: positions without an answer.",
    published=PUBLISHED.table_3,
    source="thesis",
    columns=(
        Column("engine", "name"),
        Column("nodes a position", "nodes", number),
        Column("points", "points", number),
        Column("95 %", ("low", "high"), interval),
        Column("seconds a position", "seconds", decimals(2)),
        Column("failed", "failed", number),
        Column("rating", "rating", number),
    ),
)
ABSENT: Final = TableOf(
    name="Engines that are missing",
    caption="Not asked here.",
    rows=lambda data: [{"name": name, "why": why} for name, why in data["absent"].items()],
    columns=(Column("engine", "name"), Column("reason", "why", words=True)),
)


def _speed(data: Data) -> Iterator[Part]:
    best = max((row["nps"] for row in data["rows"]), default=0)
    mine, other = by_name(data, "giraffe by depth"), by_name(data, "Stockfish")
    ratio = None if mine is None or other is None else other["nps"] / max(mine["nps"], 1)
    yield Table(
        name="Speed",
        caption=f"Nodes a second of one thread: medians over {number(data['positions'])} positions of "
        f"{number(data['movetime_ms'])} ms each, players taking turns.",
        heads=("player", "nodes a second", "of the fastest"),
        rows=[(row["name"], number(row["nps"]), percent(row["nps"] / max(best, 1))) for row in data["rows"]],
    )
    yield Table(
        name="Speed, compared",
        caption=f"Self-play has searches of {data['self_play']['nodes']} nodes here.",
        heads=("", "thesis", "ours"),
        rows=[
            (
                "positions of self-play, a second and core",
                number(PUBLISHED.self_play_rate),
                number(data["self_play"]["rate"]),
            ),
            ("nodes a second of Stockfish / ours", f"< {PUBLISHED.most_slower}", number(ratio, 1)),
        ],
    )


# --- Probability-limited search ---------------------------------------------------------------------------------------


def _trees(data: Data) -> Iterator[Part]:
    yield Prose(
        f"Trees of the last iteration that searches of {number(data['nodes'])} nodes finish, without quiescence: naive "
        "ones, which are alpha-beta and nothing else, and those with all heuristics. The boards of the thesis are "
        "lost; on these, too, one move leaves the opponent few replies, or both sides fewer moves."
    )
    for drawn in data["positions"]:
        name, san, ways = {"check": "Figure 5", "queens": "Figure 6"}[drawn["key"]], drawn["san"], drawn["ways"]
        yield Boards(
            name=name, caption=f"The move to compare is {san}.", boards=[(Position.from_fen(drawn["fen"]), [san])]
        )
        yield Figure(
            name=f"{name}, trees",
            caption="Of searches with all heuristics, the nodes nearest to the root, one row a ply; those below "
            f"{san} are coloured.",
            pictures=[tree_picture(BUDGETS[budget], tree["drawn"], san) for budget, tree in ways["best"].items()],
        )
        yield Figure(
            name=f"{name}, nodes by ply",
            caption="Nodes of the tree by distance from the root.",
            pictures=[_by_ply(way, budgets) for way, budgets in ways.items()],
        )
        yield Table(
            name=f"{name}, numbers",
            caption=f"Nodes below {san} and below all other moves, and the depth of the tree there. The thesis expects "
            f"a tree of even probabilities to be deeper below {san}.",
            heads=("limited by", f"nodes below {san}", "of all", "deepest", "nodes below others", "deepest"),
            rows=[_tree_row(BUDGETS[budget], tree) for budgets in ways.values() for budget, tree in budgets.items()],
            bands=[(way, len(budgets)) for way, budgets in ways.items()],
        )


def _by_ply(way: str, budgets: Data) -> str:
    lines = [Line(BUDGETS[budget], list(enumerate(tree["by_ply"]))) for budget, tree in budgets.items()]
    described = "; ".join(f"{line.name} reaches ply {len(line.points) - 1}" for line in lines)
    return figure(Lines(f"nodes, {way}", lines, "ply"), f"{way}: {described}", width=460)


def _tree_row(name: str, tree: Data) -> tuple[str, ...]:
    branch, others = tree["branch"], tree["others"]
    return (
        name,
        number(branch["nodes"]),
        percent(branch["nodes"] / max(branch["nodes"] + others["nodes"], 1)),
        number(branch["deepest"]),
        number(others["nodes"]),
        number(others["deepest"]),
    )


# --- Matches ----------------------------------------------------------------------------------------------------------


def _matches(
    name: str, caption: str | Callable[[Data], str], published: Mapping[str, Data]
) -> tuple[TableOf, IntervalsOf]:
    """A table and a chart of matches; `published` has the thesis' Elo by key of the match."""
    table = TableOf(
        name=name,
        caption=lambda data: (
            f"{caption(data) if callable(caption) else caption} Elo is that of the first player; each opening is "
            "played with both colours."
        ),
        columns=(
            Column("match", "name"),
            Column("thesis", lambda row: published.get(row["key"]), _gain),
            Column("Elo", "elo", signed),
            Column("95 %", ("low", "high"), interval),
            Column("won–drawn–lost", tally_of, counts),
            Column("limits", "control", words=True),
            Column("nodes a move", lambda row: [effort["nodes"] for effort in row["efforts"]], _pair),
            Column("seconds a move", lambda row: [effort["seconds"] for effort in row["efforts"]], _seconds),
        ),
    )
    chart = IntervalsOf(
        name=f"{name}, chart",
        title="Elo gained, with 95 % intervals",
        source="thesis",
        published=[
            {
                "name": key.replace("_", " "),
                "elo": gain["elo"],
                "low": gain["elo"] - gain["bound"],
                "high": gain["elo"] + gain["bound"],
            }
            for key, gain in published.items()
        ],
    )
    return table, chart


def _gain(gain: Data | None) -> str:
    return "–" if gain is None else f"{signed(gain['elo'])} ± {number(gain['bound'])}"


def _pair(values: Sequence[float]) -> str:
    return " / ".join(map(number, values))


def _seconds(values: Sequence[float]) -> str:
    return " / ".join(number(value, 3) for value in values)


# --- The move network -------------------------------------------------------------------------------------------------


def _ranks(data: Data) -> Iterator[Part]:
    for name, key, theirs in (("Table 4", ALL, PUBLISHED.table_4), ("Table 5", QUIET, PUBLISHED.table_5)):
        if data["tables"].get(key):
            yield from _rank_table(name, key, theirs, data["tables"][key])
    if data["lessons"]:
        yield _networks(data["lessons"])


def _rank_table(name: str, key: str, theirs: Sequence[float], table: Data) -> Iterator[Part]:
    positions = sum(table["counts"])
    said = "all positions" if key == ALL else "positions whose best move is no winning capture"
    within = [ranked_within(table, rank + 1) for rank in range(len(theirs))]
    yield Table(
        name=name,
        caption=f"Predicted rank of the best move, per cent; {said}, {counted(positions, 'test position')}. Best move "
        f"ranked first: {within[0]}; in the first three: {within[2]}.",
        heads=("rank", "thesis", "ours", "thesis", "ours"),
        groups=(("", 1), ("frequency", 2), ("cumulative", 2)),
        rows=[
            (
                "below 10th" if rank == len(theirs) - 1 else number(rank),
                number(published, 2),
                number(100 * Proportion(table["counts"][rank], positions).value, 2),
                number(sum(theirs[: rank + 1]), 2),
                number(100 * within[rank].value, 2),
            )
            for rank, published in enumerate(theirs)
        ],
    )
    ranks = range(len(theirs) - 1)
    lines = [
        Line("thesis", [(rank + 1, sum(theirs[: rank + 1])) for rank in ranks]),
        Line("ours", [(rank + 1, 100 * within[rank].value) for rank in ranks]),
    ]
    described = "; ".join(f"{line.name}: {line.points[0][1]:.1f} % first" for line in lines)
    drawn = figure(Lines("best move in the first moves, per cent", lines, "moves"), described, width=460)
    yield Figure(name=f"{name}, chart", caption="The cumulative columns.", pictures=[drawn])


def _networks(networks: Data) -> Table:
    tables = (PUBLISHED.table_4, PUBLISHED.table_5)
    return Table(
        name="Training of the move network",
        caption="The network of the thesis, which evaluates every move alone and in two passes, and ours, which "
        "compares the legal moves: how often the best move is ranked first, and in the first three.",
        heads=("network", "first", "first three", "first", "first three", "epochs", "time"),
        groups=(("", 1), ("all positions", 2), ("quiet positions", 2), ("training", 2)),
        rows=[
            ("thesis", *(f"{number(sum(table[:moves]), 2)} %" for table in tables for moves in (1, 3)), "", ""),
            *(
                (
                    "as in the thesis" if name == "letter" else name,
                    *(percent(ranked_within(row[key], moves).value, 2) for key in (ALL, QUIET) for moves in (1, 3)),
                    number(row["epochs"]),
                    lasted(row["seconds"]),
                )
                for name, row in networks.items()
            ),
        ],
    )


# --- The page ---------------------------------------------------------------------------------------------------------


PAGE: Final = PaperPage(
    paper="lai2015",
    title="lai2015: Giraffe, learning by self-play",
    subtitle="M. Lai, Giraffe: Using Deep Reinforcement Learning to Play Chess, Imperial College London, 2015.",
    source="thesis",
    headlines=HEADLINES,
    unknown="The pictures of the thesis are lost in the text that we have, and so are the numbers of its Table 3.",
    sections=(
        PageSection(
            "Feature representation",
            Shown("features", "Table 1", _features),
            Shown("representation", "The comparison with a bitmap", _representations),
        ),
        PageSection(
            "TD-Leaf",
            Shown("table_2", "Table 2", _table_2),
            Shown("tdleaf", "Figure 4", _curve),
            Shown("optimisers", "The optimisers", _optimisers),
        ),
        PageSection(
            "The engine",
            Shown(
                "sts",
                "Table 3",
                SUITE,
                IntervalsOf(
                    name="Table 3, chart",
                    title="STS points, with 95 % intervals",
                    unit="points",
                    value="points",
                    published=PUBLISHED.table_3,
                    source="thesis",
                ),
                ABSENT,
            ),
            Shown("speed", "Speed", _speed),
            Shown(
                "strength",
                "Ratings on the ladder",
                TableOf(
                    name="Ratings on the ladder",
                    caption="Whole engines with a clock: {conditions}. The thesis calls Giraffe an International "
                    f"Master: about {PUBLISHED.rating}.",
                    columns=RATED,
                ),
            ),
        ),
        PageSection(
            "Probability-limited search",
            Shown("trees", "Figures 5 and 6", _trees),
            Shown(
                "shapes",
                "Matches between search budgets",
                *_matches(
                    "Search budgets",
                    lambda data: (
                        f"Searches with the brain {data['brain'].rpartition('/')[2]}. Naive ones have no heuristics."
                    ),
                    {"naive_even_nodes": PUBLISHED.naive_probability},
                ),
            ),
        ),
        PageSection(
            "The move network",
            Shown(
                "move_network",
                "Tables 4 and 5",
                _ranks,
                *_matches(
                    "The move network in games",
                    "The network replaces even probabilities.",
                    {"even_nodes": PUBLISHED.move_network_nodes, "even_time": PUBLISHED.move_network_time},
                ),
            ),
        ),
        PageSection(
            "Future work",
            Shown(
                "future",
                "Future work",
                *_matches("Proposals", "Each proposal of section 7.1 against the same player without it.", {}),
                lambda data: [Notes([f"Not tried here: {'; '.join(data['missing'])}."])] if data["missing"] else [],
            ),
        ),
    ),
)
