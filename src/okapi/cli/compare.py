"""`okapi brains compare`: where brains disagree, or a brain and its teacher, and on which kinds of positions."""

import time
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from okapi.analysis.compare import EvaluatorComparison, EvaluatorValues, Gap, comparison_page, list_disagreements
from okapi.analysis.compare import compare as compared
from okapi.analysis.positions import KINDS, kinds_of, quiet_positions, sample_positions, self_play_positions
from okapi.brains import card, evaluations
from okapi.brains.library import run_folder
from okapi.brains.output import expected_scores
from okapi.cli.console import Json, emit, note, out, print_table, table_of, write_text
from okapi.cli.drawing import bar, print_board
from okapi.cli.options import CountOrZero, Positive, SourceFile, about, out_flag
from okapi.cli.progress import fraction_done
from okapi.core import Value
from okapi.core.packed import fens, unpack
from okapi.core.samples import Rows
from okapi.errors import UsageError
from okapi.files import file_errors
from okapi.formats.samples import SkippedSamples

TEACHER = "teacher"
OF_A_FILE, OF_OUR_OWN = 20_000, 4_000
"""Default numbers of positions: fewer of our own games, which have to be played first."""


def compare(
    first: Annotated[str, about("A brain that is shipped, or the path of a file.")],
    second: Annotated[str | None, about("Another one; not needed with --teacher.")] = None,
    /,
    *,
    positions: SourceFile = None,
    teacher: Annotated[Path | None, about("Samples with values; these are the positions then.")] = None,
    most: Annotated[Positive, about("Positions, a fixed choice: 20,000 of a file, 4,000 of our own games.")] = None,
    worst: Annotated[CountOrZero, about("Boards to show.")] = 4,
    each: Annotated[CountOrZero, about("Boards to show of each kind of position.")] = 0,
    quiet: Annotated[bool, about("Only positions with nothing to capture or to save: no search is missing.")] = False,
    page: Annotated[Path | None, out_flag("--page", help="Write a page with all of it: an HTML file.")] = None,
    leave: Annotated[str | None, about("With --teacher: leave the worst in this run, for the board's Compare.")] = None,
    json: Json = False,
) -> None:
    """Show where two brains disagree most: in all, on which kinds of positions, and on which boards.

    They evaluate without a search. A difference is one of expected scores: 0.1 is a tenth of a point. A file with
    values adds its teacher to the comparison.

    For example:
      okapi brains compare okapi-28 material
      okapi brains compare mine.safetensors --teacher labels.samples
    """
    if second is None and teacher is None:
        hint = "okapi brains compare okapi-28 material"
        raise UsageError("compare takes two brains, or one and --teacher", hint=hint)
    if first == second:
        raise UsageError(f"both brains are `{first}`", hint="name two brains")
    if positions is not None and teacher is not None:
        raise UsageError("--positions and --teacher exclude each other", hint="the teacher's file has the positions")
    if leave is not None and teacher is None:
        raise UsageError("--leave is about a brain and its teacher", hint="name the teacher's file with --teacher")
    begun = time.perf_counter()
    brains = _named([first] if second is None else [first, second])
    file = teacher or positions
    rows = positions_to_evaluate(file, most, valued=teacher is not None)
    if quiet:
        rows = quiet_positions(rows)
    evaluators = [EvaluatorValues(name, evaluations(brain, rows["position"]).values) for name, brain in brains.items()]
    if teacher is not None:
        evaluators.append(EvaluatorValues(TEACHER, expected_scores(rows["value"])))
    found = compared(rows, evaluators, worst=worst, each=each)
    source = "games that Okapi played itself" if file is None else file.name
    if page is not None:
        write_text(page, comparison_page(found, source))
        note(f"the page is in {page}", "dim")
    if leave is not None:
        folder = run_folder(leave, "")
        with file_errors(folder, "made"):
            folder.mkdir(parents=True, exist_ok=True)
        list_disagreements(evaluators[0].name, source, found.rows, evaluators[0].values).write(folder)
        note(f"the board shows them: okapi play --runs {folder.parent}", "dim")
    if json:
        emit({**described(found), "source": source, "seconds": round(time.perf_counter() - begun, 3)})
    else:
        _print(found, source)


def _named(brains: list[str]) -> dict[str, str]:
    """Brains by the names in their cards; by the names given here, where those are the same."""
    known = [card(brain).name for brain in brains]
    return dict(zip(known if len(set(known)) == len(known) else brains, brains, strict=True))


