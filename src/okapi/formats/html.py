"""HTML pages of papers: one self-contained file, for light and dark screens and for print."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from okapi.core import Position
from okapi.formats.boards import BOARD_STYLE, board, board_parts

STYLE: Final = Path(__file__).with_name("html.css")


@dataclass(frozen=True, slots=True)
class Prose:
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Theirs beside ours. The first column names the rows."""

    name: str  # as the paper calls it: Table 9
    caption: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    groups: Sequence[tuple[str, int]] = ()  # headings above the heads, each over so many columns
    bands: Sequence[tuple[str, int]] = ()  # headings between the rows, each over so many of them
    words: Sequence[int] = ()  # columns, counted from 0, that hold words instead of numbers


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    name: str
    caption: str
    pictures: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Boards:
    name: str
    caption: str
    boards: Sequence[tuple[Position, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Notes:
    sentences: Sequence[str]


@dataclass(frozen=True, slots=True)
class Missing:
    """A placeholder for a table: which one, and why it is missing."""

    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Command:
    text: str


Part = Prose | Table | Figure | Boards | Notes | Missing | Command


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    parts: Sequence[Part]


def document(title: str, subtitle: str, sections: Sequence[Section]) -> str:
    """The whole page, with a list of its sections, tables and figures."""
    bodies, entries = "\n".join(map(_section, sections)), ""
    for section in sections:
        named = dict.fromkeys(part.name for part in section.parts if isinstance(part, Table | Figure | Boards))
        below = f"<div>{' · '.join(map(_link, named))}</div>" if named else ""
        entries += f"<li>{_link(section.title)}{below}</li>\n"
    with_boards = 'class="board"' in bodies
    style = STYLE.read_text(encoding="utf-8") + (BOARD_STYLE if with_boards else "")
    return (
        f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width">\n<style>\n{style}</style></head>\n<body>\n'
        f"{board_parts() if with_boards else ''}"
        f"<header><h1>{escape(title)}</h1>\n<p>{escape(subtitle)}</p></header>\n"
        f'<nav aria-label="Contents"><ul>\n{entries}</ul></nav>\n'
        f"<main>\n{bodies}\n</main>\n</body>\n</html>\n"
    )


def anchor(name: str) -> str:
    """The name of a place in the page.

    >>> anchor("Table 9: ten runs")
    'table-9-ten-runs'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _link(name: str) -> str:
    return f'<a href="#{anchor(name)}">{escape(name)}</a>'


def _section(section: Section) -> str:
    drawn = "\n".join(map(_part, section.parts))
    return f'<section id="{anchor(section.title)}">\n<h2>{escape(section.title)}</h2>\n{drawn}\n</section>'


def _part(part: Part) -> str:
    match part:
        case Prose(text):
            return f"<p>{escape(text)}</p>"
        case Table():
            return _figure(part, f'<div class="table" tabindex="0">{_table(part)}</div>')
        case Figure():
            return _figure(part, f'<div class="pictures">{"".join(part.pictures)}</div>')
        case Boards():
            return _figure(part, f'<div class="boards">{_boards(part)}</div>')
        case Notes(sentences):
            return f'<ul class="notes">{"".join(f"<li>{escape(sentence)}</li>" for sentence in sentences)}</ul>'
        case Missing(what, why):
            return f'<p class="missing"><b>{escape(what)}</b> is missing: {escape(why)}.</p>'
        case Command(text):
            return f"<pre>{escape(text)}</pre>"


def _table(table: Table) -> str:
    kinds = dict.fromkeys(table.words, ' class="words"')
    heads = "".join(f'<th scope="col"{kinds.get(n, "")}>{escape(head)}</th>' for n, head in enumerate(table.heads))
    groups = "".join(
        f'<th scope="colgroup" colspan="{columns}">{escape(group)}</th>' if group else f'<td colspan="{columns}"></td>'
        for group, columns in table.groups
    )
    above = f'<tr class="groups">{groups}</tr>' if groups else ""
    bodies, left = [], []
    for name, *cells in table.rows:
        drawn = "".join(f"<td{kinds.get(n, '')}>{escape(cell)}</td>" for n, cell in enumerate(cells, start=1))
        left.append(f'<tr><th scope="row">{escape(name)}</th>{drawn}</tr>\n')
    for band, count in table.bands or (("", len(left)),):
        head = f'<tr><th scope="rowgroup" colspan="{len(table.heads)}">{escape(band)}</th></tr>\n' if band else ""
        bodies.append(f"<tbody>{head}{''.join(left[:count])}</tbody>")
        left = left[count:]
    return f"<table>\n<thead>{above}<tr>{heads}</tr></thead>\n{''.join(bodies)}</table>"


def _boards(part: Boards) -> str:
    return "".join(
        f"<article>{board(position)}<p>{'<br>'.join(map(escape, words))}</p>"
        f"<details><summary>FEN</summary><code>{escape(position.fen())}</code></details></article>"
        for position, words in part.boards
    )


def _figure(part: Table | Figure | Boards, inside: str) -> str:
    caption = f"<figcaption><b>{escape(part.name)}.</b> {escape(part.caption)}</figcaption>"
    return f'<figure id="{anchor(part.name)}">{caption}{inside}</figure>'
