"""`okapi encode`: a position as the input of a network."""

from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Annotated, Any

import numpy as np
from cyclopts import Parameter
from numpy.typing import NDArray
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from okapi.cli.console import Json, answer, emit, out, table_of
from okapi.cli.evaluate import Fen, position_from
from okapi.cli.options import about
from okapi.core import Position
from okapi.core.packed import pack
from okapi.encodings import ENCODINGS, PIECE_SQUARES, Encoding, find_encoding
from okapi.encodings.lai2015 import MODALITIES
from okapi.encodings.lai2015_text import SLOTS, subjects, table_1
from okapi.errors import UsageError, did_you_mean


def encode(
    *fen: Fen,
    name: Annotated[str | None, Parameter(name="--as", help="Name of an encoding; `okapi encode --list`.")] = None,
    words: Annotated[bool, about("Sentences instead of numbers, for giraffe-363.")] = False,
    list_all: Annotated[bool, Parameter(name="--list", help="List the encodings instead.")] = False,
    json: Json = False,
) -> None:
    """Show the array that an encoding makes of a position: planes as boards, features as tables.

    For example:
      okapi encode "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1" --as giraffe-363
      okapi encode startpos --as giraffe-363 --words
      okapi encode --list
    """
    if list_all:
        list_encodings(json=json)
        return
    if not fen or name is None:
        raise UsageError("encode takes a FEN and --as NAME", hint=did_you_mean("", ENCODINGS))
    encoding = find_encoding(name)
    position = position_from(" ".join(fen))
    if words:
        print_sentences(encoding, position, json=json)
        return
    if json:
        values = encoding.encode(position)
        emit({"encoding": encoding.name, "shape": encoding.shape, "values": values.tolist(), "fen": position.fen()})
        return
    console = out()
    console.print(f"{encoding.name} ({encoding.source}): {encoding.summary}\n", markup=False)
    console.print(picture(encoding, position), soft_wrap=False)


def print_sentences(encoding: Encoding, position: Position, *, json: bool) -> None:
    """Giraffe's features in words, a sentence for each piece and square."""
    if encoding.shape != (363,):
        raise UsageError(f"{encoding.name} has no sentences", hint="--words goes with --as giraffe-363")
    told = subjects(encoding.encode(position))
    if json:
        emit({"encoding": encoding.name, "subjects": [asdict(subject) for subject in told], "fen": position.fen()})
        return
    console = out()
    console.print(f"{encoding.name} ({encoding.source}): {encoding.summary}", markup=False)
    for modality, group in groupby(told, key=lambda subject: subject.modality):
        console.print(f"\n{modality}-centric", style="italic")
        for subject in group:
            console.print(subject.sentence, markup=False, highlight=False)


def list_encodings(*, json: bool) -> None:
    keys = ("name", "shape", "source", "summary")
    listed = [{key: getattr(found, key) for key in keys} for found in ENCODINGS.values()]
    rows = (
        (found.name, "x".join(map(str, found.shape)), found.dtype.name, f"{found.summary} ({found.source})")
        for found in ENCODINGS.values()
    )
    table = table_of(dict.fromkeys(("name", "shape", "numbers", "what it is"), ""), rows)
    answer({"encodings": listed}, table, json=json)


DIRECTIONS = ("East", "West", "North", "South", "North-East", "North-West", "South-East", "South-West")


def picture(encoding: Encoding, position: Position) -> RenderableType:
    if encoding.name in PIECE_SQUARES:
        return active_features(encoding.name, position)
    values = encoding.encode(position)
    match encoding.shape:
        case (363,):
            return giraffe(encoding, values)
        case (_, 8, 8):
            return boards(values, encoding.parts)
        case (768,):
            return boards(values.reshape(12, 8, 8), ENCODINGS["bitmap-12x8x8"].parts)
        case _:
            squares = board(values[:64].reshape(8, 8), "squares a1 to h8, rank 8 on top", cell=2)
            others = zip(encoding.parts[64:], values[64:].tolist(), strict=True)
            return Group(squares, *(f"{name}: {value:+d}\n" for name, value in others))


def boards(planes: NDArray[Any], names: Sequence[str]) -> Columns:
    """As many beside each other as fit."""
    cell = max(len(_number(value)) for value in np.unique(planes).tolist())
    return Columns([board(plane, name, cell) for plane, name in zip(planes, names, strict=True)], (0, 3), equal=True)


def board(values: NDArray[Any], title: str, cell: int) -> str:
    """Eight ranks of numbers, the last on top, under a title; a dot for 0."""
    ranks = (" ".join(_number(value).rjust(cell) for value in rank) for rank in values[::-1].tolist())
    return "\n".join((title, *ranks, ""))


def _number(value: float) -> str:
    return f"{value:g}" if value else "·"


def giraffe(encoding: Encoding, values: NDArray[np.float32]) -> RenderableType:
    """The thesis' Table 1, and after it what that leaves out: mobility, attack and defend maps."""
    numbers = dict(zip(encoding.parts, values.tolist(), strict=True))
    facts = Table("feature", "value", box=None, pad_edge=False, header_style="bold", title="position-centric")
    for name, value in table_1(values).items():
        if not name.startswith(SLOTS):
            facts.add_row(name, value)
    white, black = values[MODALITIES["squares"]].reshape(64, 2).T
    percent = np.round(100 * np.stack([white, black])).reshape(2, 8, 8)
    maps = boards(percent, ("White's control, %", "Black's control, %"))
    return Group(facts, "", slots(numbers, table_1(values)), "", Text("square-centric", style="italic"), maps)


def slots(numbers: dict[str, float], facts: dict[str, str]) -> Table:
    """The piece list, one slot a line."""
    headings = ("slot", "square", "E", "W", "N", "S", "NE", "NW", "SE", "SW", "safe", "White %", "Black %")
    table = Table(*headings, box=None, pad_edge=False, header_style="bold", title="piece-centric")
    for slot in SLOTS:
        if facts[f"{slot} Exists"] == "No":
            table.add_row(slot, "–", style="dim")
            continue
        reach = (_count(numbers.get(f"{slot} {direction}"), 7) for direction in DIRECTIONS)
        safe = _count(numbers.get(f"{slot} Safe Moves"), 16)
        control = (_count(numbers[f"{slot} {side} Control"], 100) for side in ("White", "Black"))
        table.add_row(slot, facts[f"{slot} Position"], *reach, safe, *control)
    return table


def active_features(name: str, position: Position) -> Table:
    piece_square = PIECE_SQUARES[name]
    table = Table("piece", "mover's", "", "opponent's", "", box=None, pad_edge=False, header_style="bold")
    views = piece_square.indices(pack([position]))[0].T
    for (square, piece), view in zip(position.pieces(), views.tolist(), strict=False):
        described = (text for index in view for text in (str(index), piece_square.describe(index)))
        table.add_row(f"{piece} {square}", *described)
    return table


def _count(value: float | None, unit: int) -> str:
    return "" if value is None else str(round(value * unit))
