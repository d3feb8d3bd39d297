"""`okapi games stats`: what is in a store of games."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from okapi.cli.bars import histogram
from okapi.cli.console import Json, emit, out
from okapi.cli.pictures import check_picture, write_picture

if TYPE_CHECKING:
    from okapi.data.stats import Stats

__all__ = ["stats"]

MOST_OPENINGS = 15
"""In a terminal; JSON has them all."""

RESULTS = {"white": "White won", "draw": "drawn", "black": "Black won", "unknown": "unknown"}


def stats(
    store: Path,
    /,
    *,
    picture: Path | None = None,
    json: Json = False,
) -> None:
    """Count what is in a store: results, ratings, lengths, years, openings, time controls, values and clocks.

    Openings are those of the ECO tags; games without one are looked up by their positions.

    Examples:
      okapi games stats games.okapi
      okapi games stats games.okapi --picture games.svg
      okapi games stats games.okapi --json

    Parameters
    ----------
    store
        A store of games: okapi games import FILE --to STORE.
    picture
        Write the charts to this file: an SVG.
    """
    from okapi.data.stats import Stats  # here, because numpy takes a while and other commands do without
    from okapi.data.store import Store

    check_picture(picture)
    found = Stats.of(Store.open(store))
    if picture is not None:
        write_picture(picture, store.name, found.charts())
    if json:
        emit(_described(found))
    else:
        _print_stats(store.name, found)


def _described(found: "Stats") -> dict[str, Any]:
    elo = found.elo
    return {
        "games": found.games,
        "plies": found.plies,
        "results": dict(found.results),
        "elo": {
            "known": elo.known,
            "mean": None if elo.mean is None else round(elo.mean, 1),
            "lowest": elo.lowest,
            "highest": elo.highest,
            "histogram": dict(elo.histogram.counts),
        },
        "lengths": dict(found.lengths.counts),
        "years": dict(found.years.counts),
        "openings": [
            {
                "eco": each.eco,
                "name": each.name,
                "games": each.games,
                "white": None if each.white is None else round(each.white, 4),
            }
            for each in found.openings
        ],
        "without_opening": found.without_opening,
        "time_controls": dict(found.time_controls),
        "with_values": found.with_values,
        "with_clocks": found.with_clocks,
    }


def _print_stats(name: str, found: "Stats") -> None:
    console = out()
    console.print(f"[bold]{found.games:,} games[/], {found.plies:,} plies in ", end="")
    console.print(name, markup=False)
    console.print(f"{found.with_values:,} with values, {found.with_clocks:,} with clocks")
    for text in _histograms(found):
        console.print()
        console.print(text)


def _histograms(found: "Stats") -> Iterator[Text]:
    """One after the other, without those that say nothing."""
    results = {RESULTS[key]: found.results[key] for key in RESULTS}
    yield histogram("results", results, [f"{100 * count / max(1, found.games):.1f} %" for count in results.values()])
    if found.elo.mean is not None:
        title = f"ratings: {found.elo.mean:.0f} on average, {found.elo.lowest} to {found.elo.highest}"
        yield histogram(title, found.elo.histogram.counts)
    for each in (found.lengths, found.years):
        if each.counts:
            yield histogram(f"{each.title} ({each.of})", each.counts)
    if most := found.openings[:MOST_OPENINGS]:
        scores = ("" if each.white is None else f", White scores {each.white:.0%}" for each in most)
        notes = [each.name + score for each, score in zip(most, scores, strict=True)]
        yield histogram("openings", {each.eco: each.games for each in most}, notes)
    if found.time_controls["unknown"] < found.games:
        yield histogram("time controls", found.time_controls)
