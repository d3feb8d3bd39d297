"""What a player is made of. Two that differ in a single byte are two players, and their games do not mix."""

import hashlib
import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from okapi.arena.seat import is_engine
from okapi.brains import find
from okapi.core import _core
from okapi.errors import NotFound
from okapi.players.pipe import GAMES, find_program
from okapi.players.spec import brains_of, engine_options, kind_of, leash_of

__all__ = ["digest", "file_hash", "fingerprint"]


def fingerprint(spec: str) -> dict[str, str]:
    """The files that a player consists of, with their hashes: NotFound if one is missing."""
    leash = leash_of(spec)
    if leash is not None:
        return fingerprint(leash.player)
    if is_engine(spec):
        return {str(path): file_hash(path) for path in _files_of(engine_options(kind_of(spec)[1])[0])}
    brains = {brain: file_hash(find(brain)) for brain in brains_of(spec)}
    return {"okapi": file_hash(Path(_core.__file__)), **brains}


def digest(description: Mapping[str, Any]) -> str:
    """A short name for everything that a description says."""
    return hashlib.sha256(json.dumps(description, sort_keys=True).encode()).hexdigest()[:12]


def _files_of(command: str) -> list[Path]:
    """The program, and whatever else in its command is a file: the script of an interpreter, a network."""
    words = shlex.split(command)
    program = find_program(words[0])
    if program is None:
        raise NotFound(f"no program `{words[0]}`", hint=f"looked on the PATH and in {', '.join(GAMES)}")
    return [Path(program), *(Path(word) for word in words[1:] if Path(word).is_file())]


def file_hash(path: Path) -> str:
    """The beginning of the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]
