"""Brains on disk: find one, read its passport, load it. Needs neither torch nor numpy."""

from pathlib import Path
from typing import Final

from okapi.brains.passport import Passport
from okapi.core import Brain
from okapi.errors import NotFound, did_you_mean

__all__ = ["Passport", "default_name", "find", "load", "passport", "shipped"]

SHIPPED: Final = Path(__file__).parent / "shipped"
"""Where the brains that come with okapi live."""


def shipped() -> list[Passport]:
    """The brains that come with okapi, by name.

    >>> "material" in [brain.name for brain in shipped()]
    True
    """
    return [Passport.read(path) for path in sorted(SHIPPED.glob("*.safetensors"))]


def default_name() -> str:
    """The name of the brain that is used where no other is given; the core has it inside."""
    return Brain.default().name


def find(name: str) -> Path:
    """The file of a brain: one that is shipped, by its name, or any other, by its path."""
    inside = SHIPPED / f"{name}.safetensors"
    if inside.parent == SHIPPED and inside.is_file():
        return inside
    path = Path(name).expanduser()
    if path.is_file():
        return path
    nearby = [file.name for file in path.parent.glob("*.safetensors")] if path.parent.is_dir() else []
    raise NotFound(
        f"no brain named `{name}` and no file there",
        hint=did_you_mean(name, [*(file.stem for file in sorted(SHIPPED.glob("*.safetensors"))), *nearby])
        + " `okapi brains list` shows those that are shipped",
    )


def passport(name: str) -> Passport:
    """Everything a brain says about itself."""
    return Passport.read(find(name))


def load(name: str | None = None) -> Brain:
    """A brain to think with; without a name, the default one."""
    return Brain.default() if name is None else Brain.open(str(find(name)))
