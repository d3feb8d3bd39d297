"""`okapi inside changes`: what changed from one brain to the next, such as from a generation to the one after it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.console import Console
from rich.table import Table

from okapi.brains import find
from okapi.cli.apart import gap_in_words, kind_table, print_boards
from okapi.cli.brains_compare import described, positions_to_judge
from okapi.cli.console import Json, emit, out, watch
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.analysis.explain.attribution import BrainChanges

__all__ = ["changes"]

USUAL_MOST, USUAL_WORTHS = 4_000, 1_000
"""Positions that are judged where nobody says how many, and of which every piece is taken off."""


def changes(
    before: Annotated[str, Parameter(help="The older brain: its name, or a file; or the folder of a run.")],
    now: Annotated[str | None, Parameter(help="The newer one; of a run, its last two generations are taken.")] = None,
    /,
    *,
    positions: Path | None = None,
    most: Annotated[int, Parameter(validator=Number(gte=1))] = USUAL_MOST,
    worths: Annotated[int, Parameter(validator=Number(gte=1))] = USUAL_WORTHS,
    top: Annotated[int, Parameter(validator=Number(gte=0))] = 12,
    worst: Annotated[int, Parameter(validator=Number(gte=0))] = 3,
    json: Json = False,
) -> None:
    """Tell what changed from one brain to the next: opinions, what pieces are worth, and on which squares.

    Both judge the same positions without looking ahead, and again without each piece in turn.

    Examples:
      okapi inside changes vazquez-five okapi-28
      okapi inside changes runs/champion
      okapi inside changes runs/champion/01/brain.safetensors runs/champion/03/brain.safetensors
      okapi inside changes before.safetensors now.safetensors --positions games.okapi --most 20000 --json

    Parameters
    ----------
    positions
        Games or samples of any format; without it, positions of games that Okapi plays itself.
    most
        Positions to judge.
    worths
        Of these, positions whose pieces are taken off.
    top
        Pieces on squares to name, those whose worth changed most.
    worst
        Boards to show, those where the opinions are furthest apart.
    """
    from okapi.analysis.explain.attribution import brain_changes as found_changes

    if now is None:
        before, now = _last_generations(Path(before))
    if find(before) == find(now):
        raise UsageError(f"`{before}` has not changed since it was `{now}`", hint="name two brains")
    rows = positions_to_judge(positions, most)
    with watch("taking pieces off") as heard:
        found = found_changes(before, now, rows, worst=worst, attributed=worths, on_progress=heard)
    if json:
        emit(
            {
                **described(found.compared),
                "pieces": [
                    {"kind": kind.name.lower(), "before": round(old, 1), "now": round(new, 1)}
                    for kind, old, new in found.kinds()
                ],
                "squares": [
                    {
                        "kind": change.kind.name.lower(),
                        "square": change.square,
                        "before": round(change.before, 1),
                        "now": round(change.now, 1),
                        "beyond": round(change.beyond, 1),
                        "seen": change.seen,
                    }
                    for change in found.squares(top)
                ],
            }
        )
    else:
        _print(out(), found, top)


def _last_generations(run: Path) -> tuple[str, str]:
    """The brains of the last two generations in the folder of a run."""
    brains = sorted(run.glob("[0-9]*/brain.safetensors"), key=lambda path: int(path.parent.name))
    if len(brains) < 2:
        raise UsageError(
            f"`{run}` is no run with two generations", hint="name two brains, or the folder that `okapi train` wrote"
        )
    return str(brains[-2]), str(brains[-1])


def _print(console: Console, found: "BrainChanges", top: int) -> None:
    compared = found.compared
    now, before = (judge.name for judge in compared.evaluators)
    console.print(f"from {before} to {now}, on {len(compared.rows):,} positions\n", markup=False)
    console.print(gap_in_words(now, before, compared.pairs[0].whole), markup=False)
    console.print()
    console.print(kind_table(compared), soft_wrap=False)
    console.print("\n[bold]What pieces are worth[/], in pawns\n")
    console.print(_piece_table(found), soft_wrap=False)
    console.print("\n[bold]Where that changed most[/], beyond its kind's change; squares as the owner counts them\n")
    console.print(_square_table(found, top), soft_wrap=False)
    if len(compared.worst):
        console.print(f"\n[bold]Where {now} and {before} are furthest apart[/]; values of the side to move\n")
        print_boards(console, compared, compared.worst.tolist())


def _piece_table(found: "BrainChanges") -> Table:
    table = _table("piece", "before", "now", "change")
    for kind, old, new in found.kinds():
        table.add_row(kind.name.lower(), f"{old / 100:.2f}", f"{new / 100:.2f}", f"{(new - old) / 100:+.2f}")
    return table


def _square_table(found: "BrainChanges", top: int) -> Table:
    table = _table("piece on", "before", "now", "beyond its kind", "seen")
    for change in found.squares(top):
        table.add_row(
            f"{change.kind.name.lower()} {change.square}",
            f"{change.before / 100:.2f}",
            f"{change.now / 100:.2f}",
            f"{change.beyond / 100:+.2f}",
            str(change.seen),
        )
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(first, no_wrap=True)
    for heading in others:
        table.add_column(heading, justify="right")
    return table
