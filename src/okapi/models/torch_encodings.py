"""Torch encodings: packed positions expanded batch by batch, as the encodings of those names in okapi.encodings.

An encoding with layers, such as `planes-12+elo+piece`, needs four more bytes a position: the mover's rating (two bytes,
low first), the square of the piece that moves, and the result for the mover (0 lost, 1 drawn, 2 won).
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils import data

from okapi.core import Kind
from okapi.encodings.boards import CASTLING_ROOK, EMPTY
from okapi.encodings.layers import ELO_RANGE
from okapi.encodings.sabatelli2018 import STRENGTH
from okapi.encodings.sheehan2016 import WORTH
from okapi.encodings.singh2015 import CHANNELS
from okapi.errors import UsageError, did_you_mean
from okapi.models import torch_boards as boards
from okapi.models.torch_boards import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

PIECES: Final = tuple((code >> 1, code & 1) for code in range(12))  # kind and colour of each code
PLANES: Final = tuple(CHANNELS.index(kind) for kind in Kind)  # singh2015: the plane of each kind


def encode(packed: Tensor, encoding: str) -> Tensor:
    """Encode packed positions, uint8, n x 32 (36 with layers): float32, n x the encoding's shape.

    >>> encode(torch.zeros(1, 32, dtype=torch.uint8), "bitmap-768").shape      # nothing on the board
    torch.Size([1, 768])
    >>> encode(torch.zeros(1, 36, dtype=torch.uint8), "planes-12+elo+piece").shape
    torch.Size([1, 14, 8, 8])
    """
    check_torch_encoding(encoding)
    base, *layers = encoding.split("+")
    seen = TORCH_ENCODINGS[base](packed)
    if not layers:
        return seen
    if packed.shape[1] < 36:
        raise UsageError(f"`{encoding}` needs 36 bytes a position, not {packed.shape[1]}")
    more = torch.stack([LAYERS[layer](packed).expand(-1, 64) for layer in layers], dim=1)
    return torch.cat([seen, _as_images(more)], dim=1)


class EncodedDataset(data.Dataset[tuple[Tensor, Tensor]]):
    """Packed positions and targets for a torch DataLoader: pairs of an encoding's tensor and a target.

    >>> from okapi.core import Position
    >>> from okapi.core.packed import pack, rows
    >>> samples = EncodedDataset(rows(pack([Position()])), np.array([0.5], np.float32), "planes-18")
    >>> samples[0][0].shape, samples[0][1].item()
    (torch.Size([18, 8, 8]), 0.5)
    """

    def __init__(self, positions: NDArray[np.uint8], targets: NDArray[Any], encoding: str) -> None:
        check_torch_encoding(encoding)
        self._positions, self._targets = torch.from_numpy(np.array(positions)), torch.from_numpy(np.array(targets))
        self._encoding = encoding

    def __len__(self) -> int:
        return len(self._targets)

    def __getitem__(self, index: int) -> tuple[Tensor, Tensor]:
        return self.__getitems__([index])[0]

    def __getitems__(self, indices: list[int]) -> list[tuple[Tensor, Tensor]]:
        inputs = encode(self._positions[indices], self._encoding)
        return list(zip(inputs, self._targets[indices], strict=True))


def check_torch_encoding(encoding: str) -> None:
    """Raise UsageError if there is no torch encoding of that name."""
    base, *layers = encoding.split("+")
    if base not in TORCH_ENCODINGS:
        raise UsageError(f"networks cannot be trained on `{encoding}`", hint=did_you_mean(base, TORCH_ENCODINGS))
    if layers and not base.startswith("planes-"):
        raise UsageError(f"`{base}` has no layers besides", hint="planes-6, planes-12 and planes-18 may have some")
    if layers != [layer for layer in LAYERS if layer in layers]:
        raise UsageError(f"`{encoding}` has other layers than there are", hint=f"{', '.join(LAYERS)}, in this order")


def _vector_64(packed: Tensor) -> Tensor:
    """Empty 0; white pieces 1 to 6, black ones 7 to 12."""
    return _looked_up((1 + kind + 6 * color for kind, color in PIECES), boards.codes_of(packed))


def _vector_65(packed: Tensor) -> Tensor:
    worth = _looked_up((WORTH[kind] * (1 - 2 * color) for kind, color in PIECES), boards.codes_of(packed))
    return torch.cat([_vector_64(packed), worth.sum(dim=1, keepdim=True)], dim=1)


def _signed(packed: Tensor, worth: tuple[int, ...]) -> Tensor:
    """Twelve channels, White's first: n x 12 x 64; positive for the mover's pieces, negative for the others."""
    codes = boards.codes_of(packed)
    values = _looked_up((worth[kind] * (1 - 2 * color) for kind, color in PIECES), codes)
    channels = (6 * color + kind for kind, color in PIECES)
    return _spread(12, codes, channels, values * (1.0 - 2.0 * packed[:, 24:25]))


def _planes_6(packed: Tensor) -> Tensor:
    codes = _seen_by_mover(packed)
    values = _looked_up((1 - 2 * color for _, color in PIECES), codes)
    return _as_images(_spread(6, codes, (PLANES[kind] for kind, _ in PIECES), values))


def _planes_12(packed: Tensor) -> Tensor:
    codes = _seen_by_mover(packed)
    channels = (2 * PLANES[kind] + color for kind, color in PIECES)
    return _as_images(_spread(12, codes, channels, (codes != EMPTY).float()))


def _planes_18(packed: Tensor) -> Tensor:
    turn = packed[:, 24:25]
    squares = torch.arange(64, device=packed.device)
    rights = _castling(boards.raw_codes(packed), (turn, 1 - turn))
    whole = torch.cat([rights, turn == 0], dim=1)[:, :, None].expand(-1, -1, 64)  # n 5 64
    passing = squares == torch.where(turn == 0, packed[:, 25:26], packed[:, 25:26] ^ 56)  # 64, for none, is no square
    return torch.cat([_planes_12(packed), _as_images(torch.cat([whole[:, :4], passing[:, None], whole[:, 4:]], 1))], 1)


def _as_images(squares: Tensor) -> Tensor:
    return squares.view(*squares.shape[:2], 8, 8)


TORCH_ENCODINGS: Final[dict[str, Callable[[Tensor], Tensor]]] = {
    "vector-64": _vector_64,
    "vector-65": _vector_65,
    "bitmap-768": lambda packed: _signed(packed, (1, 1, 1, 1, 1, 1)).flatten(start_dim=1),
    "bitmap-12x8x8": lambda packed: _as_images(_signed(packed, (1, 1, 1, 1, 1, 1))),
    "algebraic-768": lambda packed: _signed(packed, STRENGTH).flatten(start_dim=1),
    "algebraic-12x8x8": lambda packed: _as_images(_signed(packed, STRENGTH)),
    "planes-6": _planes_6,
    "planes-12": _planes_12,
    "planes-18": _planes_18,
    "giraffe-363": lambda packed: giraffe_363(boards.raw_codes(packed), packed[:, 24:25]),
    "giraffe-363-mover": lambda packed: giraffe_363(boards.raw_codes_of_mover(packed), 0 * packed[:, 24:25]),
}


def _elo(rows: Tensor) -> Tensor:
    lowest, highest = ELO_RANGE
    return (rows[:, 32:33].float() + 256 * rows[:, 33:34].float() - lowest) / (highest - lowest)


def _piece(rows: Tensor) -> Tensor:
    square = torch.where(rows[:, 24:25] == 0, rows[:, 34:35], rows[:, 34:35] ^ 56)
    return (torch.arange(64, device=rows.device) == square).float()


LAYERS: Final[dict[str, Callable[[Tensor], Tensor]]] = {
    "elo": _elo,
    "piece": _piece,
    "outcome": lambda rows: rows[:, 35:36].float() / 2,
}
"""singh2015, section 2.2.3: what may follow the planes of a position, in this order: n x 1 or n x 64."""


def _castling(raw: Tensor, colors: tuple[Tensor | int, Tensor | int]) -> Tensor:
    """Whether those sides may still castle, short and long: n x 4."""
    codes, squares = boards.plain_codes(raw), torch.arange(64, device=raw.device)
    rights: list[Tensor] = []
    for color in colors:
        rooks = raw == CASTLING_ROOK + color
        king = (codes == 2 * KING + color).int().argmax(dim=1, keepdim=True)
        rights += [(rooks & (squares > king)).any(dim=1), (rooks & (squares < king)).any(dim=1)]
    return torch.stack(rights, dim=1)


def _seen_by_mover(packed: Tensor) -> Tensor:
    """The boards from the mover's side, as if White were to move."""
    codes = boards.codes_of(packed)
    other = boards.table((*(code ^ 1 for code in range(12)), EMPTY), packed.device, torch.int64)
    turned = other[codes.view(-1, 8, 8).flip(1).view(-1, 64)]
    return torch.where(packed[:, 24:25] == 0, codes, turned)


