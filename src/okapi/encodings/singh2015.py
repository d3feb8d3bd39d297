"""planes-6, planes-12 and planes-18: images of the board for convolutions.

A. Singh, Convolutional Neural Networks learn to play Chess, 2015, section 2.2. The mover is always White (section 2.1).
planes-18 is ours: planes-12 with castling rights, en passant and the side to move.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core import Color, Kind
from okapi.encodings.boards import castling_rights, code, move_squares, moving_kinds, seen_by_mover
from okapi.encodings.encoding import Encoding, Numbers, Positions
from okapi.errors import UsageError

CHANNELS: Final = (Kind.PAWN, Kind.ROOK, Kind.KNIGHT, Kind.BISHOP, Kind.QUEEN, Kind.KING)  # the thesis' order
FRIEND: Final = Color.WHITE
OPPONENT: Final = Color.BLACK  # on boards from the mover's side


def planes_6(positions: Positions) -> Numbers:
    """Each channel represents a piece type: 1 for the friendly player's pieces, -1 for the opponent's, 0 elsewhere."""
    boards = seen_by_mover(positions)
    channels = [
        (boards == code(FRIEND, kind)).astype(np.int8) - (boards == code(OPPONENT, kind)).astype(np.int8)
        for kind in CHANNELS
    ]
    return np.stack(channels, axis=1).reshape(-1, 6, 8, 8)


def planes_12(positions: Positions) -> Numbers:
    """Every alternate channel belongs to a single player: 1 for a piece of that type, 0 elsewhere."""
    boards = seen_by_mover(positions)
    channels = [boards == code(player, kind) for kind in CHANNELS for player in (FRIEND, OPPONENT)]
    return np.stack(channels, axis=1).reshape(-1, 12, 8, 8).astype(np.uint8)


PLANES_6: Final = Encoding(
    name="planes-6",
    source="singh2015 §2.2",
    summary="a plane for each kind, the mover's pieces 1, the opponent's -1",
    parts=tuple(kind.name.lower() for kind in CHANNELS),
    in_numpy=planes_6,
)

PLANES_12: Final = Encoding(
    name="planes-12",
    source="singh2015 §2.2",
    summary="two planes for each kind, the mover's and the opponent's",
    parts=tuple(f"{whose} {kind.name.lower()}" for kind in CHANNELS for whose in ("own", "enemy")),
    in_numpy=planes_12,
)


def with_layers(
    encoding: Encoding,
    positions: Positions,
    *,
    elo: ArrayLike | None = None,
    elo_range: tuple[float, float] | None = None,
    piece: ArrayLike | None = None,
    outcome: ArrayLike | None = None,
    threads: int = 1,
) -> NDArray[np.float32]:
    """The planes, followed by the thesis' additional channels (section 2.2.3), in this order, where they are given.

    `elo` is the mover's rating, and `elo_range` the lowest and highest of the whole data set: (X - low) / (high - low)
    everywhere. `piece` is the square of the piece that moves, as the board counts: 1 there. `outcome` is the mover's:
    1 won, 0.5 drawn, 0 lost, everywhere.

    >>> from okapi.core.packed import pack
    >>> from okapi.core import Position
    >>> start = pack([Position.start()])
    >>> planes = with_layers(PLANES_6, start, elo=[2100], elo_range=(2000, 2400), piece=[12], outcome=[0.5])
    >>> planes.shape, float(planes[0, 6, 0, 0]), int(planes[0, 7].argmax()), float(planes[0, 8, 0, 0])
    ((1, 9, 8, 8), 0.25, 12, 0.5)
    """
    layers: list[NDArray[Any]] = []
    if elo is not None:
        if elo_range is None or elo_range[0] >= elo_range[1]:
            wanted = "an ELO layer needs the data set's lowest and highest rating"
            raise UsageError(wanted, hint="elo_range=(2000, 2800)")
        lowest, highest = elo_range
        layers.append(((np.asarray(elo, np.float32) - lowest) / (highest - lowest)).reshape(-1, 1, 1))
    if piece is not None:
        layers.append((np.arange(64) == _turned(positions, piece)[:, np.newaxis]).reshape(-1, 8, 8))
    if outcome is not None:
        layers.append(np.asarray(outcome, np.float32).reshape(-1, 1, 1))
    channels = encoding.shape[0]
    planes = np.empty((len(positions), channels + len(layers), 8, 8), np.float32)
    encoding.encode_many(positions, out=planes[:, :channels], threads=threads)
    for channel, layer in enumerate(layers, start=channels):
        planes[:, channel] = layer
    return planes


@dataclass(frozen=True, slots=True)
class MoveLabels:
    """What the seven networks of the thesis learn to predict, for a batch of moves. Squares are the mover's."""

    from_square: NDArray[np.int64]  # 0 to 63: for the network that chooses the piece to move
    to_square: NDArray[np.int64]  # likewise: where it goes; castling is the king's move of two squares
    piece: NDArray[np.int64]  # 0 to 5 in the order of CHANNELS: which of those six networks

    @property
    def piece_and_to(self) -> NDArray[np.int64]:
        """0 to 383: piece and target as one label."""
        return self.piece * 64 + self.to_square


def move_labels(positions: Positions, moves: ArrayLike) -> MoveLabels:
    """The labels of moves, one for each position, given as Move.bits.

    >>> from okapi.core import Position
    >>> from okapi.core.packed import pack
    >>> position = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1")
    >>> labels = move_labels(pack([position]), [position.move("O-O").bits])
    >>> labels.from_square, labels.to_square, labels.piece          # e8g8, as White would play it: e1g1
    (array([4]), array([6]), array([5]))
    """
    origin, target = move_squares(moves)
    channels = np.array([CHANNELS.index(kind) for kind in Kind])
    return MoveLabels(_turned(positions, origin), _turned(positions, target), channels[moving_kinds(positions, origin)])


def _turned(positions: Positions, squares: ArrayLike) -> NDArray[np.int64]:
    """Squares as the mover counts them: a1 and a8 change places for Black."""
    return np.asarray(squares, np.int64) ^ np.where(positions["turn"] == Color.BLACK.value, 56, 0)


def planes_18(positions: Positions) -> Numbers:
    """planes-12, four planes for castling, one for en passant, one for White."""
    white = positions["turn"] == Color.WHITE.value
    rights = [castling_rights(positions, color) for color in Color]
    castling = [
        np.where(white, rights[mine][wing], rights[1 - mine][wing]) for mine in (0, 1) for wing in (0, 1)
    ]  # the mover's towards h, towards a; the opponent's
    squares = np.where(white, positions["en_passant"], positions["en_passant"] ^ 56)[:, np.newaxis]
    passing = (np.arange(64) == squares).reshape(-1, 1, 8, 8)
    whole = np.broadcast_to(np.stack([*castling, white], axis=1)[:, :, np.newaxis, np.newaxis], (len(white), 5, 8, 8))
    return np.concatenate([planes_12(positions), whole[:, :4], passing, whole[:, 4:]], axis=1).astype(np.uint8)


_CASTLING: Final = [f"{whose} castling towards {file}" for whose in ("own", "enemy") for file in "ha"]
PLANES_18: Final = Encoding(
    name="planes-18",
    source="ours",
    summary="planes-12, castling rights, en passant, and whether the mover is White",
    parts=(*PLANES_12.parts, *_CASTLING, "en passant", "White to move"),
    in_numpy=planes_18,
)
