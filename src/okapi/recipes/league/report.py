"""The league as four pictures, a page, and text: answers, a sentence for each paper, tables. All from its result."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from types import MappingProxyType
from typing import Any, Final

from okapi.formats.html import Command, Figure, Notes, Part, Prose, Section, document
from okapi.formats.html import Table as Printed
from okapi.formats.numbers import elo, interval, number, percent
from okapi.formats.svg import Picture, Scatter, ScatterPoint, figure, page
from okapi.recipes.league.laws import Average, Law, Prediction, averages, expected_of_recipe, laws, predictions
from okapi.recipes.league.plan import TABLES
from okapi.recipes.league.result import LIMITS, LeaguePool, LeagueResult, LeagueRow, offset, on_one_scale

# --- In words ---------------------------------------------------------------------------------------------------------


def title(way: str) -> str:
    """What a way is, in words; a way that is no longer in ways.toml is its name.

    >>> title("mlp")
    "a perceptron on the teacher's value"
    """
    return str(TABLES["ways"].get(way, {}).get("title", way))


def answers(result: LeagueResult) -> list[str]:
    """Three sentences that answer the question, as far as the stored numbers do."""
    pool = result.main
    if pool is None or not result.brains:
        return []
    fitted = sorted(laws(result), key=lambda law: -law.slope)
    data = [law for law in fitted if law.pool == pool.name and law.of == "data"]
    nodes = [law for law in fitted if law.of == "nodes"]
    return [sentence for sentence in (_best(result, pool), _steepest(data), _searched(nodes)) if sentence]


def _best(result: LeagueResult, pool: LeaguePool) -> str:
    equal = sorted(
        (one for one in averages(result, pool) if one.kind == "data"), key=lambda one: (one.budget, -one.elo)
    )
    first_two = [list(group)[:2] for _, group in groupby(equal, lambda one: one.budget)]
    told = []
    for way, group in groupby((two for two in first_two if len(two) > 1), key=lambda two: two[0].way):
        least, *_, (first, second) = *(several := list(group)), several[-1]
        with_ = f"{round_number(least[0].budget)} to " if len(several) > 1 else ""
        sure = "" if first.low > second.high else f", and {title(second.way)} is not surely behind it"
        told.append(f"with {with_}{round_number(first.budget)} positions it is {title(way)} ({_elo(first)} Elo{sure})")
    return f"Which way is best depends on the budget: at {pool.name}, {'; '.join(told)}." if told else ""


def _steepest(fitted: Sequence[Law]) -> str:
    if not fitted:
        return ""
    first, last = fitted[0], fitted[-1]
    return (
        f"From more data {title(first.way)} gains most, {_elo(first)} Elo for a doubling, and {title(last.way)} "
        f"least, {_elo(last)}; that more data help is sure for {sum(law.low > 0 for law in fitted)} of "
        f"{len(fitted)} ways."
    )


def _searched(fitted: Sequence[Law]) -> str:
    if len(fitted) < 2:
        return ""
    first, last = fitted[0], fitted[-1]
    return (
        f"A search adds to every evaluator: twice the nodes give {title(first.way)} {_elo(first)} Elo, the most, and "
        f"{title(last.way)} {_elo(last)}, the least."
    )


def verdicts(result: LeagueResult) -> list[str]:
    """A sentence for each paper: what it says of learning, and what holds with equal budgets and conditions."""
    pool, told = result.main, []
    every = [] if pool is None else [one for one in averages(result, pool) if one.kind == "data"]
    there = {(one.way, one.budget): one for one in every}
    for paper, row in TABLES["papers"].items():
        budgets = [one.budget for one in every if one.way == row["first"] and (row["second"], one.budget) in there]
        if pool is not None and budgets:
            first, second = (there[row[which], max(budgets)] for which in ("first", "second"))
            told.append(f"{paper}: {row['claim']}. {_compared(first, second)} at {pool.name}.")
    return told


def _compared(first: Average, second: Average) -> str:
    """The difference of two averages with its interval, and whether it decides."""
    gained = first.elo - second.elo
    half = math.hypot(first.high - first.low, second.high - second.low) / 2
    sure = "holds" if gained > half else "does not hold" if gained < -half else "is not decided"
    told = f"{elo(gained, gained - half, gained + half)} Elo over {title(second.way)}: it {sure}"
    return f"From {round_number(first.budget)} positions {title(first.way)} is {told}"


def expectation(recipe: str, positions: int | None = None, result: LeagueResult | None = None) -> str:
    """What the league that ships expects of a training with so many positions or, if not given, with the most that were
    measured. Empty if it has no such way."""
    found = expected_of_recipe(recipe, positions, result)
    if found is None:
        return ""
    law, x, expected = found
    beyond = "" if law.x[0] / 2 <= x <= 2 * law.x[1] else ", which is beyond what was measured"
    return (
        f"In the league `{recipe}` has {_elo(law)} Elo more for each doubling of its data; of {round_number(x)} "
        f"positions it expects {elo(*expected)} Elo over material at {law.pool}{beyond}."
    )


def _elo(one: Average | LeagueRow | Law | None) -> str:
    return "–" if one is None else elo(_middle(one), one.low, one.high)


def _about(one: Average | LeagueRow | Law | None) -> str:
    """A number and half of its interval, for a table."""
    return "–" if one is None else f"{number(_middle(one))} ± {(one.high - one.low) / 2:.0f}"


def _middle(one: Average | LeagueRow | Law) -> float:
    return one.slope if isinstance(one, Law) else one.elo


def round_number(value: float | None) -> str:
    """A large number in words.

    >>> round_number(1_866_062), round_number(3.9e14), round_number(0), round_number(None)
    ('1.87 million', '3.9 × 10¹⁴', '0', '–')
    """
    if value is None or value < 10_000:
        return number(value)
    if value < 1e9:
        return f"{value / 1e6:.3g} million" if value >= 1e6 else f"{value / 1e3:.0f} thousand"
    mantissa, power = f"{value:.1e}".split("e")
    return f"{mantissa} × 10{str(int(power)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


# --- Pictures ---------------------------------------------------------------------------------------------------------

SIZE: Final = (760, 560)
"""Of one picture in the file that has all."""

WIDE, HIGH = 900, 620

PAPERS: Final = ("vazquez-five", "vazquez-exploitation", "vazquez-pieces-results", "sheehan-a", "sabatelli-mlp",
                 "okapi-human", "okapi-outcome", "giraffe")  # fmt: skip
"""Shipped brains that are a paper's own player, or were trained as the paper did: marked in the pictures."""

