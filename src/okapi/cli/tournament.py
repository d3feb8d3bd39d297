"""`okapi tournament`: several players, a table, and ratings with intervals."""

from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter
from rich.markup import escape
from rich.table import Table

from okapi.cli.console import Json, emit, make_table, out, print_table, talk
from okapi.cli.options import GAME_OPTIONS, STORAGE, Count, GameOptions, StorageOptions, anchor_from
from okapi.cli.progress import GamesProgress
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.arena.games import PlayedGame
    from okapi.arena.standings import Standings, StandingsRow


def tournament(
    *players: Annotated[str, Parameter(help="Players: brains, alphabeta:BRAIN, uci:COMMAND, xboard:COMMAND, …")],
    format: Literal["round-robin", "gauntlet", "swiss"] = "round-robin",  # noqa: A002 - the name of the option
    rounds: Count = 10,
    names: Annotated[list[str] | None, Parameter(consume_multiple=True)] = None,
    anchor: list[str] | None = None,
    conditions: GameOptions = GAME_OPTIONS,
    keeping: StorageOptions = STORAGE,
    json: Json = False,
) -> None:
    """Play a tournament. Each pair plays two games from one opening, with colours changed.

    Games are stored as they end: an interrupted or killed command continues when it is given again; with more --rounds
    it plays only those that are missing. Ratings are relative to the mean of all players, or to the anchors.

    For example:
      okapi tournament material vazquez-five vazquez-exploitation --depth 4 --rounds 20
      okapi tournament alphabeta uci:stockfish xboard:phalanx --format gauntlet --tc 10+0.1 --pgn games.pgn
      okapi tournament a.safetensors b.safetensors c.safetensors d.safetensors --format swiss --rounds 5 --nodes 5000
      okapi tournament alphabeta "uci:stockfish{UCI_LimitStrength=true,UCI_Elo=2000}" --names okapi sf --anchor sf=2000

    Args:
        format: All against all, the first against all others, or players with equal points.
        rounds: Pairs of games of each two players; for swiss, opponents of each player.
        names: Names of the players, in their order.
        anchor: NAME=ELO: a player whose rating is known; may be given several times.
    """
    from okapi.arena.tournament import Tournament, play_tournament  # imported here: numpy takes a while to load

    if names is not None and len(set(names)) != len(players):
        raise UsageError(f"{len(players)} players need as many different names", hint="--names A B C")
    planned = Tournament(
        players=players,
        format=format,
        **conditions.as_arguments(),
    )
    with StandingsProgress("tournament") as watch:
        try:
            standings = play_tournament(
                planned,
                rounds,
                names=names,
                anchors=dict(anchor_from(text) for text in anchor or ()),
                store=keeping.store,
                fresh=keeping.fresh,
                pgn=keeping.pgn,
                make_workers=keeping.make_workers(),
                on_begin=watch.begin,
                on_game=watch.game,
            )
        except KeyboardInterrupt:
            watch.stopped()
    if json:
        emit({**standings.as_json(), "store": str(watch.store), "seconds": round(watch.seconds, 3)})
    else:
        print_table(standings_table(standings.rows()))
        out().print()
        print_table(crosstable(standings))
        talk().print(f"games are in {watch.store}", markup=False)


# --- While it is played ---------------------------------------------------------------------------------------------


class StandingsProgress(GamesProgress["Standings"]):
    def game(self, standings: "Standings", played: "PlayedGame") -> None:
        self.warn_of_fault(played)
        self.update(standings.games, lambda: _leader(standings), above=lambda: standings_table(standings.rows()))

    def print_result(self, table: "Standings") -> None:
        self.print(standings_table(table.rows()))


def _leader(standings: "Standings") -> str:
    first = standings.rows()[0]
    return f"{first.name} leads with {first.points:g}"


# --- Tables ---------------------------------------------------------------------------------------------------------


def standings_table(lines: "list[StandingsRow]") -> Table:
    faulty = any(any(line.faults.values()) for line in lines)
    headings = ("", "player", "points", "games", "score", "elo", "±", "won", "drawn", "lost")
    table = make_table(*headings, *(["faults"] if faulty else []), text=["player", "faults"])
    for rank, line in enumerate(lines, start=1):
        rated = line.elo is not None and line.low is not None and line.games > 0
        table.add_row(
            str(rank),
            escape(line.name),
            f"{line.points:g}",
            str(line.games),
            f"{line.score:.1%}" if line.games else "",
            f"{line.elo:.0f}" if rated else "",
            f"{(line.elo or 0) - (line.low or 0):.0f}" if rated else "",
            *(str(count) for count in (line.wins, line.draws, line.losses)),
            *([", ".join(f"{count} {name}" for name, count in line.faults.items() if count)] if faulty else []),
        )
    return table


def crosstable(standings: "Standings") -> Table:
    order = [list(standings.names).index(line.name) for line in standings.rows()]
    table = make_table("", "player", *(str(rank) for rank in range(1, len(order) + 1)), text=["player"])
    for rank, player in enumerate(order, start=1):
        cells = (standings.head_to_head(player, opponent) for opponent in order)
        table.add_row(
            str(rank),
            escape(standings.names[player]),
            *(f"{met.points:g}/{met.games}" if met.games else "·" for met in cells),
        )
    return table
