"""`okapi suite`: how many positions of a test suite a player solves."""

from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from rich.table import Table

from okapi.arena.suite import ReferenceEngine, SuiteAnswer, SuiteScore, by_theme, read_suite, run_suite, summary
from okapi.arena.suite_page import suite_page
from okapi.cli.console import Exit, Json, emit, note, out, say, table_of, write_text
from okapi.cli.options import search_limits
from okapi.cli.parameters import Count, Positive, about, out_flag
from okapi.cli.progress import Progress
from okapi.core import Limits
from okapi.players import parse_player

FOR_A_POSITION = Limits(movetime_ms=100, overhead_ms=0)
TO_JUDGE = Limits(nodes=1_000_000, overhead_ms=0)
"""Where no limit is given."""

FEW = 30
"""Up to so many misses are listed. With a judge, every move is."""


def suite(
    file: Annotated[Path, about('An EPD file with bm, am, dm, or points such as c0 "Nf3=10, e4=5".')],
    /,
    *,
    player: Annotated[str, about("Who solves: a brain, alphabeta:BRAIN, greedy:BRAIN, uci:COMMAND.")] = "alphabeta",
    movetime: Annotated[Positive, about("Milliseconds for each position; 100 where no limit is given.")] = None,
    nodes: Annotated[Positive, about("Nodes to search.")] = None,
    depth: Annotated[Positive, about("Search depth in plies.")] = None,
    concurrency: Annotated[Count, about("Positions at a time, each with a player of its own.")] = 1,
    count: Annotated[Positive, about("Only so many positions, spread evenly over the file.")] = None,
    judge: Annotated[str | None, about("A strong player that values best and played moves: uci:stockfish.")] = None,
    judge_nodes: Annotated[Positive, about("Nodes it searches for each; a million where no limit is given.")] = None,
    judge_depth: Annotated[Positive, about("Its search depth in plies.")] = None,
    judge_movetime: Annotated[Positive, about("Milliseconds it searches.")] = None,
    page: Annotated[Path | None, out_flag("--page", help="Write a page with boards for the misses.")] = None,
    json: Json = False,
) -> int:
    """Let a player solve the positions of a test suite, and count its points by theme.

    A position is solved by a best move (bm), by any move that is not to be avoided (am), by the move with the most
    points, or by seeing the mate (dm). A judge (a strong engine) measures what each move lost, as in sabatelli2018.

    For example:
      okapi suite sts.epd --player okapi-28 --nodes 50000 --concurrency 2 --out sts.html
      okapi suite kaufman.epd --player greedy:material --judge uci:stockfish --judge-depth 25
    """
    limits = search_limits(nodes, depth, movetime, FOR_A_POSITION)
    tasks = read_suite(file)
    if count is not None and count < len(tasks):
        tasks = [tasks[index * len(tasks) // count] for index in range(count)]
    judging = search_limits(judge_nodes, judge_depth, judge_movetime, TO_JUDGE)
    arbiter = None if judge is None else lambda: ReferenceEngine(parse_player(judge), judging)
    answers: list[SuiteAnswer] = []
    solved = 0
    with suppress(KeyboardInterrupt), Progress("suite", len(tasks)) as progress:
        hire = partial(parse_player, player)
        for answer in run_suite(tasks, hire, limits, make_reference=arbiter, concurrency=concurrency):
            answers.append(answer)
            solved += answer.solved
            progress.update(len(answers), f"{solved} of {len(answers)} solved")
    answers.sort(key=lambda answer: answer.task.number)
    complete = len(answers) == len(tasks)
    if page is not None and answers:
        given = {"ms": limits.movetime_ms, "nodes": limits.nodes, "plies": limits.depth}
        limited = " and ".join(f"{number:,} {unit}" for unit, number in given.items() if number) + " a position"
        write_text(page, suite_page(file.stem, answers, player=player, limits=limited, reference=judge or ""))
    if json:
        emit({**_described(answers), "player": player, "seconds": round(progress.seconds, 3), "complete": complete})
    elif answers:
        _print_report(answers, progress.seconds, everything=judge is not None)
    if page is not None and answers:
        note(f"the page is in {page}")
    if not complete:
        note(f"interrupted after {len(answers)} of {len(tasks)} positions")
    return Exit.DONE if complete else Exit.INTERRUPTED


def _described(answers: list[SuiteAnswer]) -> dict[str, Any]:
    total, themes = by_theme(answers)
    deltas = [answer.comparison.delta for answer in answers if answer.comparison is not None]
    return {
        **asdict(total),
        "by_theme": {name: asdict(score) for name, score in themes.items()},
        **({"delta_cp": summary(deltas)} if deltas else {}),
        "answers": [answer.as_json() for answer in answers],
    }


def _print_report(answers: list[SuiteAnswer], seconds: float, *, everything: bool) -> None:
    total, themes = by_theme(answers)
    if len(themes) > 1:
        say(_theme_table(total, themes), "")
    listed = answers if everything else [answer for answer in answers if not answer.solved]
    if everything or 0 < len(listed) <= FEW:
        say(_move_table(listed), "")
    graded = total.max_points != total.positions
    points = f", {total.points:,} of {total.max_points:,} points ({_share(total):.1%})" if graded else ""
    solved = f"[bold]{total.solved}[/] of {total.positions} solved ({total.solved / total.positions:.1%})"
    out().print(f"{solved}{points} in {seconds:.1f} s")
    deltas = [answer.comparison.delta for answer in answers if answer.comparison is not None]
    if deltas:
        lost = summary(deltas)
        mean, median, few = lost["mean"] / 100, lost["median"] / 100, f"{lost['balanced']} of {len(deltas)}"
        say(f"a move lost {mean:.2f} pawns on average (median {median:.2f}); {few} no more than 1.5")


def _theme_table(total: SuiteScore, themes: dict[str, SuiteScore]) -> Table:
    scores = [*sorted(themes.items(), key=lambda item: -_share(item[1])), ("all", total)]
    rows = ((name, s.positions, s.solved, s.points, s.max_points, 100 * _share(s)) for name, s in scores)
    columns = {"theme": "", **dict.fromkeys(("positions", "solved", "points", "of"), ","), "%": ".1f"}
    table = table_of(columns, rows, styles=[*[""] * len(themes), "bold"])
    table.rows[len(themes) - 1].end_section = True
    return table


def _share(score: SuiteScore) -> float:
    return score.points / max(score.max_points, 1)


def _move_table(answers: list[SuiteAnswer]) -> Table:
    judged = any(answer.comparison is not None for answer in answers)
    graded = any(answer.task.graded for answer in answers)
    columns = {"position": "", "wanted": "", "played": ""}
    columns |= {**({"points": "d"} if graded else {}), **({"Δ pawns": ".2f"} if judged else {})}
    rows = []
    for answer in answers:
        points = (answer.points,) if graded else ()
        lost = (answer.comparison and answer.comparison.delta / 100,) if judged else ()
        rows.append((answer.task.name, answer.task.wanted(), answer.played, *points, *lost))
    return table_of(columns, rows, styles=["green" if answer.solved else "" for answer in answers])
