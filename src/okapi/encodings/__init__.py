"""Encodings, position → array: each in readable numpy, with a fast twin in C++."""

from typing import Final

from okapi.encodings.boards import SQUARES, move_squares, own_kinds
from okapi.encodings.encoding import Encoding
from okapi.encodings.lai2015 import GIRAFFE_363, GIRAFFE_363_MOVER, encode_moves, move_features
from okapi.encodings.lai2015_text import inspect
from okapi.encodings.layers import LAYERS, Known, encode_known, layered
from okapi.encodings.piece_square import FOUR_BUCKETS, PieceSquare
from okapi.encodings.sabatelli2018 import ALGEBRAIC_768, ALGEBRAIC_IMAGE, BITMAP_768, BITMAP_IMAGE
from okapi.encodings.sheehan2016 import VECTOR_64, VECTOR_65
from okapi.encodings.singh2015 import PLANES_6, PLANES_12, PLANES_18, MoveLabels, move_labels, with_layers
from okapi.errors import NotFound, did_you_mean

__all__ = [
    "ENCODINGS",
    "FOUR_BUCKETS",
    "PIECE_SQUARES",
    "SQUARES",
    "Encoding",
    "Known",
    "MoveLabels",
    "PieceSquare",
    "encode_known",
    "encode_moves",
    "find_encoding",
    "inspect",
    "move_features",
    "move_labels",
    "move_squares",
    "own_kinds",
    "with_layers",
]

_PIECE_SQUARES = (PieceSquare(), PieceSquare(mirror=True), PieceSquare(mirror=True, buckets=FOUR_BUCKETS))
PIECE_SQUARES: Final = {piece_square.name: piece_square for piece_square in _PIECE_SQUARES}

_PLANES = (PLANES_6, PLANES_12, PLANES_18)
_FLAT = (VECTOR_64, VECTOR_65, BITMAP_768, BITMAP_IMAGE, ALGEBRAIC_768, ALGEBRAIC_IMAGE, GIRAFFE_363, GIRAFFE_363_MOVER)
_ALL = (*_PLANES, *_FLAT, *(piece_square.encoding for piece_square in _PIECE_SQUARES))
ENCODINGS: Final = {encoding.name: encoding for encoding in _ALL}


def find_encoding(name: str) -> Encoding:
    """The encoding of that name. Planes may be followed by layers: `planes-12+elo+piece`.

    >>> find_encoding("planes-18+elo").shape
    (19, 8, 8)
    >>> find_encoding("girafe-363")
    Traceback (most recent call last):
    okapi.errors.NotFound: no encoding named `girafe-363`
    """
    known, *layers = name.split("+")
    if known not in ENCODINGS:
        raise NotFound(f"no encoding named `{name}`", hint=did_you_mean(known, ENCODINGS))
    encoding = ENCODINGS[known]
    if not layers:
        return encoding
    if layers != [layer for layer in LAYERS if layer in layers] or encoding.shape[1:] != (8, 8):
        hint = f"planes may be followed by +{' +'.join(LAYERS)}, in this order, each once"
        raise NotFound(f"no encoding named `{name}`", hint=hint)
    return layered(encoding, layers)
