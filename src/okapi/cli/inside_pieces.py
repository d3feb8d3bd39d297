"""`okapi inside pieces`: what each piece of a position is worth to a brain, by taking it off."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rich.console import Console

from okapi.brains import card, default_name, evaluator
from okapi.cli.console import BrainOption, Json, emit, out
from okapi.cli.evaluate import position_from
from okapi.cli.numbered import draw_numbers
from okapi.core import Color, Kind, Position, Square
from okapi.errors import UsageError
from okapi.terminal.board import Look

if TYPE_CHECKING:
    from okapi.analysis.explain.attribution import PieceAttribution, PositionAttribution

__all__ = ["pieces"]

WARMEST = 0.5
"""A piece worth so much more than its kind usually is, of that, is as red as can be."""


def pieces(
    *fen: str,
    brain: BrainOption = None,
    against: str | None = None,
    json: Json = False,
) -> None:
    """Tell what each piece on its square is worth to its side: what the brain's opinion loses if it is taken off.

    Nothing is estimated: the brain is asked again without the piece. A piece is red where it is worth more than its
    kind would be if pieces were worth 1 3 3 5 9, and blue where it is worth less. Kings stay.

    Examples:
      okapi inside pieces startpos
      okapi inside pieces r4rk1/1bq2ppp/p2bpn2/1p6/3BP3/P1NQ4/1PP1BPPP/R4RK1 w - - 0 15 --brain giraffe
      okapi inside pieces startpos --brain now.safetensors --against before.safetensors

    Parameters
    ----------
    fen
        The position; `startpos` for the start of the game.
    against
        Another brain: tell how much more each piece is worth to the first than to this one.
    """
    from okapi.analysis.explain.attribution import attribute_pieces

    if not fen:
        raise UsageError("inside pieces takes a position", hint="okapi inside pieces startpos")
    position = position_from(" ".join(fen))
    found = attribute_pieces(evaluator(brain), position)
    other = None if against is None else attribute_pieces(evaluator(against), position)
    if json:
        emit({**_described(position, found), **({} if other is None else {"against": _described(position, other)})})
        return
    console = out()
    name = card(brain or default_name()).name
    if other is None:
        _print_worths(console, position, name, found)
    else:
        _print_differences(console, position, [name, card(str(against)).name], found, other)


def _described(position: Position, found: "PositionAttribution") -> dict[str, Any]:
    return {
        "fen": position.fen(),
        "centipawns": found.centipawns,
        "white": found.total(Color.WHITE),
        "black": found.total(Color.BLACK),
        "pieces": [
            {
                "square": str(worth.square),
                "piece": str(worth.piece),
                "centipawns": worth.centipawns,
                "usual": round(found.usual(worth.piece.kind)),
            }
            for worth in found.pieces
        ],
    }


def _print_worths(console: Console, position: Position, name: str, found: "PositionAttribution") -> None:
    look = replace(Look.of(console), large=False)
    console.print(f"{name} gives White {found.centipawns / 100:+.2f}; what each piece is worth to its side\n")
    texts = {worth.square: _pawns(worth.centipawns) for worth in found.pieces}
    beyond = {worth.square: _beyond(worth, found) for worth in found.pieces}
    console.print(draw_numbers(position, texts, {square: part / WARMEST for square, part in beyond.items()}, look))
    totals = [f"{side.name.capitalize()}'s pieces are worth {found.total(side) / 100:.2f}" for side in Color]
    console.print(f"\n{', '.join(totals)}; a pawn usually {found.usual(Kind.PAWN) / 100:.2f}", markup=False)
    ranked = sorted((worth for worth in found.pieces if worth.centipawns is not None), key=lambda w: -beyond[w.square])
    if len(ranked) > 1:
        best, worst = (
            f"{_name(worth)} ({_pawns(worth.centipawns)}, usually {found.usual(worth.piece.kind) / 100:.2f})"
            for worth in (ranked[0], ranked[-1])
        )
        console.print(f"worth most for its kind: {best}\nworth least for its kind: {worst}", markup=False)
    if any(worth.centipawns is None for worth in found.pieces):
        console.print("–  cannot be taken off: the king behind it could be captured", markup=False, style="dim")


def _print_differences(
    console: Console, position: Position, names: list[str], found: "PositionAttribution", other: "PositionAttribution"
) -> None:
    look = replace(Look.of(console), large=False)
    console.print(
        f"{names[0]} gives White {found.centipawns / 100:+.2f}, {names[1]} {other.centipawns / 100:+.2f}; "
        f"how much more each piece is worth to {names[0]}\n",
        markup=False,
    )
    more: dict[Square, int] = {}
    for one, two in zip(found.pieces, other.pieces, strict=True):
        if one.centipawns is not None and two.centipawns is not None:
            more[one.square] = one.centipawns - two.centipawns
    most = max(map(abs, more.values()), default=0) or 1
    texts = {square: f"{by / 100:+.2f}" for square, by in more.items()}
    console.print(draw_numbers(position, texts, {square: by / most for square, by in more.items()}, look))


def _beyond(worth: "PieceAttribution", found: "PositionAttribution") -> float:
    """How much more than usual a piece is worth, as a share of that."""
    usual = found.usual(worth.piece.kind)
    return 0.0 if worth.centipawns is None or usual <= 0 else worth.centipawns / usual - 1.0


def _pawns(centipawns: int | None) -> str:
    return "–" if centipawns is None else f"{centipawns / 100:.2f}"


def _name(worth: "PieceAttribution") -> str:
    return f"{worth.piece.color.name.capitalize()}'s {worth.piece.kind.name.lower()} on {worth.square}"
