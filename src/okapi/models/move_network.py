"""Giraffe's move network (M. Lai, 2015, chapter 6): the probability that each legal move is the best.

It joins its evaluator's three modalities, computed once a position, with the features of a move as a fourth.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import torch
from torch import Tensor, nn

from okapi.errors import UsageError, did_you_mean
from okapi.models.lai2015 import MODALITIES
from okapi.models.layers import arrays_of
from okapi.models.move_features import FEATURES, LETTER, OURS, PROGRAM
from okapi.settings import Config


@dataclass(frozen=True, slots=True, kw_only=True)
class Design(Config):
    """The features of moves that a move network reads, and the widths of its layers."""

    OWNER = "a move network"
    moves: str = OURS
    position: int = 16
    pieces: int = 32
    squares: int = 32
    move: int = 32
    joined: int = 32
    hidden: int = 0  # a layer behind the joined one; 0: none, as in the thesis

    def __post_init__(self) -> None:
        if self.moves not in FEATURES:
            raise UsageError(f"no features of moves named `{self.moves}`", hint=did_you_mean(self.moves, FEATURES))

    @property
    def encoding(self) -> str:
        """What it reads of a position: the thesis does not turn the board."""
        return "giraffe-363" if self.scores_alone else "giraffe-363-mover"

    @property
    def scores_alone(self) -> bool:
        """Each move by itself, in two passes: its features are numbers, the last of them its rank."""
        return self.moves in (LETTER, PROGRAM)


LARGE: Final = Design(position=32, pieces=160, squares=96, move=64, joined=128, hidden=32)
"""Three times the weights and more than twice the time of Design() for one per cent more accuracy."""

LIKE_THE_THESIS: Final = Design(moves=LETTER, position=19, pieces=44, squares=26, move=15, joined=64, hidden=0)
"""Sizes of the evaluator of November 2015; the thesis gives none."""
LIKE_THE_PROGRAM: Final = replace(LIKE_THE_THESIS, moves=PROGRAM)


class MoveNetworkModule(nn.Module):
    """A number for each move: the higher, the likelier."""

    def __init__(self, design: Design) -> None:
        super().__init__()
        self.design = design
        self.position, self.pieces, self.squares = (
            nn.Linear(MODALITIES[name], getattr(design, name)) for name in MODALITIES
        )
        self._place = design.position + design.pieces + design.squares
        self.move = nn.Linear(FEATURES[design.moves], design.move)
        if design.moves == OURS:  # fifteen inputs of a move are 1, not every second
            nn.init.uniform_(self.move.weight, -0.25, 0.25)
        self.joined = nn.Linear(self._place + design.move, design.joined)
        self.hidden = nn.Linear(design.joined, design.hidden) if design.hidden else None
        self.output = nn.Linear(design.hidden or design.joined, 1)

    def forward(self, features: Tensor, moves: Tensor, rows: Tensor) -> Tensor:
        """Positions, n x 363; moves, k x 15, columns or numbers; the position of each move: k numbers."""
        seen = features.split([*MODALITIES.values()], dim=1)
        layers = (self.position, self.pieces, self.squares)
        place = torch.cat([layer(part) for layer, part in zip(layers, seen, strict=True)], dim=1)
        weight = self.joined.weight
        here = nn.functional.linear(torch.relu(place), weight[:, : self._place], self.joined.bias)
        if self.design.scores_alone:
            told = self.move(moves)
        else:
            columns = moves if moves.dtype == torch.int64 else moves.int()
            told = nn.functional.embedding_bag(columns, self.move.weight.T.contiguous(), mode="sum") + self.move.bias
        joined = torch.relu(here.index_select(0, rows) + torch.relu(told) @ weight[:, self._place :].T)
        if self.hidden is not None:
            joined = torch.relu(self.hidden(joined))
        found: Tensor = self.output(joined)[:, 0]
        return found


def ranks(scores: Tensor, rows: Tensor, counts: Tensor) -> Tensor:
    """How many moves of the same position have a higher score, for each move. Moves of a position stand together."""
    order = torch.argsort(scores, descending=True, stable=True)
    order = order[torch.argsort(rows[order], stable=True)]
    starts = counts.cumsum(0) - counts
    place = torch.empty_like(order)
    place[order] = torch.arange(len(order), device=order.device)
    return place - starts[rows]


def chances(scores: Tensor, rows: Tensor, count: int) -> Tensor:
    """Log-probabilities of moves: a softmax over the moves of each of `count` positions."""
    highest = torch.full((count,), -torch.inf, device=scores.device).scatter_reduce(0, rows, scores.detach(), "amax")
    above = scores - highest[rows]
    total = torch.zeros(count, device=scores.device).index_add(0, rows, above.exp())
    return above - total.log()[rows]


def move_brain(network: MoveNetworkModule, card: Mapping[str, str]) -> bytes:
    """The bytes of a brain with this network. `card` has the name, the recipe and further entries."""
    from okapi.brains.files import brain_file

    design = network.design
    output = json.dumps({"form": "priors", "passes": 2 if design.scores_alone else 1})
    entries = {"kind": "giraffe-moves", "encoding": design.encoding, "moves": design.moves, "output": output}
    return brain_file({**card, **entries}, arrays_of(network))