AXES = {"data": "positions learned from", "compute": "multiplications of learning, making the data and teaching"}

Links = Mapping[str, str]
"""Where a click on a brain leads, by its name."""


def pictures(result: LeagueResult, links: Links = MappingProxyType({})) -> list[Picture]:
    """Elo against compute, data and thinking time, and what the search gives to each evaluator."""
    pool = result.main
    if pool is None:
        return []
    drawn: list[Picture] = [of_price(result, pool, of, links) for of in ("compute", "data")]
    linked = offset(result, pool) is not None
    return [*drawn, *(of_nodes(result, links, gained=gained) for gained in (False, True))] if linked else drawn


def of_price(result: LeagueResult, pool: LeaguePool, of: str, links: Links) -> Scatter:
    """A line for each way, a point for each budget; papers' players are points of their own."""
    places = [
        ScatterPoint(one.way, one.x, one.elo, one.low, one.high, links.get(one.names[0], ""))
        for one in sorted(averages(result, pool, of), key=lambda one: result.ways.index(one.way))
    ]
    for mark in result.marks:
        row = pool.row(mark.name)
        if row is not None and mark.name in PAPERS:
            x = mark.samples if of == "data" else mark.operations
            places.append(ScatterPoint(f"▸ {mark.name}", x, row.elo, row.low, row.high, links.get(mark.name, "")))
    return Scatter(f"Elo against {of}, {pool.name}", places, AXES[of], "Elo over material", result.ways)


def of_nodes(result: LeagueResult, links: Links, *, gained: bool) -> Scatter:
    """Each evaluator with more and more nodes, on the scale of all limits; or less what it is with one ply."""
    places = []
    marks = {f"▸ {mark.name}": mark.name for mark in result.marks if mark.name in PAPERS}
    for called, name in (_most(result) | marks).items():
        rated = on_one_scale(result, name)
        for pool, row, level in rated:
            first = rated[0][1] if gained else None
            value = level - rated[0][2] if gained else level
            half = 0.0 if row is first else math.hypot(row.half, first.half if first else 0.0)
            x = float(pool.nodes or 10)  # one ply looks at about so many
            places.append(ScatterPoint(called, x, value, value - half, value + half, links.get(name, "")))
    title = "What the search gives to each evaluator" if gained else "Elo against thinking time (one ply at 10)"
    unit = "Elo gained" if gained else "Elo, all limits"
    beside = 190.0  # pixels for the names of those that all end at the most nodes
    return Scatter(title, places, "nodes a move", unit, result.ways, beside)


