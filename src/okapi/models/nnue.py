"""The NNUE in torch: (768 → N)×2 → 1, squared clipped ReLU, one of several outputs by the number of pieces.

Both sides share weights: own pieces are 0 to 5, the other's 6 to 11, ranks are counted from the own side, and files are
mirrored so that the own king is on a to d; with king buckets its square selects one of several copies of the 768
inputs. Weights are floats here and integers in the core, where an activation of 1 is 255 and an output weight of 1 is
64. A board is 64 codes of a byte: kind (pawn, knight, bishop, rook, queen, king), 6 more for the other's, EMPTY.
"""

from collections.abc import Mapping
from typing import Any, Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from okapi.brains.nnue import FIRST as FIRST_NODES
from okapi.brains.nnue import FULL, PAIR, UNIT
from okapi.brains.nnue import SECOND as SECOND_NODES
from okapi.encodings import FOUR_BUCKETS
from okapi.models.torch_boards import table

KINDS: Final = 6
CODES: Final = 2 * KINDS
EMPTY: Final = CODES
SQUARES: Final = 64
INPUTS: Final = CODES * SQUARES
MOST_MEN: Final = 32

RANKS_TURNED, FILES_TURNED = 56, 7  # what a square is xored with
MOST: Final = 20_000  # centipawns; the bound of evaluations
FIRST: Final = INPUTS**-0.5  # bound of initial weights: larger ones would stay random for inputs that are seldom active
KING: Final = 5  # the code of one's own king; the other's is KINDS more
KING_BUCKETS: Final = {1: (0,) * SQUARES, 4: FOUR_BUCKETS}  # by their number, for each square of the own king


def seen_by_mover(codes: Tensor, black: Tensor) -> tuple[Tensor, Tensor]:
    """Boards from the side to move; and whether files are mirrored for the other side.

    `codes` are n x 64 bytes from a1 on, `black` says for each whether Black is to move.

    >>> codes = torch.full((1, 64), EMPTY, dtype=torch.uint8)
    >>> codes[0, 4], codes[0, 57] = 5, 11                               # Ke1, Black's on b8
    >>> seen, turned = seen_by_mover(codes, torch.tensor([False]))
    >>> seen[0].ne(EMPTY).nonzero().flatten().tolist(), turned.tolist()  # d1 and g8
    ([3, 62], [True])
    """
    codes = torch.where(black[:, None], _other_side(codes), codes)
    codes = torch.where(_king_on_right(codes, KING)[:, None], _files_turned(codes), codes)
    return codes, _king_on_right(codes, KINDS + KING)


def seen_by_other(codes: Tensor, turned: Tensor) -> Tensor:
    """The same boards from the other side."""
    codes = _other_side(codes)
    return torch.where(turned[:, None], _files_turned(codes), codes)


