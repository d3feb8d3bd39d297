"""The page of singh2015: its tables and figures with published and measured numbers, and what goes beyond them."""

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

from okapi.core import Position
from okapi.formats.html import Figure, Part, Table
from okapi.formats.numbers import counted, lasted, number, percent, signed
from okapi.formats.svg import Grid, Line, Lines, figure
from okapi.formats.svg.boards import Panel, panels
from okapi.papers.page import (
    Column,
    PageSection,
    PaperPage,
    Shown,
    TableOf,
    decimals,
    percents,
)
from okapi.papers.singh2015.boards_page import EVALUATIONS, GAMEPLAY, SAMPLES
from okapi.papers.singh2015.headlines import (
    BRAINS,
    FIGURE_3_4,
    HEADLINES,
    PUBLISHED,
    after_masking,
    before_masking,
    fastest_job,
    illegal,
    whole,
)
from okapi.recipes.proportions import Proportion, Z, difference

Data = dict[str, Any]

TOP: Final = PUBLISHED.top
NETWORKS: Final = PUBLISHED.networks


# --- Training ---------------------------------------------------------------------------------------------------------

PIECE, SHORT, EXACT = "piece", "piece-short", "piece-letter"

VARIANTS: Final = {
    EXACT: (SHORT, "PIECE, trained as in section 2.7"),
    "piece-6": (SHORT, "PIECE with six planes instead of twelve"),
    "piece-plain": (SHORT, "PIECE without the ELO layer"),
    "piece-outcome": (SHORT, "PIECE with the outcome layer, which has the result of the game"),
    "piece-coded": (SHORT, "PIECE with the layers of the thesis' own program"),
    "rook-plain": ("rook", "ROOK without the piece layer"),
}
"""Training jobs that differ from another in one thing."""

ACCURACIES: Final = {1: "accuracy", **{k: f"top_{k}" for k in TOP[1:]}}
"""Keys of reports for so many guesses."""


def _curves(data: Data) -> Iterator[Part]:
    for name, title in ((PIECE, "Figures 3.1 and 3.2"), (EXACT, "Figures 3.1 and 3.2, to the letter")):
        curve = data["lessons"].get(name, {}).get("curve", [])
        if len(curve) < 2:
            continue
        losses = [
            Line(called, [(entry["epoch"], entry[key]) for entry in curve if key in entry])
            for called, key in (("training", "train_loss"), ("validation", "validation_loss"))
        ]
        accuracies = [
            Line(f"k = {k}", [(entry["epoch"], 100 * entry[f"validation_{key}"]) for entry in curve])
            for k, key in ACCURACIES.items()
            if f"validation_{key}" in curve[0]
        ]
        last = "; ".join(f"{line.name} ends at {number(line.points[-1][1], 2)}" for line in (*losses, *accuracies))
        yield Figure(
            name=title,
            caption="The softmax loss on training and validation samples, and the accuracy with k guesses on "
            "validation samples. The thesis draws its test set, which is used once here; its curves have no numbers.",
            pictures=[
                figure(Lines(f"{name}: loss", losses, "epoch"), f"{name}: {last}", width=460),
                figure(Lines(f"{name}: right, per cent", accuracies, "epoch"), f"{name}: {last}", width=460),
            ],
        )


def _test_value(key: str) -> Callable[[Data], Any]:
    return lambda row: row["test"].get(key)


def _jobs(data: Data) -> list[Data]:
    return [{"name": name, **job} for name, job in data["lessons"].items()]


TESTED: Final = TableOf(
    name="Accuracy of the networks",
    caption="Accuracy on samples of test games, without masking.",
    rows=_jobs,
    columns=(
        Column("training job", "name"),
        *(Column(f"k = {k}", _test_value(key), percent) for k, key in ACCURACIES.items()),
        Column("loss", lambda row: row["test"]["loss"], decimals(3)),
        Column("samples", lambda row: row["test"]["count"], number),
    ),
)
COST: Final = TableOf(
    name="Cost of training",
    caption=f"The thesis' GPU had {number(PUBLISHED.samples_per_second)} samples a second.",
    rows=_jobs,
    columns=(
        Column("training job", "name"),
        Column("network", "model", words=True),
        Column("input", "encoding", words=True),
        Column("optimiser", lambda row: f"{row['optimiser']} {row['rate']:g}", words=True),
        Column("batch", "batch", number),
        Column("samples", "samples", number),
        Column("samples/s", "samples_per_second", number),
        Column("device busy", "busy", percents(0)),
        Column("time", "seconds", lasted),
    ),
)


