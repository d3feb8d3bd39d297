"""
What a network sees: packed positions expanded in torch, on whatever device they are.

Thirty-two bytes a position travel and stay there; what a network reads is made of them batch by batch. Each sight is
the twin of the encoding of its name in okapi.encodings.

Where a network sees more than the position, four bytes follow: the mover's rating (two, low first), the square of the
piece that moves, and what becomes of the mover (0 lost, 1 drawn, 2 won). `planes-12+elo+piece` says what of that it
sees.
"""

from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor

from okapi.errors import UsageError, did_you_mean
from okapi.models.attacks import EMPTY
from okapi.models.giraffe_sight import giraffe_363
from okapi.models.tables import table

__all__ = [
    "CASTLING_ROOK",
    "LAYERS",
    "SIGHTS",
    "check_sight",
    "mirrored",
    "packed_codes",
    "plain_codes",
    "raw_codes_of_mover",
    "see",
]

CASTLING_ROOK: Final = 12
"""Plus the colour: how a packed position writes a rook that its king may castle with.

Other codes are twice the kind (pawn, knight, bishop, rook, queen, king), plus one for Black.
"""
ROOK: Final = 6
KING: Final = 10

WORTH: Final = (1, 3, 3, 5, 9, 0)
"""sheehan2016, Table 1."""
STRENGTH: Final = (1, 3, 3, 5, 9, 10)
"""sabatelli2018, section 3.1."""
PLANES: Final = (0, 2, 3, 1, 4, 5)
"""singh2015: the planes are pawn, rook, knight, bishop, queen, king; where each of our kinds is among them."""


def see(packed: Tensor, encoding: str) -> Tensor:
    """What a network of this encoding reads of packed positions: uint8, n x 32, to float32, n x the encoding's shape.

    >>> see(torch.zeros(1, 32, dtype=torch.uint8), "bitmap-768").shape      # nothing on the board
    torch.Size([1, 768])
    >>> see(torch.zeros(1, 36, dtype=torch.uint8), "planes-12+elo+piece").shape
    torch.Size([1, 14, 8, 8])
    """
    check_sight(encoding)
    base, *layers = encoding.split("+")
    seen = SIGHTS[base](packed)
    if not layers:
        return seen
    if packed.shape[1] < 36:
        raise UsageError(f"`{encoding}` needs 36 bytes a position, not {packed.shape[1]}")
    more = torch.stack([LAYERS[layer](packed).expand(-1, 64) for layer in layers], dim=1)
    return torch.cat([seen, _as_images(more)], dim=1)


def check_sight(encoding: str) -> None:
    """UsageError if networks cannot see this."""
    base, *layers = encoding.split("+")
    if base not in SIGHTS:
        raise UsageError(f"networks cannot be trained on `{encoding}`", hint=did_you_mean(base, SIGHTS))
    if layers and not base.startswith("planes-"):
        raise UsageError(f"`{base}` has no layers besides", hint="planes-6, planes-12 and planes-18 may have some")
    if layers != [layer for layer in LAYERS if layer in layers]:
        raise UsageError(f"`{encoding}` has other layers than there are", hint=f"{', '.join(LAYERS)}, in this order")


def mirrored(packed: Tensor) -> Tensor:
    """The same positions with files a to h turned round; where somebody may still castle, unchanged."""
    raw = _raw_codes(packed)
    castles = ((raw >= CASTLING_ROOK) & (raw < NOTHING)).any(dim=1, keepdim=True)
    en_passant = packed[:, 25:26]
    new = torch.cat(
        [
            packed_codes(raw.view(-1, 8, 8).flip(2).view(-1, 64)),
            packed[:, 24:25],
            torch.where(en_passant < 64, en_passant ^ 7, en_passant),
            packed[:, 26:],
        ],
        dim=1,
    )
    return torch.where(castles, packed, new)


