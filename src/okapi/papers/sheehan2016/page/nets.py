"""Tables 2 and 3, near misses, confusion, learning curves, and how sure the nets are."""

from collections.abc import Iterator
from typing import Final

from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import compared, counted, number, percent
from okapi.formats.svg import Grid, Line, Lines, figure
from okapi.papers.sheehan2016.published import BUCKETS, GAIN, TABLE_2, TABLE_3
from okapi.papers.sheehan2016.reading import GAMES, HOW, POSITIONS, Data, accuracy, find, near
from okapi.papers.tables import made, remarks
from okapi.recipes.lab import Results
from okapi.recipes.shares import apart

__all__ = ["nets"]

SPLITS: Final = {GAMES: "by game", POSITIONS: "positions at random"}
NUMBERS: Final = [str(number) for number in range(BUCKETS)]


def nets(results: Results) -> Section:
    """Everything that is measured on labelled positions."""
    return Section(
        "The nets",
        [
            Prose(
                "Ten buckets of White's value, each with a tenth of the training positions. To the letter means raw "
                "numbers, the starts and the learning rates of the paper; better means wider layers with batch "
                "normalisation, Adam, and many passes. No net of the paper is told whose move it is."
            ),
            _table_2(),
            *made(results, "networks", "Table 3", lambda data: _measured(data, "Table 3", "")),
            *made(
                results,
                "consecutive",
                "Table 3 on consecutive positions",
                lambda data: _measured(
                    data, "Table 3, consecutive", " Here positions follow each other, as theirs did."
                ),
            ),
            *made(results, "networks", "Confusion", _confusion),
            *made(results, "networks", "Figures 9 and 10", _curves),
            *made(results, "certainty", "How sure the nets are", _certainty),
        ],
    )


def _table_2() -> Table:
    return Table(
        name="Table 2",
        caption="Learning rate schemes; ours to the letter are the same.",
        heads=("net", "initial rate", "step size", "gamma", "momentum"),
        rows=[
            (net, f"{scheme.rate:g}", number(scheme.step), f"{scheme.gamma:g}", f"{scheme.momentum:g}")
            for net, scheme in TABLE_2.items()
        ],
    )


def _measured(data: Data, name: str, more: str) -> Iterator[Part]:
    splits = [split for split in SPLITS if split in data["splits"]]
    rows = [row for split in splits for row in data["rows"] if row["split"] == split]
    yield Table(
        name=name,
        caption=f"Test positions in the right bucket, and in the right one or beside it.{more}",
        heads=("net", "how", "paper", "ours (95 %)", "within one (95 %)", "in training", "layers", "iterations"),
        rows=[_row(row) for row in rows],
        bands=[(_band(split, data["splits"][split]), sum(row["split"] == split for row in rows)) for split in splits],
        words=(1, 6),
    )
    yield Notes(_sentences(data, splits))
    yield from remarks(data)


def _row(row: Data) -> tuple[str, ...]:
    theirs = TABLE_3.get(row["net"])
    return (
        row["net"],
        row["how"],
        percent(theirs, 2),
        str(accuracy(row)),
        str(near(row)),
        percent(row["train_accuracy"]),
        "–".join(map(str, row["hidden"])),
        number(row["iterations"]),
    )


def _band(split: str, told: Data) -> str:
    counts = f"{counted(told['parts']['train'], 'position')} in training, {number(told['parts']['test'])} in the test"
    return f"{SPLITS[split]}: {counts}, {percent(told['neighbours']['share'])} of these with a neighbour in training"


