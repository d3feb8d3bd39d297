"""Who plays: the networks of dataset 4 that were taught here, and brains that somebody names."""

from pathlib import Path

from okapi.brains import find
from okapi.errors import NotFound, UsageError
from okapi.recipes.lab import Lab

__all__ = ["pupils"]


def pupils(lab: Lab, named: str) -> dict[str, str]:
    """Names, and paths of brains; `named` adds some as NAME=PATH, several with commas between.

    Only those that are named, where nothing was taught here.
    """
    try:
        found = {name: str(lab.folder / path) for name, path in lab.result("tables")["brains"].items()}
    except NotFound:
        found = {}
    for text in filter(None, named.split(",")):
        name, equals, path = text.partition("=")
        if not equals:
            raise UsageError(f"`{text}` names no brain", hint="write it as NAME=PATH, such as ours=brain.safetensors")
        found[name] = str(Path(find(path)).absolute())
    return found
