"""The league as four pictures, a page, and text in Markdown: all from its stored result."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from okapi.formats.html import Command, Figure, Notes, Part, Prose, Section, document
from okapi.formats.html import Table as Printed
from okapi.formats.numbers import interval, number, percent
from okapi.formats.svg import Picture, Scatter, ScatterPoint, figure, page
from okapi.recipes.league.result import (
    LIMITS,
    Average,
    Law,
    LeaguePool,
    LeagueResult,
    LeagueRow,
    answers,
    averages,
    laws,
    offset,
    on_one_scale,
    predictions,
    round_number,
    title,
    verdicts,
)

SIZE: Final = (760, 560)
"""Of one picture in the file that has all."""

WIDE, HIGH = 900, 620

PAPERS: Final = ("vazquez-five", "vazquez-exploitation", "vazquez-pieces-results", "sheehan-a", "sabatelli-mlp",
                 "okapi-human", "okapi-outcome", "giraffe")  # fmt: skip
"""Shipped brains that are a paper's own player, or were trained as the paper did: marked in the pictures."""

AXES: Final = {
    "data": "positions learned from",
    "compute": "multiplications of learning, making the data and teaching",
}


Links = Mapping[str, str]
"""Where a click on a brain leads, by its name."""


def pictures(result: LeagueResult, links: Links = MappingProxyType({})) -> list[Picture]:
    """Elo against compute, data and thinking time, and what the search gives to each evaluator."""
    pool = result.main
    if pool is None:
        return []
    drawn: list[Picture] = [of_price(result, pool, of, links) for of in ("compute", "data")]
    linked = offset(result, pool) is not None
    return [*drawn, of_thinking(result, links), of_gain(result, links)] if linked else drawn


def of_price(result: LeagueResult, pool: LeaguePool, of: str, links: Links = MappingProxyType({})) -> Scatter:
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


def _most(result: LeagueResult) -> list[str]:
    """The brain of each way with most data, the first seed; then the papers' players."""
    chosen: dict[str, str] = {}
    for brain in sorted(result.brains, key=lambda brain: (brain.positions, -brain.seed)):
        chosen[brain.way] = brain.name
    ordered = [chosen[way] for way in result.ways]
    return ordered + [mark.name for mark in result.marks if mark.name in PAPERS]


def _called(result: LeagueResult, name: str) -> str:
    return next((brain.way for brain in result.brains if brain.name == name), f"▸ {name}")


def _limit(pool: LeaguePool) -> float:
    """Nodes of a move; one ply is drawn as ten, about what it looks at."""
    kind, _, count = pool.limits.partition("=")
    return float(count) if kind == "nodes" and count.isdecimal() else PLY_NODES


PLY_NODES: Final = 10.0

BESIDE: Final = 170.0
"""Pixels for the names of those that all end at the most nodes."""


def of_thinking(result: LeagueResult, links: Links = MappingProxyType({})) -> Scatter:
    """Each evaluator with more and more nodes, on the scale of all limits."""
    places = []
    for name in _most(result):
        for pool, row, elo in on_one_scale(result, name):
            low, high = elo + row.low - row.elo, elo + row.high - row.elo
            places.append(ScatterPoint(_called(result, name), _limit(pool), elo, low, high, links.get(name, "")))
    title = "Elo against thinking time (one ply at 10)"
    return Scatter(title, places, "nodes a move", "Elo, all limits", result.ways, BESIDE)


def of_gain(result: LeagueResult, links: Links = MappingProxyType({})) -> Scatter:
    """The same, less what each evaluator is with one ply: what the search gives to it."""
    places = []
    for name in _most(result):
        rated = on_one_scale(result, name)
        for pool, row, elo in rated:
            added = elo - rated[0][2]
            half = ((row.high - row.low) ** 2 + (rated[0][1].high - rated[0][1].low) ** 2) ** 0.5 / 2
            half = 0.0 if pool is rated[0][0] else half
            places.append(
                ScatterPoint(
                    _called(result, name), _limit(pool), added, added - half, added + half, links.get(name, "")
                )
            )
    return Scatter("What the search gives to each evaluator", places, "nodes a move", "Elo gained", result.ways, BESIDE)


