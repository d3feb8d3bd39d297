"""`okapi analyse` and `okapi suite`: the best lines of a position, the report of a game, the score of a test suite."""

import os
import sys
import time
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from cyclopts.validators import Number
from rich.table import Table

from okapi.analysis.report import NAGS, GameAnalysis, GameReport, JudgedMove, MoveNote
from okapi.analysis.report.game import report_as_json, value_as_json
from okapi.analysis.report.lines import Replay
from okapi.analysis.report.page import page, plot
from okapi.analysis.report.sentences import Threat, find_threat
from okapi.arena.suite import ReferenceEngine, SuiteAnswer, SuiteScore, by_theme, read_suite, run_suite, summary
from okapi.arena.suite_page import suite_page
from okapi.brains import display_name
from okapi.cli.console import BrainOption, Exit, Json, emit, note, out, say, table_of, talk, write_text
from okapi.cli.evaluate import STARTS, position_from
from okapi.cli.options import search_limits
from okapi.cli.parameters import Count, Positive, about, out_flag
from okapi.cli.progress import Progress
from okapi.core import Color, Decision, Game, Limits, Line, Move, Position, version
from okapi.data.store import Store, is_store
from okapi.errors import InvalidPgn, InvalidStore, InvalidText, NotFound, UsageError
from okapi.formats.pgn import movetext, read_pgn, write_pgn
from okapi.players import AlphaBeta, Engine, Player, parse_player
from okapi.players.player import call_if_supported
from okapi.players.spec import alphabeta_options, kind_of

FOR_A_POSITION = Limits(movetime_ms=1_000, overhead_ms=0)
FOR_A_MOVE = Limits(movetime_ms=200, overhead_ms=0)
"""Where no limit is given."""


def analyse(
    *what: Annotated[str, about("A FEN, `startpos`, or the path of a PGN file or of a game store.")],
    movetime: Annotated[Positive, about("Milliseconds for each position.")] = None,
    depth: Annotated[Positive, about("Search depth in plies.")] = None,
    nodes: Annotated[Positive, about("Nodes to search.")] = None,
    multipv: Annotated[int, about("Lines to show.", validator=Number(gte=1, lte=256))] = 1,
    player: Annotated[str, about("Who analyses: alphabeta:BRAIN, uci:COMMAND.")] = "alphabeta",
    brain: BrainOption = None,
    threads: Annotated[int, about("Threads to search with.", validator=Number(gte=1, lte=1024))] = 1,
    threats: Annotated[bool, about("Show what the side that is not to move threatens.", negative="")] = False,
    pgn: Annotated[Path | None, about("Write the marked games to this file.")] = None,
    html: Annotated[Path | None, out_flag("--html", "--to", help="Write the report to this file, as a page.")] = None,
    json: Json = False,
) -> None:
    """Show the best lines of a position, or the report of the games in a file: mistakes and why, accuracy, opening.

    Files are PGN, plain or compressed (gz, bz2, xz, zst, zip), or game stores; every game in them is analysed.
    Values are the expected score of the side to move, 0 lost to 1 won; in games, of the side that moved.
    Marks: ?! lost 0.05, ? 0.10, ?? 0.20. A move that seems a mistake is analysed again, four times as long.

    For example:
      okapi analyse startpos --movetime 500 --multipv 3
      okapi analyse "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1" --depth 10 --json
      okapi analyse game.pgn --nodes 100000 --pgn marked.pgn --out report.html
    """
    if not what:
        raise UsageError("analyse takes a FEN or a PGN file", hint="okapi analyse startpos")
    text = " ".join(what)
    is_file = text not in STARTS and (os.path.exists(text) or "." in text)  # no FEN has a dot
    if threats and is_file:
        raise UsageError("--threats is for a position", hint="okapi analyse FEN --threats")
    if (pgn or html) and not is_file:
        raise UsageError("--pgn and --out are for games", hint="okapi analyse game.pgn --out report.html")
    limits = search_limits(nodes, depth, movetime, FOR_A_MOVE if is_file else FOR_A_POSITION)
    analyst = parse_player(player, brain=brain, threads=threads, multipv=1 if is_file else multipv)
    try:
        if is_file:
            given = {"plies": limits.depth, "nodes": limits.nodes, "ms": limits.movetime_ms}
            limited = " and ".join(f"{number:,} {unit}" for unit, number in given.items() if number is not None)
            by = f"{_name(player, analyst, brain)}, {limited} a position"
            studies = [GameAnalysis(game, analyst, by) for game in _games_of(Path(text))]
            _report_games(studies, limits, pgn, html, json=json)
        else:
            _analyse_position(position_from(text), analyst, limits, threats=threats, json=json)
    finally:
        call_if_supported(analyst, "close")