def _spread(channels: int, codes: Tensor, channel_of: Iterable[int], values: Tensor) -> Tensor:
    """Each square's value in the channel of its piece, 0 in all others: n x channels x 64. An empty square's is 0."""
    where = boards.table((*channel_of, 0), codes.device, torch.int64)[codes]
    empty = torch.zeros(len(codes), channels, 64, device=codes.device)
    return empty.scatter_(1, where.unsqueeze(1), values.unsqueeze(1))


def _looked_up(numbers: Iterable[int], codes: Tensor) -> Tensor:
    """The number of the piece on each square, 0 where there is none."""
    return boards.table((*numbers, 0), codes.device, torch.float32)[codes]


# --- giraffe-363: the twin of okapi.encodings.lai2015 -----------------------------------------------------------------

USUAL: Final = {QUEEN: 1, ROOK: 2, BISHOP: 2, KNIGHT: 2, PAWN: 8}
DIRECTIONS: Final = {QUEEN: slice(0, 8), ROOK: boards.STRAIGHT, BISHOP: boards.DIAGONAL}


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """Places in the list of pieces: n x slots."""

    exists: Tensor
    square: Tensor  # meaningless where nothing is


def giraffe_363(raw: Tensor, turn: Tensor) -> Tensor:
    """n x 64 raw codes; whose turn, n x 1: n x 363."""
    codes = boards.plain_codes(raw)
    counts = torch.stack([(codes == code).sum(dim=1) for code in range(12)], dim=1)
    seen = boards.views(codes)
    sides = [boards.attackers(seen, color) for color in (0, 1)]
    controls = torch.stack([control(side) for side in sides], dim=2)  # n 64 2
    rights = _castling(raw, (0, 1)).float()
    kings = _joined([_nth(codes, 2 * KING + color, 1) for color in (0, 1)])
    where = torch.stack([(kings.square & 7) / 7, (kings.square >> 3) / 7], dim=2)  # n 2 2
    pieces = {kind: _pairs(codes, kind) for kind in (ROOK, BISHOP, KNIGHT)}
    pieces[QUEEN] = _joined([_nth(codes, 2 * QUEEN + color, 1) for color in (0, 1)])
    found = {kind: _of_slots(seen, sides, controls, slots, kind) for kind, slots in pieces.items()}
    rooks = found[ROOK].view(len(codes), 2, -1)  # each side's two
    return torch.cat(
        [
            *(counts[:, 2 * kind + color, None] / usual for color in (0, 1) for kind, usual in USUAL.items()),
            (turn == 0).float(),
            where[:, 0], rights[:, :2], where[:, 1], rights[:, 2:],
            *(_of_slots(seen, sides, controls, _pawns(codes, color), PAWN).flatten(1) for color in (0, 1)),
            found[QUEEN].flatten(1),
            rooks[:, 0], rights[:, :2], rooks[:, 1], rights[:, 2:],
            found[BISHOP].flatten(1),
            found[KNIGHT].flatten(1),
            controls.flatten(1),
        ],
        dim=1,
    )  # fmt: skip


