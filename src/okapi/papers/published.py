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
    """The tables of a paper, by name; lists are tuples."""
    return Row({key: _rows(value) for key, value in read_toml(paper, "published").items()})


def _rows(value: Any) -> Any:
    if isinstance(value, dict):
        return Row({key: _rows(each) for key, each in value.items()})
    return tuple(map(_rows, value)) if isinstance(value, list) else value
