"""`okapi rate --ladder`: roughly how strong a player is, by games against engines that many people have."""

import math
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from okapi.cli.console import Exit, emit, out, talk
from okapi.cli.tournament import Watch
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.arena.ladder import LadderRating
    from okapi.arena.standings import Standings
    from okapi.cli.conditions import KeepingHere
    from okapi.cli.rate import Climbing

__all__ = ["climb_ladder"]


def climb_ladder(player: str, climbing: "Climbing", keeping: "KeepingHere", *, json: bool) -> int:
    """Play against the rungs that are installed, nearest to the estimate first, and say where the player stands."""
    from okapi.arena.ladder import climb, usable
    from okapi.arena.match import short_name
    from okapi.arena.time_control import TimeControl

    name, control = short_name(player), TimeControl.from_text(climbing.tc)
    rungs, missing = usable()
    if any(rung.name == name for rung in rungs):
        raise UsageError(f"{name} is a rung of the ladder itself", hint="okapi match plays two engines")
    for why in sorted(set(missing.values())):
        names = ", ".join(rung for rung, reason in missing.items() if reason == why)
        talk().print(f"left out: {names} ({why})", markup=False)
    with Watch("ladder") as watch:
        try:
            placing = climb(
                player,
                climbing.games,
                control,
                name=name,
                rungs=rungs,
                openings=climbing.openings,
                seed=climbing.seed,
                store=keeping.store,
                fresh=keeping.fresh,
                pgn=keeping.pgn,
                make_workers=keeping.hire(),
                on_begin=watch.begin,
                on_game=watch.game,
            )
        except KeyboardInterrupt:
            return watch.interrupted()
    caveats = placing.caveats(str(control))
    if watch.standings is not None and watch.standings.games > placing.games:
        failed = watch.standings.games - placing.games
        caveats.append(f"{failed} games do not count, because an engine of the ladder failed in one of a pair.")
    if json:
        emit(
            {**_described(watch.standings, placing), "caveats": caveats, "left_out": missing, "store": str(watch.store)}
        )
        return Exit.DONE
    console = out()
    console.print(_table(placing), soft_wrap=False)
    console.print()
    console.print(placing.sentence(name), style="bold", markup=False)
    for caveat in caveats:
        console.print(caveat, style="dim", markup=False)
    talk().print(f"games are in {watch.store}", markup=False)
    return Exit.DONE


def _described(standings: "Standings | None", placing: "LadderRating") -> dict[str, Any]:
    assert standings is not None
    line = next(line for line in standings.rows() if line.name == standings.names[0])
    share = {"score": round(line.score, 4), "draws": round(line.draws / max(line.games, 1), 4)}
    player = {"name": line.name, **_bounds(placing), "games": line.games, **share}
    rungs = [
        {
            "name": step.rung.name,
            "nominal": step.rung.elo,
            "source": step.rung.source,
            "games": step.games,
            "score": round(step.score, 4),
            "implied": _finite(step.implied),
        }
        for step in placing.steps
    ]
    return {"players": [player], **_bounds(placing), "games": placing.games, "rungs": rungs}


def _bounds(placing: "LadderRating") -> dict[str, float | None]:
    return {key: _finite(getattr(placing, key)) for key in ("elo", "low", "high")}


def _finite(number: float) -> float | None:
    return round(number, 1) if math.isfinite(number) else None


def _table(placing: "LadderRating") -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("rung", "nominal", "games", "score", "implied", "source of the nominal rating"):
        table.add_column(heading, justify="left" if heading.startswith(("rung", "source")) else "right")
    for step in placing.steps:
        implied = f"{step.implied:.0f}" if math.isfinite(step.implied) else "∞" if step.score else "-∞"
        cells = (str(step.rung.elo), str(step.games), f"{step.score:.0%}", implied)
        table.add_row(escape(step.rung.name), *cells, step.rung.source)
    return table