def in_one(result: LeagueResult) -> str:
    return page(f"The league of size {result.size}: every way of learning, equal conditions", pictures(result), SIZE)


# --- Tables -----------------------------------------------------------------------------------------------------------

Line = Sequence[str]


def _budgets(result: LeagueResult) -> list[tuple[str, float]]:
    return sorted({(brain.kind, brain.budget) for brain in result.brains}, key=lambda one: (one[0] != "data", one[1]))


def table_of_ways(result: LeagueResult, pool: LeaguePool) -> list[Line]:
    """A row for each way, a column for each budget, then the laws."""
    budgets = _budgets(result)
    unit = {"data": "positions", "compute": "multiplications"}
    heads = [f"{round_number(budget)} {unit[kind]}" for kind, budget in budgets]
    law = {(one.way, one.of): one for one in laws(result) if one.pool == pool.name or one.of == "nodes"}
    lines: list[Line] = [("way", *heads, "a doubling of data", "of nodes")]
    for way in result.ways:
        found = {(one.kind, one.budget): one for one in averages(result, pool) if one.way == way}
        if found:
            cells = [_rated(found.get(budget)) for budget in budgets]
            lines.append((f"{title(way)} (`{way}`)", *cells, _slope(law.get((way, "data"))),
                          _slope(law.get((way, "nodes")))))  # fmt: skip
    return lines


def table_of_marks(result: LeagueResult) -> list[Line]:
    """Shipped brains in all pools."""
    lines: list[Line] = [("brain", "way of learning", *(pool.name for pool in result.conditions), "positions",
                          "multiplications")]  # fmt: skip
    for mark in result.marks:
        rated = [_rated(pool.row(mark.name)) for pool in result.conditions]
        lines.append((f"`{mark.name}`", mark.way, *rated, round_number(mark.samples), round_number(mark.operations)))
    return lines


def table_of_costs(result: LeagueResult) -> list[Line]:
    lines: list[Line] = [("way", "multiplications of an evaluation", "passes", "multiplications for 10,000 positions")]
    for way in result.ways:
        brain = next(brain for brain in result.brains if brain.way == way)
        each = 10_000 * brain.operations / brain.positions
        lines.append((f"`{way}`", f"{brain.multiplications:,.0f}", number(brain.passes), round_number(each)))
    return lines


def _rated(one: Average | LeagueRow | None) -> str:
    if one is None:
        return "–"
    return number(one.elo) if one.low == one.high else f"{number(one.elo)} ({interval(one.low, one.high)})"


def _slope(law: Law | None) -> str:
    return "–" if law is None else f"{number(law.slope)} ({interval(law.low, law.high)})"


def laws_as_json(result: LeagueResult) -> list[dict[str, Any]]:
    return [
        {
            "way": law.way,
            "pool": law.pool,
            "of": law.of,
            "elo_per_doubling": law.slope,
            "low": law.low,
            "high": law.high,
            "base": round(law.base, 1),
            "from": law.x[0],
            "to": law.x[1],
            "brains": law.brains,
        }
        for law in laws(result)
    ]


# --- Markdown ---------------------------------------------------------------------------------------------------------


def as_markdown(result: LeagueResult) -> str:
    """Answers, tables and how they were made. The pictures are beside it."""
    pool = result.main
    if pool is None:
        return "No pool was played.\n"
    trained = _of_ways(result, pool) if result.brains else ["The trained brains were not rated yet."]
    parts = [*trained, "Brains that ship:", markdown_table(table_of_marks(result))]
    engines = {row.name for each in result.conditions for row in each.rows} - {mark.name for mark in result.marks}
    for each in result.conditions:
        rows = [row for row in each.rows if row.name in engines - {brain.name for brain in result.brains}]
        if rows:
            parts.append(f"Engines at {each.name}: " + "; ".join(f"{row.name} {_rated(row)}" for row in rows) + ".")
    added = [f"{each.name} {number(offset(result, each))}" for each in result.conditions if offset(result, each)]
    if added:
        parts.append(f"What the limit gives to `material`, Elo over one ply: {', '.join(added)}.")
    if result.brains:
        parts += ["What learning costs:", markdown_table(table_of_costs(result))]
    if result.left_out:
        reasons = dict.fromkeys(result.left_out.values())
        who = {why: ", ".join(who for who, reason in result.left_out.items() if reason == why) for why in reasons}
        parts.append("Left out: " + "; ".join(f"{names}: {why}" for why, names in who.items()) + ".")
    parts += [f"{each.name}: {each.note}" for each in result.pools if each.note]
    counted = ", ".join(f"{each.games:,} games ({each.name})" for each in result.pools)
    labels = f" Labels: {result.labels}." if result.labels else ""
    where = f" {result.machine}." if result.machine else ""
    parts.append(f"{counted}.{labels}{where} Made by `{result.command}`.")
    return "\n\n".join(parts) + "\n"