def _variants(data: Data) -> Iterator[Data]:
    jobs = data["lessons"]
    for name, (base, what) in VARIANTS.items():
        if name in jobs and base in jobs:
            other, usual = (_right(jobs[each]["test"]) for each in (name, base))
            samples = [jobs[each]["samples"] for each in (name, base)]
            yield {"what": what, "other": other, "usual": usual, "gap": difference(other, usual), "samples": samples}


def _right(test: Data) -> Proportion:
    return Proportion(round(test["accuracy"] * test["count"]), test["count"])


def _fastest(data: Data) -> list[Data]:
    name = fastest_job(data["lessons"])
    return [] if name is None else [{"name": name, **data["lessons"][name]}]


# --- Which piece, and where it goes -----------------------------------------------------------------------------------


def _rules(data: Data) -> Iterator[Part]:
    brains: Mapping[str, Any] = data["brains"]
    rows = [(network, brains[brain][network]) for brain in brains for network in NETWORKS]
    bands = [(BRAINS[brain], len(NETWORKS)) for brain in brains]
    yield Table(
        name="Table 3.1",
        caption=f"Accuracy with k guesses, without masking. The thesis has one batch of {PUBLISHED.table_3_1_boards:,} "
        "positions; the bishop's row, which the thesis lacks, is its program's.",
        heads=("network", *(f"k = {k}" for k in TOP), *(f"k = {k}" for k in TOP), "95 % of k = 1", "positions"),
        groups=(("", 1), ("thesis", len(TOP)), ("ours", len(TOP) + 2)),
        rows=[_row_3_1(network, row) for network, row in rows],
        bands=bands,
    )
    yield Table(
        name="Table 3.2",
        caption="Mean distance between the distributions before and after masking; illegal first choices; and the mean "
        f"rank of the played move, before and after masking. Thesis: {PUBLISHED.boards:,} boards.",
        heads=("network", *("‖p−q‖²", "max|p−q|", "illegal", "rank", "masked") * 2),
        groups=(("", 1), ("thesis", 5), ("ours", 5)),
        rows=[(network.upper(), *_distances(PUBLISHED.table_3_2[network]), *_measured(row)) for network, row in rows],
        bands=bands,
    )
    yield Table(
        name="Table 3.3",
        caption="Accuracy of the first choice, before and after masking. The thesis prints 56.11 % for PIECE and 53.60 "
        "% for PAWN; its program had written 53.60 % for PIECE and 92.07 % for PAWN, which stand here.",
        heads=("network", "before", "after", "before", "after", "95 % after"),
        groups=(("", 1), ("thesis", 2), ("ours", 3)),
        rows=[_row_3_3(network, row) for network, row in rows],
        bands=bands,
    )
    yield Table(
        name="Positions",
        caption="Test positions of Tables 3.1 to 3.3. Blocked: PIECE's likeliest piece of the mover has no legal move.",
        heads=("network", "positions", "games", "also in training games", "blocked"),
        rows=[
            (
                BRAINS[brain],
                number(data["positions"]),
                number(data["games"]),
                percent(data["seen"] / max(data["positions"], 1)),
                percent(brains[brain]["piece"]["stuck"] / max(brains[brain]["piece"]["count"], 1), 2),
            )
            for brain in brains
        ],
    )


def _row_3_1(network: str, row: Data) -> tuple[str, ...]:
    shares = [before_masking(row, k) for k in TOP]
    return (
        network.upper(),
        *(percent(share) for share in PUBLISHED.table_3_1[network]),
        *(percent(share.value) if share.count else "–" for share in shares),
        _interval(shares[0]),
        number(row["count"]),
    )


