"""One step of training: a batch is drawn and unpacked where it is, answered, judged and learned from."""

import sys
from collections.abc import Callable
from typing import Final

import torch
from torch import Tensor

from okapi.models.nnue import EMPTY, Nnue
from okapi.training.nnue.lessons import Lessons
from okapi.training.nnue.plan import LOGIT_CENTIPAWNS, Plan
from okapi.training.supervised.recorded import Recorded, plain

__all__ = ["Step", "judge", "limit_weights", "loss_of", "target_of"]

FIT_A_CACHE: Final = 2048
"""Boards that a CPU learns from together; a batch is several times as many."""

MOST_SUM: Final = (2**31 - 1) / 255**2 / 64
"""What output weights of one sign may sum up to, so that no sum of theirs leaves 32 bits."""

CLOSE: Final = 0.98
"""How near to it they may come, so that rounding does not reach it."""


class Step:
    """Takes steps through one epoch after another.

    Learning rates and shares lie on the device beforehand, and nothing comes back meanwhile. On a GPU a whole step is
    recorded once as a CUDA graph and then replayed; where that cannot be, steps are taken one by one.
    """

    def __init__(self, plan: Plan, model: Nnue, lessons: Lessons, device: torch.device) -> None:
        self._plan, self._model, self._lessons, self._device = plan, model, lessons, device
        cuda = device.type == "cuda"
        self._sparse = plan.layer == "sparse" or (plan.layer == "auto" and not cuda)
        self._at_once = plan.batch if cuda else min(plan.batch, FIT_A_CACHE)
        self._loss = _compiled(plan, model, device, sparse=self._sparse) if plan.compile else loss_of
        steps = plan.epochs * self.batches
        self._rates = torch.tensor([plan.rate_at(step, steps) for step in range(steps)], device=device)
        self._shares = torch.tensor([plan.result_at(step, steps) for step in range(steps)], device=device)
        self._rate = torch.tensor(plan.rate, device=device)
        self.optimiser = torch.optim.AdamW(
            [
                {"params": [model.accumulator.weight, model.output.weight], "weight_decay": plan.decay},
                {"params": [model.accumulator.bias, model.output.bias], "weight_decay": 0.0},
            ],
            lr=self._rate if cuda else plan.rate,
            fused=True,
            capturable=cuda,
        )
        self._order = torch.arange(len(lessons), device=device)
        self._offsets = torch.arange(plan.batch, device=device)
        self._batch = torch.zeros(1, dtype=torch.int64, device=device)
        self._number = torch.zeros(1, dtype=torch.int64, device=device)
        self.total = torch.zeros((), dtype=torch.float64, device=device)
        """The sum of the losses of this epoch's batches."""
        self._recorded = Recorded(self._take, device)

    @property
    def batches(self) -> int:
        """Steps of an epoch. All batches are of one size: the last one is filled up with samples of the first."""
        return -(-min(len(self._lessons), self._plan.samples or len(self._lessons)) // self._plan.batch)

    def begin(self, epoch: int, batch: int = 0, total: float = 0.0) -> None:
        """Go to a batch of an epoch: its order follows from seed and epoch alone."""
        dice = torch.Generator(self._device).manual_seed(1_000_003 * self._plan.seed + epoch)
        self._order.copy_(torch.randperm(len(self._lessons), generator=dice, device=self._device))
        self._batch.fill_(batch)
        self._number.fill_(epoch * self.batches + batch)
        self.total.fill_(total)

    def take(self) -> None:
        """Learn from the next batch."""
        self._recorded()

    def _take(self) -> None:
        here = self._order[(self._batch * self._plan.batch + self._offsets) % len(self._order)]
        self._set_rate()
        share = self._shares.index_select(0, self._number)
        self.optimiser.zero_grad(set_to_none=True)
        for piece in self._lessons.take(here).pieces(self._at_once):
            targets = target_of(piece, share)
            loss = self._loss(self._model, piece.codes, piece.turned, targets, self._plan, sparse=self._sparse)
            loss = loss * (len(piece) / self._plan.batch)
            loss.backward()
            self.total += loss.detach()
        self.optimiser.step()
        limit_weights(self._model, self._plan.limit)
        self._batch += 1
        self._number += 1

    def _set_rate(self) -> None:
        if self._device.type == "cuda":
            self._rate.copy_(self._rates.index_select(0, self._number).squeeze())
            return
        for group in self.optimiser.param_groups:
            group["lr"] = float(self._rates[self._number])


@torch.no_grad()
def judge(model: Nnue, lessons: Lessons, plan: Plan) -> dict[str, float]:
    """The loss on samples that are not taught; and the mean mistake in expected score, of values and of results."""
    sums = torch.zeros(4, dtype=torch.float64, device=lessons.codes.device)
    share = torch.tensor(plan.last_result, device=lessons.codes.device)
    for piece in lessons.pieces(plan.batch):
        expected = _expected(model(piece.codes, piece.turned, sparse=not piece.codes.is_cuda), plan)
        known = piece.results >= 0
        mistakes = (expected - target_of(piece, share)).abs().pow(plan.power)
        values = (expected - _expected_of(piece.values)).abs()
        results = (expected - piece.results / 2).abs() * known
        sums += torch.stack([mistakes.sum(), values.sum(), results.sum(), known.sum()])
    loss, value = (sums[:2] / max(1, len(lessons))).tolist()
    result = float(sums[2] / sums[3].clamp(min=1))
    return {"loss": loss, "value_mae": value, "result_mae": result}


@torch.no_grad()
def limit_weights(model: Nnue, limit: float) -> None:
    """Keep weights where whole numbers of few bits can follow."""
    model.accumulator.weight.clamp_(-limit, limit)
    weight = model.output.weight.clamp_(-limit, limit)
    most = torch.maximum(weight.clamp(min=0).sum(dim=1), -weight.clamp(max=0).sum(dim=1))
    weight.mul_((CLOSE * MOST_SUM / most.clamp(min=1e-9)).clamp(max=1.0)[:, None])


def loss_of(model: Nnue, codes: Tensor, turned: Tensor, targets: Tensor, plan: Plan, *, sparse: bool) -> Tensor:
    """The mean over boards, and what gradients are taken of."""
    dtype = torch.bfloat16 if plan.precision == "bf16" else torch.float32
    outputs = model(codes, turned, dtype=dtype, sparse=sparse)
    return (_expected(outputs, plan) - targets).abs().pow(plan.power).mean()


def target_of(lessons: Lessons, share: Tensor) -> Tensor:
    """The expected scores to be learned: of values, and with this share of results, where those are known."""
    values = _expected_of(lessons.values)
    blended = values + share * (lessons.results.float() / 2 - values)
    return torch.where(lessons.results >= 0, blended, values)


def _compiled(plan: Plan, model: Nnue, device: torch.device, *, sparse: bool) -> Callable[..., Tensor]:
    """The loss compiled, if this machine can do it: that is tried on boards with two men, and leaves no trace."""
    compiled = torch.compile(loss_of)
    codes = torch.full((plan.batch, 64), EMPTY, dtype=torch.uint8, device=device)
    codes[:, :2] = 0
    try:
        with torch.random.fork_rng([device] if device.type == "cuda" else []):
            targets = torch.zeros(plan.batch, device=device)
            compiled(model, codes, targets > 0, targets, plan, sparse=sparse).backward()
    except Exception as error:  # whatever is missing: a compiler, Triton, a driver
        print(f"steps are not compiled: {plain(error)}", file=sys.stderr)
        return loss_of
    finally:
        model.zero_grad(set_to_none=True)
    return compiled


def _expected(outputs: Tensor, plan: Plan) -> Tensor:
    return torch.sigmoid(outputs * (plan.scale / LOGIT_CENTIPAWNS))


def _expected_of(values: Tensor) -> Tensor:
    return torch.sigmoid(values.float() / LOGIT_CENTIPAWNS)
