"""A step that is taken again and again, on a GPU as a recording of itself."""

import sys
from collections.abc import Callable
from typing import Final

import torch

__all__ = ["Recorded", "plain"]

WARM: Final = 3
"""Steps before one is recorded: libraries choose their algorithms, and the optimiser makes its state."""


class Recorded:
    """Takes a step each time it is called.

    On a GPU a whole step is recorded once as a CUDA graph and then replayed, so that small batches, too, keep it busy;
    where that cannot be, steps are taken one by one.
    """

    def __init__(self, step: Callable[[], None], device: torch.device, *, recordable: bool = True) -> None:
        self._step, self._device = step, device
        self._recordable = recordable and device.type == "cuda"
        self._graph: torch.cuda.CUDAGraph | None = None
        self._taken = 0

    def __call__(self) -> None:
        """Take the next one."""
        if self._recordable and self._graph is None and self._taken >= WARM:
            self._record()
        if self._graph is not None:
            self._graph.replay()
        elif self._recordable:
            self._take_aside()
        else:
            self._step()
        self._taken += 1

    def _take_aside(self) -> None:
        """On a stream of its own, as what will be recorded has to be warmed up."""
        side = torch.cuda.Stream(self._device)
        side.wait_stream(torch.cuda.current_stream(self._device))
        with torch.cuda.stream(side):
            self._step()
        torch.cuda.current_stream(self._device).wait_stream(side)

    def _record(self) -> None:
        graph = torch.cuda.CUDAGraph()
        try:
            torch.cuda.synchronize(self._device)
            with torch.cuda.graph(graph):
                self._step()
            self._graph = graph
        except RuntimeError as error:
            print(f"this step cannot be recorded: {plain(error)}", file=sys.stderr)
            self._recordable = False
            torch.cuda.synchronize(self._device)


def plain(error: Exception) -> str:
    """The first line of what torch says."""
    return (str(error).strip() or type(error).__name__).splitlines()[0]
