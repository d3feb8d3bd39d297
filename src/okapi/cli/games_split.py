"""`okapi games split`: which games are for training, validation and test."""

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.table import Table

from okapi.cli.console import Json, emit, out, talk, watch
from okapi.errors import NotFound, UsageError

if TYPE_CHECKING:
    from okapi.data.split import Shares, Split

__all__ = ["split"]

PARTS = ("train", "validation", "test")


def split(
    store: Annotated[Path, Parameter(help="A store of games: okapi games import FILE --to STORE.")],
    /,
    *,
    train: float = 80.0,
    validation: float = 10.0,
    test: float = 10.0,
    salt: int = 0,
    to: Path | None = None,
    fresh: bool = False,
    json: Json = False,
) -> None:
    """Split games into training, validation and test, so that no position after move 10 of one stands in another.

    The part of a game follows from its moves alone: importing again or adding games moves no game elsewhere. Positions
    that a test game has, too, are left out of training; the same command again brings the split up to date.

    Examples:
      okapi games split games.okapi
      okapi games split games.okapi --train 90 --validation 5 --test 5
      okapi games split games.okapi --salt 1 --to second.split --json

    Parameters
    ----------
    train
        Per cent of the games to learn from.
    validation
        Per cent to choose by: when to stop, which settings.
    test
        Per cent to measure with, at the end. All three are at most 100 together; what is left is in no part.
    salt
        Any number; another one gives another split.
    to
        Where to write it; STORE.split if not given.
    fresh
        Replace a split that was made with other shares or another salt.
    """
    from okapi.data.split import Shares  # here, because numpy takes a while and other commands do without

    shares = Shares(train, validation, test, salt)
    file = to or store.with_name(store.name + ".split")
    kept = None if fresh else _kept(file, shares)
    begun = time.perf_counter()
    made = _made(store, shares, kept)
    if made is not kept:
        made.write(file)
    seconds = time.perf_counter() - begun
    if json:
        emit({**made.counts, "seconds": round(seconds, 3), "file": str(file)})
        return
    _print_split(made)
    talk().print(f"{'up to date' if made is kept else 'written'}: {file}", markup=False, style="dim")


def _kept(file: Path, shares: "Shares") -> "Split | None":
    """The split that is there. One that was made otherwise is not replaced by mistake: somebody may use it."""
    from okapi.data.split import Split

    if not file.exists():
        return None
    kept = Split.open(file)
    if kept.shares != shares:
        had = kept.shares
        options = f"--train {had.train:g} --validation {had.validation:g} --test {had.test:g} --salt {had.salt}"
        raise UsageError(f"{file.name} was made with {options}", hint="give the same, or --fresh to replace it")
    return kept


def _made(path: Path, shares: "Shares", kept: "Split | None") -> "Split":
    """The split of a store; the one that is there, if it is up to date."""
    from okapi.data.split import identity, make_split
    from okapi.data.store import Store

    store = Store.open(path)
    if not len(store):
        raise NotFound(f"{path.name} holds no games", hint=f"okapi games import FILE --to {path}")
    if kept is not None and kept.of == identity(store.hashes()):
        return kept
    with watch("splitting") as tell:
        return make_split(store, shares, tell)


def _print_split(made: "Split") -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "games", "positions"):
        table.add_column(heading, justify="right" if heading else "left", no_wrap=True)
    for part in PARTS:
        table.add_row(part, f"{made.counts[part]:,}", f"{made.counts['positions'][part]:,}")
    console = out()
    console.print(table)
    console.print(f"{made.counts['left_out']:,} positions are left out: they stand in a later part, after move 10")
