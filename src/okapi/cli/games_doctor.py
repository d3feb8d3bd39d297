"""`okapi games doctor`: what is wrong with games and samples, and a fixed copy."""

import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from rich.markup import escape

from okapi.cli.console import Exit, Json, emit, out, talk, watch
from okapi.cli.pictures import as_table, check_picture, write_picture
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.data.doctor import DoctorReport, Examination

__all__ = ["doctor"]

STYLES = {"ok": "green", "note": "cyan", "warning": "yellow", "fault": "bold red"}


def doctor(
    *files: Annotated[Path, Parameter(help="A store or a file of samples, in any format; or two to compare.")],
    fix: Annotated[bool, Parameter(name=["--fix", "--mend"])] = False,
    to: Path | None = None,
    yes: bool = False,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    view: Literal["white", "mover"] | None = None,
    picture: Path | None = None,
    json: Json = False,
) -> int:
    """Say what is wrong with games or samples: signs, duplicates, broken rows, leakage between two files.

    Exit code 3 means that there are faults. --fix writes a copy, and changes only what is certain.

    Examples:
      okapi games doctor games.okapi
      okapi games doctor labelled.samples --picture labelled.svg
      okapi games doctor train.samples test.samples
      okapi games doctor scores.csv --fix --to good.samples

    Parameters
    ----------
    fix
        Write a copy with what is wrong put right or left out; asks before. --mend is the old name.
    to
        Where to write the copy: a store of a store, a sample file of anything else.
    yes
        Do not ask.
    from_
        The format of text, where neither its name nor its first bytes tell.
    view
        Whose values and results a text file tells, where it does not say so itself: white or mover.
    picture
        Write the charts to this file: an SVG.
    """
    from okapi.data.doctor import examine, examine_pair  # here, because numpy takes a while and others do without
    from okapi.formats.samples import Options, View

    if len(files) not in (1, 2):
        raise UsageError(f"doctor takes one file, or two to compare, not {len(files)}")
    if fix != (to is not None):
        raise UsageError("--fix and --to go together", hint="--fix --to NEW writes a fixed copy")
    check_picture(picture)
    options = Options(view=None if view is None else View(view))
    with watch("examining") as tell:
        if len(files) == 1:
            examination = examine(files[0], options, from_, tell)
        else:
            examination = examine_pair(files[0], files[1], options, from_, tell)
    report = examination.report
    if picture is not None:
        write_picture(picture, report.name, report.charts)
    if not json:
        _print_report(report)
    written = _fixed(examination, to, yes=yes) if to is not None else None
    if json:
        emit(_described(report) | ({} if written is None else {"written": written, "to": str(to)}))
    return Exit.DONE if report.healthy or written is not None else Exit.INPUT


def _fixed(examination: "Examination", to: Path, *, yes: bool) -> int | None:
    """Write the copy, if there is something to fix and the user agrees; how much is in it."""
    if to.exists():
        raise UsageError(f"{to} is there already", hint="nothing is fixed in place: give another name")
    changes = examination.report.fixable
    if not changes:
        talk().print("there is nothing to fix: no copy is written")
        return None
    for finding in changes:
        talk().print(f"{finding.check}: {finding.fix}", markup=False)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError(
                "--fix asks before it writes, and there is no terminal to ask on", hint="--yes does not ask"
            )
        if input(f"write {to}? [y/N] ").strip().lower() not in ("y", "yes"):
            return None
    with watch("fixing") as tell:
        written = examination.fix(to, tell)
    talk().print(f"{written:,} {examination.report.unit} are in {to}", markup=False)
    return written


def _described(report: "DoctorReport") -> dict[str, object]:
    return {
        "name": report.name,
        "kind": report.kind,
        "healthy": report.healthy,
        "findings": [asdict(finding) | {"mend": finding.fix} for finding in report.findings],  # mend: the old key
        "figures": report.figures,
    }


def _print_report(report: "DoctorReport") -> None:
    console = out()
    for chart in report.charts:
        console.print(as_table(chart))
        console.print()
    for finding in report.findings:
        console.print(f"[{STYLES[finding.severity]}]{finding.severity:>7}[/]  {escape(finding.text)}")
    counts = Counter(str(finding.severity) for finding in report.findings)
    found = [f"{counts[kind]} {kind}{'s' * (counts[kind] > 1)}" for kind in ("fault", "warning") if counts[kind]]
    console.print(f"\n[bold]{escape(report.name)}[/]: {', '.join(found) or 'healthy'}")
    if report.fixable:
        talk().print("hint: --fix --to NEW writes a fixed copy", style="dim")