def _distances(row: Data) -> tuple[str, ...]:
    return (
        _small(row["squared"]),
        _small(row["chebyshev"]),
        percent(row["illegal"], 2),
        number(row["rank"], 3),
        number(row["rank_masked"], 3),
    )


def _measured(row: Data) -> tuple[str, ...]:
    return _distances({**row, "illegal": illegal(row).value})


def _row_3_3(network: str, row: Data) -> tuple[str, ...]:
    before, after = before_masking(row), after_masking(row)
    theirs = (percent(share, 2) for share in PUBLISHED.table_3_3[network])
    return network.upper(), *theirs, percent(before.value, 2), percent(after.value, 2), _interval(after)


def _small(value: float | None) -> str:
    return "–" if value is None else f"{value:.1e}".replace("-", "−")


def _interval(share: Proportion) -> str:
    return " … ".join(number(100 * end, 1) for end in share.interval)


# --- Whole moves ------------------------------------------------------------------------------------------------------

WAYS: Final = {"all": "all", "fresh": "new"}


def _whole_moves(data: Data) -> Iterator[Part]:
    brains: Mapping[str, Any] = data["brains"]
    rows = {(brain, way): brains[brain][way] for brain in brains for way in WAYS if brains[brain][way]["count"]}
    yield Table(
        name="Accuracy of whole moves",
        caption="Played moves among the first k legal ones, with intervals of 95 %; illegal first choices without the "
        f"rules; and the mean of −log p of the played move. {counted(data['positions'], 'position')} of "
        f"{counted(data['games'], 'game')}; new are positions that no training game has.",
        heads=("", "", *(f"{WAYS[way]} ({row['count']:,})" for (_, way), row in rows.items())),
        groups=(("", 1), ("thesis", 1), *((BRAINS[brain], n) for brain, n in Counter(b for b, _ in rows).items())),
        rows=[
            *(
                (f"k = {k}", percent(theirs), *(str(whole(row, k)) for row in rows.values()))
                for k, theirs in FIGURE_3_4.items()
            ),
            ("illegal", "–", *(percent(illegal(row).value, 2) for row in rows.values())),
            ("−log p", "–", *(number(row["loss"], 3) for row in rows.values())),
        ],
    )
    lines = [
        Line("thesis", [(k, 100 * share) for k, share in FIGURE_3_4.items()], dots=True),
        *(
            Line(BRAINS[brain], [(int(k), 100 * right / row["count"]) for k, right in row["top"].items()])
            for (brain, way), row in rows.items()
            if way == "all"
        ),
    ]
    ends = ((line.name, line.points[0][1], line.points[-1][1]) for line in lines)
    described = "; ".join(f"{name} from {number(first, 1)} to {number(last, 1)}" for name, first, last in ends)
    yield Figure(
        name="Figure 3.4",
        caption="Per cent of the played moves among the first k. The thesis states an error below 1 % for k = 30.",
        pictures=[
            figure(Lines("right, per cent", lines, "guesses"), f"right with 1 to 30 guesses: {described}", width=720)
        ],
    )
    yield Figure(
        name="Figure 3.3",
        caption="The same by the number of the move in its game. Numbers that few positions have are left out.",
        pictures=[_by_number(brain, found["by_number"]) for brain, found in brains.items()],
    )
    if {("ours", "all"), ("seven", "all")} <= set(rows):
        gap = difference(*(whole(rows[brain, "all"], 1) for brain in ("ours", "seven")))
        yield Table(
            name="One network instead of seven",
            caption="Difference of the accuracy with one guess.",
            heads=("", "points (95 %)"),
            rows=[("ours − seven", str(gap))],
        )


def _by_number(brain: str, points: Sequence[Data]) -> str:
    guesses = list(points[0]["top"]) if points else []
    lines = [
        Line(f"k = {k}", [(point["number"], 100 * point["top"][k] / point["count"]) for point in points])
        for k in guesses
    ]
    described = "; ".join(f"{line.name}: {number(min(y for _, y in line.points), 1)} at least" for line in lines)
    title = f"{BRAINS[brain]}: right, per cent"
    return figure(Lines(title, lines, "move", within=(0, 100)), f"{title}, by move number; {described}", width=460)


