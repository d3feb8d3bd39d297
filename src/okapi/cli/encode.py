"""`okapi encode`: what a network would see of a position."""

from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from rich.table import Table

from okapi.cli.console import Json, emit, out
from okapi.cli.evaluate import position_from
from okapi.core import Position
from okapi.errors import UsageError, did_you_mean

if TYPE_CHECKING:
    from okapi.encodings import Encoding

__all__ = ["encode"]


def encode(
    *fen: Annotated[str, Parameter(help="The position; `startpos` for the start of the game.")],
    name: Annotated[str | None, Parameter(name="--as", help="Name of an encoding; `okapi encode --list`.")] = None,
    words: Annotated[bool, Parameter(help="Sentences instead of numbers: what giraffe-363 says, all of it.")] = False,
    list_all: Annotated[bool, Parameter(name="--list", help="List the encodings instead.")] = False,
    json: Json = False,
) -> None:
    """Show a position as an encoding makes an array of it: planes as boards, features as tables.

    For example:
      okapi encode startpos --as planes-6
      okapi encode "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1" --as giraffe-363
      okapi encode startpos --as giraffe-363 --words
      okapi encode startpos --as bitmap-768 --json
      okapi encode --list
    """
    from okapi.cli.encoding_text import picture
    from okapi.encodings import ENCODINGS, find_encoding  # here, because numpy takes a while and others do without

    if list_all:
        list_encodings(json=json)
        return
    if not fen or name is None:
        raise UsageError("encode takes a FEN and --as NAME", hint=did_you_mean("", ENCODINGS))
    encoding = find_encoding(name)
    position = position_from(" ".join(fen))
    if words:
        tell(encoding, position, json=json)
        return
    if json:
        values = encoding.encode(position)
        emit({"encoding": encoding.name, "shape": encoding.shape, "values": values.tolist(), "fen": position.fen()})
        return
    console = out()
    console.print(f"{encoding.name} ({encoding.source}): {encoding.summary}\n", markup=False)
    console.print(picture(encoding, position, console.width), soft_wrap=False)


def tell(encoding: "Encoding", position: Position, *, json: bool) -> None:
    """Giraffe's features in words, a sentence for each piece and square."""
    from okapi.encodings.lai2015_words import subjects

    if encoding.shape != (363,):
        raise UsageError(f"{encoding.name} is not told in words", hint="--words goes with --as giraffe-363")
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
    """The table of encodings."""
    from okapi.encodings import ENCODINGS

    if json:
        keys = ("name", "shape", "source", "summary")
        emit({"encodings": [{key: getattr(found, key) for key in keys} for found in ENCODINGS.values()]})
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "shape", "numbers", "what it is"):
        table.add_column(heading, no_wrap=heading != "what it is")
    for found in ENCODINGS.values():
        shape = "x".join(map(str, found.shape))
        table.add_row(found.name, shape, found.dtype.name, f"{found.summary} ({found.source})")
    out().print(table, soft_wrap=False)
