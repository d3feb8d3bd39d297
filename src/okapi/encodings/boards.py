"""Boards for a batch of positions, batch x 64: codes of squares, the mover's view; and attacks, batch x 8 x 8."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core import Color, Kind

Codes = NDArray[np.uint8]  # a code for each square, a1 first: twice the kind, plus one for Black; EMPTY for no piece
Mask = NDArray[np.bool_]

EMPTY: Final = 12
SQUARES: Final = tuple(f"{file}{rank}" for rank in "12345678" for file in "abcdefgh")
CASTLING_ROOK: Final = 12  # plus the colour: how a packed position writes a rook that its king may castle with
CASTLING: Final = 3  # the type of a castling move, in the two highest bits of Move.bits


def code(color: Color, kind: Kind) -> int:
    return int(2 * kind.value + color.value)


def piece_codes(positions: NDArray[np.void]) -> Codes:
    """What stands on each square: batch x 64."""
    packed, occupied = packed_codes(positions)
    plain = np.where(packed >= CASTLING_ROOK, code(Color.WHITE, Kind.ROOK) + packed - CASTLING_ROOK, packed)
    return np.where(occupied, plain, EMPTY).astype(np.uint8)


def castling_rights(positions: NDArray[np.void], color: Color) -> tuple[Mask, Mask]:
    """Whether that side may still castle towards h, and towards a."""
    packed, occupied = packed_codes(positions)
    rooks = occupied & (packed == CASTLING_ROOK + color.value)
    king = king_squares(piece_codes(positions), color)[:, np.newaxis]
    squares = np.arange(64)
    return (rooks & (squares > king)).any(axis=1), (rooks & (squares < king)).any(axis=1)


def king_squares(codes: Codes, color: Color) -> NDArray[np.int64]:
    return np.asarray(np.argmax(codes == code(color, Kind.KING), axis=1))


def move_squares(moves: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Origin and target of moves, given as Move.bits. Castling is the king's move to g or c."""
    bits = np.asarray(moves, np.int64)
    origin, target = bits & 63, bits >> 6 & 63
    king_goes_to = (target & 56) + np.where(target > origin, 6, 2)
    return origin, np.where(bits >> 14 == CASTLING, king_goes_to, target)


def moving_kinds(positions: NDArray[np.void], origin: NDArray[np.int64]) -> NDArray[np.int64]:
    """The kind of the piece on one occupied square of each position."""
    below = positions["occupied"] & ((np.uint64(1) << origin.astype(np.uint64)) - np.uint64(1))
    rank = np.bitwise_count(below).astype(np.int64)
    both = np.take_along_axis(positions["pieces"], rank[:, np.newaxis] >> 1, axis=1)[:, 0]
    packed = both >> (4 * (rank & 1)).astype(np.uint8) & 15
    return np.where(packed >= CASTLING_ROOK, Kind.ROOK.value, packed >> 1).astype(np.int64)


def own_kinds(positions: NDArray[np.void]) -> NDArray[np.int64]:
    """The mover's pieces on the mover's squares, as values of their Kind: batch x 64. -1 where none stands.

    >>> from okapi.core import Position
    >>> from okapi.core.packed import pack
    >>> own_kinds(pack([Position.start().after(Position.start().move("e4"))]))[0, [4, 12, 52]].tolist()
    [5, 0, -1]
    """
    codes = seen_by_mover(positions).astype(np.int64)
    return np.where((codes != EMPTY) & (codes & 1 == Color.WHITE.value), codes >> 1, -1)


def opposite(codes: Codes) -> Codes:
    """The boards from the other side: ranks flipped, colours swapped."""
    upside_down = codes.reshape(-1, 8, 8)[:, ::-1, :].reshape(-1, 64)
    return np.where(upside_down == EMPTY, EMPTY, upside_down ^ 1).astype(np.uint8)


def seen_by_mover(positions: NDArray[np.void]) -> Codes:
    """The boards from the mover's side, as if White were to move."""
    codes = piece_codes(positions)
    return np.where(positions["turn"][:, np.newaxis] == Color.WHITE.value, codes, opposite(codes))


