"""Connects to a Ray cluster."""

import logging
from typing import Any

from okapi.errors import UsageError


def join(address: str) -> tuple[Any, bool]:
    """The module ray, connected to `address` (host:port, ray://host:port or auto); true if this call connected it."""
    try:
        import ray
    except ImportError:
        raise UsageError("a cluster needs Ray", hint="pip install 'okapi-chess[cluster]'") from None
    if ray.is_initialized():
        return ray, False
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        raise UsageError(f"there is no Ray cluster at `{address}`: {error}", hint="ray start --head") from None
    return ray, True
