"""A file of games that grows while somebody watches, and is safe when nobody does any more."""

from pathlib import Path
from typing import Any

from okapi.cli.console import Exit, Pulse, talk

__all__ = ["Growing"]


class Growing:
    """Tells a person how it is going."""

    def __init__(self, games: int, to: Path) -> None:
        self.bar: Any = None
        self.begun = False
        self._games = games
        self._to = to
        self._pulse = Pulse()

    def show(self, games: int, kept: int, so_far: str) -> None:
        """So many games are there; the first time, also how many of them were there before."""
        if not self.begun and kept:
            talk().print(f"{kept:,} of {self._games:,} games are in {self._to}", markup=False)
        self.begun = True
        self.bar.update(self.bar.task_ids[0], completed=games, description=so_far)
        if self._pulse.due and games > kept:
            self._pulse.tell(games, self._games, so_far, kept=kept)

    def interrupted(self) -> int:
        """Ctrl-C; the exit code."""
        talk().print(f"interrupted; what is in {self._to} is safe, and the same command goes on", markup=False)
        return Exit.INTERRUPTED
