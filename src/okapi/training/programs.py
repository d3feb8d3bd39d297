"""Progress, output and exit codes of programs that are started as `python -m okapi…`, without the command line."""

import sys
import time
from typing import TYPE_CHECKING, Final

from okapi.errors import OkapiError, Unfinished, UsageError

if TYPE_CHECKING:
    from okapi.training.trainer import TrainingProgress

EVERY_S: Final = 5.0  # between two lines of progress
DONE, USAGE, INPUT, INTERRUPTED = 0, 2, 3, 4  # exit codes, as those of `okapi`


def failed(error: OkapiError | KeyboardInterrupt) -> int:
    if isinstance(error, KeyboardInterrupt):
        print("interrupted; the same command resumes", file=sys.stderr)
        return INTERRUPTED
    print(f"error: {error}", file=sys.stderr)
    if error.hint:
        print(f"hint: {error.hint}", file=sys.stderr)
    return INTERRUPTED if isinstance(error, Unfinished) else USAGE if isinstance(error, UsageError) else INPUT


class ProgressLines:
    """Prints a line about each of several trainings, at intervals and after each epoch."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[float, int]] = {}

    def __call__(self, name: str, now: "TrainingProgress") -> None:
        at, epochs = self._last.get(name, (0.0, -1))
        if time.monotonic() - at < EVERY_S and len(now.curve) == epochs:
            return
        self._last[name] = (time.monotonic(), len(now.curve))
        loss = "" if now.train_loss is None else f" loss {now.train_loss:.6f}"
        known = f" validation {now.curve[-1]['validation_loss']:.6f}" if now.curve else ""
        left = f", {now.seconds * (1 - now.done) / now.done:.0f} s left" if now.done > 0 else ""
        print(
            f"{name}: epoch {now.epoch}/{now.epochs} {now.batch}/{now.batches}{loss}{known}, "
            f"{now.samples_per_second:,.0f} samples/s, {now.seconds:.0f} s{left}",
            file=sys.stderr,
            flush=True,
        )
