"""Tables 1 and 2 and figures 1 to 3: three datasets of classes, and what the split has to do with the numbers."""

from collections.abc import Iterator
from typing import Final

from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import counted, number, percent, signed
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.sabatelli2018.names import INPUTS, NETWORKS, lesson_name, today_name
from okapi.papers.sabatelli2018.reading import CLASSIFIED, Data, published, right, with_both_inputs, with_both_networks
from okapi.papers.tables import made, remarks
from okapi.recipes.lab import Results
from okapi.recipes.shares import Apart, apart

__all__ = ["classes", "described_data"]

TITLES: Final = {"mlp": "the perceptrons", "cnn": "the convolutional networks"}
COUNTS: Final = {1: "3 classes", 2: "15 classes", 3: "20 classes"}


def classes(results: Results) -> Section:
    """Datasets 1 to 3."""
    return Section(
        "Datasets 1 to 3: classes",
        [
            Prose(
                "How good is a position for the side to move? Winning, drawn or losing (dataset 1); the same with "
                "seven degrees of winning and losing (2); and with six of drawing, too (3)."
            ),
            *made(results, "tables", "Tables 1 and 2", _tables),
            *made(results, "splits", "The split", _splits),
        ],
    )


def described_data(data: Data) -> str:
    """What was learned from, in words."""
    parts = data["parts"]
    about = data["data"]
    random = (
        f", {percent(about['random'] / about['positions'], 0)} of them after a random move" if about["random"] else ""
    )
    return (
        f"{about['labels']}: {number(parts['train'])} positions to learn from, {number(parts['validation'])} to stop "
        f"by, {number(parts['test'])} to test with{random}; {percent(data['neighbours']['share'])} of the test "
        "positions are one move away from a position that was learned from"
    )


# --- Tables 1 and 2 ---------------------------------------------------------------------------------------------------


def _tables(data: Data) -> Iterator[Part]:
    yield Prose(f"Ours, split by {data['split']}: {described_data(data)}.")
    for name, network in zip(("Table 1", "Table 2"), NETWORKS, strict=True):
        yield _table(name, network, data["lessons"])
    yield Notes([*_networks_compared(data["lessons"]), *_inputs_compared(data["lessons"])])
    yield from remarks(data)
    if data.get("today"):
        yield _today(data)
    for dataset in CLASSIFIED:
        yield _figure(dataset, data["lessons"])
    yield Notes(list(_lengths(data["lessons"])))


def _table(name: str, network: str, lessons: Data) -> Table:
    rows = []
    for dataset in CLASSIFIED:
        for input_ in INPUTS:
            theirs = published(network, input_, dataset)
            ours = lessons.get(lesson_name(network, input_, dataset))
            cells = ("–", "–", "–", "–") if ours is None else _cells(ours)
            rows.append((f"{dataset}, {input_}", f"{theirs.validation:.2f} %", f"{theirs.test:.2f} %", *cells))
    return Table(
        name=name,
        caption=f"Positions that {TITLES[network]} put in their class, with an interval of 95 %.",
        heads=("dataset", "validation", "test", "validation", "test", "off by one at most", "best epoch"),
        groups=(("", 1), ("paper", 2), ("ours", 4)),
        rows=rows,
        bands=[(COUNTS[dataset], len(INPUTS)) for dataset in CLASSIFIED],
    )


def _today(data: Data) -> Table:
    """What is the network's, and what the way of learning's?"""
    rows = []
    for network in NETWORKS:
        for dataset in CLASSIFIED:
            for input_ in INPUTS:
                letter = right(data["lessons"][lesson_name(network, input_, dataset)])
                now = right(data["today"][today_name(network, input_, dataset)])
                rows.append((f"{network}, {input_}, {dataset}", str(letter), str(now), str(apart(now, letter))))
    return Table(
        name="Another way of learning",
        caption="The same networks with the same dropout, on the same split: taught as section 3.2 says, and with "
        "AdamW, a rate that falls to nothing, minibatches of 1024 and mirrored positions.",
        heads=("network", "as the paper says", "as one does today", "points"),
        rows=rows,
    )


def _cells(lesson: Data) -> tuple[str, ...]:
    epochs = f"{lesson['best_epoch']} of {lesson['epochs']}"
    return percent(right(lesson, "validation").value), str(right(lesson)), percent(lesson["test"]["near"]), epochs


