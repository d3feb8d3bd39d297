"""What programs that are started as `python -m okapi…` share, where nothing of the command line is at hand."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from okapi.errors import OkapiError, Unfinished, UsageError

__all__ = ["DONE", "answer", "failed"]

DONE, USAGE, INPUT, INTERRUPTED = 0, 2, 3, 4
"""Exit codes, those of the other commands."""


def answer(told: Mapping[str, Any], *, as_json: bool) -> int:
    """Print what came of it, a line for each thing or as one JSON object; the exit code."""
    if as_json:
        print(json.dumps(told))
    else:
        print(*(f"{name} {value}" for name, value in told.items()), sep="\n")
    return DONE


def failed(error: OkapiError | KeyboardInterrupt) -> int:
    """Say what went wrong; the exit code."""
    if isinstance(error, KeyboardInterrupt):
        print("interrupted; the same command goes on", file=sys.stderr)
        return INTERRUPTED
    print(f"error: {error}", file=sys.stderr)
    if error.hint:
        print(f"hint: {error.hint}", file=sys.stderr)
    if isinstance(error, Unfinished):
        return INTERRUPTED
    return USAGE if isinstance(error, UsageError) else INPUT
