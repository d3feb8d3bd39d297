"""Chapter 5: five weights on games of grandmasters."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import mean
from typing import Final

from okapi.formats.html import Figure, Missing, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import compared, counted, elo, lasted, number, signed
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.tables import counts, made, remarks, tally_of
from okapi.papers.vazquez2012.published import (
    GAMES_OF_CHAPTER_5,
    SECONDS_OF_CHAPTER_5,
    TABLE_12,
    TABLE_13,
    TABLE_14,
)
from okapi.papers.vazquez2012.reading import THEORY, Data, found
from okapi.recipes.lab import Results

__all__ = ["chapter_5"]

NAMES: Final = ("knight", "bishop", "rook", "queen", "mobility")
GENERATIONS: Final = 50
"""Of the thesis."""

History = Sequence[Data]
"""A generation after the other."""


def chapter_5(results: Results) -> Section:
    """Tables 12 to 14, figures 38 and 39."""
    person, engine = TABLE_14
    return Section(
        "Chapter 5: five weights",
        [
            Prose(
                "Ten players, each four piece values and a weight for mobility, are asked for the moves that "
                "grandmasters played. Who finds more of them has children; mutations grow smaller from generation to "
                "generation."
            ),
            *made(results, "five", "Table 13", _weights),
            *made(results, "five", "Figure 38", _curves),
            *made(results, "five", "The games of section 5.4.2", _games),
            Missing(
                "Table 14",
                f"it is a match against a person ({person.name} {elo(person.elo)}, {engine.name} {elo(engine.elo)} "
                f"after {counted(person.games, 'game')}), which a program cannot repeat",
            ),
        ],
    )


def _weights(data: Data) -> Iterator[Part]:
    first, last = data["history"][0], data["history"][-1]
    rows = []
    for name in NAMES:
        average, between = found(data, name)
        start, end = TABLE_12[name], TABLE_13[name]
        theirs = (start.mean, start.deviation, end.mean, end.deviation)
        ours = tuple(generation[what][name] for generation in (first, last) for what in ("mean", "deviation"))
        cells = [number(cell, 1) for cell in (*theirs, *ours, average, between)]
        rows.append((name, number(THEORY.get(name)), *cells))
    pair = ("mean", "±")
    count = len(data["runs"])
    yield Table(
        name="Tables 12 and 13",
        caption="The weights of the run in which pieces begin alike (number 31 of the thesis), in its first generation "
        f"and its last, with the standard deviation in the population; and the mean of {counted(count, 'run')} of "
        "ours, with the deviation between them.",
        heads=("weight", "theory", *pair * 5),
        rows=rows,
        groups=(
            ("", 2),
            ("thesis, first", 2),
            ("thesis, last", 2),
            ("ours, first", 2),
            ("ours, last", 2),
            (f"ours, {counted(count, 'run')}", 2),
        ),
    )
    yield Notes([*map(_of_theory, THEORY, (found(data, name)[0] for name in THEORY)), *_spread(data), _time(data)])
    yield from remarks(data)


def _of_theory(name: str, ours: float) -> str:
    theory, theirs = THEORY[name], TABLE_13[name].mean
    return (
        f"{compared(f'Our {name}', ours, theirs, 'centipawns', close=5)}; "
        f"it is {signed(100 * (ours / theory - 1), 1)} % from {number(theory)}, "
        f"theirs {signed(100 * (theirs / theory - 1), 1)} %."
    )


def _spread(data: Data) -> Iterator[str]:
    last = data["history"][-1]
    within = mean(last["deviation"][name] for name in NAMES)
    theirs = mean(TABLE_13[name].deviation for name in NAMES)
    yield (
        f"Within the last generation weights deviate by {number(within, 2)} on average, theirs by {number(theirs, 2)}."
    )
    between = mean(found(data, name)[1] for name in NAMES)
    if between > within:
        yield (
            f"Between our runs they deviate by {number(between, 1)}: that a population agrees does not mean that "
            "another run would."
        )
    yield (
        "Table 12 cannot be as the text says: no ten numbers in [400, 500] deviate by more than 53, and theirs deviate "
        f"by up to {number(max(TABLE_12[name].deviation for name in THEORY))}."
    )


def _time(data: Data) -> str:
    ours = mean(run["seconds"] for run in data["runs"])
    generations = data["history"][-1]["generation"]
    times = SECONDS_OF_CHAPTER_5 / GENERATIONS * generations / max(ours, 1e-9)
    return (
        f"A run of {counted(generations, 'generation')} takes {lasted(ours)} here; theirs of {GENERATIONS} took "
        f"{lasted(SECONDS_OF_CHAPTER_5)} on other machines: {number(times, 0 if times >= 2 else 1)} times as fast."
    )


def _curves(data: Data) -> Iterator[Part]:
    history = data["history"]
    means = {name: (TABLE_12[name].mean, TABLE_13[name].mean) for name in NAMES}
    yield _curve("Figure 38", "mean", history, means)
    yield Notes(
        [
            f"Ours come within a tenth of where they end, all of them, at generation {_settled(history)} of "
            f"{history[-1]['generation']}."
        ]
    )
    deviations = {name: (TABLE_12[name].deviation, TABLE_13[name].deviation) for name in NAMES}
    yield _curve("Figure 39", "deviation", history, deviations)
    first, last = (mean(history[end]["deviation"][name] for name in NAMES) for end in (0, -1))
    their_first, their_last = (mean(pair[end] for pair in deviations.values()) for end in (0, -1))
    yield Notes(
        [
            f"Ours begin at {number(first, 1)} on average and end at {number(last, 2)}; theirs begin at "
            f"{number(their_first, 1)} and end at {number(their_last, 2)}."
        ]
    )


def _curve(name: str, what: str, history: History, theirs: Mapping[str, tuple[float, float]]) -> Figure:
    ours = [Line(weight, [(now["generation"], now[what][weight]) for now in history]) for weight in NAMES]
    ends = [Line(weight, [(0, first), (GENERATIONS, last)]) for weight, (first, last) in theirs.items()]
    within = 0.0, max(y for line in (*ours, *ends) for _, y in line.points)
    return Figure(
        name=name,
        caption=f"The {what} of each weight in the population. Of theirs, the text gives the ends only, joined here by "
        "straight lines.",
        pictures=[
            figure(Lines(title, lines, "generation", within=within), _described(title, lines), width=460)
            for title, lines in (("thesis", ends), ("ours", ours))
        ],
    )


def _described(title: str, lines: list[Line]) -> str:
    ends = (f"{line.name} from {number(line.points[0][1], 1)} to {number(line.points[-1][1], 1)}" for line in lines)
    return f"{title}: {', '.join(ends)}"


def _settled(history: History) -> int:
    """The first generation from which on the means of all pieces stay within a tenth of where they end."""
    end = history[-1]["mean"]
    settled = history[-1]["generation"]
    for now in reversed(history):
        if any(abs(now["mean"][name] - end[name]) > 0.1 * abs(end[name]) for name in THEORY):
            break
        settled = now["generation"]
    return int(settled)


def _games(data: Data) -> Iterator[Part]:
    rows, sentences = [], []
    for name, (points, against) in GAMES_OF_CHAPTER_5.items():
        ours = tally_of(data["games"][name])
        rows.append((f"the {name} player", f"{points} : {against}", counts(ours), f"{100 * ours.score:.1f} %"))
        share = 100 * points / (points + against)
        sentences.append(compared(f"The score of the {name} player", 100 * ours.score, share, "points", close=3) + ".")
    yield Table(
        name="Section 5.4.2",
        caption="The last generation against the first. The thesis gives points only, of 100 games at 4 plies. "
        f"Ours: {data['conditions']}.",
        heads=("", "thesis", "ours: won–drawn–lost", "score"),
        rows=rows,
    )
    yield Notes(sentences)
