"""One step of training: a batch is gathered and expanded where it is, answered, judged, and learned from."""

import sys

import torch
from torch import Tensor, nn

from okapi.errors import UsageError
from okapi.models.torch_boards import mirrored
from okapi.models.torch_encodings import encode
from okapi.training.supervised.lessons import Lessons
from okapi.training.supervised.losses import LOSSES
from okapi.training.supervised.optimisers import OPTIMISERS, make_optimiser, set_rate
from okapi.training.supervised.plan import Plan
from okapi.training.supervised.ranks import Ranks
from okapi.training.supervised.recorded import Recorded, plain

__all__ = ["Step", "answers"]


class Step:
    """Takes steps through one epoch after another.

    Nothing comes back from the device meanwhile. On a GPU a whole step is recorded once as a CUDA graph and then
    replayed, so that small batches, too, keep it busy; where that cannot be, steps are taken one by one.
    """

    def __init__(self, plan: Plan, model: nn.Module, lessons: Lessons, device: torch.device, ranks: Ranks) -> None:
        if plan.batch % ranks.count:
            raise UsageError(f"a batch of {plan.batch} cannot be shared by {ranks.count} processes")
        self._plan = plan
        self._ranks = ranks
        self._device = device
        self._positions, self._targets = lessons.on(device)
        self.optimiser = make_optimiser(plan.optimiser, model.parameters(), device)
        self._model = model
        self._answer = _compiled(plan, model, device) if plan.compile else model
        self._loss = LOSSES[plan.loss]
        share = plan.batch // ranks.count
        self._offsets = torch.arange(share, device=device) + ranks.number * share
        self._order = torch.arange(len(lessons), device=device)
        self._cursor = torch.zeros((), dtype=torch.int64, device=device)
        self.total = torch.zeros((), dtype=torch.float64, device=device)
        """The sum of the losses of this epoch's batches."""
        self._rate: float | None = None
        recordable = ranks.alone and OPTIMISERS[plan.optimiser["name"]].recordable
        self._recorded = Recorded(self._take, device, recordable=recordable)

    @property
    def batches(self) -> int:
        """Steps of an epoch. All batches are of one size: the last one is filled up with samples of the first."""
        samples = min(len(self._positions), self._plan.samples or len(self._positions))
        return -(-samples // self._plan.batch)

    def begin(self, epoch: int, batch: int = 0, total: float = 0.0) -> None:
        """Go to a batch of an epoch: its order follows from seed and epoch alone."""
        dice = torch.Generator(self._device).manual_seed(1_000_003 * self._plan.seed + epoch)
        self._order.copy_(torch.randperm(len(self._positions), generator=dice, device=self._device))
        self._cursor.fill_(batch * self._plan.batch)
        self.total.fill_(total)

    def take(self, rate: float) -> None:
        """Learn from the next batch."""
        if rate != self._rate:
            set_rate(self.optimiser, rate)
            self._rate = rate
        self._recorded()

    def _take(self) -> None:
        here = self._order[(self._cursor + self._offsets) % len(self._order)]
        self._cursor += self._plan.batch
        positions, targets = self._positions[here], self._targets[here]
        if self._plan.mirror:
            turn = torch.rand(len(positions), 1, device=self._device) < 0.5
            positions = torch.where(turn, mirrored(positions), positions)
        outputs = answers(self._answer, positions, self._plan, self._device)
        loss = self._loss(outputs, targets, self._plan.smooth)
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        self._ranks.average_gradients(self._model)
        self.optimiser.step()
        self.total += loss.detach()


def answers(model: nn.Module, positions: Tensor, plan: Plan, device: torch.device) -> Tensor:
    """What a network says of packed positions, as float32; of several that make one sample, one after the other."""
    inputs = encode(positions.flatten(0, -2), plan.encoding)
    if device.type == "cuda" and inputs.dim() == 4:
        inputs = inputs.contiguous(memory_format=torch.channels_last)
    with torch.autocast(device.type, torch.bfloat16, enabled=plan.precision == "bfloat16"):
        outputs: Tensor = model(inputs)
    return outputs.float().view(len(positions), -1)


def _compiled(plan: Plan, model: nn.Module, device: torch.device) -> nn.Module:
    """The network compiled, if this machine can do it; it is tried on a batch, which leaves no trace."""
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    compiled: nn.Module = torch.compile(model)  # type: ignore[assignment]
    try:
        with torch.random.fork_rng([device] if device.type == "cuda" else []):
            nothing = torch.zeros(plan.batch, 36, dtype=torch.uint8, device=device)
            answers(compiled, nothing, plan, device).sum().backward()
    except Exception as error:  # whatever is missing: a compiler, Triton, a driver
        print(f"the network is not compiled: {plain(error)}", file=sys.stderr)
        return model
    finally:
        model.load_state_dict(before)
        model.zero_grad(set_to_none=True)
    return compiled
