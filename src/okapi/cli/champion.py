"""`okapi train champion`: first the plan, then how each generation goes, in the end what became of them."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.progress import Progress

from okapi.cli.console import THOUSANDTHS, Exit, Pulse, emit, out, progress, talk
from okapi.cli.evolve import clock
from okapi.cli.gently import gently
from okapi.errors import Unfinished

if TYPE_CHECKING:
    from okapi.recipes.champion.outlook import Outlook
    from okapi.recipes.champion.round import Outcome
    from okapi.recipes.champion.rounds import Crowned
    from okapi.recipes.order import Order

__all__ = ["raise_it"]


def raise_it(order: "Order", labels: Sequence[Path], folder: Path, *, device: str, json: bool) -> int:
    """Carry it out in a folder: exit code."""
    from okapi.recipes.champion.orders import champion
    from okapi.recipes.champion.rounds import raise_champion

    campaign = champion(order, labels)
    try:
        with progress("champion", THOUSANDTHS) as bar, gently() as stop:
            watch = _Watch(bar, campaign.generations, campaign.threads)
            crowned = raise_champion(
                campaign,
                folder,
                device=device,
                tell=watch.tell,
                watch=watch,
                stop=stop,
                on_outcome=watch.outcome,
            )
    except Unfinished as unfinished:
        talk().print(f"{unfinished}; everything is in {folder}, and the same command goes on", markup=False)
        if unfinished.hint:
            talk().print(f"hint: {unfinished.hint}", markup=False)
        return Exit.INTERRUPTED
    except KeyboardInterrupt:
        talk().print(f"interrupted; everything is in {folder}, and the same command goes on", markup=False)
        return Exit.INTERRUPTED
    if json:
        emit({"run": str(folder), "brain": str(crowned.brain), "recipe": "champion", **crowned.as_json()})
    else:
        _print(crowned)
    return Exit.DONE


class _Watch:
    """Shows how it goes: a bar on a terminal, plain lines now and then elsewhere, and a line for each generation."""

    def __init__(self, bar: Progress, generations: int, threads: int) -> None:
        self._bar = bar
        self._generations = generations
        self._threads = threads
        self._pulse = Pulse()
        self._step = ""
        self._begun = 0.0
        self._from = 0.0

    def tell(self, plan: "Outlook") -> None:
        """The plan, before anything begins."""
        pace = plan.pace
        talk().print(
            f"plan: {plan.generations} × {plan.positions:,} positions at {pace.positions_per_second:,.0f}/s on "
            f"{self._threads} threads, {clock(plan.play_seconds)} (min:s); training at "
            f"{pace.samples_per_second:,.0f} samples/s, {clock(plan.train_seconds)}; tests by games, "
            f"{clock(plan.test_seconds)} at most: about {clock(plan.seconds)} in all",
            markup=False,
        )

    def __call__(self, generation: int, step: str, part: float, words: str) -> None:
        """A step has gone on."""
        where = f"generation {generation}/{self._generations}, {step}"
        if where != self._step:
            self._step, self._begun, self._from = where, self._pulse.seconds, part
        self._bar.update(self._bar.task_ids[0], completed=round(THOUSANDTHS * part), description=f"{where} {words}")
        if self._pulse.due:
            done, taken = part - self._from, self._pulse.seconds - self._begun
            left = f", {clock(taken / done * (1 - part))} left" if done > 0 else ""
            self._pulse.say(f"{where}: {part:.0%}, {words}{left}")

    def outcome(self, outcome: "Outcome") -> None:
        """A generation was tested."""
        talk().print(
            f"generation {outcome.generation}: {_elo(outcome)} Elo after {outcome.games:,} games, {_fate(outcome)}",
            markup=False,
        )


def _elo(outcome: "Outcome") -> str:
    low, high = ("?" if end is None else f"{end:+.0f}" for end in (outcome.low, outcome.high))
    return f"{outcome.elo:+.0f} ({low} … {high})"


def _fate(outcome: "Outcome") -> str:
    return "accepted" if outcome.accepted else f"discarded: {outcome.verdict}"


def _print(crowned: "Crowned") -> None:
    """A row for each generation, and where the champion is."""
    say: Callable[[str], None] = lambda line: out().print(line, markup=False)  # noqa: E731
    say(f"{'':>4}{'positions':>12}{'learned from':>14}{'loss':>10}{'games':>8}{'min:s':>8}  Elo over the champion")
    for outcome in crowned.generations:
        say(
            f"{outcome.generation:>4}{outcome.positions:>12,}{outcome.learned_from:>14,}{outcome.validation_loss:>10.5f}"
            f"{outcome.games:>8,}{clock(sum(outcome.seconds.values())):>8}  {_elo(outcome)}, {_fate(outcome)}"
        )
    taken = sum(sum(outcome.seconds.values()) for outcome in crowned.generations)
    say(
        f"{crowned.accepted} of {len(crowned.generations)} accepted in {clock(taken)} (min:s); planned were "
        f"{clock(crowned.outlook.seconds)} at most"
    )
    say(f"brain: {crowned.brain}, of generation {crowned.champion}")