def control(side: boards.AttackTensors) -> Tensor:
    """The cheaper the least valuable attacker, the better a square is controlled: n x 64."""
    king = boards.GIRAFFE_VALUES[KING]
    controls = (*((1.5 * king - worth) / (2 * king) for worth in boards.GIRAFFE_VALUES), 0.0)
    return boards.table(controls, side.least.device, torch.float32)[side.least]


def _of_slots(
    seen: boards.Views, sides: list[boards.AttackTensors], controls: Tensor, slots: Slots, kind: int
) -> Tensor:
    """Existence, coordinates, mobility, and who attacks and defends it: n x slots x features, 0 where no piece is."""
    square = slots.square
    columns = [torch.ones_like(square)[..., None], (square & 7)[..., None] / 7, (square >> 3)[..., None] / 7]
    if kind != PAWN:
        columns += _mobility(seen, sides, square, kind)
    columns.append(controls.gather(1, square[..., None].expand(-1, -1, 2)))
    return torch.cat(columns, dim=2) * slots.exists[..., None]


def _mobility(seen: boards.Views, sides: list[boards.AttackTensors], square: Tensor, kind: int) -> list[Tensor]:
    """How far it reaches in each direction, how many of those squares are safe; White's slots are the first half."""
    count, slots = square.shape
    each = slots // 2
    safe = torch.stack([_safe(sides[color], sides[1 - color], kind) for color in (0, 1)], dim=1)  # n 2 65
    safe = safe.repeat_interleave(each, dim=1)
    if kind == KNIGHT:
        there = boards.nested_table(boards.JUMPS, square.device)[square]
        return [safe.gather(2, there).sum(dim=2, keepdim=True) / 16]
    ways = DIRECTIONS[kind]
    reach = seen.reach.gather(1, square[..., None].expand(-1, -1, 8))[..., ways]
    rays = boards.nested_table(boards.RAYS, square.device)[square].view(count, slots, 8, 7)[:, :, ways]
    near = torch.arange(7, device=square.device) < reach[..., None]
    reached = (safe.gather(2, rays.flatten(start_dim=2)).view_as(near) * near).sum(dim=(2, 3))
    return [reach / 7, reached[..., None] / 16]


