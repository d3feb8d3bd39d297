"""Stored results: a run of a paper in the docs, as results, figures, verdicts, pictures and one page in Markdown.

Everything but the results is made from them again: a test compares.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from okapi.formats.html import Boards, Command, Figure, Missing, Notes, Part, Prose, Section, Table, anchor
from okapi.papers.experiment import RESULTS, Paper, stored_results, write_text
from okapi.papers.page import PaperPage

PAGE: Final = "README.md"
FIGURES: Final = "figures.json"
CLAIMS: Final = "claims.json"
PICTURES: Final = "pictures"


def store(paper: Paper, run: Path, docs: Path) -> Path:
    """Copy results of a run to `docs`/NAME, where those of other experiments stay, and write everything else again."""
    folder = docs / paper.name
    for name, result in stored_results(paper, run).items():
        if not result.skipped:
            result.write(folder / RESULTS / f"{name}.json")
    shutil.rmtree(folder / PICTURES, ignore_errors=True)
    for name, text in stored_files(paper, folder).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        write_text(folder / name, text)
    return folder


def stored_files(paper: Paper, folder: Path) -> dict[str, str]:
    """The files beside the stored results, made from them: by their paths in the folder."""
    results = stored_results(paper, folder)
    page = PaperPage(paper.name)
    files = {FIGURES: json.dumps(page.figures(results), indent=1), CLAIMS: json.dumps(page.verdicts(results), indent=1)}
    text = [f"# {page.title}", page.subtitle]
    for section in page.sections(results):
        text += _section(section, files)
    return {**files, PAGE: "\n\n".join(text) + "\n"}


def _section(section: Section, files: dict[str, str]) -> Iterator[str]:
    yield f"## {section.title}"
    for part in section.parts:
        yield from _part(part, files)


def _part(part: Part, files: dict[str, str]) -> Iterator[str]:
    match part:
        case Prose(text):
            yield text
        case Table():
            yield f"**{part.name}.** {part.caption}"
            yield _table(part)
        case Figure():
            yield f"**{part.name}.** {part.caption}"
            for number, picture in enumerate(part.pictures, start=1):
                name = f"{PICTURES}/{anchor(part.name)}-{number}.svg"
                files[name] = picture + "\n"
                yield f"![{part.name}]({name})"
        case Boards():
            yield f"**{part.name}.** {part.caption}"
            yield "\n".join(f"- `{position.fen()}`: {'; '.join(words)}" for position, words in part.boards)
        case Notes(sentences):
            yield "\n".join(f"- {sentence}" for sentence in sentences)
        case Missing(what, why):
            yield f"*{what}* is missing: {why}."
        case Command(text):
            yield f"    {text}"


def _table(table: Table) -> str:
    """Groups become part of the heads, bands rows of their own."""
    over = [group for group, count in table.groups for _ in range(count)] or [""] * len(table.heads)
    heads = [
        f"{group}: {head}" if group and head else group or head for group, head in zip(over, table.heads, strict=True)
    ]
    words = [0, *table.words]
    lines = [_line(heads), "|" + "".join("---|" if place in words else "--:|" for place in range(len(heads)))]
    left = list(table.rows)
    for band, count in table.bands or (("", len(left)),):
        lines += [_line([f"**{band}**", *[""] * (len(heads) - 1)])] if band else []
        lines += map(_line, left[:count])
        left = left[count:]
    return "\n".join(lines)


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
