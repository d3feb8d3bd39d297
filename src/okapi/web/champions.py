"""The champions of evolution's runs as brains: `five@12` is the best player of generation 12 of the run `five`."""

import os
import re
from pathlib import Path

from okapi.brains import ModelCard
from okapi.data.evolution_log import champion_path
from okapi.errors import NotFound

__all__ = ["Champions", "champion_name"]


def champion_name(run: str, generation: int) -> str:
    """What the house calls a champion.

    >>> champion_name("five", 12)
    'five@12'
    """
    return f"{run}@{generation}"


class Champions:
    """Finds them in the folder of runs. A name that a page sends is compared with what is there, and never a path."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def find(self, name: str) -> Path | None:
        """The file of a brain with such a name; nothing if it is no such name.

        NotFound if there is no such run or generation; InvalidText and InvalidBrain if the file is no brain.
        """
        run, _, number = name.rpartition("@")
        if not run or not re.fullmatch(r"\d{1,6}", number, re.ASCII):
            return None
        if run not in self._runs():
            raise NotFound(f"there is no run `{run[:40]}` here", hint="the panel Evolution lists those that are")
        path = champion_path(self._folder / run, int(number))
        ModelCard.read(path)
        return path

    def _runs(self) -> list[str]:
        try:
            return os.listdir(self._folder)
        except OSError:
            return []
