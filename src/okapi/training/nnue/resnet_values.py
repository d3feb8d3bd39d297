"""What a ResNet thinks of many positions."""

import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import torch
from torch import Tensor

from okapi.models.express import Expressed, rebuilt
from okapi.training.nnue.lessons import Lessons
from okapi.training.nnue.plan import LOGIT_CENTIPAWNS
from okapi.training.nnue.resnet import planes
from okapi.training.supervised.recorded import plain

__all__ = ["Judging", "judged"]

MOST: Final = 10_000
"""Centipawns: beyond, the teachers' own labels are left out, too."""

EVERY_S: Final = 5.0
"""Somebody is told so often."""


class Judging:
    """A ResNet at rest: batch normalisation is folded into the convolutions; bfloat16 on a GPU."""

    def __init__(self, resnet: Expressed, device: torch.device, *, batch: int, compiled: bool = False) -> None:
        self._device, self._batch, self._compiled = device, batch, compiled
        if device.type == "cuda":
            torch.backends.cudnn.benchmark = True
        self._plain = rebuilt(resnet, device)
        self._answer: Callable[[Tensor], Tensor] = torch.compile(self._plain) if compiled else self._plain

    @torch.no_grad()
    def __call__(self, codes: Tensor) -> Tensor:
        """Centipawns for the side to move, int16."""
        found = torch.empty(len(codes), dtype=torch.int16, device=self._device)
        for begin in range(0, len(codes), self._batch):
            piece = codes[begin : begin + self._batch]
            centipawns = self._logits(piece) * LOGIT_CENTIPAWNS
            found[begin : begin + self._batch] = centipawns.round().clamp(-MOST, MOST).to(torch.int16)
        return found

    def _logits(self, codes: Tensor) -> Tensor:
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._device.type == "cuda"):
            # What was compiled is so for whole batches: the last one would have it compiled again.
            answer = self._answer if len(codes) == self._batch else self._plain
            try:
                return answer(planes(codes)).squeeze(1).float()
            except Exception as error:  # whatever is missing: a compiler, Triton, a driver
                if not self._compiled:
                    raise
                print(f"the ResNet is not compiled: {plain(error)}", file=sys.stderr)
                self._answer, self._compiled = self._plain, False
                return self._logits(codes)


def judged(
    ask: Judging,
    lessons: Lessons,
    *,
    at_once: int,
    until: float | None = None,
    heard: Callable[[int, int], object] = lambda done, of: None,
) -> Lessons:
    """The same positions with values, so many at a time; when time is over (time.monotonic), those that have some."""
    values = torch.zeros_like(lessons.values)
    done, told = 0, time.monotonic()
    while done < len(lessons) and (until is None or time.monotonic() < until):
        piece = slice(done, done + at_once)
        values[piece] = ask(lessons.codes[piece])
        if values.is_cuda:
            torch.cuda.synchronize(values.device)
        done = min(len(lessons), done + at_once)
        if time.monotonic() - told >= EVERY_S:
            told = time.monotonic()
            heard(done, len(lessons))
    return next(replace(lessons, values=values).pieces(max(1, done)))