def _opening(data: Data) -> Iterator[Part]:
    brains, played = data["brains"], data["played"]
    games = max(sum(played.values()), 1)
    server = {move: count for move, (_, count) in PUBLISHED.table_3_4.items()}
    on_server = sum(server.values())
    theirs = {move: probability for move, (probability, _) in PUBLISHED.table_3_4.items()}
    yield Table(
        name="Table 3.4",
        caption=f"First moves: predicted, and how often they were played. The thesis has {on_server:,} games of a "
        f"server, of all ratings; ours {counted(sum(played.values()), 'training game')}. The distance is half the sum "
        "of the differences between predicted and played.",
        heads=("move", "predicted", "played", *(BRAINS[brain] for brain in brains), "played"),
        groups=(("", 1), ("thesis", 2), ("ours", len(brains) + 1)),
        rows=[
            *(
                (
                    move,
                    percent(theirs[move], 2),
                    percent(server[move] / on_server, 2),
                    *(percent(found["moves"].get(move, 0.0), 2) for found in brains.values()),
                    percent(played.get(move, 0) / games, 2),
                )
                for move in theirs
            ),
            (
                "distance",
                percent(_distance(theirs, server)),
                "",
                *(percent(_distance(found["moves"], played)) for found in brains.values()),
                "",
            ),
            (
                "squares without a white piece",
                "–",
                "",
                *(percent(sum(found["origin"][16:]), 3) for found in brains.values()),
                "",
            ),
        ],
    )
    yield Figure(
        name="Figure 3.5",
        caption="Per cent for the origin square of the first move, unmasked.",
        pictures=[
            panels(Position.start(), [Panel(BRAINS[brain], heat=found["origin"]) for brain, found in brains.items()])
        ],
    )


def _distance(predicted: Mapping[str, float], played: Mapping[str, int]) -> float:
    """The total variation distance of two distributions."""
    games = max(sum(played.values()), 1)
    return sum(abs(predicted.get(move, 0.0) - played.get(move, 0) / games) for move in PUBLISHED.table_3_4) / 2


# --- Bands of ratings -------------------------------------------------------------------------------------------------


def _bands(data: Data) -> Iterator[Part]:
    rows: list[Data] = data["rows"]
    names, inputs = [row["name"] for row in rows], [str(elo) for elo in data["dials"]]
    yield Table(
        name="Move-match by rating",
        caption=f"First choices that were played, per cent, {BRAINS[data['brain']]}; the best of each row has a star.",
        heads=("played by", *inputs, "95 % of its own", "positions"),
        groups=(("", 1), ("rating input", len(inputs)), ("", 2)),
        rows=[_band_row(row) for row in rows],
    )
    shares = [[100 * cell["right"] / row["count"] for cell in row["cells"]] for row in rows]
    # Bands differ by more than inputs do: a cell is compared with others of its row only.
    gains = [[round(share - min(row), 2) for share in row] for row in shares]
    best = "; ".join(f"{name}: {inputs[row.index(max(row))]}" for name, row in zip(names, shares, strict=True))
    yield Figure(
        name="Gain by the rating input",
        caption="Points above the worst input of that row.",
        pictures=[
            figure(Grid("points by rating input", gains, names, inputs), f"best input of each row: {best}", width=640)
        ],
    )
    own = [_likeliest(row) - row["own"] for row in rows]
    hits = sum(row["cells"][row["own"]]["right"] == max(cell["right"] for cell in row["cells"]) for row in rows)
    yield Table(
        name="Rating input, numbers",
        caption="Rows that are best with their own rating, and points that the own rating gains over the lowest and "
        "the highest input in the same positions.",
        heads=("", "ours"),
        rows=[
            ("best with its own rating, by first choices", f"{hits} of {len(rows)}"),
            ("best with its own rating, by probability of the played move", f"{own.count(0)} of {len(rows)}"),
            ("mean distance of the best input, bands", number(sum(map(abs, own)) / len(own), 1)),
            *_own_gains(rows, len(inputs)),
        ],
    )


