"""Where a network is trained, and how busy that is kept."""

import ctypes
import re
import threading
from types import TracebackType
from typing import Final, Self

import torch
from torch import Tensor

from okapi.errors import UsageError

__all__ = ["Busy", "dice_of", "find_device", "set_dice"]

EVERY_S: Final = 0.25
"""How often the GPU is looked at."""


def find_device(name: str, local: int = 0) -> torch.device:
    """The device of that name; `auto` is a GPU where there is one, the one of our number where there are several."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    if not re.fullmatch(r"cpu|cuda(:\d+)?", name):
        raise UsageError(f"no device `{name}`", hint="expected auto, cpu or cuda")
    if name.startswith("cuda") and not torch.cuda.is_available():
        raise UsageError("torch finds no GPU on this machine", hint="--device cpu")
    return torch.device("cuda", local) if name == "cuda" else torch.device(name)


def dice_of(device: torch.device) -> list[Tensor]:
    """How they lie: the CPU's, and the GPU's if that is where we are."""
    dice = [torch.get_rng_state()]
    if device.type == "cuda":
        dice.append(torch.cuda.get_rng_state(device))
    return dice


def set_dice(dice: list[Tensor], device: torch.device) -> None:
    """Let them lie as they did; a GPU's are left alone where they were a CPU's before."""
    torch.set_rng_state(dice[0])
    if device.type == "cuda" and len(dice) > 1:
        torch.cuda.set_rng_state(dice[1], device)


class _Utilization(ctypes.Structure):
    _fields_ = (("gpu", ctypes.c_uint), ("memory", ctypes.c_uint))


class Busy:
    """Looks at a GPU in the background: the share of time in which it worked, whoever let it. None for a CPU."""

    def __init__(self, device: torch.device) -> None:
        self._seen: list[int] = []
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        if device.type == "cuda":
            name = f"GPU-{torch.cuda.get_device_properties(device).uuid}"
            self._thread = threading.Thread(target=self._look, args=(name, device.index or 0), daemon=True)

    @property
    def share(self) -> float | None:
        """So far."""
        return round(sum(self._seen) / len(self._seen) / 100, 4) if self._seen else None

    def __enter__(self) -> Self:
        if self._thread is not None:
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        if self._thread is not None:
            self._thread.join()

    def _look(self, name: str, number: int) -> None:
        """Asks NVIDIA's management library, if it is there; never CUDA, which may be recording a step."""
        try:
            library = ctypes.CDLL("libnvidia-ml.so.1")
        except OSError:
            return
        handle = ctypes.c_void_p()
        library.nvmlInit_v2()
        if library.nvmlDeviceGetHandleByUUID(name.encode(), ctypes.byref(handle)):
            library.nvmlDeviceGetHandleByIndex_v2(number, ctypes.byref(handle))
        found = _Utilization()
        while not self._over.wait(EVERY_S):
            if library.nvmlDeviceGetUtilizationRates(handle, ctypes.byref(found)) == 0:
                self._seen.append(found.gpu)
