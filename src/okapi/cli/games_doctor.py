"""`okapi games doctor`: what is wrong with games and samples, and a mended copy."""

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
    from okapi.data.doctor import Patient, Report

__all__ = ["doctor"]

STYLES = {"ok": "green", "note": "cyan", "warning": "yellow", "fault": "bold red"}


def doctor(
    *files: Annotated[Path, Parameter(help="A store or a file of samples, in any format; or two to compare.")],
    mend: bool = False,
    to: Path | None = None,
    yes: bool = False,
    from_: Annotated[str | None, Parameter(name="--from")] = None,
    view: Literal["white", "mover"] | None = None,
    picture: Path | None = None,
    json: Json = False,
) -> int:
    """Say what is wrong with games or samples: signs, duplicates, broken rows, leakage between two files.

    Exit code 3 means that there are faults. Mending writes a copy, and changes only what is certain.

    Examples:
      okapi games doctor games.okapi
      okapi games doctor labelled.samples --picture labelled.svg
      okapi games doctor train.samples test.samples
      okapi games doctor scores.csv --mend --to good.samples

    Parameters
    ----------
    mend
        Write a copy with what is wrong put right or left out; asks before.
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
    from okapi.data.doctor import admit, admit_pair  # here, because numpy takes a while and others do without
    from okapi.formats.samples import Options, View

    if len(files) not in (1, 2):
        raise UsageError(f"doctor takes one file, or two to compare, not {len(files)}")
    if mend != (to is not None):
        raise UsageError("--mend and --to go together", hint="--mend --to NEW writes a mended copy")
    check_picture(picture)
    options = Options(view=None if view is None else View(view))
    with watch("examining") as tell:
        if len(files) == 1:
            patient = admit(files[0], options, from_, tell)
        else:
            patient = admit_pair(files[0], files[1], options, from_, tell)
    report = patient.report
    if picture is not None:
        write_picture(picture, report.name, report.charts)
    if not json:
        _print_report(report)
    written = _mended(patient, to, yes=yes) if to is not None else None
    if json:
        emit(_described(report) | ({} if written is None else {"written": written, "to": str(to)}))
    return Exit.DONE if report.healthy or written is not None else Exit.INPUT


def _mended(patient: "Patient", to: Path, *, yes: bool) -> int | None:
    """Write the copy, if there is something to mend and nobody minds; how much is in it."""
    if to.exists():
        raise UsageError(f"{to} is there already", hint="nothing is mended in place: give another name")
    changes = patient.report.mendable
    if not changes:
        talk().print("there is nothing that mending could change: no copy is written")
        return None
    for finding in changes:
        talk().print(f"{finding.check}: {finding.mend}", markup=False)
    if not yes:
        if not sys.stdin.isatty():
            raise UsageError("--mend asks before it writes, and nobody is there to answer", hint="--yes does not ask")
        if input(f"write {to}? [y/N] ").strip().lower() not in ("y", "yes"):
            return None
    with watch("mending") as tell:
        written = patient.mend(to, tell)
    talk().print(f"{written:,} {patient.report.unit} are in {to}", markup=False)
    return written


def _described(report: "Report") -> dict[str, object]:
    return {
        "name": report.name,
        "kind": report.kind,
        "healthy": report.healthy,
        "findings": [asdict(finding) for finding in report.findings],
        "figures": report.figures,
    }


def _print_report(report: "Report") -> None:
    console = out()
    for chart in report.charts:
        console.print(as_table(chart))
        console.print()
    for finding in report.findings:
        console.print(f"[{STYLES[finding.severity]}]{finding.severity:>7}[/]  {escape(finding.text)}")
    counts = Counter(str(finding.severity) for finding in report.findings)
    found = [f"{counts[kind]} {kind}{'s' * (counts[kind] > 1)}" for kind in ("fault", "warning") if counts[kind]]
    console.print(f"\n[bold]{escape(report.name)}[/]: {', '.join(found) or 'healthy'}")
    if report.mendable:
        talk().print("hint: --mend --to NEW writes a mended copy", style="dim")