def _band_row(row: Data) -> tuple[str, ...]:
    shares = [Proportion(cell["right"], row["count"]) for cell in row["cells"]]
    best = max(share.right for share in shares)
    cells = (f"{number(100 * share.value, 1)}{' *' if share.right == best else ''}" for share in shares)
    return row["name"], *cells, _interval(shares[row["own"]]), number(row["count"])


def _own_gains(rows: Sequence[Data], inputs: int) -> Iterator[tuple[str, str]]:
    """What the own input gains over another in the same positions, with an interval for paired answers."""
    for called, place in (("lowest", 0), ("highest", inputs - 1)):
        cells = [(row["count"], row["cells"][place]) for row in rows if row["own"] != place]
        if cells:
            count = sum(positions for positions, _ in cells)
            own, other = (sum(cell[key] for _, cell in cells) for key in ("only_own", "only_here"))
            gain = (own - other) / count
            reach = Z * math.sqrt(max(own + other - (own - other) ** 2 / count, 0)) / count
            ends = f"{signed(100 * (gain - reach), 2)} … {signed(100 * (gain + reach), 2)}"
            yield f"own rating − {called} input, {number(count)} positions", f"{signed(100 * gain, 2)} ({ends})"


def _likeliest(row: Data) -> int:
    """The place of the input that gives the played moves the highest probability."""
    losses = [cell["loss"] for cell in row["cells"]]
    return losses.index(min(losses))


# --- The page ---------------------------------------------------------------------------------------------------------

PAGE: Final = PaperPage(
    paper="singh2015",
    title="singh2015: networks that predict the moves of games",
    subtitle="A. Singh, Convolutional Neural Networks learn to play Chess, IIT Kanpur, 2015.",
    source="thesis",
    headlines=HEADLINES,
    unknown="The thesis and its own program disagree in places, and some details are in neither.",
    sections=(
        PageSection(
            "Training",
            "PIECE predicts which piece moves, the other six its target square; each is ChessNet-1: at full size three "
            "convolutions of 64, 96 and 256 channels, a layer of 1024 neurons, and 64 squares. “To the letter” means "
            "AdaGrad with the rates and batches of section 2.7; the others are trained with today's methods.",
            Shown(
                "training",
                "Figures 3.1 and 3.2",
                _curves,
                TESTED,
                COST,
                TableOf(
                    name="Variants",
                    caption="Accuracy of networks that differ in one thing.",
                    rows=_variants,
                    columns=(
                        Column("variant", "what"),
                        Column("right (95 %)", "other"),
                        Column("without the change", "usual"),
                        Column("points (95 %)", "gap"),
                        Column("samples", "samples", lambda samples: " / ".join(map(number, samples))),
                    ),
                ),
                TableOf(
                    name="Fastest training of ChessNet-1",
                    caption="Samples a second; the thesis' number follows from its 300,000 batches of 1000 in two to "
                    "three days.",
                    rows=_fastest,
                    columns=(
                        Column("training job", "name"),
                        Column("device", "device", words=True),
                        Column("thesis", lambda row: PUBLISHED.samples_per_second, number),
                        Column("ours", "samples_per_second", number),
                    ),
                ),
            ),
        ),
        PageSection(
            "Which piece, and where it goes",
            "Masking sets the probability of impossible answers to zero: for PIECE, squares without a piece of the "
            "mover; for the others, squares that the piece cannot reach by a legal move. Our one network gives the "
            "same by its marginals: the probability of each origin square, and of each target square from there. The "
            "six are tested where such a piece moved. Intervals are Wilson's, of 95 %.",
            Shown("networks", "Tables 3.1 to 3.3", _rules),
        ),
        PageSection(
            "Whole moves",
            "The probability of a move is the product of those of its origin and target square, masked and normalised "
            "over the legal moves. The thesis shows curves; its program gave numbers.",
            Shown("full_moves", "Figures 3.3 and 3.4", _whole_moves),
            Shown("opening", "Table 3.4", _opening),
        ),
        SAMPLES,
        EVALUATIONS,
        GAMEPLAY,
        PageSection(
            "Moves by rating",
            "The ELO layer as an input. Rows are bands of ratings of the players, columns the rating that the network "
            "gets; if the input works, each row is best where both are the same.",
            Shown("bands", "Move-match by rating", _bands),
        ),
    ),
)
