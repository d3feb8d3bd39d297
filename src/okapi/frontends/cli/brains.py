"""`okapi brains`: which there are, and what they say about themselves."""

from typing import Any

from rich.table import Table

from okapi.brains import default_name, passport, shipped
from okapi.frontends.cli.console import Json, emit, out

__all__ = ["list_brains", "show"]

MOST_ITEMS, ENDS = 40, 4
"""Of a longer row of numbers, such as a curve, only so many are shown at each end; --json has all."""


def list_brains(*, json: Json = False) -> None:
    """List the brains that come with okapi.

    For example:
      okapi brains list
      okapi brains list --json
    """
    default = default_name()
    found = shipped()
    if json:
        emit(
            {
                "brains": [
                    {"name": b.name, "kind": b.kind, "size": b.size, "weights": b.weights, "default": b.name == default}
                    for b in found
                ]
            }
        )
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "kind", "weights", ""):
        table.add_column(heading, justify="right" if heading == "weights" else "left", no_wrap=True)
    for brain in found:
        table.add_row(brain.name, brain.kind, str(brain.weights), "the default" if brain.name == default else "")
    out().print(table)


def show(name: str, /, *, json: Json = False) -> None:
    """Print the passport of a brain: what it is, where it comes from, what it learned from.

    For example:
      okapi brains show material
      okapi brains show runs/mine/brain.safetensors --json

    Parameters
    ----------
    name
        A brain that is shipped, or the path of a file.
    """
    found = passport(name)
    details = found.details()
    if json:
        emit({**details, "name": found.name, "size": found.size, "weights": found.weights, "path": str(found.path)})
        return
    console = out()
    console.print(f"[bold]{found.name}[/]", end="")
    console.print(f"  {found.kind}, {found.weights} weights, {found.size} bytes\n", markup=False)
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in details.items():
        if key not in ("okapi", "name", "kind"):
            table.add_row(key, _readable(value))
    table.add_row("tensors", ", ".join(f"{n} {'x'.join(map(str, shape))}" for n, shape in found.tensors.items()))
    table.add_row("file", str(found.path))
    console.print(table, soft_wrap=False)


def _readable(value: Any) -> str:
    match value:
        case dict():
            return "\n".join(f"{key}: {_readable(item)}" for key, item in value.items())
        case list() if len(value) > MOST_ITEMS and all(isinstance(item, int | float) for item in value):
            return f"{_readable(value[:ENDS])}, … {_readable(value[-ENDS:])} ({len(value)} numbers)"
        case list():
            return ", ".join(_readable(item) for item in value)
        case _:
            return str(value)
