"""The network of Stockfish 15 in torch, for labels by the million: whole numbers, equal to the numpy twin.

The first layer is a product for each square of the own king, by which boards are sorted, in 16-bit floats that hold its
weights and sums exactly; the other layers are products of 8-bit integers.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from okapi.brains.halfka import DIRECT, OUTPUT, PAWN, PIECES
from okapi.errors import InvalidBrain
from okapi.formats.nnue_file import KINGS, NEURONS, PLANES, STACKS, NnueFile
from okapi.models.nnue import CODES, EMPTY, KINDS, KING, SQUARES, one_hot, seen_by_other

HALF: Final = NEURONS // 2
EXACT: Final = 2048  # the largest integer up to which 16-bit floats hold all
MOST: Final = 20_000
ENOUGH: Final = 8192  # a node beyond this is 127 when squared: so its square fits 32 bits


class HalfKaLabeller:
    """Centipawns of boards from okapi.models.nnue.seen_by_mover, `batch` at a time."""

    def __init__(self, network: NnueFile, device: torch.device, *, batch: int, compiled: bool = False) -> None:
        self.batch, self._device = batch, device
        self._float = torch.float16 if device.type == "cuda" else torch.float32
        codes = np.arange(CODES)
        planes = np.minimum(codes % KINDS * 2 + codes // KINDS, PLANES - 1)
        places = (planes[:, np.newaxis] * SQUARES + (np.arange(SQUARES) ^ 7)).reshape(-1)
        weight = network.weight.reshape(KINGS, PLANES * SQUARES, NEURONS)[:, places].astype(np.int32)
        weight[:, KING * SQUARES : (KING + 1) * SQUARES] += network.bias  # every side has one king
        if np.abs(weight).max() > EXACT:
            raise InvalidBrain("the first layer has weights that 16-bit floats do not hold exactly")
        material = np.zeros((KINGS, CODES + 1, SQUARES, STACKS), np.int32)
        material[:, :CODES] = network.material.reshape(KINGS, -1, STACKS)[:, places].reshape(KINGS, CODES, SQUARES, -1)
        self._weight = torch.from_numpy(weight).to(device, self._float)
        self._material = torch.from_numpy(material.reshape(-1)).to(device)
        self._first = torch.from_numpy(network.first_weight.reshape(-1, NEURONS).copy()).to(device).t()
        self._second = torch.from_numpy(network.second_weight.reshape(-1, 32).copy()).to(device).t()
        names = ("first_bias", "second_bias", "last_weight", "last_bias")
        self._small = [torch.from_numpy(getattr(network, name).astype(np.int32)).to(device) for name in names]
        self._left = torch.tensor([*PIECES, *PIECES, 0], dtype=torch.int32, device=device)

        def step(function: Callable[..., Any]) -> Callable[..., Any]:
            return torch.compile(function) if compiled else function

        self._sort, self._one_hot, self._pairs = step(_sorted), step(one_hot), step(_pairs)
        self._second_inputs, self._material_of, self._end = step(_second_inputs), step(_material), step(_end)

    @torch.no_grad()
    def __call__(self, codes: Tensor, turned: Tensor) -> Tensor:
        """int16, for the side to move."""
        parts = zip(codes.split(self.batch), turned.split(self.batch), strict=True)
        return torch.cat([self._of(*part) for part in parts])

    def _of(self, codes: Tensor, turned: Tensor) -> Tensor:
        count = len(codes)
        if count < self.batch:  # one shape, so that a compiler works once
            codes = torch.cat([codes, codes[:1].expand(self.batch - count, -1)])
            turned = torch.cat([turned, turned[:1].expand(self.batch - count)])
        boards, kings, places, ends, stack = self._sort(codes, turned)
        inputs = self._one_hot(boards, self._float)
        sums = torch.empty(len(boards), NEURONS, dtype=self._float, device=self._device)
        begin = 0
        for king, end in enumerate(ends.tolist()):
            if begin < end:
                torch.mm(inputs[begin:end], self._weight[king], out=sums[begin:end])
            begin = end
        pairs = self._pairs(sums, places)
        first = torch._int_mm(pairs, self._first)
        both, direct = self._second_inputs(first, stack, self._small[0])
        second = torch._int_mm(both, self._second)
        material = self._material_of(self._material, boards, kings, places, stack)
        values: Tensor = self._end(second, direct, material, stack, codes, self._left, *self._small[1:])
        return values[:count]


def _sorted(codes: Tensor, turned: Tensor) -> tuple[Tensor, ...]:
    """Boards of both sides by the bucket of the own king; their buckets and places, the ends of buckets; and stacks."""
    both = torch.cat([codes, seen_by_other(codes, turned)])
    king = (both == KING).to(torch.uint8).argmax(dim=1)
    bucket = 28 - 4 * (king >> 3) + (king & 7)
    kings, order = torch.sort(bucket.to(torch.uint8))  # eight bits are quick to sort
    places = torch.empty_like(order)
    places[order] = torch.arange(len(order), device=order.device)
    ends = (kings[:, None] <= torch.arange(KINGS, device=kings.device)).sum(dim=0)
    return both[order], kings.long(), places, ends, ((codes != EMPTY).sum(dim=1) - 1) // 4


def _pairs(sums: Tensor, places: Tensor) -> Tensor:
    """The first half of each side's neurons times the second: int8, n x 1024, the mover's first."""
    clipped = sums[places].clamp(0, 127).to(torch.int32)
    products = (clipped[:, :HALF] * clipped[:, HALF:] >> 7).to(torch.int8)
    count = len(products) // 2
    return torch.cat([products[:count], products[count:]], dim=1)


def _second_inputs(first: Tensor, stack: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    """The 30 inputs of the second layer and two zeros, int8; and the node that goes to the end directly."""
    chosen = first.view(-1, STACKS, 16).gather(1, stack[:, None, None].expand(-1, 1, 16)).squeeze(1) + bias[stack]
    nodes, direct = chosen[:, :15], chosen[:, 15]
    squared = (nodes.clamp(-ENOUGH, ENOUGH).square() >> 19).clamp(max=127)
    linear = (nodes >> 6).clamp(0, 127)
    return torch.cat([squared, linear, torch.zeros_like(nodes[:, :2])], dim=1).to(torch.int8), direct


def _material(table: Tensor, boards: Tensor, kings: Tensor, places: Tensor, stack: Tensor) -> Tensor:
    """Half of the mover's material less the other's, in 16ths of Stockfish's units."""
    count = len(stack)
    of_both = torch.empty(2 * count, dtype=torch.int64, device=stack.device)
    of_both[places] = stack.repeat(2)
    squares = torch.arange(SQUARES, device=stack.device)
    rows = ((kings[:, None] * (CODES + 1) + boards.long()) * SQUARES + squares) * STACKS + of_both[:, None]
    sums = table[rows].sum(dim=1, dtype=torch.int32)[places]
    return torch.div(sums[:count] - sums[count:], 2, rounding_mode="trunc")


def _end(second: Tensor, direct: Tensor, material: Tensor, stack: Tensor, codes: Tensor, *constants: Tensor) -> Tensor:
    """The last layer, and what Stockfish makes of it by the material left."""
    worth, bias, weight, last_bias = constants
    chosen = second.view(-1, STACKS, 32).gather(1, stack[:, None, None].expand(-1, 1, 32)).squeeze(1) + bias[stack]
    last = ((chosen >> 6).clamp(0, 127) * weight[stack]).sum(dim=1) + last_bias[stack]
    layers = last + torch.div(direct.long() * DIRECT[0], DIRECT[1], rounding_mode="trunc")
    left = worth[codes.long()].sum(dim=1)
    more = 24 - left // 9560
    value = torch.div((1024 - more) * material + (1024 + more) * layers, 1024 * OUTPUT, rounding_mode="trunc")
    value = torch.div(value * (1064 + 106 * left // 5120), 1024, rounding_mode="trunc")
    value = torch.div(value * 195, 211, rounding_mode="trunc")
    return torch.div(value * 100, PAWN, rounding_mode="trunc").clamp(-MOST, MOST).to(torch.int16)
