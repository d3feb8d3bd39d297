"""Where the native program okapi-uci is."""

import shutil
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from okapi.errors import NotFound

__all__ = ["okapi_uci"]

NAME = "okapi-uci.exe" if sys.platform == "win32" else "okapi-uci"


def okapi_uci() -> Path:
    """The program that was installed beside `okapi`."""
    for place in _places():
        if place.is_file():
            return place
    raise NotFound(f"`{NAME}` is not installed", hint="pip install okapi-chess brings it")


def _places() -> Iterator[Path]:
    yield Path(sysconfig.get_path("scripts")) / NAME
    with suppress(PackageNotFoundError):
        yield from (Path(str(file.locate())) for file in files("okapi-chess") or () if file.name == NAME)
    found = shutil.which(NAME)
    if found:
        yield Path(found)