def _networks_compared(lessons: Data) -> Iterator[str]:
    found = [
        (f"dataset {dataset} {input_}", apart(right(mlp), right(cnn)))
        for input_, dataset, mlp, cnn in with_both_networks(lessons)
        if dataset in CLASSIFIED
    ]
    yield from _claim("The perceptron is better than the convolutional network", found)


def _inputs_compared(lessons: Data) -> Iterator[str]:
    found = [
        (f"dataset {dataset} {network}", apart(right(bitmap), right(algebraic)))
        for network, dataset, bitmap, algebraic in with_both_inputs(lessons)
        if dataset in CLASSIFIED
    ]
    yield from _claim("Bitmap input is better than algebraic", found)


def _claim(what: str, found: list[tuple[str, Apart]]) -> Iterator[str]:
    """The paper's claim, held against each pair of networks; the intervals are wider than those of paired tests."""
    if not found:
        return
    verdicts = [gap.verdict for _, gap in found]
    said = ", ".join(
        f"{verdict} {verdicts.count(verdict)} times"
        for verdict in ("confirmed", "refuted", "undecided")
        if verdict in verdicts
    )
    yield f"{what}: {said}. In points: {'; '.join(f'{where} {gap}' for where, gap in found)}."


def _figure(dataset: int, lessons: Data) -> Figure:
    lines = [
        Line(f"{network.upper()} {input_}", [(at["epoch"], 100 * at["validation_accuracy"]) for at in lesson["curve"]])
        for network in NETWORKS
        for input_ in INPUTS
        if (lesson := lessons.get(lesson_name(network, input_, dataset))) is not None
    ]
    described = "; ".join(f"{line.name} ends at {number(line.points[-1][1], 1)} %" for line in lines)
    title = f"dataset {dataset}, by game"
    return Figure(
        name=f"Figure {dataset}",
        caption="Percent right after each epoch. The paper draws the test set, which we look at once: these are the "
        "validation positions. The paper's curves are pictures and cannot be copied here.",
        pictures=[figure(Lines(title, lines, "epoch"), f"{title}: {described}")],
    )


def _lengths(lessons: Data) -> Iterator[str]:
    """How long learning took: the paper says that the perceptron with bitmaps also converges soonest."""
    for dataset in CLASSIFIED:
        best = {
            f"{network} {input_}": lesson["best_epoch"]
            for network in NETWORKS
            for input_ in INPUTS
            if (lesson := lessons.get(lesson_name(network, input_, dataset))) is not None
        }
        if best:
            said = ", ".join(f"{name} {epoch}" for name, epoch in best.items())
            yield f"Dataset {dataset}: the best epoch is {said}."


# --- The split --------------------------------------------------------------------------------------------------------


def _splits(data: Data) -> Iterator[Part]:
    rows, gains = [], []
    for network in NETWORKS:
        for dataset in CLASSIFIED:
            for input_ in INPUTS:
                name = lesson_name(network, input_, dataset)
                both = [data[split]["lessons"].get(name) for split in ("positions", "games")]
                if not all(both):
                    continue
                at_random, by_game = (right(lesson) for lesson in both)
                gap = apart(at_random, by_game)
                theirs = published(network, input_, dataset).test
                share = gap.points / (theirs - 100 * by_game.value) if theirs > 100 * by_game.value else None
                gains.append((name, gap))
                rows.append(
                    (
                        f"{network}, {input_}, {dataset}",
                        f"{theirs:.2f} %",
                        str(at_random),
                        str(by_game),
                        str(gap),
                        percent(share, 0),
                    )
                )
    if not rows:
        return
    yield Table(
        name="The split",
        caption="The same networks on positions that follow each other, all of each game: as the paper split them, at "
        "random, and by game; as many positions for each purpose. The last column is the part of the way from the "
        "honest number to the paper's that the split goes.",
        heads=("network", "paper", "at random", "by game", "points", "explained"),
        rows=rows,
    )
    yield Notes(list(_about_splits(data, gains)))


def _about_splits(data: Data, gains: list[tuple[str, Apart]]) -> Iterator[str]:
    for split, called in (("positions", "At random"), ("games", "By game")):
        yield f"{called}: {described_data(data[split])}."
    points = [gap.points for _, gap in gains]
    verdicts = [gap.verdict for _, gap in gains]
    yield (
        f"Splitting at random adds {signed(min(points), 1)} to {signed(max(points), 1)} points; the sign is certain in "
        f"{verdicts.count('confirmed')} of {counted(len(gains), 'network')}."
    )