def packed_codes(raw: Tensor) -> Tensor:
    """The first 24 bytes of packed positions, from the four bits of each square, NOTHING where no piece stands."""
    occupied = raw != NOTHING
    place = (occupied.cumsum(dim=1) - 1).clamp(min=0)
    halves = torch.zeros(len(raw), 33, dtype=torch.uint8, device=raw.device)
    halves.scatter_(1, place.masked_fill(~occupied, 32), raw)  # what is nowhere lies beyond the end
    halves = halves[:, :32].view(-1, 16, 2)
    bits = (occupied.view(-1, 8, 8) * table((1, 2, 4, 8, 16, 32, 64, 128), raw.device, torch.uint8)).sum(dim=2)
    return torch.cat([bits.to(torch.uint8), halves[:, :, 0] | halves[:, :, 1] << 4], dim=1)


def _vector_64(packed: Tensor) -> Tensor:
    """Empty 0; white pieces 1 to 6, black ones 7 to 12."""
    numbers = (*(1 + (code >> 1) + 6 * (code & 1) for code in range(12)), 0)
    return _looked_up(numbers, _codes(packed))


def _vector_65(packed: Tensor) -> Tensor:
    codes = _codes(packed)
    worth = (*(WORTH[code >> 1] * (1 - 2 * (code & 1)) for code in range(12)), 0)
    return torch.cat([_vector_64(packed), _looked_up(worth, codes).sum(dim=1, keepdim=True)], dim=1)


def _signed(packed: Tensor, worth: tuple[int, ...]) -> Tensor:
    """Twelve channels, White's first: n x 12 x 64; what belongs to the mover counts, the rest counts negative."""
    codes = _codes(packed)
    channels = (*((code & 1) * 6 + (code >> 1) for code in range(12)), 0)
    values = (*(worth[code >> 1] * (1 - 2 * (code & 1)) for code in range(12)), 0)
    black = 1.0 - 2.0 * packed[:, 24:25]
    return _spread(12, codes, channels, _looked_up(values, codes) * black)


def _planes_6(packed: Tensor) -> Tensor:
    codes = _seen_by_mover(packed)
    channels = (*(PLANES[code >> 1] for code in range(12)), 0)
    values = (*(1 - 2 * (code & 1) for code in range(12)), 0)
    return _as_images(_spread(6, codes, channels, _looked_up(values, codes)))


def _planes_12(packed: Tensor) -> Tensor:
    codes = _seen_by_mover(packed)
    channels = (*(2 * PLANES[code >> 1] + (code & 1) for code in range(12)), 0)
    return _as_images(_spread(12, codes, channels, (codes != EMPTY).float()))


def _planes_18(packed: Tensor) -> Tensor:
    turn = packed[:, 24:25]
    squares = torch.arange(64, device=packed.device)
    rights = _castling(_raw_codes(packed), (turn, 1 - turn))
    whole = torch.cat([rights, turn == 0], dim=1)[:, :, None].expand(-1, -1, 64)  # n 5 64
    passing = squares == torch.where(turn == 0, packed[:, 25:26], packed[:, 25:26] ^ 56)  # 64, for none, is no square
    return torch.cat([_planes_12(packed), _as_images(torch.cat([whole[:, :4], passing[:, None], whole[:, 4:]], 1))], 1)


def _giraffe(packed: Tensor) -> Tensor:
    raw = _raw_codes(packed)
    return giraffe_363(plain_codes(raw), _castling(raw, (0, 1)), packed[:, 24:25])


def _giraffe_mover(packed: Tensor) -> Tensor:
    raw = raw_codes_of_mover(packed)
    return giraffe_363(plain_codes(raw), _castling(raw, (0, 1)), torch.zeros_like(packed[:, 24:25]))


def _as_images(squares: Tensor) -> Tensor:
    return squares.view(*squares.shape[:2], 8, 8)


SIGHTS: Final[dict[str, Callable[[Tensor], Tensor]]] = {
    "vector-64": _vector_64,
    "vector-65": _vector_65,
    "bitmap-768": lambda packed: _signed(packed, (1, 1, 1, 1, 1, 1)).flatten(start_dim=1),
    "bitmap-12x8x8": lambda packed: _as_images(_signed(packed, (1, 1, 1, 1, 1, 1))),
    "algebraic-768": lambda packed: _signed(packed, STRENGTH).flatten(start_dim=1),
    "algebraic-12x8x8": lambda packed: _as_images(_signed(packed, STRENGTH)),
    "planes-6": _planes_6,
    "planes-12": _planes_12,
    "planes-18": _planes_18,
    "giraffe-363": _giraffe,
    "giraffe-363-mover": _giraffe_mover,
}


