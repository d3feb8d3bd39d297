"""Files replaced as a whole, and hashes of files and descriptions."""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from okapi.errors import NotFound

__all__ = ["digest", "file_hash", "replace_file"]


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


def file_hash(path: Path) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def digest(description: Mapping[str, Any]) -> str:
    """The first 12 hexadecimal digits of the SHA-256 of a description, written as JSON."""
    return hashlib.sha256(json.dumps(description, sort_keys=True).encode()).hexdigest()[:12]
