"""The page of sheehan2016: its tables and figures with published and measured numbers, and its future work."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from okapi.core import Position
from okapi.formats.html import Boards, Figure, Part, Table
from okapi.formats.numbers import counted, number, percent, signed
from okapi.formats.svg import Grid, Line, Lines, figure
from okapi.papers.page import (
    RATED,
    Build,
    Column,
    IntervalsOf,
    PageSection,
    PaperPage,
    Shown,
    TableOf,
    counts,
    decimals,
    tally_of,
)
from okapi.papers.sheehan2016.headlines import GAMES, HEADLINES, POSITIONS, PUBLISHED, accuracy, find, near
from okapi.recipes.proportions import Proportion, difference
from okapi.recipes.sheehan2016 import BUCKETS, HOW, TABLE_2

SPLITS: Final = {GAMES: "by game", POSITIONS: "positions at random"}
NUMBERS: Final = [str(bucket) for bucket in range(BUCKETS)]

Data = dict[str, Any]


# --- The nets ---------------------------------------------------------------------------------------------------------


def _measured(name: str, more: str = "") -> Build:
    def build(data: Data) -> Iterator[Part]:
        splits = [split for split in SPLITS if split in data["splits"]]
        rows = [row for split in splits for row in data["rows"] if row["split"] == split]
        yield Table(
            name=name,
            caption=f"Test positions in the right bucket, and in the right one or the one beside it.{more}",
            heads=(
                "net",
                "variant",
                "paper",
                "ours (95 %)",
                "within one (95 %)",
                "in training",
                "layers",
                "iterations",
            ),
            rows=[_net_row(row) for row in rows],
            bands=[
                (_band(split, data["splits"][split]), sum(row["split"] == split for row in rows)) for split in splits
            ],
            words=(1, 6),
        )
        yield Table(
            name=f"{name}, differences",
            caption="Points of accuracy; of nets trained with today's methods.",
            heads=("", "paper", "ours (95 %)"),
            rows=list(_differences(data, splits)),
        )

    return build


def _net_row(row: Data) -> tuple[str, ...]:
    return (
        row["net"],
        row["how"],
        percent(PUBLISHED.table_3.get(row["net"]), 2),
        str(accuracy(row)),
        str(near(row)),
        percent(row["train_accuracy"]),
        "–".join(map(str, row["hidden"])),
        number(row["iterations"]),
    )


def _band(split: str, about: Data) -> str:
    sizes = f"{counted(about['parts']['train'], 'position')} in training, {number(about['parts']['test'])} in the test"
    return f"{SPLITS[split]}: {sizes}, {percent(about['neighbours']['share'])} of these with a neighbour in training"


def _differences(data: Data, splits: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    better = HOW["better"]
    for split in splits:
        alone = data["splits"][split]["differential"]
        yield f"differential alone, split {SPLITS[split]}", "–", str(accuracy(alone))
        yield f"differential alone, within one bucket, split {SPLITS[split]}", "–", str(near(alone))
        with_it, without = (find(data, net, better, split) for net in ("Net A", "Net C"))
        if with_it is not None and without is not None:
            gap = difference(accuracy(with_it), accuracy(without))
            yield f"Net A − Net C, split {SPLITS[split]}", number(100 * PUBLISHED.gain, 2), str(gap)
    for net in PUBLISHED.table_3:
        by_game, at_random = (find(data, net, better, split) for split in (GAMES, POSITIONS))
        if by_game is not None and at_random is not None:
            yield f"{net}, split at random − by game", "–", str(difference(accuracy(at_random), accuracy(by_game)))


def _split(data: Data) -> str:
    return GAMES if GAMES in data["splits"] else POSITIONS


def _confusion(data: Data) -> Iterator[Part]:
    split = _split(data)
    yield Figure(
        name="Confusion",
        caption=f"Per cent of each true bucket (rows) that was put into each bucket (columns), split {SPLITS[split]}; "
        "0 is best for Black, 9 for White; our own network counts from the mover's side.",
        pictures=[
            _confusion_grid(f"{row['net']}, {row['how']}", data["confusion"][row["lesson"]])
            for row in data["rows"]
            if row["split"] == split and row["net"] != "Net B" and row["how"] != HOW["linear"]
        ],
    )


def _confusion_grid(title: str, matrix: list[list[int]]) -> str:
    shares = [[round(100 * count / max(sum(row), 1)) for count in row] for row in matrix]
    diagonal = "; ".join(f"bucket {place} {row[place]} %" for place, row in enumerate(shares))
    return figure(Grid(title, shares, NUMBERS, NUMBERS, most=60), f"{title}; right: {diagonal}", width=400)


def _curves(data: Data) -> Iterator[Part]:
    rows = [row for row in data["rows"] if row["split"] == _split(data)]
    pictures = []
    for how in (HOW["letter"], HOW["better"]):
        lines = [
            Line(row["net"], [(step, 100 * share) for step, share in data["curves"][row["lesson"]]])
            for row in rows
            if row["how"] == how
        ]
        described = "; ".join(f"{line.name} ends with {line.points[-1][1]:.1f} %" for line in lines if line.points)
        picture = Lines(f"{how}: right, per cent", lines, "iterations", within=(5, 40))
        pictures.append(figure(picture, f"{how}: {described}", width=460))
    yield Figure(
        name="Figures 9 and 10",
        caption="Accuracy on validation positions during training. In the paper Net C rises at first and then stays "
        "constant, and Net B makes no progress.",
        pictures=pictures,
    )


CERTAINTY: Final = TableOf(
    name="Certainty of the nets",
    caption=lambda data: (
        f"Means over test positions, split {SPLITS[data['split']]}: the probability of the answer, of the next best, "
        f"and the entropy of all ten; ten equal ones have 10 % and {data['most']:.2f} bits. The paper says that Net A "
        "predicts each of the ten scores with close to equal probability."
    ),
    columns=(
        Column("net", "net"),
        Column("variant", "how", words=True),
        Column("answer", "top", percent),
        Column("second", "second", percent),
        Column("where right", "right", percent),
        Column("where wrong", "wrong", percent),
        Column("bits", "entropy", decimals(2)),
    ),
)


# --- Boards -----------------------------------------------------------------------------------------------------------

CAPTIONS: Final = {
    "5": "Positions that the piece differential misjudges most, by rules.",
    "6": "Positions whose value is nearest to the piece differential.",
    "8": "Answers of Net A: the most certain hits, a near miss, and the most certain miss.",
}


def _boards(data: Data) -> Iterator[Part]:
    for place, caption in CAPTIONS.items():
        rows = [row for row in data["rows"] if row["figure"] == place]
        if rows:
            yield Boards(
                name=f"Figure {place}",
                caption=caption,
                boards=[(Position.from_fen(row["fen"]), _board_text(row, data["edges"], "teacher")) for row in rows],
            )
    yield Boards(
        name="Alekhine against Reshevsky, Kemeri 1937",
        caption=f"Boards of the game in Figure 5, with the values of Okapi's search of {data['nodes']:,} nodes and of "
        "Net A.",
        boards=[(Position.from_fen(row["fen"]), _board_text(row, data["edges"], "Okapi")) for row in data["game"]],
    )
    theirs = {board.name: board for board in PUBLISHED.figure_5}
    yield Table(
        name="Values of Figure 5",
        caption="Piece differential, and the value of Stockfish in the paper and of Okapi here, in pawns for White.",
        heads=("board", "differential", "Stockfish", "differential", "Okapi"),
        groups=(("", 1), ("paper", 2), ("ours", 2)),
        rows=[
            (
                row["title"],
                signed(theirs[row["title"]].differential),
                theirs[row["title"]].stockfish,
                signed(row["differential"]),
                _value(row),
            )
            for row in data["game"]
        ],
    )


def _board_text(row: Data, edges: Sequence[float], teacher: str) -> list[str]:
    lines = [row["title"], f"differential {signed(row['differential'])}, {teacher} {_value(row)}"]
    share = percent(row["probabilities"][row["answer"]])
    lines.append(f"Net A: bucket {row['answer']} ({_range(row['answer'], edges)}), {share}")
    if "bucket" in row:
        lines.append(f"true bucket {row['bucket']} ({_range(row['bucket'], edges)})")
    return lines


def _value(row: Data) -> str:
    """The teacher's, in pawns for White."""
    if row.get("mate"):
        return f"mate in {row['mate']}" if row["mate"] > 0 else f"mated in {-row['mate']}"
    return signed(row["teacher"] / 100, 2)


