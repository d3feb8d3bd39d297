"""Compressed files read like plain ones, and broken ones say so."""

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from okapi.errors import InvalidText, NotFound
from okapi.formats.epd import read_epd
from okapi.formats.pgn import PgnResult, read_results
from okapi.formats.samples import format_of, format_to_write
from okapi.formats.streams import create_stream, open_stream

TEXT = b"".join(b"%d the quick okapi\r\n" % (number * number) for number in range(20_000))

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}


def read(path: Path) -> bytes:
    with open_stream(path) as stream:
        return stream.read()


@pytest.mark.parametrize("kind", ["", *COMPRESS])
def test_the_first_bytes_say_what_a_file_is(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "games.pgn"  # the name says nothing about compression
    path.write_bytes(COMPRESS[kind](TEXT) if kind else TEXT)

    assert TEXT == read(path)
    with open_stream(path) as stream:
        assert TEXT.splitlines(keepends=True) == list(stream)
        assert 1.0 == stream.fraction


@pytest.mark.parametrize("kind", COMPRESS)
def test_files_put_together_read_as_one(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "a"
    path.write_bytes(COMPRESS[kind](TEXT[:999]) + COMPRESS[kind](b"") + COMPRESS[kind](TEXT[999:]))

    assert TEXT == read(path)


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("share", [0.3, 0.99])
def test_a_file_that_is_cut_off_says_so_after_what_it_has(tmp_path: Path, kind: str, share: float) -> None:
    path = tmp_path / "a"
    whole = COMPRESS[kind](TEXT)
    path.write_bytes(whole[: int(len(whole) * share)])
    got: list[bytes] = []
    with open_stream(path) as stream, pytest.raises(InvalidText, match="a is damaged or cut off"):
        got.extend(iter(stream.readline, b""))

    assert got or kind == "bz2"  # whose blocks are larger than all of this


def test_an_archive_with_a_password_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.pgn", TEXT)
    data = bytearray(path.read_bytes())
    for head, flags in ((data.find(b"PK\x03\x04"), 6), (data.find(b"PK\x01\x02"), 8)):
        data[head + flags] |= 1  # encrypted
    path.write_bytes(data)

    with pytest.raises(InvalidText, match=r"a\.zip is damaged or cut off: .*password"):
        read(path)


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "a.txt.bz2", "a.txt.xz", "a.txt.zst"])
def test_the_name_says_how_to_write(tmp_path: Path, name: str) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        with create_stream(tmp_path / folder / name) as stream:
            stream.write(TEXT)

    assert TEXT == read(tmp_path / "one" / name)
    assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert (name == "a.txt") == ((tmp_path / "one" / name).read_bytes() == TEXT)


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(NotFound), open_stream(tmp_path / "no"):
        pass
    with pytest.raises(NotFound), open_stream(tmp_path):
        pass
    with pytest.raises(NotFound), create_stream(tmp_path / "no" / "a.txt"):
        pass


def test_names_may_be_text(tmp_path: Path) -> None:
    path = str(tmp_path / "a.epd.gz")
    with create_stream(path) as stream:
        stream.write(b"4k3/8/8/8/8/8/4P3/4K3 w - - ce 100;\n")

    with open_stream(path) as stream:
        assert 1 == len(list(stream))
    assert "epd" == format_of(path).name == format_to_write(path).name
    plain = str(tmp_path / "a.epd")
    Path(plain).write_text("4k3/8/8/8/8/8/4P3/4K3 w - - ce 100;\n")
    assert 1 == len(list(read_epd(plain)))
    Path(plain).write_text('[White "A"]\n[Black "B"]\n\n1. e4 1-0\n')
    assert [PgnResult("A", "B", 1.0)] == list(read_results(plain))
