"""Figures 3.3 and 3.4, Table 3.4 and Figure 3.5: whole moves, and how a game begins."""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from okapi.core import Position
from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import compared, counted, number, percent
from okapi.formats.svg import Line, Lines, figure
from okapi.formats.svg.boards import Panel, panels
from okapi.papers.experiment import Results
from okapi.papers.singh2015.published import FIGURE_3_4, TABLE_3_4
from okapi.papers.singh2015.reading import BRAINS, Data, illegal, whole
from okapi.papers.tables import made
from okapi.recipes.proportions import difference

__all__ = ["whole_moves"]

WAYS: Final = {"all": "all", "fresh": "new"}


def whole_moves(results: Results) -> Section:
    """Piece and square together."""
    return Section(
        "Whole moves",
        [
            Prose(
                "A move is a square that a piece comes from and one that it goes to; its probability is the product, "
                "masked and shared out over the legal moves. The thesis shows curves; its program gave numbers."
            ),
            *made(results, "full_moves", "Figures 3.3 and 3.4", _full_moves),
            *made(results, "opening", "Table 3.4", _opening),
        ],
    )


# --- Figures 3.3 and 3.4 ----------------------------------------------------------------------------------------------


def _full_moves(data: Data) -> Iterator[Part]:
    brains: Mapping[str, Any] = data["brains"]
    rows = {(brain, way): brains[brain][way] for brain in brains for way in WAYS if brains[brain][way]["count"]}
    yield Table(
        name="Whole moves",
        caption="Moves that were played, among the first k legal ones, with intervals of 95 %; first choices that are "
        f"illegal where the rules are not given; and the mean of −log p of what was played. "
        f"{counted(data['positions'], 'position')} of {counted(data['games'], 'game')}; new are positions that no "
        "training game has.",
        heads=("", "", *(f"{WAYS[way]} ({row['count']:,})" for (_, way), row in rows.items())),
        groups=(("", 1), ("thesis", 1), *_groups(rows)),
        rows=[
            *((f"k = {k}", percent(theirs), *_shares(rows, k)) for k, theirs in FIGURE_3_4.items()),
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
    said = "; ".join(f"{name} from {number(first, 1)} to {number(last, 1)}" for name, first, last in ends)
    yield Figure(
        name="Figure 3.4",
        caption="Per cent of the moves that were played, among the first k.",
        pictures=[figure(Lines("right, per cent", lines, "guesses"), f"right with 1 to 30 guesses: {said}", width=720)],
    )
    yield Figure(
        name="Figure 3.3",
        caption="The same by the number of the move in its game. A number that few positions have is left out.",
        pictures=[_by_number(brain, found["by_number"]) for brain, found in brains.items()],
    )
    yield Notes(list(_about_moves(brains, rows)))


def _groups(rows: Mapping[tuple[str, str], Data]) -> list[tuple[str, int]]:
    """The brains, each over its columns."""
    return [(BRAINS[brain], count) for brain, count in Counter(brain for brain, _ in rows).items()]


def _shares(rows: Mapping[tuple[str, str], Data], guesses: int) -> Iterator[str]:
    return (str(whole(row, guesses)) for row in rows.values())


def _by_number(brain: str, points: list[dict[str, Any]]) -> str:
    guesses = list(points[0]["top"]) if points else []
    lines = [
        Line(f"k = {k}", [(point["number"], 100 * point["top"][k] / point["count"]) for point in points])
        for k in guesses
    ]
    said = "; ".join(f"{line.name}: {number(min(y for _, y in line.points), 1)} at least" for line in lines)
    title = f"{BRAINS[brain]}: right, per cent"
    return figure(Lines(title, lines, "move", within=(0, 100)), f"{title}, by move number; {said}", width=460)


def _about_moves(brains: Mapping[str, Any], rows: Mapping[tuple[str, str], Data]) -> Iterator[str]:
    for (brain, way), row in rows.items():
        for k in (1, 3, 10):
            if way == "all":
                ours, theirs = 100 * whole(row, k).value, 100 * FIGURE_3_4[k]
                what = f"{BRAINS[brain].capitalize()}, {counted(k, 'guess', 'guesses')}:"
                yield f"{compared(f'{what} the share', ours, theirs, 'points', digits=1)}."
    for brain in brains:
        if (brain, "fresh") in rows and brains[brain]["all"]["count"] > brains[brain]["fresh"]["count"]:
            everywhere, fresh = (whole(brains[brain][way], 1) for way in WAYS)
            lost = 100 * (everywhere.value - fresh.value)
            yield (
                f"{BRAINS[brain].capitalize()}: {number(abs(lost), 1)} points {'less' if lost >= 0 else 'more'} in "
                f"positions that no training game has ({percent(fresh.value)} instead of {percent(everywhere.value)})."
            )
    if {("ours", "all"), ("seven", "all")} <= set(rows):
        gap = difference(*(whole(rows[brain, "all"], 1) for brain in ("ours", "seven")))
        yield f"One network instead of seven: {gap} points."
    for (brain, way), row in rows.items():
        if way == "all":
            missed = 1 - whole(row, 30).value
            yield (
                f"{BRAINS[brain].capitalize()}: with 30 guesses {percent(missed, 2)} are missed; the thesis says less "
                f"than 1 %: {'so it is' if missed < 0.01 else 'not so'}."
            )


# --- Table 3.4 and Figure 3.5 -----------------------------------------------------------------------------------------


def _opening(data: Data) -> Iterator[Part]:
    brains, played = data["brains"], data["played"]
    games = max(sum(played.values()), 1)
    on_server = sum(count for _, count in TABLE_3_4.values())
    yield Table(
        name="Table 3.4",
        caption=f"First moves: what was predicted, and how often they were played. Theirs are {on_server:,} games of a "
        f"server, of all ratings; ours {counted(sum(played.values()), 'training game')}.",
        heads=("move", "predicted", "played", *(BRAINS[brain] for brain in brains), "played"),
        groups=(("", 1), ("thesis", 2), ("here", len(brains) + 1)),
        rows=[
            (
                move,
                percent(probability, 2),
                percent(count / on_server, 2),
                *(percent(found["moves"].get(move, 0.0), 2) for found in brains.values()),
                percent(played.get(move, 0) / games, 2),
            )
            for move, (probability, count) in TABLE_3_4.items()
        ],
    )
    yield Figure(
        name="Figure 3.5",
        caption="Per cent for each square that the first move comes from, unmasked.",
        pictures=[
            panels(Position.start(), [Panel(BRAINS[brain], heat=found["origin"]) for brain, found in brains.items()])
        ],
    )
    yield Notes(list(_about_opening(brains, played)))


def _about_opening(brains: Mapping[str, Any], played: Mapping[str, int]) -> Iterator[str]:
    server = {move: count for move, (_, count) in TABLE_3_4.items()}
    theirs = _distance({move: probability for move, (probability, _) in TABLE_3_4.items()}, server)
    yield f"The thesis' probabilities and its server's games are {percent(theirs)} apart: half the sum of differences."
    for brain, found in brains.items():
        first = max(found["moves"], key=lambda move: found["moves"][move], default="–")
        rest = sum(share for place, share in enumerate(found["origin"]) if place // 8 > 1)
        text = f"{BRAINS[brain].capitalize()}: the first choice is {first}"
        if sum(played.values()):
            text += f", the move most played {max(played, key=lambda move: played[move])}; "
            text += f"{percent(_distance(found['moves'], played))} apart from the training games"
        yield f"{text}. Squares without a white piece have {percent(rest, 3)}."


def _distance(predicted: Mapping[str, float], played: Mapping[str, int]) -> float:
    """Of two distributions: the largest difference that any set of moves has."""
    games = max(sum(played.values()), 1)
    return sum(abs(predicted.get(move, 0.0) - played.get(move, 0) / games) for move in TABLE_3_4) / 2
