"""What `okapi analyse` does with games: study them, and tell what was found."""

import time
from pathlib import Path

from rich.table import Table

from okapi.analysis.report import NAGS, GameAnalysis, GameReport, JudgedMove, MoveNote
from okapi.analysis.report.game import report_as_json
from okapi.analysis.report.page import page, plot
from okapi.cli.console import Pulse, emit, out, progress, talk
from okapi.core import Color, Game, Limits
from okapi.errors import UsageError
from okapi.formats.pgn import write_pgn
from okapi.players import Player

__all__ = ["report_games"]

STYLES = {"??": "bold red", "?": "red", "?!": "yellow"}


def report_games(
    games: list[Game],
    player: Player,
    limits: Limits,
    *,
    by: str,
    pgn: Path | None,
    html: Path | None,
    json: bool,
) -> None:
    """Study every game and tell about it: on the terminal or as JSON, and in files if they are asked for."""
    begun = time.perf_counter()
    reports = _studied([GameAnalysis(game, player, by) for game in games], limits)
    if pgn is not None:
        _write(pgn, "\n".join(map(_marked, reports)))
    if html is not None:
        _write(html, page(reports))
    if json:
        emit(
            {
                "games": [report_as_json(report) for report in reports],
                "nodes": sum(move.nodes for report in reports for move in report.moves),
                "seconds": round(time.perf_counter() - begun, 3),
            }
        )
        return
    for report in reports:
        _print(report)
    for what, file in (("marked games are", pgn), ("the page is", html)):
        if file is not None:
            talk().print(f"{what} in {file}", markup=False)


def _studied(studies: list[GameAnalysis], limits: Limits) -> list[GameReport]:
    """Look at every position, and again at every mistake."""
    total, done, pulse = sum(len(study.game.moves) + 1 for study in studies), 0, Pulse()
    with progress("analysing", total) as bar:
        (task,) = bar.task_ids
        for study in studies:
            for _ in study.deepen(limits):
                done += 1
                bar.update(task, advance=1, description="analysing")
                if pulse.due:
                    pulse.tell(done, total, "positions")
            for move in study.check(limits):
                bar.update(task, description=f"checking {move.number}")
    return [study.report() for study in studies]


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"`{file}` cannot be written: {error.strerror}", hint="choose another file") from None


def _print(report: GameReport) -> None:
    console = out()
    console.print(f"[bold]{_name(report.game, 'White')} – {_name(report.game, 'Black')}[/]  {report.game.result}")
    if report.opening is not None:
        console.print(str(report.opening), markup=False)
    console.print(_moves(report.moves), soft_wrap=False)
    console.print("\nWhite's expected score; below White's mistakes, above Black's: ~ ?!, ? ?, X ??")
    for row in plot(report.values, report.moves):
        console.print(row, markup=False)
    for move in report.moves:
        if move.sentence:
            console.print(f"{move.name} {move.sentence}.", markup=False, style=STYLES.get(move.mark))
        elif move.note is MoveNote.ONLY_MOVE:
            console.print(f"{move.name} was the only move.", markup=False)
    console.print()
    console.print(_totals(report), soft_wrap=False)
    console.print(f"by {report.by}\n", markup=False)


def _moves(moves: tuple[JudgedMove, ...]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("move", no_wrap=True)
    table.add_column("value", justify="right")
    table.add_column("pawns", justify="right")
    table.add_column("lost", justify="right")
    table.add_column("better", no_wrap=True)
    for move in moves:
        table.add_row(
            move.name,
            f"{move.value.expected:.2f}",
            str(move.value),
            f"{move.loss:.2f}" if move.mark else "",
            move.best_san if move.mark else "",
            style=STYLES.get(move.mark, ""),
        )
    return table


def _totals(report: GameReport) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("", "moves", "?!", "?", "??", "accuracy", "lost per move"):
        table.add_column(heading, justify="left" if not heading else "right")
    for side in Color:
        of = report.summary(side)
        counts = (str(n) for n in (of.moves, of.inaccuracies, of.mistakes, of.blunders))
        table.add_row(side.name.capitalize(), *counts, f"{of.accuracy:.0f} %", f"{of.average_loss:.3f}")
    return table


def _name(game: Game, side: str) -> str:
    return game.tags.get(side, "?").replace("[", "\\[")


def _marked(report: GameReport) -> str:
    return write_pgn(report.game, {move.ply: _comment(move) for move in report.moves if move.mark})


def _comment(move: JudgedMove) -> str:
    better = f", better {move.better}" if move.better else ""
    return f"{NAGS[move.mark]} {{ {move.value}{better}: {move.sentence} }}"
