"""How far judges of positions are apart, in the terminal: a sentence, a table of kinds, and boards."""

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table

from okapi.cli.bars import bar
from okapi.core import Value
from okapi.terminal.board import Look, draw_board

if TYPE_CHECKING:
    from okapi.analysis.compare import Comparison, Gap

__all__ = ["gap_in_words", "kind_table", "print_boards"]

BAR = 12
"""The width of a bar, in characters."""


def gap_in_words(first: str, second: str, gap: "Gap") -> str:
    """Two lines about two judges."""
    alike = [
        f"{what} {number:.2f}"
        for what, number in (("correlation", gap.correlation), ("order", gap.order))
        if number is not None
    ]
    lean = f"{first} thinks {abs(gap.lean):.3f} {'better' if gap.lean >= 0 else 'worse'} of the mover"
    return (
        f"{first} – {second}: apart by {gap.mean:.3f} on average ({gap.low:.3f} … {gap.high:.3f}), "
        f"median {gap.median:.3f}\n  {', '.join([*alike, lean])}"
    )


def kind_table(found: "Comparison") -> Table:
    """How far the first two are apart on each kind, and the others beside them."""
    from okapi.analysis.positions import KINDS

    names = [judge.name for judge in found.evaluators]
    first, *others = found.pairs
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("kind of position", no_wrap=True)
    table.add_column("positions", justify="right")
    table.add_column("apart by", justify="right")
    table.add_column("95 %", justify="right", style="dim", no_wrap=True)
    table.add_column("", style="cyan", no_wrap=True)
    for pair in others:
        table.add_column(f"{names[pair.first]} – {names[pair.second]}", justify="right")
    largest = max(gap.mean for gap in first.kinds.values()) or 1.0
    group = ""
    for name, gap in first.kinds.items():
        if group not in ("", KINDS[name].group):
            table.add_row()
        group = KINDS[name].group
        table.add_row(
            name,
            f"{gap.positions:,}",
            f"{gap.mean:.3f}",
            f"{gap.low:.3f} … {gap.high:.3f}",
            bar(gap.mean / largest, BAR),
            *(f"{pair.kinds[name].mean:.3f}" for pair in others),
        )
    return table


def print_boards(console: Console, found: "Comparison", numbers: Iterable[int]) -> None:
    """Positions, by their number: what all judges say, and what kinds of positions they are."""
    from okapi.analysis.positions import kinds_of
    from okapi.core.packed import unpack

    look = replace(Look.of(console), large=False)
    for number in numbers:
        position = unpack(found.rows["position"][number])
        kinds = kinds_of(found.rows["position"][number : number + 1])
        words = [f"{position.turn.name.capitalize()} to move", ""]
        for judge in found.evaluators:
            value = Value(float(judge.values[number]), position.turn)
            words.append(f"{judge.name}: {value.expected:.2f} ({value})")
        words += ["", *(name for name, are in kinds.items() if are[0])]
        side_by_side = Table.grid(padding=(0, 3))
        side_by_side.add_row(draw_board(position, look), "\n".join(words))
        console.print(side_by_side, soft_wrap=False)
        console.print(position.fen() + "\n", markup=False, style="dim")
