"""`okapi match`, `okapi tournament` and `okapi experiment`: games of two players, of several, and a queue of tests."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from rich.markup import escape
from rich.table import Table

from okapi.cli.console import Json, answer, emit, note, out, say, table_of
from okapi.cli.options import GameOptions, StorageOptions, anchor_from
from okapi.cli.parameters import Anchors, Cluster, Concurrency, Count, Words, about
from okapi.cli.progress import GamesProgress, Progress
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.arena.match import MatchReport, MatchRun
    from okapi.arena.standings import Standings, StandingsRow


SPRT_HELP = "Stop when it is decided whether the first player is the second or the first of these Elo stronger: 0 5."
MODEL_HELP = "The Elo of --sprt: logistic, or normalised by the noise of games."
ERRORS_HELP = "The error rates of --sprt: of accepting the second where the first is true, and of the opposite."


def match(
    first: Annotated[str, about("A player: a brain, alphabeta:BRAIN, uci:COMMAND, python:FILE.py:NAME, …")],
    second: Annotated[str, about("Its opponent.")],
    /,
    *,
    games: Annotated[Count, about("Games to play; with --sprt, at most.")] = 100,
    sprt: Annotated[tuple[float, float] | None, about(SPRT_HELP)] = None,
    sprt_model: Annotated[Literal["logistic", "normalised"], about(MODEL_HELP)] = "logistic",
    sprt_errors: Annotated[tuple[float, float], about(ERRORS_HELP)] = (0.05, 0.05),
    names: Annotated[tuple[str, str] | None, about("Names of the two players.")] = None,
    conditions: GameOptions = GameOptions(),
    keeping: StorageOptions = StorageOptions(),
    json: Json = False,
) -> None:
    """Play a match. Every opening is played twice, with colours changed; results are those of the first player.

    Games are stored as they end: an interrupted or killed command continues when it is given again. A player that
    crashes, hangs or plays an illegal move loses that game and is started again.

    For example:
      okapi match okapi-28 material --games 100 --depth 4
      okapi match uci:./new uci:./old --tc 8+0.08 --games 20000 --sprt 0 5 --pgn games.pgn
      okapi match python:players.py:Careful material --nodes 1000
      okapi match top-prob:BRAIN "limited:uci:sunfish-uci,nodes=10-1000" --nodes 1 --games 200
    """
    from okapi.arena.match import Match, play_match  # imported here: numpy takes a while to load
    from okapi.arena.sprt import Sprt

    planned = Match(first=first, second=second, **conditions.as_arguments())
    test = None if sprt is None else Sprt(*sprt, *sprt_errors, scale=sprt_model)
    if names is not None and names[0] == names[1]:
        raise UsageError("two players cannot have one name", hint="--names NEW OLD")
    watch = GamesProgress("match", score_so_far)

    def begin(run: "MatchRun") -> None:
        watch.begin(run.report, run.store.path, run.games)
        if run.games > 2 * run.openings and not run.match.control.timed:
            watch.note(f"there are only {run.openings} openings: without a clock, games will repeat")

    with watch:
        stored = keeping.as_arguments()
        report = play_match(planned, games, names=names, sprt=test, **stored, on_begin=begin, on_game=watch.game)
    if json:
        emit({**report.as_json(), "store": str(watch.store), "seconds": round(watch.seconds, 3)})
    else:
        _print_report(report, watch.store)


def score_so_far(report: "MatchReport") -> str:
    found, status = report.estimate, report.sprt_status
    counts, bounds = f"+{report.wins} ={report.draws} -{report.losses}", f"({found.low:+.0f} … {found.high:+.0f})"
    text = f"{counts}  {found.elo:+.0f} {bounds} Elo"
    return text if status is None else f"{text}  LLR {status.llr:.2f} ({status.lower:.2f}, {status.upper:.2f})"


def _print_report(report: "MatchReport", store: Path) -> None:
    from okapi.arena.games import Fault

    found, status, test = report.estimate, report.sprt_status, report.sprt
    first, second = (escape(name) for name in report.names)
    interval = f"(95 %: {found.low:+.1f} … {found.high:+.1f}), {found.los:.1%} likely to be stronger"
    out().print(f"[bold]{first}[/] against [bold]{second}[/]: {found.elo:+.1f} Elo {interval}")
    say(
        f"{report.games} games: {report.wins} won, {report.draws} drawn, {report.losses} lost "
        f"({report.result.score:.1%}, {found.draw_rate:.0%} drawn); pairs {' '.join(map(str, report.pairs))}"
    )
    if status is not None and test is not None:
        ratio = f"LLR {status.llr:.2f} ({status.lower:.2f} … {status.upper:.2f})"
        say(f"SPRT {test.elo0:g} {test.elo1:g} ({test.scale}): {status.verdict.value}, {ratio}")
    columns = {"": "", **dict.fromkeys(("late", "crashes", "stalls", "illegal"), "d")}
    rows = []
    for player, effort in enumerate(report.search_stats):
        moves = max(effort.moves, 1)
        means = (effort.nps, effort.depth / moves, effort.seconds / moves * 1000)
        rows.append((report.names[player], *(report.fault(fault, player) for fault in Fault), *means))
    say(table_of({**columns, "nodes/s": ",", "depth": ".1f", "ms/move": ".1f"}, rows))
    say("endings: " + ", ".join(f"{name} {count}" for name, count in report.endings.most_common()))
    warnings = report.warnings.most_common()
    say(*(f"{report.names[player]}: {what} ({count} moves)" for (player, what), count in warnings))
    for error in filter(lambda error: "\n" in error, report.errors[:3]):  # of Python players; JSON has them all
        note(error)
    note(f"games are in {store}")


FORMAT_HELP = "All against all, the first against all others, or players with equal points."


def tournament(
    *players: Annotated[str, about("Players: brains, alphabeta:BRAIN, uci:COMMAND, xboard:COMMAND, …")],
    format: Annotated[Literal["round-robin", "gauntlet", "swiss"], about(FORMAT_HELP)] = "round-robin",  # noqa: A002
    rounds: Annotated[Count, about("Pairs of games of each two players; for swiss, opponents of each player.")] = 10,
    names: Annotated[Words, about("Names of the players, in their order.")] = None,
    anchor: Anchors = None,
    conditions: GameOptions = GameOptions(),
    keeping: StorageOptions = StorageOptions(),
    json: Json = False,
) -> None:
    """Play a tournament. Each pair plays two games from one opening, with colours changed.

    Games are stored as they end: an interrupted or killed command continues when it is given again; with more --rounds
    it plays only those that are missing. Ratings are relative to the mean of all players, or to the anchors.

    For example:
      okapi tournament alphabeta uci:stockfish xboard:phalanx --format gauntlet --tc 10+0.1 --pgn games.pgn
      okapi tournament alphabeta "uci:stockfish{UCI_LimitStrength=true,UCI_Elo=2000}" --names okapi sf --anchor sf=2000
    """
    from okapi.arena.tournament import Tournament, play_tournament  # imported here: numpy takes a while to load

    if names is not None and len(set(names)) != len(players):
        raise UsageError(f"{len(players)} players need as many different names", hint="--names A B C")
    planned = Tournament(players=players, format=format, **conditions.as_arguments())
    anchors = dict(map(anchor_from, anchor or ()))
    with standings_progress("tournament") as watch:
        how: dict[str, Any] = {"names": names, "anchors": anchors, "on_begin": watch.begin, "on_game": watch.game}
        standings = play_tournament(planned, rounds, **how, **keeping.as_arguments())
    told = {**standings.as_json(), "store": str(watch.store), "seconds": round(watch.seconds, 3)}
    answer(told, standings_table(standings.rows()), "", crosstable(standings), json=json)
    if not json:
        note(f"games are in {watch.store}")


def standings_progress(what: str) -> GamesProgress["Standings"]:
    def leader(standings: "Standings") -> str:
        first = standings.rows()[0]
        return f"{first.name} leads with {first.points:g}"

    return GamesProgress(what, leader, lambda standings: standings_table(standings.rows()))


def standings_table(lines: "list[StandingsRow]") -> Table:
    faulty = any(any(line.faults.values()) for line in lines)
    columns = {"": "d", "player": "", "points": "g", "games": "d", "score": ".1%", "elo": ".0f", "±": ".0f"}
    columns |= {"won": "d", "drawn": "d", "lost": "d", **({"faults": ""} if faulty else {})}
    rows: list[tuple[object, ...]] = []
    for rank, line in enumerate(lines, start=1):
        elo, margin = None, None
        if line.elo is not None and line.low is not None and line.games > 0:
            elo, margin = line.elo, line.elo - line.low
        points = (line.points, line.games, line.score if line.games else None)
        faults = ", ".join(f"{count} {name}" for name, count in line.faults.items() if count)
        counts = (line.wins, line.draws, line.losses, *([faults] if faulty else []))
        rows.append((rank, line.name, *points, elo, margin, *counts))
    return table_of(columns, rows)


def crosstable(standings: "Standings") -> Table:
    order = [list(standings.names).index(line.name) for line in standings.rows()]
    rows = []
    for rank, player in enumerate(order, start=1):
        met = (standings.head_to_head(player, opponent) for opponent in order)
        points = (f"{each.points:g}/{each.games}" if each.games else "·" for each in met)
        rows.append((rank, standings.names[player], *points))
    return table_of({"": "d", "player": "", **{str(rank): "s" for rank in range(1, len(order) + 1)}}, rows)


def experiment(
    queue: Annotated[Path, about("A TOML file of gates and experiments.")],
    /,
    *,
    to: Annotated[Path | None, about("Write the ledger to this file, as a table in Markdown.", name="--out")] = None,
    concurrency: Concurrency = None,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Test changes to a player one after the other, each by SPRT: at fixed nodes first, then by the clock.

    Results are added to a ledger beside the queue (QUEUE.json), which the board shows under Compete with the test that
    is being played. Games are stored as they end: an interrupted or killed command continues when it is given again,
    and an experiment that is in the ledger is not played again unless its brain, its openings or its gate have changed.

    A queue says whom everybody plays, the gates, and a table for each experiment:
      against = "champion"
      openings = "UHO_4060_v4.epd"
      gates = [{nodes = 10_000, games = 3000, sprt = [0, 10]}, {tc = "1+0.01", games = 3000, sprt = [0, 10]}]

      [null-move-5]
      player = "alphabeta:champion,null_move_base=5"
      about = "Search less after a null move."

    For example:
      okapi experiment queue.toml
      okapi experiment queue.toml --out docs/search-tests.md --cluster auto
    """
    from okapi.arena.experiments import Experiment, Gate, Ledger, Queue, elo, kept, play_experiments, verdict
    from okapi.arena.games import PlayedGame
    from okapi.arena.match import MatchReport, MatchRun
    from okapi.files import replace_file

    planned = Queue.read(queue)
    ledger = Ledger(planned.path.with_suffix(".json"))
    with Progress("experiment") as progress:

        def begin(tested: Experiment, gate: Gate, run: MatchRun) -> None:
            progress.note(f"{tested.name}: {gate}")
            progress.resume(run.report.games, gate.games)

        def game(tested: Experiment, _: Gate, report: MatchReport, __: PlayedGame) -> None:
            progress.update(report.games, lambda: f"{tested.name}: {score_so_far(report)}")

        def result(row: Mapping[str, Any]) -> None:
            progress.note(f"{row['name']}: {elo(row)} Elo after {row['games']} games, {verdict(row)}")

        progress.kept = f"; results are in {ledger.path}"
        workers = StorageOptions(concurrency=concurrency, cluster=cluster).make_workers()
        play_experiments(planned, ledger, make_workers=workers, on_begin=begin, on_game=game, on_result=result)
    if to is not None:
        replace_file(to, ledger.page().encode())
    columns = {"experiment": "", "gate": "", "games": "d", "Elo (95 %)": "s", "LLR": ".2f", "verdict": "", "kept": ""}
    rows = (
        (row["name"], row["gate"], row["games"], elo(row), row["sprt"]["llr"], verdict(row), kept(row))
        for row in ledger.rows
    )
    answer({"ledger": str(ledger.path), "results": ledger.rows}, table_of(columns, rows), json=json)
