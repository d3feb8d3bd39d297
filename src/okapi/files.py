"""Files replaced as a whole, file locks, and hashes of files and descriptions."""

import hashlib
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from okapi.errors import NotFound


def replace_file(path: Path, content: bytes) -> None:
    """Write a file atomically: after a crash there is the old file or the whole new one."""
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise NotFound(f"`{path}` cannot be written: {error.strerror}") from None


def lock_file(file: BinaryIO, timeout_s: float = 0.0, *, shared: bool = False) -> bool:
    """Lock a file until its process ends; False if another process has it.

    Without file locks in this system, an exclusive lock succeeds and a shared one does not.
    """
    try:
        import fcntl
    except ImportError:
        return not shared
    last = time.monotonic() + timeout_s
    while True:
        try:
            fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
            return True
        except OSError:
            if time.monotonic() >= last:
                return False
            time.sleep(0.01)


def file_hash(path: Path) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def digest(description: Mapping[str, Any]) -> str:
    """The first 12 hexadecimal digits of the SHA-256 of a description, written as JSON."""
    return hashlib.sha256(json.dumps(description, sort_keys=True).encode()).hexdigest()[:12]