def _elo(rows: Tensor) -> Tensor:
    lowest, highest = ELO_RANGE
    return ((rows[:, 32].float() + 256 * rows[:, 33].float() - lowest) / (highest - lowest))[:, None]


def _piece(rows: Tensor) -> Tensor:
    square = torch.where(rows[:, 24:25] == 0, rows[:, 34:35], rows[:, 34:35] ^ 56)
    return (torch.arange(64, device=rows.device) == square).float()


def _outcome(rows: Tensor) -> Tensor:
    return rows[:, 35:36].float() / 2


ELO_RANGE: Final = (2000, 2900)
"""Lowest and highest rating of the games that are learned from; okapi.encodings.layers has the same."""

LAYERS: Final[dict[str, Callable[[Tensor], Tensor]]] = {"elo": _elo, "piece": _piece, "outcome": _outcome}
"""singh2015, section 2.2.3: what may follow the planes of a position, in this order: n x 1 or n x 64."""

NOTHING: Final = 255
"""Among raw codes, in which 12 is a rook."""


def _raw_codes(packed: Tensor) -> Tensor:
    """The four bits of each square as they are packed; NOTHING where no piece stands: uint8, n x 64."""
    eight = table(tuple(range(8)), packed.device, torch.uint8)
    occupied = (packed[:, :8, None] >> eight & 1).flatten(start_dim=1)  # n 64
    pieces = packed[:, 8:24]
    halves = torch.stack([pieces & 15, pieces >> 4], dim=2).flatten(start_dim=1)  # n 32
    place = (occupied.cumsum(dim=1) - 1).clamp(min=0)
    return halves.gather(1, place).masked_fill(occupied == 0, NOTHING)


def raw_codes_of_mover(packed: Tensor) -> Tensor:
    """The same of boards that are turned, colours exchanged, where Black is to move."""
    raw = _raw_codes(packed)
    turned = torch.where(raw == NOTHING, NOTHING, raw ^ 1).view(-1, 8, 8).flip(1).view(-1, 64)
    return torch.where(packed[:, 24:25] == 0, raw, turned)


def _codes(packed: Tensor) -> Tensor:
    """What stands on each square: int64, n x 64."""
    return plain_codes(_raw_codes(packed))


def plain_codes(raw: Tensor) -> Tensor:
    """Codes that know nothing of castling: int64."""
    return table((*range(12), ROOK, ROOK + 1, EMPTY, EMPTY, EMPTY), raw.device, torch.int64)[raw.clamp(max=16).long()]


def _castling(raw: Tensor, colors: tuple[Tensor | int, Tensor | int]) -> Tensor:
    """May those sides still castle, short and long? n x 4."""
    codes, squares = plain_codes(raw), torch.arange(64, device=raw.device)
    rights: list[Tensor] = []
    for color in colors:
        rooks = raw == CASTLING_ROOK + color
        king = (codes == KING + color).int().argmax(dim=1, keepdim=True)
        rights += [(rooks & (squares > king)).any(dim=1), (rooks & (squares < king)).any(dim=1)]
    return torch.stack(rights, dim=1)


def _seen_by_mover(packed: Tensor) -> Tensor:
    """The boards with the mover below, as if White were always to move."""
    codes = _codes(packed)
    other = table((*(code ^ 1 for code in range(12)), EMPTY), packed.device, torch.int64)
    turned = other[codes.view(-1, 8, 8).flip(1).view(-1, 64)]
    return torch.where(packed[:, 24:25] == 0, codes, turned)


def _spread(channels: int, codes: Tensor, channel_of: tuple[int, ...], values: Tensor) -> Tensor:
    """Each square's value in the channel of its piece, 0 in all others: n x channels x 64. An empty square's is 0."""
    where = table(channel_of, codes.device, torch.int64)[codes]
    empty = torch.zeros(len(codes), channels, 64, device=codes.device)
    return empty.scatter_(1, where.unsqueeze(1), values.unsqueeze(1))


def _looked_up(numbers: tuple[int, ...], codes: Tensor) -> Tensor:
    return table(numbers, codes.device, torch.float32)[codes]
