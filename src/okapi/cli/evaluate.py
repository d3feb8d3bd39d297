"""`okapi eval`: a brain's value of a position without a search."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from okapi import brains
from okapi.brains.evaluation import ClassShare, class_shares
from okapi.cli.console import BrainOption, Json, emit, out
from okapi.cli.drawing import bar
from okapi.core import Evaluator, Position, Value
from okapi.core.packed import pack
from okapi.errors import InvalidFen, InvalidText, UsageError
from okapi.files import file_errors

STARTS = ("startpos", "start")

AT_A_TIME = 4096


def evaluate(
    *fen: Annotated[str, Parameter(help="The position; `startpos` for the start of the game.")],
    file: Annotated[Path | None, Parameter(help="A file with one FEN a line, instead.")] = None,
    brain: BrainOption = None,
    json: Json = False,
) -> None:
    """Evaluate a position with a brain, without a search: the expected score of the side to move, 0 lost to 1 won.

    A network with classes of positions also gives the probability of each class.

    For example:
      okapi eval startpos
      okapi eval "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" --brain material
      okapi eval --file positions.fen --json
    """
    if bool(fen) == (file is not None):
        raise UsageError("eval takes a FEN or --file, one of them", hint='okapi eval "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"')
    evaluator = brains.evaluator(brain)
    console = out()
    positions = iter([position_from(" ".join(fen))]) if file is None else positions_of(file)
    for position, shares in _with_classes(brain, positions):
        value = evaluation(evaluator, position)
        if json:
            classes = {"classes": [share.as_json() for share in shares]} if shares else {}
            told = {"value": round(value.expected, 6), "centipawns": value.centipawns, "fen": position.fen()}
            emit({**told, **classes})
        elif file is None:
            console.print(f"{value.expected:.3f} for {position.turn.name.capitalize()} to move ({value} pawns)")
            for share in shares:
                console.print(f"{_borders(share):>18}  {share.probability:6.1%}  [cyan]{bar(share.probability)}[/]")
        else:
            console.print(f"{value.expected:.3f}  {value!s:>7}  {position.fen()}")


def _with_classes(
    brain: str | None, positions: Iterator[Position]
) -> Iterator[tuple[Position, tuple[ClassShare, ...]]]:
    """Each position with its classes for the side to move, the worst first; none where a brain has no classes."""
    output = {} if brain is None else brains.card(brain).details().get("output", {})
    if not isinstance(output, dict) or output.get("form") != "classes":
        yield from ((position, ()) for position in positions)
        return
    while some := list(islice(positions, AT_A_TIME)):
        found = brains.evaluations(brain, pack(some))
        for row, position in enumerate(some):
            yield position, class_shares(found, row, position.turn, position.turn)


def _borders(share: ClassShare) -> str:
    if share.low is None or share.high is None:
        edge = share.high if share.low is None else share.low
        return "" if edge is None else f"{'below' if share.low is None else 'above'} {edge / 100:+.2f}"
    return f"{share.low / 100:+.2f} to {share.high / 100:+.2f}"


def evaluation(evaluator: Evaluator, position: Position) -> Value:
    """The value for the side to move; after the end of a game, its result."""
    if position.is_checkmate():
        return Value.from_mate(0, position.turn)
    if position.is_stalemate() or position.is_insufficient_material():
        return Value(0.5, position.turn)
    return Value.from_centipawns(evaluator.centipawns(position), position.turn)


def position_from(text: str) -> Position:
    return Position.start() if text.strip() in STARTS else Position.from_fen(text.strip())


def positions_of(file: Path) -> Iterator[Position]:
    """The positions of a file, one FEN a line; empty lines and comments (#) are skipped."""
    for number, line in fen_lines(file):
        try:
            yield position_from(line)
        except InvalidFen as error:
            raise InvalidText(f"{file.name}, line {number}: {error}", hint=error.hint) from None


def fen_lines(file: Path) -> list[tuple[int, str]]:
    with file_errors(file, "read"):
        lines = file.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip() and not line.startswith("#")]
