"""A paper's page: one HTML file that needs nothing else, in the light or in the dark, on screen or on paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Final

__all__ = ["Part", "Prose", "Section", "document"]

STYLE: Final = """
:root { color-scheme: light dark; --ink: #222; --paper: #fff; --quiet: #666; --line: #ddd; --shade: #f4f4f1; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #ddd; --paper: #181818; --quiet: #999; --line: #444; --shade: #242424; }
}
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 60rem;
  margin: auto; padding: 1rem; }
"""


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph."""

    text: str


Part = Prose


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it."""

    title: str
    parts: Sequence[Part]


def document(title: str, sections: Sequence[Section]) -> str:
    """The whole page, with a list of its sections."""
    contents = "".join(
        f'<li><a href="#{number}">{escape(section.title)}</a></li>' for number, section in enumerate(sections, start=1)
    )
    bodies = "\n".join(
        f'<section id="{number}"><h2>{escape(section.title)}</h2>\n{"".join(map(_part, section.parts))}</section>'
        for number, section in enumerate(sections, start=1)
    )
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style></head>\n'
        f"<body>\n<h1>{escape(title)}</h1>\n<nav><ol>{contents}</ol></nav>\n{bodies}\n</body></html>\n"
    )


def _part(part: Part) -> str:
    return f"<p>{escape(part.text)}</p>\n"
