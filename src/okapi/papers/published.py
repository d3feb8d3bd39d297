"""What papers published, as data: published.toml in each paper's folder, with comments on sources and misprints."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any


class Row(dict[str, Any]):
    """A table or a row of one: values by key, also as attributes.

    >>> row = Row(name="Giraffe", elo=2400)
    >>> row["elo"] == row.elo
    True
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


@cache
def read_toml(paper: str, name: str) -> dict[str, Any]:
    """A file in the folder of a paper; empty, if there is none."""
    path = Path(__file__).parent / paper / f"{name}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def read_published(paper: str) -> Row:
    """The tables of a paper, by name; lists are tuples.

    >>> read_published("lai2015").table_3[0].points
    9641
    """
    row = _rows(read_toml(paper, "published"))
    assert isinstance(row, Row)
    return row


def _rows(value: Any) -> Any:
    match value:
        case dict():
            return Row({key: _rows(each) for key, each in value.items()})
        case list():
            return tuple(map(_rows, value))
    return value
