"""`okapi brains`: which there are, and what they say about themselves."""

from typing import Any

from rich.table import Table

from okapi.brains import ModelCard, card, default_name, shipped
from okapi.cli.console import Json, emit, out
from okapi.cli.network import curves, layer_table, networks_table, output_in_words

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
                    {
                        "name": b.name,
                        "kind": b.kind,
                        "size": b.size,
                        "weights": b.weights,
                        "says": "moves" if b.predicts_moves else "values",
                        "default": b.name == default,
                    }
                    for b in found
                ]
            }
        )
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "kind", "reads", "weights", ""):
        table.add_column(heading, justify="right" if heading == "weights" else "left", no_wrap=True)
    for brain in found:
        note = "the default" if brain.name == default else "predicts moves" if brain.predicts_moves else ""
        table.add_row(brain.name, brain.kind, brain.encoding, f"{brain.weights:,}", note)
    out().print(table)


def show(name: str, /, *, json: Json = False) -> None:
    """Print the card of a brain: what it is, where it comes from, what it learned from.

    For example:
      okapi brains show material
      okapi brains show runs/mine/brain.safetensors --json

    Parameters
    ----------
    name
        A brain that is shipped, or the path of a file.
    """
    found = card(name)
    details = found.details()
    if json:
        emit({**details, "name": found.name, "size": found.size, "weights": found.weights, "path": str(found.path)})
        return
    console = out()
    console.print(f"[bold]{found.name}[/]", end="")
    console.print(f"  {found.kind}, {found.weights:,} weights, {found.size:,} bytes\n", markup=False)
    console.print(_facts(found, details), soft_wrap=False)
    layers = details.get("layers")
    if isinstance(layers, list):
        console.print()
        console.print(layer_table(layers, found), soft_wrap=False)
    networks = details.get("networks")
    if isinstance(networks, dict):
        console.print()
        console.print(networks_table(networks, found), soft_wrap=False)


def _facts(found: ModelCard, details: dict[str, Any]) -> Table:
    """What a card says, line by line; layers and networks have a table of their own, with their tensors."""
    is_network = isinstance(details.get("layers"), list) or isinstance(details.get("networks"), dict)
    told_elsewhere = ("okapi", "name", "kind", *(("layers", "networks", "output") if is_network else ()))
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in details.items():
        grown = curves(value) if key == "curve" else {}
        if grown:
            table.add_row(key, "\n".join(f"{name}  {text}" for name, text in grown.items()))
        elif key not in told_elsewhere:
            table.add_row(key, _readable(value))
    if is_network and isinstance(details.get("output"), dict):
        table.add_row("answers", output_in_words(details["output"]))
    if not is_network:
        table.add_row("tensors", ", ".join(f"{n} {'x'.join(map(str, shape))}" for n, shape in found.tensors.items()))
    table.add_row("file", str(found.path))
    return table


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
