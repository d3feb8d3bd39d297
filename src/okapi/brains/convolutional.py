"""Convolutional brains: networks over the board's squares, run by ONNX Runtime, many positions at a time.

Not imported by `okapi.brains` itself, which works without numpy and ONNX Runtime.
"""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import CONVOLUTIONAL
from okapi.brains.graph import graph
from okapi.brains.output import Output
from okapi.brains.passport import Passport
from okapi.brains.writing import read_tensors
from okapi.core import Evaluator
from okapi.core.packed import POSITION
from okapi.encodings import Encoding, find_encoding
from okapi.errors import InvalidBrain, NotFound, WrongBrain

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["AT_ONCE", "Convolutional", "read_encoding", "session"]

AT_ONCE: Final = 256
"""Positions in a batch: larger ones are no faster on a processor, and their planes leave its cache."""


class Convolutional:
    """A network, the encoding it reads, and what its answers mean."""

    def __init__(self, encoding: Encoding, output: Output, model: bytes, *, threads: int = 1) -> None:
        """`model` is an ONNX model; a batch is worked on by so many threads."""
        self.encoding = encoding
        self.output = output
        self._session = session(model, threads)

    @classmethod
    def open(cls, path: Path, *, threads: int = 1) -> "Convolutional":
        """Read a brain's file. InvalidBrain says what is wrong with it; NotFound, that ONNX Runtime is not here."""
        passport = Passport.read(path)
        try:
            if passport.kind != CONVOLUTIONAL:
                raise WrongBrain(f"its kind is {passport.kind}", hint="okapi.brains.evaluator reads every kind")
            encoding = read_encoding(passport.encoding)
            output = Output.read(passport.metadata.get("output", "nothing"))
            layers = json.loads(passport.metadata.get("layers", "null"))
            return cls(
                encoding, output, graph(layers, read_tensors(path), encoding.shape, output.width), threads=threads
            )
        except InvalidBrain as error:
            raise type(error)(f"brain `{passport.name}` cannot be used: {error}", hint=error.hint) from None
        except (ValueError, RecursionError):
            raise InvalidBrain(
                f"brain `{passport.name}` cannot be used: the `layers` in its passport are no JSON",
                hint="save it again with the recipe in its passport",
            ) from None

    def answers(self, positions: NDArray[np.void]) -> NDArray[np.float32]:
        """What the network itself says: one row of numbers for each packed position, probabilities of its classes."""
        answers = [self._answer(positions[begin : begin + AT_ONCE]) for begin in range(0, len(positions), AT_ONCE)]
        return np.concatenate([np.zeros((0, self.output.width), np.float32), *answers])

    def centipawns(self, positions: NDArray[np.void]) -> NDArray[np.int32]:
        """For the side to move of each packed position."""
        values = self.output.centipawns(self.answers(positions), positions["turn"])
        return np.rint(values).astype(np.int32)

    def evaluator(self) -> Evaluator:
        """An opinion for the search, which asks it about many positions at a time."""
        return Evaluator.from_packed(self._tell)

    def _tell(self, rows: NDArray[np.uint8], values: NDArray[np.int32]) -> None:
        values[:] = self.centipawns(rows.view(POSITION)[:, 0])

    def _answer(self, positions: NDArray[np.void]) -> NDArray[np.float32]:
        seen = self.encoding.encode_many(positions, np.float32)
        raw: NDArray[np.float32] = self._session.run(None, {"input": seen})[0]
        if not np.isfinite(raw).all():
            raise InvalidBrain("its network answers numbers that are not finite", hint="train it again")
        return self.output.finish(raw)


def read_encoding(name: str) -> Encoding:
    """The encoding that a passport names: WrongBrain says that there is none."""
    try:
        return find_encoding(name)
    except NotFound as error:
        raise WrongBrain(f"it reads {error}", hint=error.hint) from None


def session(model: bytes, threads: int) -> "InferenceSession":
    """ONNX Runtime, ready to run a model: NotFound says that it is not here."""
    try:
        import onnxruntime
    except ImportError:
        raise NotFound(
            "convolutional brains need ONNX Runtime, which is not installed",
            hint="pip install 'okapi-chess[onnx]'",
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    # Threads that wait for the next batch should not keep the search from thinking meanwhile.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