def one_hot(codes: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """The inputs of the network: n x 768 ones and zeros."""
    kinds = torch.arange(CODES, dtype=torch.uint8, device=codes.device)
    return (codes[:, None, :] == kinds[:, None]).to(dtype).view(len(codes), INPUTS)


def feature_lists(codes: Tensor, turned: Tensor, king_buckets: int = 1) -> tuple[Tensor, Tensor, Tensor]:
    """The inputs that are one: those of the movers, board after board, then those of the others.

    And which of the 2n boards each belongs to, and where the list of each board begins.

    >>> codes = torch.full((2, 64), EMPTY, dtype=torch.uint8)
    >>> codes[0, 3], codes[1, 62] = 5, 0                                  # a king on d1, a pawn on g8
    >>> inputs, boards, begins = feature_lists(codes, torch.tensor([False, True]))
    >>> inputs.tolist(), boards.tolist(), begins.tolist()
    ([323, 62, 763, 385], [0, 1, 2, 3], [0, 1, 2, 3])
    """
    occupied = codes != EMPTY
    places = occupied.flatten().nonzero().squeeze(1)
    boards = places >> 6
    mover = codes.flatten()[places].long() * SQUARES + (places & 63)
    other = (mover + INPUTS // 2) % INPUTS ^ RANKS_TURNED ^ FILES_TURNED * turned[boards]
    if king_buckets > 1:
        theirs = _square_of(codes, KINDS + KING) ^ RANKS_TURNED ^ FILES_TURNED * turned
        for inputs, king in ((mover, _square_of(codes, KING)), (other, theirs)):
            inputs += INPUTS * _bucket(king, king_buckets)[boards]
    men = occupied.sum(dim=1)
    begins = men.cumsum(0) - men
    both = torch.cat([boards, boards + len(codes)])
    return torch.cat([mover, other]), both, torch.cat([begins, begins + len(places)])


def accumulated(weight: Tensor, bias: Tensor, codes: Tensor, turned: Tensor) -> Tensor:
    """The sums of the first layer for both sides: 2n x neurons."""
    inputs, _, begins = feature_lists(codes, turned, len(weight) // INPUTS)
    return functional.embedding_bag(inputs, weight, begins, mode="sum") + bias


def bucket_of(codes: Tensor, buckets: int) -> Tensor:
    men = (codes != EMPTY).sum(dim=1, keepdim=True)
    return (men - 2) * buckets // MOST_MEN


class _SumOfRows(torch.autograd.Function):
    """Sums of a table's rows; torch's own gradient takes several times as long, and 16-bit keys are quick to sort."""

    @staticmethod
    def forward(ctx: Any, table: Tensor, inputs: Tensor, boards: Tensor, begins: Tensor) -> Tensor:
        ctx.save_for_backward(inputs, boards)
        ctx.rows = len(table)
        return functional.embedding_bag(inputs, table, begins, mode="sum")

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None, None, None]:
        inputs, boards = ctx.saved_tensors
        order = torch.sort(inputs.short())[1]
        count = torch.bincount(inputs, minlength=ctx.rows)
        begins = count.cumsum(0) - count
        return functional.embedding_bag(boards[order], gradients[0], begins, mode="sum"), None, None, None


class _SquaredClipped(torch.autograd.Function):
    """Squared clipped ReLU, with little memory and one read in the backward pass."""

    @staticmethod
    def forward(ctx: Any, sums: Tensor) -> Tensor:
        clipped = sums.clamp(0, 1)
        ctx.save_for_backward(clipped)
        return clipped.square()

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        (clipped,) = ctx.saved_tensors
        slope: Tensor = gradients[0] * clipped * (2 * (clipped < 1))
        return slope


class Accumulator(nn.Module):
    """The first layer: the sum of the rows of the pieces on the board."""

    def __init__(self, neurons: int, king_buckets: int = 1) -> None:
        super().__init__()
        self.king_buckets = king_buckets
        self.weight = nn.Parameter(torch.empty(INPUTS, neurons).uniform_(-FIRST, FIRST).repeat(king_buckets, 1))
        self.bias = nn.Parameter(torch.zeros(neurons))

    def forward(self, codes: Tensor, turned: Tensor, dtype: torch.dtype, *, sparse: bool) -> tuple[Tensor, Tensor]:
        """float32, 2n x neurons, and which of the 2n boards each row is, those of the movers first.

        Dense products are for GPUs, sums of rows for CPUs.
        """
        every = torch.arange(2 * len(codes), device=codes.device)
        if sparse or (self.king_buckets > 1 and dtype != torch.bfloat16):  # grouped products are of 16 bits
            features = feature_lists(codes, turned, self.king_buckets)
            sums: Tensor = _SumOfRows.apply(self.weight, *features)  # type: ignore[no-untyped-call]
            return sums + self.bias, every
        both = torch.cat([codes, seen_by_other(codes, turned)])
        if self.king_buckets == 1:
            return torch.mm(one_hot(both, dtype), self.weight.to(dtype)).float() + self.bias, every
        bucket = _bucket(_square_of(both, KING), self.king_buckets)
        order = torch.argsort(bucket, stable=True)
        numbers = torch.arange(self.king_buckets, device=codes.device)
        ends = (bucket[:, None] == numbers).sum(dim=0).cumsum(0).to(torch.int32)
        weight = self.weight.to(dtype).view(self.king_buckets, INPUTS, -1)
        return functional.grouped_mm(one_hot(both[order], dtype), weight, offs=ends).float() + self.bias, order


class Nnue(nn.Module):
    """Logits of expected scores, in units that a brain's scale turns into centipawns."""

    def __init__(self, neurons: int, buckets: int, dropout: float = 0.0, king_buckets: int = 1) -> None:
        """`dropout` is the share of neurons that are dropped in training."""
        super().__init__()
        self.neurons, self.buckets, self.dropout = neurons, buckets, dropout
        self.accumulator = Accumulator(neurons, king_buckets)
        self.output = nn.Linear(2 * neurons, buckets)
        nn.init.uniform_(self.output.weight, -1 / neurons**0.5, 1 / neurons**0.5)
        nn.init.zeros_(self.output.bias)

    def forward(
        self, codes: Tensor, turned: Tensor, *, dtype: torch.dtype = torch.float32, sparse: bool = False
    ) -> Tensor:
        """Of each board that seen_by_mover made; `dtype` is that of the first layer's product."""
        count = len(codes)
        sums, order = self.accumulator(codes, turned, dtype, sparse=sparse)
        if dtype == torch.float32:
            active: Tensor = _SquaredClipped.apply(sums)  # type: ignore[no-untyped-call]
        else:  # a compiler keeps the 16-bit sums and computes the rest again
            active = sums.clamp(0, 1).square().to(dtype)
        if self.dropout and self.training:
            active = functional.dropout(active, self.dropout)
        mover, other = self.output.weight.to(dtype).split(self.neurons, dim=1)
        if self.accumulator.king_buckets == 1:
            both = (active[:count] @ mover.t()).float() + (active[count:] @ other.t()).float()
        else:  # the rows of both sides are mixed: compute either half for each, and sort that small product
            halves = (active @ torch.cat([mover, other]).t()).float().view(2 * count, 2, self.buckets)
            mine = halves.gather(1, (order >= count).long()[:, None, None].expand(-1, 1, self.buckets)).squeeze(1)
            both = torch.zeros(count, self.buckets, device=codes.device).index_add(0, order % count, mine)
        chosen: Tensor = (both + self.output.bias).gather(1, bucket_of(codes, self.buckets)).squeeze(1)
        return chosen


class LayeredNnue(nn.Module):
    """The same for pairs → 16 → 32 → 1 for each range of the number of pieces.

    Behind the accumulators numbers are rounded as in the core, and gradients pass through: training measures the brain.
    """

    def __init__(self, neurons: int, stacks: int, king_buckets: int = 1) -> None:
        super().__init__()
        self.neurons, self.stacks = neurons, stacks
        self.accumulator = Accumulator(neurons, king_buckets)
        self.first = nn.Linear(neurons, stacks * FIRST_NODES)
        self.second = nn.Linear(SECOND_NODES, stacks * SECOND_NODES)
        self.last = nn.Linear(SECOND_NODES, stacks)
        nn.init.constant_(self.accumulator.bias, 0.25)  # products of neurons that are 0 would not learn
        for layer in (self.first, self.second, self.last):
            nn.init.zeros_(layer.bias)

    def forward(
        self, codes: Tensor, turned: Tensor, *, dtype: torch.dtype = torch.float32, sparse: bool = False
    ) -> Tensor:
        count, half = len(codes), self.neurons // 2
        sums, order = self.accumulator(codes, turned, dtype, sparse=sparse)
        clipped = sums.clamp(0, 1)
        pairs = _floor(clipped[:, :half] * clipped[:, half:] * (FULL * FULL / 512)).to(dtype)
        mover, other = _rounded(self.first.weight, UNIT).to(dtype).split(half, dim=1)
        stack = bucket_of(codes, self.stacks)
        if self.accumulator.king_buckets == 1:
            both = _of_stack((pairs[:count] @ mover.t() + pairs[count:] @ other.t()).float(), stack, FIRST_NODES)
        else:  # the rows of both sides are mixed: compute either half for each, and sort what is chosen
            board, theirs = order % count, order >= count
            halves = (pairs @ torch.cat([mover, other]).t()).float()
            place = stack.squeeze(1)[board] + self.stacks * theirs
            mine = _of_stack(halves, place[:, None], FIRST_NODES)
            both = torch.zeros(count, FIRST_NODES, device=codes.device).index_add(0, board, mine)
        first = both / PAIR + self.first.bias.view(-1, FIRST_NODES)[stack.squeeze(1)]
        nodes, direct = first[:, :-1], first[:, -1]
        squared = _floor(nodes.square() * ((PAIR * UNIT) ** 2 / 2**19)).clamp(max=PAIR)
        linear = _floor(nodes * PAIR).clamp(0, PAIR)
        inputs = functional.pad(torch.cat([squared, linear], dim=1) / PAIR, (0, 2))
        second = functional.linear(inputs, _rounded(self.second.weight, UNIT), self.second.bias)
        active = _floor(_of_stack(second, stack, SECOND_NODES) * PAIR).clamp(0, PAIR) / PAIR
        last = _rounded(self.last.weight, UNIT)[stack.squeeze(1)]
        chosen: Tensor = (active * last).sum(dim=1) + self.last.bias[stack.squeeze(1)] + direct
        return chosen


def _of_stack(outputs: Tensor, stack: Tensor, nodes: int) -> Tensor:
    """Those of the stack of each board: n x nodes."""
    return outputs.gather(1, nodes * stack + torch.arange(nodes, device=stack.device))


def _floor(numbers: Tensor) -> Tensor:
    """Rounded down, with the gradient of the number itself."""
    return numbers + (numbers.floor() - numbers).detach()


def _rounded(weights: Tensor, unit: int) -> Tensor:
    """Multiples of 1 / unit, with the gradient of the weights themselves."""
    return weights + ((weights * unit).round() / unit - weights).detach()


def whole_values(tensors: Mapping[str, Any], scale: int, codes: Tensor, turned: Tensor) -> Tensor:
    """Centipawns of a quantised network for the side to move: exactly the core's, by float64."""
    whole = {name: torch.as_tensor(tensor).to(codes.device).double() for name, tensor in tensors.items()}
    clipped = accumulated(whole["accumulator.weight"], whole["accumulator.bias"], codes, turned).clamp(0, FULL)
    if "first_weight" in whole:
        chosen, unit = _layered_sums(whole, clipped, codes), PAIR * UNIT
    else:
        mover, other = clipped.square().split(len(codes))
        ours, theirs = whole["output.weight"].chunk(2, dim=1)
        every = ((mover @ ours.t() + other @ theirs.t()) / FULL).trunc() + whole["output.bias"]
        chosen, unit = every.gather(1, bucket_of(codes, every.shape[1])).squeeze(1), FULL * UNIT
    return (chosen * scale / unit).trunc().clamp(-MOST, MOST).long()


def _layered_sums(whole: Mapping[str, Tensor], clipped: Tensor, codes: Tensor) -> Tensor:
    first, second = clipped.chunk(2, dim=1)
    pairs = torch.cat((first * second / 512).floor().split(len(codes)), dim=1)
    stack = bucket_of(codes, len(whole["last_bias"])).squeeze(1)
    sums = torch.zeros(len(codes), dtype=torch.float64, device=codes.device)
    for number, last_bias in enumerate(whole["last_bias"]):
        here = (stack == number).nonzero().squeeze(1)
        nodes = pairs[here] @ whole["first_weight"][number].t() + whole["first_bias"][number]
        direct, nodes = nodes[:, -1], nodes[:, :-1]
        inputs = torch.cat([nodes.square() / 2**19, (nodes / UNIT).clamp(min=0)], dim=1).floor().clamp(max=PAIR)
        deep = inputs @ whole["second_weight"][number, :, :-2].t() + whole["second_bias"][number]
        sums[here] = (deep / UNIT).floor().clamp(0, PAIR) @ whole["last_weight"][number] + last_bias + direct
    return sums


def _other_side(codes: Tensor) -> Tensor:
    """Colours changed, and ranks 1 to 8 turned round."""
    swapped = torch.where(codes < KINDS, codes + KINDS, torch.where(codes < CODES, codes - KINDS, codes))
    return swapped.view(-1, 8, 8).flip(1).view(-1, SQUARES)


def _files_turned(codes: Tensor) -> Tensor:
    return codes.view(-1, 8, 8).flip(2).view(-1, SQUARES)


def _square_of(codes: Tensor, king: int) -> Tensor:
    return (codes == king).to(torch.uint8).argmax(dim=1)


def _bucket(king: Tensor, king_buckets: int) -> Tensor:
    return table(KING_BUCKETS[king_buckets], king.device, torch.int64)[king]


def _king_on_right(codes: Tensor, king: int) -> Tensor:
    return (codes == king).view(-1, 8, 8)[:, :, 4:].any(dim=2).any(dim=1)
