"""Positions, values and lines as pages get them. The page has no rules of chess: it shows what it gets."""

from collections import defaultdict
from typing import Any

from okapi.core import Color, Line, Move, Position, Square, Value
from okapi.errors import OkapiError
from okapi.web.jobs import SearchUpdate


def side_name(side: Color) -> str:
    return side.name.lower()


def error_view(error: OkapiError) -> dict[str, str]:
    return {"error": str(error), "hint": error.hint}


def picked(record: object, *names: str, **digits: int | None) -> dict[str, Any]:
    """Some attributes of a record, those with a number of digits rounded; None rounds to a whole number.

    >>> picked(1.25, "imag", real=1)
    {'imag': 0.0, 'real': 1.2}
    """
    rounded = {name: round(getattr(record, name), places) for name, places in digits.items()}
    return {name: getattr(record, name) for name in names} | rounded


def start_view(start: Position) -> dict[str, Any]:
    return {"start": start.fen(), "start_number": start.fullmove_number, "start_turn": side_name(start.turn)}


def value_view(value: Value) -> dict[str, Any]:
    """A value as White sees it: three parts of a bar, a number, and the text that people read.

    >>> value_view(Value.from_mate(2, Color.BLACK))
    {'white': 0.0, 'wdl': [0.0, 0.0, 1.0], 'text': '#-2'}
    """
    seen = value.for_side(Color.WHITE)
    return {
        "white": round(seen.expected, 4),
        "wdl": [round(share, 4) for share in seen.win_draw_loss],
        "text": str(seen),
    }


def named_move(position: Position, move: Move) -> dict[str, str]:
    return {"uci": position.uci(move), "san": position.san(move)}


def line_view(position: Position, line: Line) -> dict[str, Any]:
    """A line with its moves in UCI and SAN, what the position is after each, and its value."""
    at = position.copy()
    moves = []
    for move in line.moves:
        if not at.is_legal(move):
            break
        told = {**named_move(at, move), "number": at.fullmove_number, "turn": side_name(at.turn)}
        at.play(move)
        moves.append({**told, "fen": at.fen()})
    return {"moves": moves, "value": value_view(line.value), "depth": line.depth}


def played_view(position: Position, move: Move) -> dict[str, Any]:
    """Play a move, and return what a page needs to step through a game."""
    told = named_move(position, move)
    position.play(move)
    squares = [str(move.from_square), str(move.to_square)]
    return {**told, "fen": position.fen(), "squares": squares, "check": position.is_check()}


def update_view(position: Position, news: SearchUpdate) -> dict[str, Any]:
    return {
        "lines": [line_view(position, line) for line in news.lines],
        "depth": news.lines[0].depth if news.lines else 0,
        "nodes": news.nodes,
        "nps": round(news.nodes / max(news.seconds, 1e-3)),
        "seconds": round(news.seconds, 2),
    }


def position_view(position: Position) -> dict[str, Any]:
    destinations: dict[str, list[str]] = defaultdict(list)
    promotions = set()
    for text, move in choices(position).items():
        start, end = text[:2], text[2:4]
        if end not in destinations[start]:
            destinations[start].append(end)
        if move.promotion is not None:
            promotions.add(text[:4])
    return {
        "fen": position.fen(),
        "turn": side_name(position.turn),
        "check": position.is_check(),
        "destinations": dict(destinations),
        "promotions": sorted(promotions),
        "ending": position.ending(),
    }


def choices(position: Position) -> dict[str, Move]:
    """The legal moves by what a hand does: two squares, and a letter if a pawn promotes.

    One castles by moving the king onto its rook or, where that means nothing else, onto the square where it ends up.

    >>> castling = Position.from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    >>> [text for text, move in choices(castling).items() if move.castles]
    ['e1h1', 'e1g1']
    """
    found = {position.uci(move, chess960=True): move for move in position.legal_moves()}
    for move in list(found.values()):
        if move.castles and landing(move) != move.from_square:
            found.setdefault(f"{move.from_square}{landing(move)}", move)
    return found


def read_move(position: Position, text: str) -> Move:
    """A move as two squares or in SAN: InvalidMove, IllegalMove."""
    return choices(position).get(text) or position.move(text)


def read_position(fen: str, move: str | None = None) -> Position:
    """A position, or that after a move: InvalidFen, InvalidMove, IllegalMove."""
    position = Position.from_fen(fen)
    if move is not None:
        position.play(read_move(position, move))
    return position


def landing(move: Move) -> Square:
    """The square of the piece afterwards: castling is encoded as the king that captures its rook."""
    if not move.castles:
        return move.to_square
    return Square.at(8 * move.from_square.rank + (6 if move.to_square.file > move.from_square.file else 2))
