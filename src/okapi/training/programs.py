"""Output and exit codes of programs that are started as `python -m okapi…`, without the command line's packages."""

import json
import sys
from collections.abc import Mapping
from typing import Any

from okapi.errors import OkapiError, Unfinished, UsageError

DONE, USAGE, INPUT, INTERRUPTED = 0, 2, 3, 4
"""Exit codes, as those of `okapi`."""


def answer(results: Mapping[str, Any], *, as_json: bool) -> int:
    """Print results, one a line or as one JSON object; the exit code."""
    if as_json:
        print(json.dumps(results))
    else:
        print(*(f"{name} {value}" for name, value in results.items()), sep="\n")
    return DONE


def failed(error: OkapiError | KeyboardInterrupt) -> int:
    """Print an error; the exit code."""
    if isinstance(error, KeyboardInterrupt):
        print("interrupted; the same command resumes", file=sys.stderr)
        return INTERRUPTED
    print(f"error: {error}", file=sys.stderr)
    if error.hint:
        print(f"hint: {error.hint}", file=sys.stderr)
    if isinstance(error, Unfinished):
        return INTERRUPTED
    return USAGE if isinstance(error, UsageError) else INPUT