def _sentences(data: Data, splits: list[str]) -> list[str]:
    said = []
    for split in splits:
        for net, theirs in TABLE_3.items():
            best = max(_rows(data, net, split), key=lambda row: float(row["accuracy"]), default=None)
            if best is not None:
                ours = 100 * best["accuracy"]
                what = f"{net}, {best['how']}, split {SPLITS[split]},"
                said.append(f"{compared(what, ours, 100 * theirs, 'points', digits=1)}.")
        said += _gain(data, split)
        told = data["splits"][split]
        alone = told["differential"]
        said.append(
            f"The differential alone, split {SPLITS[split]}, without any network: {percent(alone['accuracy'])}, "
            f"{percent(alone['near'])} within one."
        )
    if {GAMES, POSITIONS} <= set(splits):
        said += [_difference(data, net) for net in TABLE_3 if find(data, net, HOW["better"], GAMES)]
    return said


def _rows(data: Data, net: str, split: str) -> list[Data]:
    return [row for row in data["rows"] if (row["net"], row["split"]) == (net, split)]


def _gain(data: Data, split: str) -> list[str]:
    """What the differential adds: Net A less Net C."""
    with_it, without = (find(data, net, HOW["better"], split) for net in ("Net A", "Net C"))
    if with_it is None or without is None:
        return []
    gained = apart(accuracy(with_it), accuracy(without))
    return [f"The differential adds {gained} points, split {SPLITS[split]}; in the paper {number(100 * GAIN, 2)}."]


def _difference(data: Data, net: str) -> str:
    """How much of an accuracy is the split."""
    by_game, at_random = (find(data, net, HOW["better"], split) for split in (GAMES, POSITIONS))
    if by_game is None or at_random is None:
        return f"{net} was not taught under both splits."
    gap = apart(accuracy(at_random), accuracy(by_game))
    return f"{net}, better: {gap} points more when positions are split at random than by game."


def _confusion(data: Data) -> Iterator[Part]:
    split = GAMES if GAMES in data["splits"] else POSITIONS
    drawn = [
        _heat(f"{row['net']}, {row['how']}", data["confusion"][row["lesson"]])
        for row in data["rows"]
        if row["split"] == split and row["net"] != "Net B" and row["how"] != HOW["linear"]
    ]
    yield Figure(
        name="Confusion",
        caption=f"Per cent of each true bucket (rows) that was put into each bucket (columns), split {SPLITS[split]}; "
        "0 is best for Black, 9 for White; our own network counts from the mover's side.",
        pictures=drawn,
    )


def _heat(title: str, matrix: list[list[int]]) -> str:
    shares = [[round(100 * count / max(sum(row), 1)) for count in row] for row in matrix]
    diagonal = "; ".join(f"bucket {place} {row[place]} %" for place, row in enumerate(shares))
    return figure(Grid(title, shares, NUMBERS, NUMBERS, most=60), f"{title}; right: {diagonal}", width=400)


def _curves(data: Data) -> Iterator[Part]:
    split = GAMES if GAMES in data["splits"] else POSITIONS
    rows = [row for row in data["rows"] if row["split"] == split]
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
        caption="Accuracy on validation positions while the nets learn. In the paper Net C rises at first and then "
        "stays where it is, and Net B makes no progress.",
        pictures=pictures,
    )


def _certainty(data: Data) -> Iterator[Part]:
    yield Table(
        name="How sure the nets are",
        caption=f"Means over test positions, split {SPLITS[data['split']]}: the probability of the answer, of the next "
        f"best, and the entropy of all ten; ten equal ones have 10 % and {data['most']:.2f} bits.",
        heads=("net", "how", "answer", "second", "where right", "where wrong", "bits"),
        rows=[
            (
                row["net"],
                row["how"],
                *(percent(row[key]) for key in ("top", "second", "right", "wrong")),
                number(row["entropy"], 2),
            )
            for row in data["rows"]
        ],
        words=(1,),
    )
    letter = next((row for row in data["rows"] if (row["net"], row["how"]) == ("Net A", HOW["letter"])), None)
    if letter is not None:
        verdict = "so it is" if letter["top"] < 0.25 else "not so"
        yield Notes(
            [
                "The paper says that Net A predicts each of the ten scores with close to equal probability: to the "
                f"letter, its answer has {percent(letter['top'])} on average, the next one "
                f"{percent(letter['second'])}; {verdict}."
            ]
        )