def packed_codes(positions: NDArray[np.void]) -> tuple[NDArray[np.uint8], Mask]:
    """The four bits of each square as they are packed, and which squares have any."""
    bits = np.ascontiguousarray(positions["occupied"]).view(np.uint8).reshape(-1, 8)
    occupied = np.unpackbits(bits, axis=1, bitorder="little").astype(np.bool_)
    halves = np.stack([positions["pieces"] & 15, positions["pieces"] >> 4], axis=2).reshape(-1, 32)
    place = np.clip(occupied.cumsum(axis=1) - 1, 0, 31)
    return np.take_along_axis(halves, place, axis=1), occupied


Step = tuple[int, int]  # ranks up, files to the right
STRAIGHT: Final[dict[str, Step]] = {"East": (0, 1), "West": (0, -1), "North": (1, 0), "South": (-1, 0)}
DIAGONAL: Final = {"North-East": (1, 1), "North-West": (1, -1), "South-East": (-1, 1), "South-West": (-1, -1)}
_STRAIGHT, _DIAGONAL = tuple(STRAIGHT.values()), tuple(DIAGONAL.values())
SLIDING: Final = {Kind.BISHOP: _DIAGONAL, Kind.ROOK: _STRAIGHT, Kind.QUEEN: (*_STRAIGHT, *_DIAGONAL)}
JUMPS: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STEPPING: Final = {Kind.KNIGHT: JUMPS, Kind.KING: SLIDING[Kind.QUEEN]}


def neighbours(values: NDArray[Any], step: Step, beyond: int = 0) -> NDArray[Any]:
    """The value one step away from each square; `beyond` off the board."""
    there = [slice(max(by, 0), 8 + min(by, 0)) for by in step]  # ranks and files that are on the board
    here = [slice(max(-by, 0), 8 + min(-by, 0)) for by in step]
    found = np.full_like(values, beyond)
    found[:, here[0], here[1]] = values[:, there[0], there[1]]
    return found


def along(values: NDArray[Any], occupied: Mask, step: Step) -> NDArray[Any]:
    """The sum over the squares in one direction, to the edge or to and including the first piece, for each square."""
    total = np.zeros_like(values)
    for _ in range(7):
        total = neighbours(values + total * ~occupied, step)
    return total


def first_seen(codes: Codes) -> dict[Step, Codes]:
    """The first piece in each of the eight directions, for each square."""
    seen = {step: np.full_like(codes, EMPTY) for step in SLIDING[Kind.QUEEN]}
    for step in seen:
        for _ in range(7):
            seen[step] = neighbours(np.where(codes == EMPTY, seen[step], codes), step, EMPTY)
    return seen


@dataclass(frozen=True, slots=True)
class Attackers:
    count: NDArray[np.int8]
    least: NDArray[np.int16]  # the value of the least valuable; NOBODY where there is none

    NOBODY = 30_000


def attackers(codes: Codes, views: dict[Step, Codes], color: Color, worth: dict[Kind, int]) -> Attackers:
    """Attackers of each square, pinned or not, but none behind another piece; `views` are those of first_seen()."""
    count = np.zeros(codes.shape, np.int8)
    least = np.full(codes.shape, Attackers.NOBODY, np.int16)
    below = -1 if color is Color.WHITE else 1
    for kind in Kind:
        piece = code(color, kind)
        if kind in SLIDING:
            from_there = [views[step] == piece for step in SLIDING[kind]]
        else:
            steps = ((below, -1), (below, 1)) if kind is Kind.PAWN else STEPPING[kind]
            from_there = [neighbours(codes, step, EMPTY) == piece for step in steps]
        of_this_kind = np.sum(from_there, axis=0, dtype=np.int8)
        count += of_this_kind
        least[(of_this_kind > 0) & (least > worth[kind])] = worth[kind]
    return Attackers(count, least)