def _range(bucket: int, edges: Sequence[float]) -> str:
    """A bucket in pawns."""
    low = f"{signed(edges[bucket - 1] / 100, 2)}" if bucket else "−∞"
    high = f"{signed(edges[bucket] / 100, 2)}" if bucket < len(edges) else "∞"
    return f"{low} … {high}"


# --- Beyond the paper -------------------------------------------------------------------------------------------------


def _residual(data: Data) -> Iterator[Data]:
    for split, words in SPLITS.items():
        row = find(data, "Ours", HOW["own"], split)
        if row is not None:
            yield {"split": words, "accuracy": accuracy(row), "near": near(row)}


def _deep_pink(data: Data) -> Iterator[Part]:
    buckets = data["buckets"]
    yield Table(
        name="Deep Pink",
        caption=f"Equation 1, without a teacher: {counted(data['triplets'], 'triplet')} from {data['from']}, layers "
        f"{data['hidden'].replace(',', '–')}, {counted(data['epochs'], 'epoch')}. A triplet is a position, the next "
        f"one of the game, and the one after a random move. Games: {data['conditions']}.",
        heads=("measure", "ours"),
        rows=[
            (
                "played position above the random one",
                str(Proportion(round(data["ranked"] * data["tested"]), data["tested"])),
            ),
            ("bucket equal to the teacher's", str(accuracy(buckets))),
            ("the same, or the one beside it", str(near(buckets))),
            *((f"games against {name}, won–drawn–lost", counts(tally_of(met))) for name, met in data["games"].items()),
        ],
    )


