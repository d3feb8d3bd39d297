"""Where networks are trained: devices, their random states and load, CUDA graphs, and several processes together."""

import os
import re
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final, Self

import torch
from torch import Tensor, distributed, nn

from okapi.errors import UsageError

LossOrNetwork = Callable[..., Tensor]
SAMPLE_S: Final = 0.25  # seconds between two samples of a GPU's load
WARM_UP: Final = 3  # steps before a CUDA graph is captured: algorithms are chosen, and the optimiser makes its state


def find_device(name: str, local_rank: int = 0) -> torch.device:
    """`auto` is a GPU if there is one; of several GPUs the one with the number of the local rank."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if not re.fullmatch(r"cpu|cuda(:\d+)?", name):
        raise UsageError(f"no device `{name}`", hint="expected auto, cpu or cuda")
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise UsageError("torch finds no GPU on this machine", hint="--device cpu")
    return torch.device("cuda", local_rank) if name == "cuda" else torch.device(name)


def forked_rng(device: torch.device) -> AbstractContextManager[None]:
    return torch.random.fork_rng([device] if device.type == "cuda" else [])


def epoch_order(count: int, seed: int, epoch: int, device: torch.device) -> Tensor:
    """A random order of so many samples, which follows from seed and epoch alone."""
    generator = torch.Generator(device).manual_seed(1_000_003 * seed + epoch)
    return torch.randperm(count, generator=generator, device=device)


def rng_state(device: torch.device) -> list[Tensor]:
    """The CPU's random state, and the GPU's if the device is one."""
    return [torch.get_rng_state(), *([torch.cuda.get_rng_state(device)] if device.type == "cuda" else [])]


def set_rng_state(states: list[Tensor], device: torch.device) -> None:
    """A GPU's state is left alone where a CPU's alone was saved."""
    torch.set_rng_state(states[0])
    if device.type == "cuda" and len(states) > 1:
        torch.cuda.set_rng_state(states[1], device)


def first_line(error: Exception) -> str:
    """Of an error of torch, which may have hundreds."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]


def compiled_if_possible(
    function: LossOrNetwork, model: nn.Module, device: torch.device, trial: Callable[[LossOrNetwork], Tensor]
) -> LossOrNetwork:
    """The compiled function, if this machine can compile: that is tried on a loss, and changes no weight."""
    before = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    compiled: LossOrNetwork = torch.compile(function)
    try:
        with forked_rng(device):
            trial(compiled).backward()
    except Exception as error:  # whatever is missing: a compiler, Triton, a driver
        print(f"the network is not compiled: {first_line(error)}", file=sys.stderr)
        compiled = function
    model.load_state_dict(before)
    model.zero_grad(set_to_none=True)
    return compiled


class GpuMonitor:
    """Samples the load of a GPU in the background, if nvidia-ml-py is installed."""

    def __init__(self, device: torch.device) -> None:
        self._device = device if device.type == "cuda" else None
        self.device_name = torch.cuda.get_device_name(device) if self._device else "cpu"
        self._loads: list[int] = []
        self._over, self._thread = threading.Event(), threading.Thread(target=self._sample, daemon=True)

    @property
    def share(self) -> float | None:
        """The share of time in which the GPU worked, for whichever process; None if it is not known."""
        return round(sum(self._loads) / len(self._loads) / 100, 4) if self._loads else None

    def __enter__(self) -> Self:
        if self._device:
            self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        if self._device:
            self._thread.join()

    def _sample(self) -> None:
        """By NVML and not by CUDA, which may be capturing a graph."""
        try:
            import pynvml

            pynvml.nvmlInit()
            handle = pynvml.nvmlDeviceGetHandleByUUID(f"GPU-{torch.cuda.get_device_properties(self._device).uuid}")
            while not self._over.wait(SAMPLE_S):
                self._loads.append(pynvml.nvmlDeviceGetUtilizationRates(handle).gpu)
        except Exception:  # no library, no driver, or a GPU that NVML does not show: then the load is unknown
            return


class GraphedStep:
    """A step that on a GPU is captured once as a CUDA graph, if possible, and replayed: small batches keep it busy."""

    def __init__(self, step: Callable[[], None], device: torch.device, *, capturable: bool = True) -> None:
        self._step, self._device = step, device
        self._capturable = capturable and device.type == "cuda"
        self._graph: torch.cuda.CUDAGraph | None = None
        self._taken = 0

    def __call__(self) -> None:
        if self._capturable and self._graph is None and self._taken >= WARM_UP:
            self._capture()
        if self._graph is not None:
            self._graph.replay()
        elif self._capturable:  # on a side stream, as torch demands before a capture
            side, here = torch.cuda.Stream(self._device), torch.cuda.current_stream(self._device)
            side.wait_stream(here)
            with torch.cuda.stream(side):
                self._step()
            here.wait_stream(side)
        else:
            self._step()
        self._taken += 1

    def _capture(self) -> None:
        graph = torch.cuda.CUDAGraph()
        try:
            torch.cuda.synchronize(self._device)
            with torch.cuda.graph(graph):
                self._step()
            self._graph = graph
        except RuntimeError as error:
            print(f"no CUDA graph of this step: {first_line(error)}", file=sys.stderr)
            self._capturable = False
            torch.cuda.synchronize(self._device)


class Ranks:
    """The processes that torchrun started to share each batch; or this process alone. The first writes the files."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        self.count, self.number, self.local = (
            int(environment.get(name, default)) for name, default in (("WORLD_SIZE", 1), ("RANK", 0), ("LOCAL_RANK", 0))
        )
        self.first, self.alone = self.number == 0, self.count == 1
        self._joined = False

    def join(self, device: torch.device) -> None:
        """Wait for the other ranks, unless the process group exists already."""
        if not self.alone and not distributed.is_initialized():
            distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
            self._joined = True

    def leave(self) -> None:
        if self._joined:
            distributed.destroy_process_group()

    def average_gradients(self, model: nn.Module) -> None:
        if self.alone:
            return
        gradients = [weights.grad for weights in model.parameters() if weights.grad is not None]
        waits = [distributed.all_reduce(gradient, async_op=True) for gradient in gradients]
        for wait, gradient in zip(waits, gradients, strict=True):
            wait.wait()
            gradient /= self.count

    def sum(self, numbers: Tensor) -> Tensor:
        if not self.alone:
            distributed.all_reduce(numbers)
        return numbers

    def broadcast(self, tensors: list[Tensor]) -> None:
        if not self.alone:
            for tensor in tensors:
                distributed.broadcast(tensor, 0)

    def agreed(self, value: Any) -> Any:
        values = [value]
        if not self.alone:
            distributed.broadcast_object_list(values, 0)
        return values[0]

    def gathered(self, value: Any) -> list[Any]:
        values = [value] * self.count
        if not self.alone:
            distributed.all_gather_object(values, value)
        return values
