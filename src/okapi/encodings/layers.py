"""The additional channels of singh2015, section 2.2.3, as part of an encoding's name: planes-12+elo+piece …

They are inputs besides the board: the rating of the mover, the piece that moves, the result of the game.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from okapi.core.packed import NO_SQUARE, POSITION
from okapi.encodings.encoding import Encoding, Numbers, Positions
from okapi.encodings.singh2015 import with_layers

LAYERS: Final = ("elo", "piece", "outcome")  # in this order, whichever of them there are
ELO_RANGE: Final = (2000, 2900)  # the lowest and highest rating of the training games: 0 and 1 of the ELO layer
UNKNOWN_ELO: Final = 2500
UNKNOWN: Final = {"elo": UNKNOWN_ELO, "piece": NO_SQUARE, "outcome": 0.5}  # the value of a layer whose input is unknown


@dataclass(frozen=True, slots=True)
class Known:
    """Inputs besides the positions: one number for all of them, or one for each. None: unknown."""

    elo: ArrayLike | None = None
    piece: ArrayLike | None = None  # the square of the piece that moves, on the real board
    outcome: ArrayLike | None = None  # the mover's: 1 won, 0.5 drawn, 0 lost

    def at(self, rows: NDArray[np.int64] | slice, *, piece: ArrayLike | None = None) -> "Known":
        """The same for some of the positions, in which these pieces move."""
        listed = (None if each is None else np.asarray(each) for each in (self.elo, self.outcome))
        elo, outcome = (each if each is None or each.ndim == 0 else each[rows] for each in listed)
        return Known(elo, piece, outcome)


def layered(base: Encoding, layers: Sequence[str]) -> Encoding:
    """An encoding with these channels after its own, by default with unknown values.

    >>> from okapi.encodings import find_encoding
    >>> encoding = find_encoding("planes-12+elo+piece")
    >>> encoding.shape, encoding.parts[-2:]
    ((14, 8, 8), ('elo', 'piece'))
    """
    return replace(
        base,
        name="+".join([base.name, *layers]),
        summary=f"{base.summary}; and {', '.join(layers)}",
        parts=(*base.parts, *layers),
        in_numpy=partial(_in_numpy, base, tuple(layers)),
        in_cpp=partial(_in_cpp, base, tuple(layers)),
        base=base,
        layers=tuple(layers),
    )


def encode_known(encoding: Encoding, positions: Positions, known: Known, *, threads: int = 1) -> NDArray[np.float32]:
    """Encode positions with the values of layers; encodings without layers ignore them.

    >>> from okapi.core.packed import random_positions
    >>> from okapi.encodings import find_encoding
    >>> planes = encode_known(find_encoding("planes-12+elo"), random_positions(2, seed=1), Known(elo=2450))
    >>> planes.shape, planes[:, 12, 0, 0].tolist()
    ((2, 13, 8, 8), [0.5, 0.5])
    """
    given = {layer: getattr(known, layer) for layer in encoding.layers}
    values = {layer: UNKNOWN[layer] if told is None else told for layer, told in given.items()}
    each = {layer: np.broadcast_to(np.asarray(value, np.float64), len(positions)) for layer, value in values.items()}
    return with_layers(encoding.base or encoding, positions, elo_range=ELO_RANGE, threads=threads, **each)


def _in_numpy(base: Encoding, layers: tuple[str, ...], positions: Positions) -> Numbers:
    lowest, highest = ELO_RANGE
    seen = {"elo": (UNKNOWN_ELO - lowest) / (highest - lowest), "piece": 0, "outcome": UNKNOWN["outcome"]}
    whole = np.array([seen[layer] for layer in layers], np.float32).reshape(-1, 1, 1)
    return np.concatenate([base.in_numpy(positions).astype(np.float32), np.tile(whole, (len(positions), 1, 8, 8))], 1)


def _in_cpp(base: Encoding, layers: tuple[str, ...], rows: NDArray[np.uint8], out: Numbers, threads: int) -> None:
    out[:] = encode_known(layered(base, layers), rows.view(POSITION)[:, 0], Known(), threads=threads)