def _games_of(path: Path) -> list[Game]:
    try:
        games = list(Store.open(path)) if is_store(path) else list(read_pgn(path))
    except (InvalidStore, InvalidText, NotFound) as error:
        if isinstance(error, NotFound):
            error.hint = "give a FEN in quotes, or the path of a PGN file or of a game store"
        elif isinstance(error, InvalidStore):
            error.hint = error.hint or "make the store again: okapi games import GAMES.pgn --out STORE"
        elif not isinstance(error, InvalidPgn):  # a compressed file that is damaged
            error.hint = "nothing was analysed; `okapi games import` saves the games that stand before the damage"
        raise
    if not games:
        raise InvalidStore(f"there is no game in {path.name}", hint="okapi games import adds games to a store")
    for number, game in enumerate(games):  # from 0, as `okapi games export --game` counts
        if Move.none() in game.moves:  # a store may have them, and read_pgn refuses them
            hint = "`okapi games export STORE --game N --out game.pgn` writes single games as PGN"
            raise InvalidStore(f"game {number} of {path.name} has a null move (--), which is not legal", hint=hint)
    return games


def _name(spec: str, player: Player, brain: str | None) -> str:
    """The name of who analyses: the brain of the search, or the name of another program."""
    if isinstance(player, Engine):
        return player.name
    kind, rest = kind_of(spec)
    if kind != "alphabeta":
        return spec
    return f"Okapi {version} with the brain {display_name(alphabeta_options(rest).get('brain', brain))}"


def _analyse_position(position: Position, player: Player, limits: Limits, *, threats: bool, json: bool) -> None:
    begun = time.perf_counter()
    decision = _search_shown(position, player, limits)
    seconds = time.perf_counter() - begun
    threat = find_threat(position, player, limits) if threats else None
    lines = decision.lines or (Line(decision.line, decision.value, decision.depth),)
    if json:
        listed = [_described(position, line) for line in lines]
        found = {"threat": _threat_as_json(position, threat)} if threats else {}
        emit({"fen": position.fen(), "lines": listed, **found, "nodes": decision.nodes, "seconds": round(seconds, 3)})
        return
    columns = {"": "d", "value": ".3f", "pawns": "s", "depth": "d", "line": ""}
    written = (movetext(Game.of(list(line.moves), position.copy())) for line in lines)
    values = ((line.value.expected, str(line.value), line.depth) for line in lines)
    rows = ((rank, *value, moves) for rank, (value, moves) in enumerate(zip(values, written, strict=True), start=1))
    say(f"{position.turn.name.capitalize()} to move in {position.fen()}", table_of(columns, rows))
    if threats:
        say(f"{position.turn.other.name.capitalize()} {threat.sentence if threat else 'threatens nothing'}")
    say(f"{decision.nodes:,} nodes in {seconds:.1f} s")


def _search_shown(position: Position, player: Player, limits: Limits) -> Decision:
    """Search; on a terminal, show the best line so far."""
    console = talk()
    if not isinstance(player, AlphaBeta) or not console.is_terminal or not sys.stdout.isatty():
        return player.choose(position, limits)
    with console.status("searching …") as status:

        def report(rank: int, line: Line, nodes: int) -> None:
            if rank == 1:
                status.update(f"depth {line.depth}  {line.value}  {position.san(line.moves[0])}  {nodes:,} nodes")

        return player.choose(position, limits, report)


def _described(position: Position, line: Line) -> dict[str, Any]:
    written = Replay.of(position, line.moves).sans
    first = {"move": position.uci(line.moves[0]), "san": written[0], **value_as_json(line.value)}
    return {**first, "pv": [position.uci(move) for move in line.moves], "pv_san": written, "depth": line.depth}


def _threat_as_json(position: Position, threat: Threat | None) -> dict[str, Any] | None:
    """A threat; its value is that of the side that threatens, if it were its move."""
    if threat is None:
        return None
    passed = position.copy()
    passed.pass_turn()
    return {**_described(passed, threat.line), "gain": round(threat.gain, 6), "sentence": threat.sentence}