def _safe(friends: boards.AttackTensors, enemies: boards.AttackTensors, kind: int) -> Tensor:
    """Where a piece of that kind could stay, n x 65: see Batch.safe_moves of okapi.encodings.lai2015."""
    dear = (*(worth >= boards.GIRAFFE_VALUES[kind] for worth in boards.GIRAFFE_VALUES), True)
    only_dear = boards.table(dear, enemies.least.device, torch.bool)[enemies.least]
    safe = (enemies.count == 0) | (only_dear & (friends.count > 1))
    return torch.cat([safe, torch.zeros_like(safe[:, :1])], dim=1).float()


def _nth(codes: Tensor, code: int, n: int) -> Slots:
    """The nth piece of a kind, from a1 to h8: n x 1."""
    pieces = codes == code
    this = pieces & (pieces.cumsum(dim=1) == n)
    return Slots(this.any(dim=1, keepdim=True), boards.first_true(this)[:, None])


def _joined(slots: list[Slots]) -> Slots:
    return Slots(torch.cat([slot.exists for slot in slots], dim=1), torch.cat([slot.square for slot in slots], dim=1))


def _pairs(codes: Tensor, kind: int) -> Slots:
    """The first two of a kind, the one further left first; a single one takes the slot of its half of the board."""
    found: list[Slots] = []
    for color in (0, 1):
        one, two = (_nth(codes, 2 * kind + color, n) for n in (1, 2))
        turned = torch.where(two.exists, (one.square & 7) > (two.square & 7), (one.square & 7) >= 4)
        for left, right in ((one, two), (two, one)):
            exists = torch.where(turned, right.exists, left.exists)
            found.append(Slots(exists, torch.where(turned, right.square, left.square)))
    return _joined(found)


def _pawns(codes: Tensor, color: int) -> Slots:
    """A pawn takes the slot of its file, or the nearest free one if it is taken: n x 8."""
    pawns = codes == 2 * PAWN + color
    on_files = pawns.view(-1, 8, 8)
    taken = on_files.any(dim=1)
    files = torch.arange(8, device=codes.device)
    squares = boards.first_true(on_files, dim=1) * 8 + files
    lowest = torch.zeros_like(pawns).scatter_(1, squares, taken)
    spare = pawns & ~lowest
    order = spare.cumsum(dim=1)
    for n in range(1, 8):
        this = spare & (order == n)
        square = boards.first_true(this)[:, None]
        nearest = ((square & 7) - files).abs().masked_fill(taken, 8).argmin(dim=1, keepdim=True)
        goes = (files == nearest) & this.any(dim=1, keepdim=True) & ~taken
        squares, taken = torch.where(goes, square, squares), taken | goes
    return Slots(taken, squares)
