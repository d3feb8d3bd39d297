"""`okapi train time`: a network learns when thinking on is worth it."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from okapi.cli.console import Exit, emit, out, talk, watch

if TYPE_CHECKING:
    from okapi.recipes.order import Order

__all__ = ["TIME", "learn_to_allot"]

TIME = "time"


def learn_to_allot(order: "Order", folder: Path, *, json: bool) -> int:
    """Carry it out in a folder: exit code."""
    from okapi.recipes.raising import BRAIN
    from okapi.recipes.timing import allot

    try:
        with watch("recording searches") as tell:
            found = allot(order, folder, tell)
    except KeyboardInterrupt:
        talk().print(f"interrupted; what was recorded is in {folder}, and the same command goes on", markup=False)
        return Exit.INTERRUPTED
    if json:
        emit({"run": str(folder), "brain": str(folder / BRAIN), "recipe": TIME, **asdict(found)})
        return Exit.DONE
    for line in (
        f"{found.searches:,} searches were held out; more thought changes {found.changed:.1%} of the moves in them",
        f"cross-entropy {found.loss:.4f}; {found.loss_of_none:.4f} without looking",
        f"it stops at the final move in {found.same:.1%} after {found.nodes:.2f} of the usual time;"
        f" the rule in {found.same_usual:.1%} after {found.nodes_usual:.2f}",
        f"brain: {folder / BRAIN}",
    ):
        out().print(line, markup=False)
    return Exit.DONE
