"""Brains in Python: shipped ones, your own runs, and networks written in torch."""

from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

import numpy as np
from numpy.typing import NDArray

from okapi.brains import ModelCard, card, evaluator, predictor
from okapi.brains.evaluation import Evaluations, opened
from okapi.brains.move_prediction import Predictor
from okapi.core import Decision, Evaluator, Limits, Move, Position
from okapi.core.packed import pack
from okapi.files import replace_file
from okapi.players import Player, parse_player

if TYPE_CHECKING:
    from torch import nn

Positions = Sequence[Position] | NDArray[np.void]
"""Many positions: a list of them, or an array of okapi.core.packed.POSITION."""

DEFAULT_LIMITS = Limits(nodes=10_000)


class Brain:
    """Trained weights with a model card: it evaluates positions or predicts moves, and plays.

    >>> material = Brain.load("material")
    >>> material.name, material.card.kind
    ('material', 'material')
    >>> round(material.evaluate(Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")), 2)
    0.64
    >>> material.evaluate([Position(), Position("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")]).round(2)
    array([0.5 , 0.36])
    """

    def __init__(self, about: ModelCard) -> None:
        """Of the file that a card names; Brain.load finds it."""
        self.card = about

    @classmethod
    def load(cls, name: str | Path = "champion") -> "Brain":
        """The brain of that name, of a run of yours (`mine`, `mine@12`), or of a file; NotFound."""
        return Brain(card(name))

    @classmethod
    def from_torch(
        cls,
        module: "nn.Module",
        *,
        encoding: str = "planes-18",
        name: str = "mine",
        view: Literal["mover", "white"] = "mover",
    ) -> "Brain":
        """A brain made of a torch network, which maps arrays of an encoding to one value each.

        The value is the expected score, 0 to 1, of the side to move, or of White. An nn.Sequential of dense and
        convolutional layers is searched with by the core and can be saved; another module evaluates in batches in
        torch. A match has the weights as they are when it begins.

        >>> from torch import nn
        >>> network = nn.Sequential(nn.Flatten(), nn.Linear(18 * 64, 1), nn.Sigmoid())
        >>> Brain.from_torch(network).evaluate([Position()] * 3).shape
        (3,)
        """
        from okapi.api.torch_brain import TorchBrain  # here, because torch takes seconds to import

        return TorchBrain(module, encoding, name, view)

    @property
    def name(self) -> str:
        return self.card.name

    @overload
    def evaluate(self, positions: Position) -> float: ...
    @overload
    def evaluate(self, positions: Positions) -> NDArray[np.float64]: ...
    def evaluate(self, positions: Position | Positions) -> float | NDArray[np.float64]:
        """The expected score of the side to move, 0 to 1, without search: a number, or an array for many positions.

        WrongBrain if it predicts moves instead.
        """
        if isinstance(positions, Position):
            return float(self._values(pack([positions]))[0])
        return self._values(positions if isinstance(positions, np.ndarray) else pack(positions))

    def moves(self, position: Position, *, elo: int | None = None) -> list[tuple[Move, float]]:
        """The legal moves with their probabilities, likeliest first; WrongBrain if it does not predict moves."""
        return sorted(self._predictor.moves(pack([position]), elo=elo)[0], key=lambda pair: -pair[1])

    def choose(self, position: Position, limits: Limits = DEFAULT_LIMITS) -> Decision:
        """The move that it plays: the search's, or the likeliest one of a brain that predicts moves."""
        return self._player.choose(position, limits)

    def evaluator(self) -> Evaluator:
        return evaluator(str(self.card.path))

    def player(self) -> Player:
        """A new player: the search, or one that takes the likeliest move."""
        return parse_player("top-prob" if self.card.predicts_moves else "alphabeta", brain=str(self.card.path))

    def save(self, path: str | Path) -> Path:
        """Write its file, which every command of okapi takes."""
        path = Path(path).expanduser()
        replace_file(path, self._file())
        return path

    def __repr__(self) -> str:
        return f"<Brain {self.name}: {self.card.kind}, {self.card.weights:,} weights>"

    def _file(self) -> bytes:
        return self.card.path.read_bytes()

    def _values(self, positions: NDArray[np.void]) -> NDArray[np.float64]:
        return self._evaluations(positions).values

    @cached_property
    def _player(self) -> Player:
        return self.player()

    @cached_property
    def _predictor(self) -> Predictor:
        return predictor(str(self.card.path))

    @cached_property
    def _evaluations(self) -> Callable[[NDArray[np.void]], Evaluations]:
        return opened(str(self.card.path))
