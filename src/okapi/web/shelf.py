"""What runs have left for the board: brains, and lists of positions where a brain and its teacher disagree."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from okapi.analysis.disagreement import DISAGREEMENTS
from okapi.data.evolution_log import CHAMPIONS

__all__ = ["Shelf"]

MOST_RUNS: Final = 100
MOST_BELOW: Final = 200
DEEPEST: Final = 2
"""Folders of runs, folders inside one that are looked into, and how deep."""

BRAIN: Final = "brain"
"""How a run calls its brain: it is named by its folder alone."""

SUFFIX: Final = ".safetensors"


class Shelf:
    """Looks into the folder of runs each time. A name that a page sends is compared with what is there; never a path.

    A brain is named by its place, such as `mine` for `mine/brain.safetensors`, or `paper/brains/net-a`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def brains(self) -> dict[str, Path]:
        """Files of brains by name, those of the newest run first; without champions of generations."""
        found: dict[str, Path] = {}
        for place, folder in self._folders():
            for file in _sorted(folder):
                if file.suffix == SUFFIX:
                    found.setdefault(place if file.stem == BRAIN else f"{place}/{file.stem}", file)
        return found

    def lists(self) -> dict[str, Path]:
        """Lists of disagreements by the name of their folder."""
        return {
            place: folder / DISAGREEMENTS for place, folder in self._folders() if (folder / DISAGREEMENTS).is_file()
        }

    def _folders(self) -> Iterator[tuple[str, Path]]:
        """Runs and what is inside them, with the names that pages see."""
        runs = sorted((path for path in _sorted(self._folder) if path.is_dir()), key=_changed, reverse=True)
        for run in runs[:MOST_RUNS]:
            yield run.name, run
            below = islice(_below(run, DEEPEST), MOST_BELOW)
            yield from ((path.relative_to(self._folder).as_posix(), path) for path in below)


def _below(folder: Path, deep: int) -> Iterator[Path]:
    """The folders inside another one."""
    for path in _sorted(folder):
        if path.is_dir() and path.name != CHAMPIONS:
            yield path
            if deep > 1:
                yield from _below(path, deep - 1)


def _sorted(folder: Path) -> list[Path]:
    try:
        return [folder / name for name in sorted(os.listdir(folder))]
    except OSError:
        return []


def _changed(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0
