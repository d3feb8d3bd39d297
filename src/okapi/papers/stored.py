"""Stored results: a run of a paper in the docs, as results, figures, verdicts, pictures and one page in Markdown.

Everything but the results is made from them again: a test compares. Of experiments that take hours, single runs are
stored as well, in `runs`, so that another folder, or another machine, continues from them: of a finished run its row
with its settings, and the brains that it names; of another one its cache of scores, or the checkpoint of its training.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, Final

from okapi.core import version
from okapi.formats.html import Boards, Command, Figure, Missing, Notes, Part, Prose, Table, anchor
from okapi.optimize.population import Generation
from okapi.optimize.run_log import whole_lines
from okapi.papers.experiment import RESULTS, ExperimentContext, Paper, machine, stored_results, write_file
from okapi.papers.page import PaperPage
from okapi.recipes.evolution import TAPE, Evolution, identity, run_evolution

PAGE: Final = "README.md"
PICTURES: Final = "pictures"
RUNS: Final = "runs"
ROW: Final = "row.json"


def store(paper: Paper, run: Path, docs: Path) -> Path:
    """Copy results of a run to `docs`/NAME, where those of other experiments stay, and write everything else again."""
    folder = docs / paper.name
    before = stored_results(paper, folder)
    for name, result in stored_results(paper, run).items():
        known = before.get(name)
        is_less = known is not None and result.settings == known.settings and result.left > known.left
        if not result.skipped and not is_less:
            result.write(folder / RESULTS / f"{name}.json")
    for name in paper.runs:
        for found in sorted({path.parent for file in (ROW, TAPE) for path in (run / name).rglob(file)}):
            _store_run(found, stored_runs(paper, docs) / found.relative_to(run))
        for plan in (run / name).rglob(paper.training[0]) if paper.training else ():
            _store_training(paper.training, plan.parent, stored_runs(paper, docs) / plan.parent.relative_to(run))
    shutil.rmtree(folder / PICTURES, ignore_errors=True)
    for name, text in stored_files(paper, folder).items():
        write_file(folder / name, text)
    return folder


def stored_runs(paper: Paper, docs: Path) -> Path:
    return docs / paper.name / RUNS


def stored_files(paper: Paper, folder: Path) -> dict[str, str]:
    """The files beside the stored results, made from them: by their paths in the folder."""
    results = stored_results(paper, folder)
    page = PaperPage(paper.name)
    made = {"figures.json": page.figures(results), "claims.json": page.verdicts(results)}
    files = {name: json.dumps(data, indent=1) for name, data in made.items()}
    text = [f"# {paper.title}", page.subtitle]
    for section in page.sections(results):
        text.append(f"## {section.title}")
        text += [line for part in section.parts for line in _part(part, files)]
    return {**files, PAGE: "\n\n".join(text) + "\n"}


def _part(part: Part, files: dict[str, str]) -> Iterator[str]:
    if isinstance(part, Table | Figure | Boards):
        yield f"**{part.name}.** {part.caption}"
    match part:
        case Prose(text):
            yield text
        case Table():
            yield _table(part)
        case Figure():
            for number, picture in enumerate(part.pictures, start=1):
                name = f"{PICTURES}/{anchor(part.name)}-{number}.svg"
                files[name] = picture + "\n"
                yield f"![{part.name}]({name})"
        case Boards():
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
    heads = [": ".join(filter(None, both)) for both in zip(over, table.heads, strict=True)]
    lines: list[Sequence[str]] = [heads]
    left = iter(table.rows)
    for band, count in table.bands or (("", len(table.rows)),):
        lines += [[f"**{band}**", *[""] * (len(heads) - 1)]] if band else []
        lines += islice(left, count)
    drawn = ["| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |" for cells in lines]
    rule = "|" + "".join("---|" if place in (0, *table.words) else "--:|" for place in range(len(heads)))
    return "\n".join([drawn[0], rule, *drawn[1:]])


def run_row(
    context: ExperimentContext, name: str, settings: Mapping[str, Any], make: Callable[[Path], Mapping[str, Any]]
) -> dict[str, Any]:
    """The row of a run: kept in the folder `name`, stored with the same settings, or made; with files in `brains`."""
    folder = context.folder / name
    row = _row(folder, settings)
    if row is None and context.stored and (row := _row(context.stored / name, settings)) is not None:
        _copy_finished(context.stored / name, folder)
    if row is None:
        row = {**make(folder), "machine": machine()}
        write_file(folder / ROW, json.dumps({"settings": settings, "version": version, "row": row}))
    return row


def make_runs(
    context: ExperimentContext,
    runs: Sequence[Callable[[], Any]],
    found: Callable[[list[Any]], dict[str, Any]] = lambda rows: {"rows": rows},
) -> dict[str, Any]:
    """What `found` makes of the rows of runs, one after the other; it is kept after each."""
    rows: list[Any] = []
    for run in runs:
        rows.append(run())
        context.keep(found(rows), len(rows), len(runs))
    return found(rows)


def evolve(
    context: ExperimentContext, name: str, recipe: Evolution, watch: Callable[[Generation], object] = lambda now: None
) -> Generation:
    """The last generation of a run, from its cache of scores or the stored one of the same recipe, if longer."""
    folder = context.folder / name
    if context.stored and (there := context.stored / name / TAPE).exists():
        stored, kept = whole_lines(there), whole_lines(folder / TAPE)
        same = bool(stored) and json.loads(stored[0]) == _plain(identity(recipe)) and kept[:1] in ([], stored[:1])
        if same and len(stored) > len(kept):
            write_file(folder / TAPE, there.read_bytes())
    return run_evolution(recipe, folder, watch)


def continue_training(context: ExperimentContext, name: str, files: Sequence[str]) -> None:
    """Begin the folder `name` with the stored files of a training, if it has none itself."""
    if context.stored and not (context.folder / name / files[0]).exists():
        _copy(files, context.stored / name, context.folder / name)


def _copy(names: Iterable[str], where: Path, to: Path) -> None:
    for name in names:
        if (where / name).exists():
            write_file(to / name, (where / name).read_bytes())


def _row(folder: Path, settings: Mapping[str, Any]) -> dict[str, Any] | None:
    kept = json.loads((folder / ROW).read_bytes()) if (folder / ROW).exists() else {}
    return kept["row"] if kept.get("settings") == _plain(settings) else None


def _plain(settings: Mapping[str, Any]) -> Any:
    """As JSON gives them back."""
    return json.loads(json.dumps(settings, default=str))


def _store_run(run: Path, stored: Path) -> None:
    """A finished run replaces what is stored, an unfinished one only another unfinished one."""
    if (run / ROW).exists():
        _copy_finished(run, stored)
        (stored / TAPE).unlink(missing_ok=True)
    elif not (stored / ROW).exists():
        write_file(stored / TAPE, b"".join(line + b"\n" for line in whole_lines(run / TAPE)))


def _copy_finished(run: Path, to: Path) -> None:
    """The row last: with it the copy is complete."""
    brains = json.loads((run / ROW).read_bytes()).get("row", {}).get("brains", ())
    _copy((*brains, ROW), run, to)


def _store_training(files: Sequence[str], run: Path, stored: Path) -> None:
    """Unless what is stored came further, by its logs."""
    logs = [name for name in files if name.endswith(".jsonl")]
    came, was = (sum(len(whole_lines(folder / name)) for name in logs) for folder in (run, stored))
    if came >= was:
        _copy(files, run, stored)