def _most(result: LeagueResult) -> dict[str, str]:
    """The brain of each way with most data, the first seed."""
    chosen = dict.fromkeys(result.ways, "")
    for brain in sorted(result.brains, key=lambda brain: (brain.positions, -brain.seed)):
        chosen[brain.way] = brain.name
    return chosen


def in_one(result: LeagueResult) -> str:
    return page(f"The league of size {result.size}: every way of learning, equal conditions", pictures(result), SIZE)


# --- Tables -----------------------------------------------------------------------------------------------------------

Line = Sequence[str]


def table_of_ways(
    result: LeagueResult,
    pool: LeaguePool,
    kinds: Sequence[str] = ("data", "compute"),
    shown: Callable[[Any], str] = _elo,
) -> list[Line]:
    """A row for each way, a column for each budget of these kinds, then the laws."""
    known = {(brain.kind, brain.budget) for brain in result.brains if brain.kind in kinds}
    budgets = sorted(known, key=lambda one: (one[0] != "data", one[1]))
    unit = {"data": "positions", "compute": "multiplications"}
    heads = [f"{round_number(budget)} {unit[kind]}" for kind, budget in budgets]
    law = {(one.way, one.of): one for one in laws(result) if one.pool == pool.name or one.of == "nodes"}
    found = {(one.way, one.kind, one.budget): one for one in averages(result, pool)}
    lines: list[Line] = [("way", *heads, "a doubling of data", "of nodes")]
    for way in (way for way in result.ways if any(way == key[0] for key in found)):
        cells = [*(found.get((way, *budget)) for budget in budgets), *(law.get((way, of)) for of in ("data", "nodes"))]
        lines.append((f"{title(way)} (`{way}`)", *map(shown, cells)))
    return lines


def table_of_marks(result: LeagueResult) -> list[Line]:
    """Shipped brains in all pools."""
    pools = [pool.name for pool in result.conditions]
    lines: list[Line] = [("brain", "way of learning", *pools, "positions", "multiplications")]
    for mark in result.marks:
        rated = [_elo(pool.row(mark.name)) for pool in result.conditions]
        lines.append((f"`{mark.name}`", mark.way, *rated, round_number(mark.samples), round_number(mark.operations)))
    return lines


def table_of_predictions(told: Sequence[Prediction]) -> list[Line]:
    """A row for each brain, and for each pool what was expected and what it is."""
    pools, names = dict.fromkeys(one.pool for one in told), dict.fromkeys(one.name for one in told)
    found = {(one.name, one.pool): f"{elo(*one.expected)}: {number(one.elo)} ± {one.half:.0f}" for one in told}
    return [("brain", *pools), *((f"`{name}`", *(found.get((name, pool), "–") for pool in pools)) for name in names)]


def laws_as_json(result: LeagueResult) -> list[dict[str, Any]]:
    found = []
    for law in laws(result):
        told = asdict(law)
        slope, (least, most) = told.pop("slope"), told.pop("x")
        found.append({**told, "elo_per_doubling": slope, "base": round(law.base, 1), "from": least, "to": most})
    return found


# --- Markdown ---------------------------------------------------------------------------------------------------------


def as_markdown(result: LeagueResult, new: Sequence[Prediction] = ()) -> str:
    """Answers, a table, and how they were made: what the page of the docs shows. `new`: brains that are in no fit."""
    pool = result.main
    if pool is None:
        return "No pool was played.\n"
    parts = _of_ways(result, pool) if result.brains else ["The trained brains were not rated yet."]
    if new:
        told = "Brains that were trained later, with what was expected of them (95 %) and what they are"
        parts += [f"{told}: {_within(new)}.", markdown_table(table_of_predictions(new))]
    unlinked = [each for each in result.conditions if each != pool and offset(result, each) is None]
    for other in filter(result.rates_trained, unlinked):
        parts.append(f"The brains with the most data, at {other.name}: {_rated(other, _most(result))}.")
    parts.append(f"Brains that ship, at {pool.name}: {_rated(pool, {one.name: one.name for one in result.marks})}.")
    added = [f"{each.name} {number(offset(result, each))}" for each in result.conditions if offset(result, each)]
    if added:
        parts.append(f"What the limit gives to `material`, Elo over one ply: {', '.join(added)}.")
    counted = ", ".join(f"{each.games:,} games ({each.name})" for each in result.pools)
    labels = f" Labels: {result.labels}." if result.labels else ""
    where = f" {result.machine}." if result.machine else ""
    first, *more = result.command.split("; ")
    parts.append(f"{counted}.{labels}{where} Made by `{first}`{', and as its file tells' if more else ''}.")
    return "\n\n".join(parts) + "\n"


