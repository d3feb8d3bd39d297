"""Sections 4.3 to 4.6: Table 2, Figure 4, and the optimisers."""

from collections.abc import Iterator

from okapi.formats.html import Figure, Notes, Part, Prose, Section, Table
from okapi.formats.numbers import compared, counted, elo, number, signed
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.lai2015.published import (
    BOOTSTRAP_STS,
    CORE_HOURS,
    PEAK_STS,
    POSITIONS,
    TABLE_2,
    TABLE_2_TOTAL,
    TRAINED_STS,
)
from okapi.papers.lai2015.reading import Data
from okapi.papers.tables import made, remarks
from okapi.recipes.lab import Results

__all__ = ["learning"]


def learning(results: Results) -> Section:
    """How the evaluator teaches itself."""
    return Section(
        "TD-Leaf",
        [
            *made(results, "table_2", "Table 2", _table_2),
            *made(results, "tdleaf", "Figure 4", _curve),
            *made(results, "optimisers", "The optimisers", _optimisers),
        ],
    )


def _table_2(data: Data) -> Iterator[Part]:
    yield Table(
        name="Table 2",
        caption=f"The error of the first of twelve positions, with λ = {data['discount']:g}.",
        heads=("search score", "score change", "discount factor", "thesis", "ours"),
        rows=[
            (
                number(step.score),
                number(step.change),
                f"{data['discount']:g}^{place}",
                number(step.contribution, 2),
                number(mine, 2),
            )
            for place, (step, mine) in enumerate(zip(TABLE_2, data["contributions"], strict=True))
        ],
    )
    printed = sum(step.contribution for step in TABLE_2)
    yield Notes(
        [
            f"The total error is {number(data['total'], 2)}; the thesis prints {number(TABLE_2_TOTAL, 2)}, while its "
            f"own contributions add up to {number(printed, 2)}.",
            "The table discounts a change by the moves from the first position to behind it, the update rule above it "
            f"by those to before it: by that rule the error is {number(data['by_the_rule'], 2)}, 1/λ times as much.",
        ]
    )


def _curve(data: Data) -> Iterator[Part]:
    points = data["curve"]
    measured = [point for point in points if point.get("sts") is not None]
    pictures = []
    if measured:
        ours = Line("ours", [(point["positions"] / 1e6, point["sts"]) for point in measured], dots=len(measured) < 3)
        ends = (0.0, max(measured[-1]["positions"] / 1e6, 1e-3))
        theirs = [
            Line(name, [(end, float(height)) for end in ends])
            for name, height in (("thesis, bootstrap", BOOTSTRAP_STS), ("thesis, in the end", TRAINED_STS))
        ]
        described = "; ".join(f"{number(point['positions'])}: {number(point['sts'])}" for point in measured)
        chart = Lines("STS points of 15,000", [ours, *theirs], "million positions", within=(0, 15_000))
        pictures.append(figure(chart, f"STS points by positions: {described}", width=460))
    fought = [point for point in points if point.get("elo") is not None]
    if fought:
        lines = [
            Line(name, [(point["positions"] / 1e6, point[key]) for point in fought if point.get(key) is not None])
            for name, key in (("Elo", "elo"), ("low", "elo_low"), ("high", "elo_high"))
        ]
        described = "; ".join(f"{number(point['positions'])}: {number(point['elo'])}" for point in fought)
        chart = Lines("Elo against the bootstrap", [line for line in lines if line.points], "million positions")
        pictures.append(figure(chart, f"Elo by positions: {described}", width=460))
    if pictures:
        yield Figure(
            name="Figure 4",
            caption="As training goes on: points of the Strategic Test Suite, and Elo against the bootstrap with its "
            "95 % interval. The thesis' curve is lost but for what its text says of it.",
            pictures=pictures,
        )
    yield Table(
        name="The run",
        caption=f"What training took and gave; {data['how']}.",
        heads=("", "thesis", "ours"),
        rows=[
            ("positions searched", number(POSITIONS), number(data["positions"])),
            ("core-hours", number(CORE_HOURS), number(data["core_hours"], 2)),
            ("STS, bootstrap", number(BOOTSTRAP_STS), number(measured[0]["sts"] if measured else None)),
            ("STS, in the end", number(TRAINED_STS), number(measured[-1]["sts"] if measured else None)),
            ("STS, at its best", number(PEAK_STS), number(max((p["sts"] for p in measured), default=None))),
            (
                "Elo against the bootstrap",
                number(None),
                elo(fought[-1]["elo"], fought[-1].get("elo_low"), fought[-1].get("elo_high")) if fought else "–",
            ),
        ],
    )
    yield Notes(_sentences(data, measured))
    yield from remarks(data)


def _sentences(data: Data, measured: list[Data]) -> list[str]:
    said = []
    if measured:
        best = max(float(point["sts"]) for point in measured)
        said.append(f"{compared('The most STS points', best, PEAK_STS, 'points', close=150)}.")
        said.append(
            "The thesis does not say how long its engine thought about a position of Figure 4; its Table 3 has fewer "
            f"points at 0.1 s than the figure ends with. Ours had {data['suite_limits'] or 'what the run says'}."
        )
    share = data["core_hours"] / CORE_HOURS
    said.append(f"Training took {number(data['core_hours'], 2)} core-hours, {number(100 * share, 2)} % of theirs.")
    return said


def _optimisers(data: Data) -> Iterator[Part]:
    rows = data["rows"]
    lines = [Line(row["name"], [(step, error) for step, error in row["curve"]]) for row in rows]
    described = "; ".join(f"{row['name']} ends at {number(row['error'], 4)}" for row in rows)
    yield Prose(
        f"Positions were played once, {counted(data['leaves'], 'leaf', 'leaves')} and their errors written down, and "
        "every optimiser learned from the same ones, in the same order, from the same start."
    )
    yield Figure(
        name="Optimisers",
        caption="Loss on leaves that nobody learned from, by steps.",
        pictures=[figure(Lines("loss", lines, "steps"), described, width=760)],
    )
    yield Table(
        name="Optimisers, in the end",
        caption="Each with the best of the learning rates that were tried. The thesis found AdaDelta best, and gives "
        "no numbers.",
        heads=("optimiser", "learning rate", "loss", "less than at the start"),
        rows=[
            (row["name"], f"{row['rate']:g}", number(row["error"], 4), signed(data["start"] - row["error"], 4))
            for row in sorted(rows, key=lambda row: float(row["error"]))
        ],
    )
    best = min(rows, key=lambda row: float(row["error"]))
    verdict = "so it is here" if best["name"].lower() == "adadelta" else f"here {best['name']} does"
    yield Notes([f"The thesis says that AdaDelta converges to the best minimum: {verdict}."])
    yield from remarks(data)
