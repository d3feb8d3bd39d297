"""Connects to a Ray cluster."""

import logging
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from okapi.errors import UsageError


def join(address: str) -> tuple[Any, bool]:
    """The module ray, connected to `address` (host:port, ray://host:port or auto); true if this call connected it."""
    try:
        import ray
    except ImportError:
        raise UsageError("a cluster needs Ray", hint="pip install 'okapi-chess[cluster]'") from None
    _write_to_stderr(ray)
    if ray.is_initialized():
        return ray, False
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(f"there is no Ray cluster at `{address}`: {error}", hint="ray start --head") from None
    return ray, True


def _write_to_stderr(ray: Any) -> None:
    """Ray tells on stdout that a machine was lost; stdout is for results, which programs read as JSON."""
    worker: Any = getattr(getattr(ray, "_private", None), "worker", None)
    write = getattr(worker, "print_worker_logs", None)
    if write is not None and not hasattr(write, "func"):
        worker.print_worker_logs = partial(_write, write)


def _write(write: Callable[..., object], data: object, sink: object, *rest: object, **more: object) -> None:
    write(data, sys.stderr, *rest, **more)