def _of_ways(result: LeagueResult, pool: LeaguePool) -> list[str]:
    """The answers, and a table of the ways."""
    seeds = max((brain.seed for brain in result.brains), default=1) - result.seed + 1
    told, games = predictions(result), sum(each.games for each in result.pools)
    later = [f"The largest budget of each way, as the law of its smaller ones expects it: {_within(told)}."]
    return [
        f"**The league of size `{result.size}`**: {len(result.brains)} brains of {len(result.ways)} ways, "
        f"at most {seeds} seeds, {games:,} games; the widest interval at {pool.name} "
        f"is ± {max((row.half for row in pool.rows), default=0.0):.0f} Elo.",
        "\n".join(f"{place}. {sentence}" for place, sentence in enumerate(answers(result), start=1)),
        "What the papers say of learning:",
        "\n".join(f"- {sentence}" for sentence in verdicts(result)) or "- None of their ways was rated.",
        f"Elo over `material` at {pool.name}, mean of the seeds (95 %), and Elo for each doubling:",
        markdown_table(table_of_ways(result, pool, ["data"], _about)),
        *(later if told else []),
    ]


def _rated(pool: LeaguePool, names: Mapping[str, str]) -> str:
    """What some players have there, by what they are called."""
    rated = ((called, pool.row(name)) for called, name in names.items())
    return ", ".join(f"`{called}` {_about(row)}" for called, row in rated if row is not None)


def _within(told: Sequence[Prediction]) -> str:
    error = sum(abs(one.elo - one.expected.elo) for one in told) / max(1, len(told))
    return f"{sum(one.within for one in told)} of {len(told)} are within, and {error:.0f} Elo off on average"


def markdown_table(lines: Sequence[Line]) -> str:
    head, *rows = lines
    first, *others = (f"| {' | '.join(cells)} |" for cells in [head, *rows])
    return "\n".join([first, "|---" * len(head) + "|", *others])


# --- The page ---------------------------------------------------------------------------------------------------------

MEANING: Final = (
    "All players of a pool play under the same search with the same switches and limits, from the same openings, each "
    "opening twice with colours changed; brains that predict moves play the likeliest without search. Ratings are "
    "those of the model of okapi rate, with intervals of 95 %; material is 0."
)


def league_page(result: LeagueResult) -> str:
    marked = "▸ marks players of the papers; the numbers are in the tables of this page."
    named = zip(("Compute", "Data", "Thinking time", "Search"), pictures(result), strict=False)
    drawn: list[Part] = [
        Figure(name=name, caption=marked, pictures=[figure(picture, name, WIDE, HIGH)]) for name, picture in named
    ]
    left_out = [f"{who}: {why}." for who, why in result.left_out.items()]
    sections = [
        Section("Answers", [Notes([*answers(result), *verdicts(result)] or ["No pool was played."]), Prose(MEANING)]),
        Section("Pictures", drawn),
        *(Section(pool.name, list(_pool(result, pool))) for pool in result.pools),
        Section("Left out", [Notes(left_out or ["Nobody."])]),
        Section("How it was made", [Command(result.command)]),
    ]
    return document("The league", f"Every way of learning, equal conditions: size {result.size}", sections)


def _pool(result: LeagueResult, pool: LeaguePool) -> Iterator[Part]:
    if pool.name != LIMITS and result.rates_trained(pool):
        head, *rows = table_of_ways(result, pool)
        mean = "Elo, mean of the seeds."
        yield Printed(name=f"Ways, {pool.name}", caption=mean, heads=tuple(head), rows=rows, words=(0,))
    caption = f"{pool.games:,} games. Faults are games lost by the clock, a crash or an illegal move."
    heads = ("player", "Elo", "95 %", "games", "score", "faults")
    told = [
        (
            row.name,
            number(row.elo),
            interval(row.low, row.high),
            str(row.games),
            percent(row.score),
            str(row.faults or "–"),
        )
        for row in pool.rows
    ]
    yield Printed(name=f"Ratings, {pool.name}", caption=caption, heads=heads, rows=told)
