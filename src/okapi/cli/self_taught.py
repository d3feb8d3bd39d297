"""`okapi train giraffe` and `okapi train tdleaf`: a brain teaches itself; first a plan, then the outcome beside it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.live import Live
from rich.text import Text

from okapi.cli.console import Exit, Pulse, emit, out, talk
from okapi.cli.curves import plot
from okapi.cli.evolve import clock
from okapi.cli.gently import gently
from okapi.errors import Unfinished

if TYPE_CHECKING:
    from okapi.recipes.order import Order
    from okapi.recipes.self_taught.outlook import Outlook
    from okapi.recipes.self_taught.teaching import Outcome
    from okapi.training.tdleaf import Now

__all__ = ["teach_itself"]

POINTS = 400
"""Of the curve of errors in the terminal."""


def teach_itself(recipe: str, order: "Order", folder: Path, *, json: bool) -> int:
    """Carry it out in a folder: exit code."""
    from pkgutil import resolve_name

    from okapi.recipes.raising import BRAIN
    from okapi.recipes.self_taught import LESSONS
    from okapi.recipes.self_taught.teaching import teach

    made = resolve_name(LESSONS[recipe])(order)
    try:
        with _Watch(made.title, made.threads) as watch, gently() as stop:
            outcome = teach(made, folder, tell=watch.tell, watch=watch, stop=stop)
    except (Unfinished, KeyboardInterrupt):
        talk().print(f"interrupted; what was learned is in {folder}, and the same command goes on", markup=False)
        return Exit.INTERRUPTED
    described = {"run": str(folder), "brain": str(folder / BRAIN), "recipe": recipe, **_numbers(outcome)}
    if json:
        emit(described)
    else:
        _print(outcome, folder / BRAIN)
    return Exit.DONE


def _numbers(outcome: "Outcome") -> dict[str, Any]:
    told = {**asdict(outcome), "positions_per_second": round(outcome.positions_per_second, 1)}
    told["trained"] = {name: _finite(value) for name, value in outcome.trained.items()}
    return told


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else value


def _print(outcome: "Outcome", brain: Path) -> None:
    """What came of it, beside what was expected."""
    say: Callable[[str], None] = lambda line: out().print(line, markup=False)  # noqa: E731
    plan, begun, now = outcome.outlook, outcome.begun, outcome.trained
    say(f"{'':26}{'plan':>12}{'outcome':>12}")
    rows = [
        ("positions searched", f"{plan['positions']:,}", f"{outcome.positions:,}"),
        ("positions/s", f"{plan['positions_per_second']:,.0f}", f"{outcome.positions_per_second:,.0f}"),
        ("time (min:s)", clock(plan["seconds"]), clock(outcome.seconds)),
        ("Elo over its beginning", f"{plan['elo_gain']:+.0f}", f"{now['elo']:+.0f}"),
    ]
    if now["sts"] is not None:
        was = begun["sts"]
        rows.append(("STS points of 15,000", f"{was + plan['sts_gain']:,.0f}", f"{now['sts']:,.0f}"))
    for name, before, after in rows:
        say(f"{name:<26}{before:>12}{after:>12}")
    low, high = (_finite(now[end]) for end in ("elo_low", "elo_high"))
    between = f"{'−∞' if low is None else f'{low:+.0f}'} … {'∞' if high is None else f'{high:+.0f}'}"
    say(f"Elo within {between}" + ("" if now["sts"] is None else f"; it began with {begun['sts']:,.0f} points"))
    say(f"brain: {brain}")


class _Watch:
    """Shows how it goes: a plot that lives on a terminal, plain lines now and then elsewhere."""

    def __init__(self, title: str, threads: int) -> None:
        self._title = title
        self._threads = threads
        self._pulse = Pulse()
        self._first: int | None = None
        self._errors: list[tuple[float, float]] = []
        self._elos: list[tuple[float, float]] = []
        self._live = Live(Text(""), console=talk(), auto_refresh=False, transient=True)

    def __enter__(self) -> "_Watch":
        talk().print(self._title, markup=False)
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()

    def tell(self, plan: "Outlook") -> None:
        """The plan, before anything begins."""
        talk().print(
            f"plan: {plan.iterations:,} iterations, {plan.positions:,} positions at "
            f"{plan.positions_per_second:,.0f}/s on {self._threads} threads: about {clock(plan.seconds)} (min:s); "
            f"earlier runs of this length gained {plan.sts_gain:,.0f} of 15,000 STS points and "
            f"{plan.elo_gain:.0f} Elo over their beginning",
            markup=False,
        )
        if talk().is_terminal:
            self._live.start()

    def __call__(self, now: "Now", strength: Mapping[str, Any]) -> None:
        """Another iteration."""
        if self._first is None:
            self._first = now.iteration - 1
        done = now.iteration - self._first
        left = clock(self._pulse.seconds / done * (now.iterations - now.iteration))
        rate = now.positions / max(now.seconds, 1e-9)
        line = f"iteration {now.iteration}/{now.iterations}, {rate:,.0f} positions/s, {left} left"
        told = ", ".join(_measured(strength))
        if self._live.is_started:
            self._errors = [*self._errors, (float(now.iteration), now.error)][-POINTS:]
            if strength and (not self._elos or self._elos[-1][0] != strength["iteration"]):
                self._elos.append((float(strength["iteration"]), float(strength["elo"] or 0.0)))
            plots = plot({"Elo over its beginning": self._elos} if self._elos else {"error": self._errors})
            self._live.update(Text(f"{plots}\n{line}\n{told}"), refresh=True)
        if self._pulse.due:
            self._pulse.say(f"{line}, error {now.error:.4f}{', ' if told else ''}{told}")


def _measured(strength: Mapping[str, Any]) -> list[str]:
    """The last measurement in words."""
    if not strength:
        return []
    told = [f"after {strength['iteration']} Elo {strength['elo']:+.0f}" if strength["elo"] is not None else ""]
    told += [f"STS {strength['sts']:,.0f}"] if strength["sts"] is not None else []
    return [words for words in told if words]
