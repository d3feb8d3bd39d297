"""What fills the tables and figures of singh2015's paper.toml, in the order of its sections."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, Final

from okapi.core import Position
from okapi.formats.boards import BoardPanel, panels
from okapi.formats.html import Figure, Part, Table
from okapi.formats.numbers import counted, interval, number, percent, signed
from okapi.formats.svg import Cloud, Curve, Grid, Lines, figure
from okapi.papers.headlines import share_of
from okapi.papers.page import counts, tally_figure, tally_of
from okapi.papers.published import read_toml
from okapi.papers.singh2015.headlines import (
    BRAINS,
    FIGURE_3_4,
    PUBLISHED,
    best_input,
    fastest_job,
    illegal,
    within,
)
from okapi.papers.singh2015.positions import CASES, EVALUATED, Case
from okapi.recipes.proportions import Proportion, Z, difference

Data = dict[str, Any]
Cells = tuple[str, ...]

TOP: Final = PUBLISHED.top
SAMPLES_PER_SECOND: Final = number(PUBLISHED.samples_per_second)


def curves(data: Data) -> Iterator[Part]:
    for name, title in (("piece", "Figures 3.1 and 3.2"), ("piece-letter", "Figures 3.1 and 3.2, to the letter")):
        curve = data["jobs"].get(name, {}).get("curve", [])
        if len(curve) < 2:
            continue
        keys = {1: "validation_accuracy", **{k: f"validation_top_{k}" for k in TOP[1:]}}
        losses = _lines(curve, {"training": "train_loss", "validation": "validation_loss"}, 1)
        accuracies = _lines(curve, {f"k = {k}": key for k, key in keys.items()}, 100)
        last = "; ".join(f"{line.name} ends at {number(line.points[-1][1], 2)}" for line in (*losses, *accuracies))
        charts = Lines(f"{name}: loss", losses, "epoch"), Lines(f"{name}: right, per cent", accuracies, "epoch")
        yield Figure(
            name=title,
            caption="The softmax loss on training and validation samples, and the accuracy with k guesses on "
            "validation samples. The thesis draws its test set, which is used once here; its curves have no numbers.",
            pictures=[figure(chart, f"{name}: {last}", width=460) for chart in charts],
        )


def _lines(curve: list[Data], keys: Mapping[str, str], times: int) -> list[Curve]:
    """By epochs, as far as they were measured."""
    found = {name: [(at["epoch"], times * at[key]) for at in curve if key in at] for name, key in keys.items()}
    return [Curve(name, points) for name, points in found.items() if points]


def jobs(data: Data) -> Iterator[Data]:
    for name, job in data["jobs"].items():
        yield {"name": name, **job, "optimiser": f"{job['optimiser']} {job['rate']:g}"}


def different_networks(data: Data) -> Iterator[Data]:
    trained = data["jobs"]
    for name, base, what in read_toml("singh2015", "paper")["variants"]:
        if name in trained and base in trained:
            other, usual = (share_of(trained[each]["test"]) for each in (name, base))
            samples = " / ".join(number(trained[each]["samples"]) for each in (name, base))
            yield {"what": what, "other": other, "usual": usual, "gap": difference(other, usual), "samples": samples}


DIVISORS: Final = {"keras-rmsprop": "sqrt(v + {eps:g})", "rmsprop": "sqrt(v) + {eps:g}"}
"""What RMSprop divides by."""


def optimisers_of_v(data: Data) -> Iterator[Data]:
    for name, job in data["jobs"].items():
        if "always_0" in job and job["optimiser"] in DIVISORS:
            divisor = DIVISORS[job["optimiser"]].format(eps=job["eps"])
            share = job["test"]["mse"] / job["always_0"]
            learns = "learns" if share < 1 else "does not learn"
            yield {"name": name, **job, "divisor": divisor, "share": share, "learns": learns}


def fastest_training(data: Data) -> list[Data]:
    name = fastest_job(data["jobs"])
    theirs = PUBLISHED.samples_per_second
    return [] if name is None else [{"name": name, "thesis": theirs, **data["jobs"][name]}]


def _of_networks(cells: Callable[[str, Data], Cells], data: Data) -> Data:
    """A row for each network of each brain, with bands for the brains."""
    networks, brains = PUBLISHED.networks, data["brains"]
    rows = [(name.upper(), *cells(name, found[name])) for found in brains.values() for name in networks]
    return {"rows": rows, "bands": [(BRAINS[brain], len(networks)) for brain in brains]}


def _guesses(network: str, row: Data) -> Cells:
    shares = [within(row, k) for k in TOP]
    ours = (percent(share.value) if share.count else "–" for share in shares)
    theirs = (percent(share) for share in PUBLISHED.table_3_1[network])
    return *theirs, *ours, _interval(shares[0]), number(row["count"])


def _distances(network: str, row: Data) -> Cells:
    found = PUBLISHED.table_3_2[network], {**row, "illegal": illegal(row).value}
    return tuple(cell for each in found for cell in _distance_cells(each))


def _distance_cells(row: Data) -> Cells:
    small = ("–" if row[key] is None else f"{row[key]:.1e}".replace("-", "−") for key in ("squared", "chebyshev"))
    return *small, percent(row["illegal"], 2), number(row["rank"], 3), number(row["rank_masked"], 3)


def _first_choices(network: str, row: Data) -> Cells:
    before, after = within(row), within(row, 1, "top_masked")
    shares = (*PUBLISHED.table_3_3[network], before.value, after.value)
    return *(percent(share, 2) for share in shares), _interval(after)


guesses, distances, first_choices = (partial(_of_networks, cells) for cells in (_guesses, _distances, _first_choices))


def tested_positions(data: Data) -> Iterator[Data]:
    for brain, found in data["brains"].items():
        blocked = found["piece"]["stuck"] / max(found["piece"]["count"], 1)
        yield {**data, "name": BRAINS[brain], "seen": data["seen"] / max(data["positions"], 1), "blocked": blocked}


def all_queen_moves(data: Data) -> Iterator[Cells]:
    for brain, row in data.get("queens", {}).items():
        if row["count"]:
            yield BRAINS[brain], str(within(row)), str(illegal(row)), number(row["count"])


def _interval(share: Proportion) -> str:
    return " … ".join(number(100 * end, 1) for end in share.interval)


def whole_move_accuracies(data: Data) -> Data:
    columns = [
        (BRAINS[brain], said, found[way])
        for brain, found in data["brains"].items()
        for way, said in (("all", "all"), ("fresh", "new"))
        if found[way]["count"]
    ]
    found = [row for *_, row in columns]
    rows = [(f"k = {k}", percent(theirs), *(str(within(row, k)) for row in found)) for k, theirs in FIGURE_3_4.items()]
    rows.append(("illegal", "–", *(percent(illegal(row).value, 2) for row in found)))
    rows.append(("−log p", "–", *(number(row["loss"], 3) for row in found)))
    return {
        "heads": ("", "", *(f"{said} ({row['count']:,})" for _, said, row in columns)),
        "groups": (("", 1), ("thesis", 1), *Counter(brain for brain, *_ in columns).items()),
        "rows": rows,
        "all_positions": counted(data["positions"], "position"),
        "all_games": counted(data["games"], "game"),
    }


def by_guesses(data: Data) -> list[str]:
    lines = [Curve("thesis", [(k, 100 * share) for k, share in FIGURE_3_4.items()], dots=True)]
    for brain, found in data["brains"].items():
        if count := found["all"]["count"]:
            points = [(int(k), 100 * right / count) for k, right in found["all"]["top"].items()]
            lines.append(Curve(BRAINS[brain], points))
    ends = ((line.name, *(number(line.points[place][1], 1) for place in (0, -1))) for line in lines)
    described = "; ".join(f"{name} from {first} to {last}" for name, first, last in ends)
    chart = Lines("right, per cent", lines, "guesses")
    return [figure(chart, f"right with 1 to 30 guesses: {described}", width=720)]


def by_number(data: Data) -> Iterator[str]:
    for brain, found in data["brains"].items():
        points, title = found["by_number"], f"{BRAINS[brain]}: right, per cent"
        lines = [
            Curve(f"k = {k}", [(point["number"], 100 * point["top"][k] / point["count"]) for point in points])
            for k in (points[0]["top"] if points else ())
        ]
        described = "; ".join(f"{line.name}: {number(min(y for _, y in line.points), 1)} at least" for line in lines)
        chart = Lines(title, lines, "move", within=(0, 100))
        yield figure(chart, f"{title}, by move number; {described}", width=460)


def one_network_gain(data: Data) -> list[Cells]:
    rows = [data["brains"].get(brain, {}).get("all") for brain in ("ours", "seven")]
    if not all(row and row["count"] for row in rows):
        return []
    return [("ours − seven", str(difference(*(within(row, 1) for row in rows))))]


def first_moves(data: Data) -> Data:
    """With the total variation distance of predicted and played moves."""
    brains, moves = data["brains"], PUBLISHED.table_3_4
    games, on_server = sum(data["played"].values()), sum(count for _, count in moves.values())
    server = [count / on_server for _, count in moves.values()]
    played = [data["played"].get(move, 0) / max(games, 1) for move in moves]
    theirs = [probability for probability, _ in moves.values()]
    ours = [[found["moves"].get(move, 0.0) for move in moves] for found in brains.values()]
    columns = zip(moves, theirs, server, *ours, played, strict=True)

    def distance(predicted: Sequence[float], played: Sequence[float]) -> str:
        return percent(sum(abs(one - other) for one, other in zip(predicted, played, strict=True)) / 2)

    without = (percent(sum(found["origin"][16:]), 3) for found in brains.values())
    return {
        "heads": ("move", "predicted", "played", *(BRAINS[brain] for brain in brains), "played"),
        "groups": (("", 1), ("thesis", 2), ("ours", len(brains) + 1)),
        "rows": [
            *((move, *(percent(share, 2) for share in shares)) for move, *shares in columns),
            ("distance", distance(theirs, server), "", *(distance(each, played) for each in ours), ""),
            ("squares without a white piece", "–", "", *without, ""),
        ],
        "on_server": on_server,
        "training_games": counted(games, "training game"),
    }


def first_origins(data: Data) -> list[str]:
    shown = [BoardPanel(BRAINS[brain], heat=found["origin"]) for brain, found in data["brains"].items()]
    return [panels(Position.start(), shown)]


def matches_by_rating(data: Data) -> Data:
    inputs, rows = [str(elo) for elo in data["ratings"]], []
    for row in data["rows"]:
        shares = [Proportion(cell["right"], row["count"]) for cell in row["cells"]]
        best = max(share.right for share in shares)
        cells = (f"{number(100 * share.value, 1)}{' *' if share.right == best else ''}" for share in shares)
        rows.append((row["name"], *cells, _interval(shares[row["own"]]), number(row["count"])))
    return {
        "brain_name": BRAINS.get(data["brain"], data["brain"]),
        "heads": ("played by", *inputs, "95 % of its own", "positions"),
        "groups": (("", 1), ("rating input", len(inputs)), ("", 2)),
        "rows": rows,
    }


def gains_by_rating(data: Data) -> list[str]:
    names, inputs = [row["name"] for row in data["rows"]], [str(elo) for elo in data["ratings"]]
    shares = [[100 * cell["right"] / row["count"] for cell in row["cells"]] for row in data["rows"]]
    # Bands differ by more than inputs do: a cell is compared with others of its row only.
    gains = [[round(share - min(row), 2) for share in row] for row in shares]
    best = "; ".join(f"{name}: {inputs[row.index(max(row))]}" for name, row in zip(names, shares, strict=True))
    return [figure(Grid("points by rating input", gains, names, inputs), f"best input of each row: {best}", width=640)]


def rating_input_numbers(data: Data) -> Iterator[Cells]:
    rows: list[Data] = data["rows"]
    own = [best_input(row) - row["own"] for row in rows]
    hits = sum(row["cells"][row["own"]]["right"] == max(cell["right"] for cell in row["cells"]) for row in rows)
    yield "best with its own rating, by first choices", f"{hits} of {len(rows)}"
    yield "best with its own rating, by probability of the played move", f"{own.count(0)} of {len(rows)}"
    yield "mean distance of the best input, bands", number(sum(map(abs, own)) / len(own), 1)
    # What the own input gains over another in the same positions, with an interval for paired answers.
    for called, place in (("lowest", 0), ("highest", len(data["ratings"]) - 1)):
        if others := [row for row in rows if row["own"] != place]:
            count = sum(row["count"] for row in others)
            won, lost = (sum(row["cells"][place][key] for row in others) for key in ("only_own", "only_here"))
            gain = (won - lost) / count
            reach = Z * math.sqrt(max(won + lost - (won - lost) ** 2 / count, 0)) / count
            shown, low, high = (signed(100 * share, 2) for share in (gain, gain - reach, gain + reach))
            yield f"own rating − {called} input, {number(count)} positions", f"{shown} ({low} … {high})"


LIKELIEST: Final = 3


def cases(data: Data) -> Iterator[Part]:
    for case in CASES:
        rows = {row["brain"]: row for row in data["rows"] if row["key"] == case.key}
        caption = f"{case.title}. Board: {case.source}."
        if case.theirs and case.key != "sochi":
            stated = ", ".join(f"{what} {percent(share)}" for what, share in case.theirs.items())
            caption += f" Thesis: {stated}{'' if case.key == 'mate' else ' or more'}."
        shown = product(rows.items(), ("unmasked", "masked"))
        pictures = [_picture(case, BRAINS[brain], row, how) for (brain, row), how in shown]
        yield Figure(name=f"Figure {case.figure}", caption=caption, pictures=pictures)
        if case.key == "sochi":
            yield _table_3_5(rows)


def _picture(case: Case, brain: str, row: Data, how: str) -> str:
    seen = row[how]
    first = f"{seen['piece']} {percent(max(seen['origin']), 0)}"
    then = f"{seen['goes']} {percent(max(seen['target']), 0)}" if seen["goes"] else "no piece stands there"
    return panels(
        case.position,
        [
            BoardPanel(f"{brain}, {how}: {seen['piece']}{seen['goes']}", arrow=seen["piece"] + seen["goes"]),
            BoardPanel(f"which piece: {first}", heat=seen["origin"]),
            BoardPanel(f"{seen['piece']} goes to: {then}", heat=seen["target"]),
        ],
    )


def _table_3_5(rows: Mapping[str, Data]) -> Table:
    scores = {PUBLISHED.table_3_5_expected: "the best", PUBLISHED.table_3_5_played: "played"}
    ours = {called: rows[brain]["table"] for brain, called in BRAINS.items() if brain in rows}
    return Table(
        name="Table 3.5",
        caption="Black's 26th move: probabilities after masking. The thesis scores the move that wins and the one that "
        "was played.",
        heads=("move", "thesis", *ours, ""),
        rows=[
            (move, percent(theirs), *(percent(shares[move]) for shares in ours.values()), scores.get(move, ""))
            for move, theirs in PUBLISHED.table_3_5.items()
        ],
        words=(2 + len(ours),),
    )


def likeliest_moves(data: Data) -> Iterator[Data]:
    for case, row in product(CASES, data["rows"]):
        if row["key"] == case.key:
            said = {move: f"{case.position.san(move)} {percent(share)}" for move, share in row["moves"].items()}
            best, expected = ", ".join(list(said.values())[:LIKELIEST]), said[case.move]
            yield {**row, "name": f"{case.title}: {BRAINS[row['brain']]}", "best": best, "expected": expected}


OUTCOMES: Final = {0: "lost", 1: "drew", 2: "won", -1: "unknown"}  # of the mover


def best_boards(data: Data) -> Iterator[Part]:
    for case in EVALUATED:
        row = next(row for row in data["best"] if (row["key"], row["gamma"]) == (case.key, data["gamma"]))
        shown = [BoardPanel("White to move")]
        for move in row["rows"][:2]:
            legal = "" if move["legal"] else " (illegal)"
            shown.append(BoardPanel(f"{move['san']}: V {signed(move['value'], 4)}{legal}", arrow=move["move"]))
        values = ", ".join(f"{move} {signed(value, 4)}" for move, value in case.theirs.items())
        yield Figure(
            name=f"Figure {case.figure}",
            caption=f"{case.title}: the two moves whose boards have the highest V (discount {data['gamma']:g}). "
            f"Board: {case.source}; moves that leave the king in check are evaluated, too, as in the thesis."
            f"{f' Thesis: {values}.' if values else ''}",
            pictures=[panels(case.position, shown)],
        )


def best_moves(data: Data) -> Iterator[Cells]:
    for case, row in product(EVALUATED, data["best"]):
        if row["key"] == case.key:
            moves = (*row["rows"][:2], row["wanted"])
            cells = (cell for move in moves for cell in (move["san"], signed(move["value"], 4)))
            yield case.title, f"{row['gamma']:g}", *cells, number(row["rank"]), number(row["moves"])


def correlations_by_discount(data: Data) -> Iterator[Data]:
    for gamma, row in data["correlations"].items():
        yield {"gamma": gamma, "thesis": PUBLISHED.correlation if float(gamma) == 0.7 else None, **row}


def scatter(data: Data) -> Data:
    dots = data["dots"]
    lines = Lines("V by material", [Curve("", dots, dots=True)], "material of the mover less the opponent's", "V")
    coefficient = data["correlations"][str(data["gamma"])]["value"]
    described = f"{len(dots)} test boards, V against material; the correlation is {number(coefficient, 4)}"
    return {"pictures": [figure(lines, described, width=720, height=400)], "drawn": len(dots)}


def values_by_distance(data: Data) -> Iterator[str]:
    for gamma, points in data["by_distance"].items():
        curves = [Curve("V", points), Curve("target", [(left, float(gamma) ** left) for left, _ in points])]
        chart = Lines(f"discount {gamma}", curves, "plies to the end", "winner's V")
        some = points[:: max(len(points) // 4, 1)]
        described = "; ".join(f"{left} plies from the end {number(v, 3)}" for left, v in some)
        yield figure(chart, f"the winner's V by distance from the end: {described}", width=300, height=240)


def example_boards(data: Data) -> Iterator[tuple[str, list[str]]]:
    for row in data["examples"]:
        value = f"V {signed(row['value'], 4)}, material {signed(row['material'])}"
        yield row["fen"], [row["title"], value, f"the mover {OUTCOMES[row['outcome']]}, {row['left']} plies later"]


def board_map(data: Data) -> Data:
    paths = {f"the {who}": [(x, y) for _, x, y, _ in data[who]] for who in ("winner", "loser")}
    cloud = Cloud(f"{data['boards']:,} test boards", data["points"], data["values"], paths)
    described = "a map of test boards by t-SNE, coloured by V, with the paths of a winner and a loser"
    return {"pictures": [figure(cloud, described, width=760, height=640)], "drawn": len(data["points"])}


def map_numbers(data: Data) -> Iterator[Cells]:
    for who in ("winner", "loser"):
        yield f"V of the {who}", f"{signed(data[who][0][3], 3)} → {signed(data[who][-1][3], 3)}"
    yield "plies of the drawn game", number(data["plies"])
    yield "decided games whose winner ends above the loser", f"{data['above']} of {data['games']}"
    yield "neighbours differ less", percent(data["alike"])


FAULTS: Final = ("time_losses", "crashes", "stalls", "illegal")


def sunfish_matches(data: Data) -> Data:
    rows = []
    for line in PUBLISHED.table_3_7:
        tally = tally_of(line)
        rows.append((line.method, line.details, counts(tally), percent(tally.score), "", "–", "–", ""))
    for row in data["rows"]:
        games = row["name"], f"{row['limits']} for Sunfish", counts(tally_of(row)), percent(row["score"])
        ends = interval(100 * row["score_low"], 100 * row["score_high"], 1)
        effort = number(row["seconds_a_move"], 2), number(row["their_nodes"])
        rows.append((*games, ends, *effort, f"{sum(row[fault] for fault in FAULTS)} / {row['their_faults']}"))
    theirs = len(PUBLISHED.table_3_7)
    return {"rows": rows, "bands": (("thesis", theirs), ("ours", len(rows) - theirs))}


def sunfish_tallies(data: Data) -> list[str]:
    limited = [row for row in data["rows"] if not row["key"].endswith("_unlimited")]
    tallies = {row["name"].partition(",")[0]: tally_of(row) for row in limited}
    return [tally_figure("our matches", "", tallies, width=760)]