def _of_ways(result: LeagueResult, pool: LeaguePool) -> list[str]:
    """The answers, and a table of the ways in each pool."""
    games = sum(each.games for each in result.pools)
    widest = max((max(row.high - row.elo, row.elo - row.low) for row in pool.rows), default=0.0)
    seeds = max((brain.seed for brain in result.brains), default=1) - result.seed + 1
    told = predictions(result)
    right = sum(one.within for one in told)
    parts = [
        f"**The league of size `{result.size}`**: {len(result.brains)} brains of {len(result.ways)} ways, "
        f"at most {seeds} seeds, {games:,} games; the widest interval at {pool.name} is ± {widest:.0f} Elo.",
        "\n".join(f"{place}. {sentence}" for place, sentence in enumerate(answers(result), start=1)),
        "What the papers say of learning:",
        "\n".join(f"- {sentence}" for sentence in verdicts(result)) or "- None of their ways was rated.",
        f"Elo over `material` at {pool.name}, mean of the seeds (95 %), and Elo for each doubling:",
        markdown_table(table_of_ways(result, pool)),
    ]
    if told:
        lines = [("brain", "expected", "measured")]
        lines += [
            (f"`{one.name}`", f"{number(one.expected)} ({interval(one.low, one.high)})", number(one.elo))
            for one in told
        ]
        parts += [
            "The largest budget of each way, expected by the law of its smaller ones: "
            f"{right} of {len(told)} are within.",
            markdown_table(lines),
        ]
    for other in result.conditions:
        if other is not pool and any(other.row(brain.name) for brain in result.brains):
            parts += [f"The same at {other.name}:", markdown_table(table_of_ways(result, other))]
    return parts


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
    sections = [
        Section("Answers", [Notes([*answers(result), *verdicts(result)] or ["No pool was played."]), Prose(MEANING)])
    ]
    drawn: list[Part] = [
        Figure(
            name=name,
            caption="▸ marks players of the papers; the numbers are in the tables of this page.",
            pictures=[figure(picture, name, WIDE, HIGH)],
        )
        for name, picture in zip(("Compute", "Data", "Thinking time", "Search"), pictures(result), strict=False)
    ]
    sections.append(Section("Pictures", drawn))
    sections += [Section(pool.name, list(_pool(result, pool))) for pool in result.pools]
    told = [f"{who}: {why}." for who, why in result.left_out.items()]
    sections.append(Section("Left out", [Notes(told or ["Nobody."])]))
    sections.append(Section("How it was made", [Command(result.command)]))
    return document("The league", f"Every way of learning, equal conditions: size {result.size}", sections)


def _pool(result: LeagueResult, pool: LeaguePool) -> Iterator[Part]:
    if pool.name != LIMITS and any(pool.row(brain.name) for brain in result.brains):
        head, *rows = table_of_ways(result, pool)
        yield Printed(
            name=f"Ways, {pool.name}", caption="Elo, mean of the seeds.", heads=tuple(head), rows=rows, words=(0,)
        )
    yield Printed(
        name=f"Ratings, {pool.name}",
        caption=f"{pool.games:,} games. Faults are games lost by the clock, a crash or an illegal move.",
        heads=("player", "Elo", "95 %", "games", "score", "faults"),
        rows=[
            (row.name, number(row.elo), interval(row.low, row.high), str(row.games), percent(row.score),
             str(row.faults or "–"))
            for row in pool.rows
        ],
    )  # fmt: skip
