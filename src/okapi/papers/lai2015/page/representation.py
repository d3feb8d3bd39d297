"""Section 4.1: Figures 1 and 2, Table 1, and the comparison of representations."""

from collections.abc import Iterator

from okapi.core import Position
from okapi.formats.html import Boards, Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import counted, number, percent
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.lai2015.published import FEATURES, TABLE_1
from okapi.papers.lai2015.reading import Data, by_name, explained
from okapi.papers.tables import made, remarks
from okapi.recipes.lab import Results

__all__ = ["representation"]


def representation(results: Results) -> Section:
    """What the network sees."""
    return Section(
        "Feature representation",
        [
            *made(results, "features", "Table 1", _features),
            *made(results, "representation", "The comparison with a bitmap", _compared),
        ],
    )


def _features(data: Data) -> Iterator[Part]:
    kinds = ", ".join(f"{number(count)} of the {name}" for name, count in data["kinds"].items())
    total = sum(data["kinds"].values())
    yield Prose(f"Ours has {total} features, {kinds}; the thesis counts {FEATURES}.")
    yield Boards(
        name="Figure 2",
        caption="The board of the thesis is lost; of this one all lines of Table 1 are true.",
        boards=[(Position.from_fen(data["fen"]), ["White to move"])],
    )
    shown = {name: value for name, value in data["table"].items() if name in TABLE_1}
    yield Table(
        name="Table 1",
        caption=f"The position of Figure 2 in words: {data['agree']} of {len(TABLE_1)} lines are the thesis'. Kings, "
        "the other slots, mobility and control of squares are left out here, as they are there.",
        heads=("feature", "thesis", "ours"),
        rows=[(name, theirs, shown.get(name, "–")) for name, theirs in TABLE_1.items()],
        words=(1, 2),
    )
    yield Boards(
        name="Figure 1",
        caption="Positions like those of the lost figure. The first two are much alike.",
        boards=[(Position.from_fen(fen), [side]) for side, fen in data["boards"].items()],
    )
    yield Table(
        name="Distances in Figure 1",
        caption="From the board in the middle, in the space of features.",
        heads=("encoding", "to the left", "to the right", "right / left"),
        rows=[
            (name, number(far["left"], 2), number(far["right"], 2), number(far["right"] / far["left"], 2))
            for name, far in data["apart"].items()
        ],
    )


def _compared(data: Data) -> Iterator[Part]:
    rows, spread = data["rows"], data["spread"]
    parts, kept = data["parts"], data["split"].removesuffix("s")
    light = [row for row in rows if row["weight"] == "light"]
    heavy = [row for row in rows if row["weight"] == "heavy"]
    yield Table(
        name="Representations",
        caption=f"Networks that learned a teacher's opinion of {counted(parts['train'], 'position')}, as an expected "
        f"score, tested on {number(parts['test'])} others, split by {kept}. The error is the root of the mean "
        "square, in points of a hundred; foreseen is the share of the opinions' variance. The thesis "
        "gives no numbers.",
        heads=("network", "sees", "weights", "error", "foreseen", "mean distance", "in training", "epochs"),
        rows=[_row(row, spread) for row in (*light, *heavy)],
        bands=[(f"{name}", len(band)) for name, band in (("light", light), ("heavy", heavy)) if band],
        words=(1,),
    )
    lines = [Line(row["name"], [(epoch, loss) for epoch, loss in row["curve"]]) for row in rows]
    if any(len(line.points) > 1 for line in lines):
        described = "; ".join(f"{line.name} ends at {line.points[-1][1]:.4f}" for line in lines if line.points)
        drawn = figure(Lines("squared error on validation positions", lines, "epoch"), described, width=720)
        yield Figure(name="How they learn", caption="Validation loss after each epoch.", pictures=[drawn])
    yield Notes(_sentences(data))
    yield from remarks(data)


def _row(row: Data, spread: float) -> tuple[str, ...]:
    return (
        row["name"],
        row["what"],
        number(row["size"]),
        number(100 * row["mse"] ** 0.5, 2),
        percent(explained(row, spread)),
        number(100 * row["mae"], 2),
        number(100 * row["train_mse"] ** 0.5, 2),
        number(row["epochs"]),
    )


def _sentences(data: Data) -> list[str]:
    said = []
    for one, other, what in (
        ("giraffe", "bitmap", "Giraffe's features instead of the bitmap"),
        ("giraffe-mover", "bitmap-mover", "The same, both turned for the mover"),
        ("giraffe-mover", "giraffe", "Turning the board for the mover"),
        ("giraffe-mover", "giraffe-mixed", "Keeping modalities apart in the first layer"),
        ("giraffe-heavy", "bitmap-heavy", "Giraffe's features instead of the bitmap, heavy networks"),
    ):
        first, second = by_name(data, one), by_name(data, other)
        if first is None or second is None:
            continue
        gap = first["mse"] - second["mse"]
        reach = 1.96 * (first["mse_error"] ** 2 + second["mse_error"] ** 2) ** 0.5
        verdict = "that is more than chance" if abs(gap) > reach else "chance could do that"
        way = "less" if gap < 0 else "more"
        said.append(f"{what}: {percent(abs(gap) / second['mse'])} {way} squared error; {verdict}.")
    return said
