"""What was found out so far, a line of JSON each, after a first line that says what it is all about."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from okapi.errors import UsageError

__all__ = ["Journal", "whole_lines"]


class Journal:
    """Lines that outlive kill -9: each is on the disk when `add` returns."""

    def __init__(self, path: Path, about: Mapping[str, Any]) -> None:
        """Open or begin a journal: UsageError if what is in it is about something else."""
        self.path = path
        head = json.loads(json.dumps(about, sort_keys=True, default=str))
        self.lines = self._read(head)
        """Those of an earlier life, and those that were added since."""
        if not path.exists() or path.stat().st_size == 0:
            self._append(head)

    def add(self, line: Mapping[str, Any]) -> None:
        """Write a line down."""
        self._append(line)
        self.lines.append(dict(line))

    def _read(self, head: Mapping[str, Any]) -> list[dict[str, Any]]:
        try:
            lines = [json.loads(line) for line in whole_lines(self.path)]
        except ValueError:
            raise UsageError(f"`{self.path}` is damaged", hint="throw it away: all will be learned again") from None
        if lines and lines[0] != head:
            kept = lines[0]
            differ = sorted(key for key in {**kept, **head} if kept.get(key) != head.get(key))
            raise UsageError(
                f"`{self.path}` was recorded for something else: {', '.join(differ)} differ",
                hint="give another folder, or throw this one away",
            )
        return lines[1:]

    def _append(self, line: Mapping[str, Any]) -> None:
        with self.path.open("ab") as file:
            file.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def whole_lines(path: Path) -> list[bytes]:
    """The lines of a file that is to be gone on with: what a killed writer left half written at its end is cut off."""
    content = path.read_bytes() if path.exists() else b""
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        os.truncate(path, len(whole))
    return whole.splitlines()