# --- The page ---------------------------------------------------------------------------------------------------------

PAGE: Final = PaperPage(
    paper="sheehan2016",
    title="sheehan2016: networks that predict Stockfish's evaluation in ten buckets",
    subtitle="J. Sheehan, Neural Networks for Chess State Evaluation, Princeton, 2016.",
    headlines=HEADLINES,
    unknown="Figure 7, the layers of the nets, is lost, and the text names neither batch size, nor iterations, nor "
    "which net was initialised in which way.",
    sections=(
        PageSection(
            "The nets",
            "Ten buckets of White's value, each with a tenth of the training positions. “To the letter” means raw "
            "numbers, the initialisation and the learning rates of the paper; “better” means wider layers with batch "
            "normalisation, Adam, and many epochs. No net of the paper knows the side to move.",
            Table(
                name="Table 2",
                caption="Learning rates; ours to the letter are the same.",
                heads=("net", "initial rate", "step size", "gamma", "momentum"),
                rows=[
                    (net, f"{scheme.rate:g}", number(scheme.step), f"{scheme.gamma:g}", f"{scheme.momentum:g}")
                    for net, scheme in TABLE_2.items()
                ],
            ),
            Shown("networks", "Table 3", _measured("Table 3")),
            Shown(
                "consecutive",
                "Table 3 on consecutive positions",
                _measured("Table 3, consecutive", " Positions follow each other in their games, as in the paper."),
            ),
            Shown("networks", "Confusion", _confusion),
            Shown("networks", "Figures 9 and 10", _curves),
            Shown("certainty", "Certainty of the nets", CERTAINTY),
        ),
        PageSection(
            "Calm before the storm",
            "The paper's own boards are lost with its figures. Those of Figures 5, 6 and 8 are the test positions that "
            "fit a rule best; the boards of the game are from the game that the paper names.",
            Shown("storms", "Boards", _boards),
        ),
        PageSection(
            "Beyond the paper",
            Shown(
                "networks",
                "A better architecture",
                TableOf(
                    name="A residual network",
                    caption="A residual network on planes, with the side to move.",
                    rows=_residual,
                    columns=(
                        Column("split", "split"),
                        Column("right (95 %)", "accuracy"),
                        Column("within one (95 %)", "near"),
                    ),
                ),
            ),
            Shown(
                "strength",
                "The nets in a full engine",
                TableOf(
                    name="The nets in a full engine",
                    caption="Okapi's search with each net as its evaluator, on the ladder: {conditions}.",
                    columns=RATED,
                ),
                IntervalsOf(name="Ratings on the ladder", title="rating on the ladder, with 95 % intervals"),
            ),
            Shown("deep_pink", "Deep Pink", _deep_pink),
            "Reinforcement from Net A's weights, the last proposal of the paper, is what `okapi train tdleaf --brain "
            "FILE` does, in the manner of lai2015.",
        ),
    ),
)