def positions_to_evaluate(file: Path | None, most: int | None, *, valued: bool = False) -> Rows:
    """So many of a file's positions, or of games that Okapi plays itself."""
    if file is None:
        return self_play_positions(most or OF_OUR_OWN)
    skipped = SkippedSamples(tell=lambda told: note(f"skipped: {told}"))
    with fraction_done("reading") as heard:
        return sample_positions(file, most or OF_A_FILE, skipped, heard, valued=valued)


def described(found: EvaluatorComparison) -> dict[str, Any]:
    names = [each.name for each in found.evaluators]
    pairs = []
    for pair in found.pairs:
        kinds = {name: gap.as_json() for name, gap in pair.kinds.items()}
        pairs.append({"first": pair.first, "second": pair.second, **pair.whole.as_json(), "kinds": kinds})
    of_kind = {name: _told(found, numbers) for name, numbers in found.worst_of_kind.items()}
    worst = {"worst": _told(found, found.worst), "worst_of_kind": of_kind}
    # judges: the former key, for one release
    return {"evaluators": names, "judges": names, "positions": len(found.rows), "pairs": pairs, **worst}


def _told(found: EvaluatorComparison, numbers: NDArray[np.int64]) -> list[dict[str, Any]]:
    return [
        {"fen": fen, "values": {each.name: round(float(each.values[number]), 5) for each in found.evaluators}}
        for fen, number in zip(fens(found.rows["position"][numbers]), numbers, strict=True)
    ]


def _print(found: EvaluatorComparison, source: str) -> None:
    console = out()
    names = [each.name for each in found.evaluators]
    console.print(f"{' and '.join(names)} on {len(found.rows):,} positions of {source}\n", markup=False)
    for pair in found.pairs:
        console.print(gap_in_words(pair.first, pair.second, pair.whole), markup=False)
    console.print()
    print_table(kind_table(found))
    apart = f"{names[0]} and {names[1]} are furthest apart"
    print_boards(found, found.worst, f"[bold]Where {apart}[/]; values of the side to move")
    for name, numbers in found.worst_of_kind.items():
        print_boards(found, numbers, f"[bold]{name}[/]: where {apart}")


BAR = 12


def gap_in_words(first: str, second: str, gap: Gap) -> str:
    alike = {"correlation": gap.correlation, "order": gap.order}
    told = [f"{what} {number:.2f}" for what, number in alike.items() if number is not None]
    lean = f"{first} values the side to move {abs(gap.lean):.3f} {'higher' if gap.lean >= 0 else 'lower'}"
    return (
        f"{first} – {second}: apart by {gap.mean:.3f} on average ({gap.low:.3f} … {gap.high:.3f}), "
        f"median {gap.median:.3f}\n  {', '.join([*told, lean])}"
    )


def kind_table(found: EvaluatorComparison) -> Table:
    """How far the first two are apart on each kind, and the others beside them."""
    first, *others = found.pairs
    columns = {"kind of position": "", "positions": ",", "apart by": ".3f", "95 %": "s", "": "s"}
    columns |= {str(pair): ".3f" for pair in others}
    largest = max(gap.mean for gap in first.kinds.values()) or 1.0
    rows: list[Sequence[object]] = []
    for _, kinds in groupby(first.kinds, key=lambda name: KINDS[name].group):
        rows += [[None] * len(columns)] if rows else []
        for name in kinds:
            gap = first.kinds[name]
            apart = (gap.positions, gap.mean, f"{gap.low:.3f} … {gap.high:.3f}", bar(gap.mean / largest, BAR))
            rows.append((name, *apart, *(pair.kinds[name].mean for pair in others)))
    table = table_of(columns, rows)
    table.columns[3].style, table.columns[4].style, table.columns[4].justify = "dim", "cyan", "left"
    for column in table.columns[5:]:  # their headings are long, their numbers are not
        column.no_wrap, column.min_width = False, 6
    return table


def print_boards(found: EvaluatorComparison, numbers: NDArray[np.int64], title: str) -> None:
    if len(numbers):
        out().print(f"\n{title}\n")
    for number in numbers.tolist():
        position = unpack(found.rows["position"][number])
        kinds = kinds_of(found.rows["position"][number : number + 1])
        words = [f"{position.turn.name.capitalize()} to move", ""]
        for each in found.evaluators:
            value = Value(float(each.values[number]), position.turn)
            words.append(f"{each.name}: {value.expected:.2f} ({value})")
        words += ["", *(name for name, are in kinds.items() if are[0])]
        print_board(position, "\n".join(words))