STYLES = {"??": "bold red", "?": "red", "?!": "yellow"}


def _report_games(
    studies: list[GameAnalysis], limits: Limits, pgn: Path | None, html: Path | None, *, json: bool
) -> None:
    """Analyse every game and report: on the terminal or as JSON, and in files if they are named."""
    done = 0
    with Progress("analysing", sum(len(study.game.moves) + 1 for study in studies)) as progress:
        for study in studies:
            for _ in study.deepen(limits):
                done += 1
                progress.update(done, "positions")
            for move in study.check(limits):
                progress.update(done, f"checking {move.number}")
    reports = [study.report() for study in studies]
    if pgn is not None:
        comments = [{move.ply: _comment(move) for move in report.moves if move.mark} for report in reports]
        games = map(write_pgn, (report.game for report in reports), comments)
        write_text(pgn, "\n".join(games))
    if html is not None:
        write_text(html, page(reports))
    if json:
        nodes = sum(move.nodes for report in reports for move in report.moves)
        emit({"games": list(map(report_as_json, reports)), "nodes": nodes, "seconds": round(progress.seconds, 3)})
        return
    for report in reports:
        _print_report(report)
    for what, file in (("marked games are", pgn), ("the page is", html)):
        if file is not None:
            note(f"{what} in {file}")


def _print_report(report: GameReport) -> None:
    out().print(f"[bold]{_tag(report.game, 'White')} – {_tag(report.game, 'Black')}[/]  {report.game.result}")
    if report.opening is not None:
        say(str(report.opening))
    columns = {"move": "", "value": ".2f", "pawns": "s", "lost": ".2f", "better": ""}
    judged = (
        (m.value.expected, str(m.value), *((m.loss, m.best_san) if m.mark else (None, None))) for m in report.moves
    )
    rows = ((move.name, *each) for move, each in zip(report.moves, judged, strict=True))
    say(table_of(columns, rows, styles=[STYLES.get(move.mark, "") for move in report.moves]))
    say("\nWhite's expected score; below White's mistakes, above Black's: ~ ?!, ? ?, X ??")
    say(*plot(report.values, report.moves))
    for move in report.moves:
        if move.sentence:
            out().print(f"{move.name} {move.sentence}.", markup=False, style=STYLES.get(move.mark))
        elif move.note is MoveNote.ONLY_MOVE:
            say(f"{move.name} was the only move.")
    columns = {"": "", "moves": "d", "?!": "d", "?": "d", "??": "d", "accuracy": "s", "lost per move": ".3f"}
    totals = []
    for side in Color:
        of = report.summary(side)
        counts = (of.moves, of.inaccuracies, of.mistakes, of.blunders)
        totals.append((side.name.capitalize(), *counts, f"{of.accuracy:.0f} %", of.average_loss))
    say("", table_of(columns, totals), f"by {report.by}\n")


def _tag(game: Game, side: str) -> str:
    return game.tags.get(side, "?").replace("[", "\\[")


def _comment(move: JudgedMove) -> str:
    better = f", better {move.better}" if move.better else ""
    return f"{NAGS[move.mark]} {{ {move.value}{better}: {move.sentence} }}"


FOR_A_TASK = Limits(movetime_ms=100, overhead_ms=0)
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
    limits = search_limits(nodes, depth, movetime, FOR_A_TASK)
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
        emit(
            {
                **_answers_described(answers),
                "player": player,
                "seconds": round(progress.seconds, 3),
                "complete": complete,
            }
        )
    elif answers:
        _print_score(answers, progress.seconds, everything=judge is not None)
    if page is not None and answers:
        note(f"the page is in {page}")
    if not complete:
        note(f"interrupted after {len(answers)} of {len(tasks)} positions")
    return Exit.DONE if complete else Exit.INTERRUPTED


def _answers_described(answers: list[SuiteAnswer]) -> dict[str, Any]:
    total, themes = by_theme(answers)
    deltas = [answer.comparison.delta for answer in answers if answer.comparison is not None]
    return {
        **asdict(total),
        "by_theme": {name: asdict(score) for name, score in themes.items()},
        **({"delta_cp": summary(deltas)} if deltas else {}),
        "answers": [answer.as_json() for answer in answers],
    }


def _print_score(answers: list[SuiteAnswer], seconds: float, *, everything: bool) -> None:
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
