"""Files that are replaced as a whole."""

import os
from pathlib import Path

from okapi.errors import NotFound

__all__ = ["replace_file"]


def replace_file(path: Path, content: bytes) -> None:
    """Write a file; whoever looks, or is killed meanwhile, has the old one or the whole new one."""
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
