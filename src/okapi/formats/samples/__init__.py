"""Formats of samples, to read and to write: EPD, text, tables, puzzles, .plain and .binpack."""

from pathlib import Path
from typing import Final

from okapi.errors import InvalidText, UsageError, did_you_mean
from okapi.formats.samples.base import SampleFormat, SampleOptions, SampleView, SkippedSamples
from okapi.formats.samples.stockfish import BinpackFormat, PlainFormat
from okapi.formats.samples.text import BracketFormat, EpdFormat, ParquetFormat, PuzzleFormat, TableFormat, TextFormat
from okapi.formats.streams import open_stream, plain_suffix

__all__ = ["FORMATS", "SampleOptions", "SampleView", "SkippedSamples", "format_by_name", "format_of", "format_to_write"]

TABLES: Final = (TableFormat("tsv", "\t"), TableFormat("csv", ","), ParquetFormat())
ALL: Final = (BinpackFormat(), PlainFormat(), PuzzleFormat(), *TABLES, EpdFormat(), TextFormat(), BracketFormat())

FORMATS: Final[dict[str, SampleFormat]] = {each.name: each for each in ALL}
"""By name; a file has the first format whose looks_like() is true."""


def format_by_name(name: str) -> SampleFormat:
    if name not in FORMATS:
        raise UsageError(f"there is no format `{name}`", hint=did_you_mean(name, FORMATS))
    return FORMATS[name]


def format_of(path: Path | str, start: bytes | None = None) -> SampleFormat:
    """The format of a file, by its first bytes or else by its name."""
    path = Path(path)
    if start is None:
        with open_stream(path) as stream:
            start = stream.start()
    start = start.removeprefix(b"\xef\xbb\xbf")
    named = (each for each in FORMATS.values() if plain_suffix(path) in each.suffixes)
    found = next((each for each in FORMATS.values() if each.looks_like(start)), None) or next(named, None)
    if found is None:
        raise InvalidText(f"{path.name} is no file of samples that okapi knows", hint=f"--from {' | '.join(FORMATS)}")
    return found


def format_to_write(path: Path | str) -> SampleFormat:
    by_suffix = {suffix: each for each in FORMATS.values() for suffix in each.suffixes}
    if (found := by_suffix.get(plain_suffix(path))) is not None:
        return found
    hint = f"names end with .samples, {', '.join(by_suffix)}"
    raise UsageError(f"the name `{Path(path).name}` does not say what to write", hint=hint)
