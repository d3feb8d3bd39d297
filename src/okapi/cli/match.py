"""`okapi match`: two players, many games, and the difference in Elo with its interval."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from rich.markup import escape

from okapi.cli.console import Json, emit, make_table, out, print_table, talk
from okapi.cli.options import GAME_OPTIONS, STORAGE, Count, GameOptions, StorageOptions
from okapi.cli.progress import GamesProgress
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.arena.games import PlayedGame
    from okapi.arena.match import MatchReport, MatchRun


def match(
    first: Annotated[str, Parameter(help="A player: a brain, alphabeta:BRAIN, uci:COMMAND, python:FILE.py:NAME, …")],
    second: Annotated[str, Parameter(help="Its opponent.")],
    /,
    *,
    games: Count = 100,
    sprt: tuple[float, float] | None = None,
    sprt_model: Literal["logistic", "normalised"] = "logistic",
    sprt_errors: tuple[float, float] = (0.05, 0.05),
    names: tuple[str, str] | None = None,
    conditions: GameOptions = GAME_OPTIONS,
    keeping: StorageOptions = STORAGE,
    json: Json = False,
) -> None:
    """Play a match. Every opening is played twice, with colours changed; results are those of the first player.

    Games are stored as they end: an interrupted or killed command continues when it is given again. A player that
    crashes, hangs or plays an illegal move loses that game and is started again.

    For example:
      okapi match okapi-28 material --games 100 --depth 4
      okapi match uci:./new uci:./old --tc 8+0.08 --games 20000 --sprt 0 5 --pgn games.pgn
      okapi match alphabeta "uci:stockfish{UCI_LimitStrength=true,UCI_Elo=2000}" --tc 10+0.1
      okapi match alphabeta xboard:phalanx --tc 40/60 --resign-score 800 --draw-score 10
      okapi match okapi-28 material --nodes 5000 --games 2000 --cluster auto
      okapi match python:players.py:Careful material --nodes 1000
      okapi match top-prob:BRAIN "limited:uci:sunfish-uci,nodes=10-1000" --nodes 1 --games 200

    Args:
        games: Games to play; with --sprt, at most.
        sprt: Stop when it is decided whether the first player is the second or the first of these Elo stronger: 0 5.
        sprt_model: The Elo of --sprt: logistic, or normalised by the noise of games.
        sprt_errors: The error rates of --sprt: of accepting the second where the first is true, and of the opposite.
        names: Names of the two players.
    """
    from okapi.arena.match import Match, play_match  # imported here: numpy takes a while to load
    from okapi.arena.sprt import Sprt

    planned = Match(
        first=first,
        second=second,
        **conditions.as_arguments(),
    )
    test = None if sprt is None else Sprt(*sprt, *sprt_errors, scale=sprt_model)
    if names is not None and names[0] == names[1]:
        raise UsageError("two players cannot have one name", hint="--names NEW OLD")
    with _MatchProgress("match", games) as watch:
        try:
            report = play_match(
                planned,
                games,
                names=names,
                sprt=test,
                store=keeping.store,
                fresh=keeping.fresh,
                pgn=keeping.pgn,
                make_workers=keeping.make_workers(),
                on_begin=watch.begin_match,
                on_game=watch.game,
            )
        except KeyboardInterrupt:
            watch.stopped()
    if json:
        emit({**report.as_json(), "store": str(watch.store), "seconds": round(watch.seconds, 3)})
    else:
        _print_report(report, watch.store)


# --- While it is played ---------------------------------------------------------------------------------------------


class _MatchProgress(GamesProgress["MatchReport"]):
    def begin_match(self, run: "MatchRun") -> None:
        self.begin(run.report, run.store.path, run.games)
        if run.games > 2 * run.openings and not run.match.control.timed:
            self.note(f"there are only {run.openings} openings: without a clock, games will repeat")

    def game(self, report: "MatchReport", played: "PlayedGame") -> None:
        self.warn_of_fault(played)
        self.update(report.games, lambda: score_so_far(report))

    def print_result(self, table: "MatchReport") -> None:
        self.note(score_so_far(table))


def score_so_far(report: "MatchReport") -> str:
    found = report.estimate
    text = (
        f"+{report.wins} ={report.draws} -{report.losses}  {found.elo:+.0f} ({found.low:+.0f} … {found.high:+.0f}) Elo"
    )
    status = report.sprt_status
    return text if status is None else f"{text}  LLR {status.llr:.2f} ({status.lower:.2f}, {status.upper:.2f})"


MOST_TRACEBACKS = 3
"""Of Python players; all are in the store and in the JSON."""


# --- Afterwards -----------------------------------------------------------------------------------------------------


def _print_report(report: "MatchReport", store: Path) -> None:
    from okapi.arena.games import Fault

    console = out()
    found, status = report.estimate, report.sprt_status
    first, second = (escape(name) for name in report.names)
    console.print(
        f"[bold]{first}[/] against [bold]{second}[/]: {found.elo:+.1f} Elo "
        f"(95 %: {found.low:+.1f} … {found.high:+.1f}), {found.los:.1%} likely to be stronger"
    )
    console.print(
        f"{report.games} games: {report.wins} won, {report.draws} drawn, {report.losses} lost "
        f"({report.result.score:.1%}, {found.draw_rate:.0%} drawn); pairs {' '.join(map(str, report.pairs))}"
    )
    if status is not None and report.sprt is not None:
        console.print(
            f"SPRT {report.sprt.elo0:g} {report.sprt.elo1:g} ({report.sprt.scale}): {status.verdict.value}, "
            f"LLR {status.llr:.2f} ({status.lower:.2f} … {status.upper:.2f})"
        )
    headings = ("", "late", "crashes", "stalls", "illegal", "nodes/s", "depth", "ms/move")
    table = make_table(*headings, text=[""])
    for player, effort in enumerate(report.search_stats):
        faults = (str(report.fault(fault, player)) for fault in Fault)
        moves = max(effort.moves, 1)
        means = (f"{effort.nps:,}", f"{effort.depth / moves:.1f}", f"{effort.seconds / moves * 1000:.1f}")
        table.add_row(escape(report.names[player]), *faults, *means)
    print_table(table)
    console.print("endings: " + ", ".join(f"{name} {count}" for name, count in report.endings.most_common()))
    for (player, what), count in report.warnings.most_common():
        console.print(f"{report.names[player]}: {what} ({count} moves)", markup=False)
    for error in filter(lambda error: "\n" in error, report.errors[:MOST_TRACEBACKS]):
        talk().print(error, markup=False)
    talk().print(f"games are in {store}", markup=False)
