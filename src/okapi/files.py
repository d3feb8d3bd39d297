"""Files replaced as a whole, file locks, downloads, and hashes of files and descriptions."""

import hashlib
import json
import os
import re
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from okapi.errors import NotFound, UsageError

MOST_BYTES: Final = 1 << 28
"""Of a download: a quarter of a gigabyte."""

TIMEOUT_S: Final = 30.0
"""For an answer, and for each part of it."""

LONGEST_S: Final = 600.0
"""For all of a download."""


class Closable:
    """Base of what a `with` closes at its end."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def file_errors(path: Path | str, what: str, *, hint: str = "") -> Iterator[None]:
    """NotFound instead of an OSError of the block: this file cannot be `read` or `written`."""
    try:
        yield
    except OSError as error:
        raise NotFound(f"`{path}` cannot be {what}: {error.strerror}", hint=hint) from None


def replace_file(path: Path, content: bytes) -> None:
    """Write a file atomically: after a crash there is the old file or the whole new one."""
    with write_whole(path) as part, part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def write_whole(path: Path) -> Iterator[Path]:
    """A temporary name beside a file; it becomes the file if the block ends without an error."""
    part = path.with_name(f".{path.name}.part")
    part.unlink(missing_ok=True)
    try:
        with file_errors(path, "written"):
            yield part
            os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


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


def download(address: str, to: Path) -> Path:
    """Fetch `http(s)://…#sha256=…` into a new file; NotFound if it cannot be, or has another hash."""
    from http.client import HTTPException  # imported here, because these take a while
    from urllib.parse import urlsplit
    from urllib.request import HTTPRedirectHandler, Request, build_opener

    url, _, expected = address.partition("#sha256=")
    if not re.fullmatch(r"[0-9a-f]{64}", expected.lower()):
        raise UsageError(f"`{url}` has no hash", hint="add #sha256= and the 64 digits of `sha256sum FILE`")
    secure = urlsplit(url).scheme == "https"

    class Redirect(HTTPRedirectHandler):
        def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
            if urlsplit(newurl).scheme not in (("https",) if secure else ("http", "https")):
                raise NotFound(f"`{url}` leads to `{newurl[:100]}`, which is not fetched")
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    last, content = time.monotonic() + LONGEST_S, bytearray()
    try:
        with build_opener(Redirect).open(Request(url, headers={"user-agent": "okapi"}), timeout=TIMEOUT_S) as answer:
            while part := answer.read(1 << 16):
                content += part
                if len(content) > MOST_BYTES or time.monotonic() > last:
                    raise NotFound(f"`{url}` is larger than {MOST_BYTES >> 20} MB, or slower than {LONGEST_S:.0f} s")
    except (HTTPException, OSError, ValueError) as error:  # URLError is an OSError
        raise NotFound(f"`{url}` cannot be fetched: {getattr(error, 'reason', error)}") from None
    found = hashlib.sha256(content).hexdigest()
    if found != expected.lower():
        raise NotFound(f"`{url}` has the SHA-256 {found}, not {expected.lower()}", hint="nothing was kept")
    replace_file(to, bytes(content))
    return to


def file_hash(path: Path) -> str:
    """The first 16 hexadecimal digits of the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


def digest(description: Mapping[str, Any]) -> str:
    """The first 12 hexadecimal digits of the SHA-256 of a description, written as JSON."""
    return hashlib.sha256(json.dumps(description, sort_keys=True).encode()).hexdigest()[:12]
