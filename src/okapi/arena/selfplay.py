"""Self-play: games to learn from, played by the core or by workers, stored as they end, and resumed."""

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

from okapi.arena.games import Pairing, PlayedGame, run_log
from okapi.arena.in_process import can_play_in_process, core_adjudication, core_player
from okapi.arena.match import WorkerFactory, check_players, processors
from okapi.arena.openings import GameStarts
from okapi.arena.settings import AdjudicationRules, GameSettings, fingerprint, short_name
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import LocalWorkers, play_all
from okapi.core import Color, Decision, Game, InProcessMatch, Move, Position
from okapi.core.game import RawGame
from okapi.data.store import StoreWriter, to_record
from okapi.errors import PlayerFailed, UsageError

SPAN: Final = 64
"""Games of a pair of players in a row, which the core plays together; then the next pair plays."""

LONG_SPAN: Final = 2048
PLIES: Final = 80
NODES_IN_A_BLOCK: Final = 1 << 22
SMALLEST_BLOCK: Final = 4
LARGEST_BLOCK: Final = 256
"""The store is written in blocks of games that take a few seconds; a kill loses one block at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SelfPlay:
    players: tuple[str, ...]
    """One player plays itself; several play all against all."""
    control: TimeControl
    """Depth or nodes: with clocks, games cannot be reproduced."""
    starts: GameStarts
    starts_name: str
    adjudication: AdjudicationRules = field(default_factory=AdjudicationRules)
    max_plies: int = 400
    seed: int = 1

    def __post_init__(self) -> None:
        if self.control.timed:
            raise UsageError("games with a clock cannot be reproduced", hint="--depth 6 or --nodes 5000")

    @property
    def sides(self) -> tuple[str, ...]:
        """The players by index; a player that plays itself is there twice."""
        return self.players * 2 if len(self.players) == 1 else self.players

    @property
    def block(self) -> int:
        nodes = self.control.nodes or round(30 * 2.5 ** (self.control.depth or 0))
        return min(max(NODES_IN_A_BLOCK // (PLIES * nodes), SMALLEST_BLOCK), LARGEST_BLOCK)

    def game_settings(self) -> GameSettings:
        shared = {name: getattr(self, name) for name in ("control", "adjudication", "seed", "max_plies")}
        return GameSettings(players=self.sides, lines=True, **shared)

    def describe(self) -> dict[str, Any]:
        """The description of the games in the store; other games are not added to it."""
        return {
            "players": list(self.players),
            "limits": str(self.control),
            "starts": self.starts_name,
            "adjudication": {name: value for name, value in asdict(self.adjudication).items() if value is not None},
            "max_plies": self.max_plies,
            "seed": self.seed,
            "made_of": [fingerprint(player) for player in self.players],
        }

    def span(self, number: int) -> int:
        """The first game after `number` that another pair may play."""
        length = LONG_SPAN if len(self.sides) == 2 else SPAN
        return (number // length + 1) * length

    def pairing(self, number: int) -> tuple[int, int, Position]:
        """White, Black and the start position of a game.

        A player that plays itself has a new start position in each game; a pair of players plays two games from each.
        """
        if len(self.players) == 1:
            return 0, 1, self.starts[number]
        pairs = list(combinations(range(len(self.players)), 2))
        length = self.span(0)
        turn, place = divmod(number, length)
        first, second = pairs[turn % len(pairs)]
        theirs = turn // len(pairs) * length + place
        white, black = (second, first) if theirs % 2 else (first, second)
        return white, black, self.starts[theirs // 2]


class SelfPlayGame(NamedTuple):
    game: RawGame
    fault: str = ""
    """Why it has no result."""


def play_in_order(
    selfplay: SelfPlay, numbers: range, concurrency: int, make_workers: WorkerFactory | None
) -> Iterator[SelfPlayGame]:
    """The games with these numbers, in order."""
    settings = selfplay.game_settings()
    pairs = combinations(settings.players, 2)
    if make_workers is None and all(can_play_in_process(replace(settings, players=pair)) for pair in pairs):
        return _in_process(selfplay, numbers, concurrency)
    return _by_workers(selfplay, numbers, make_workers or partial(LocalWorkers, count=concurrency))


def _in_process(selfplay: SelfPlay, numbers: range, threads: int) -> Iterator[SelfPlayGame]:
    players = [core_player(spec, selfplay.control) for spec in selfplay.sides]
    first = numbers.start
    ahead: list[tuple[int, int, Position]] = []
    while first < numbers.stop:
        end = min(selfplay.span(first), numbers.stop)
        planned, ahead = ahead or [selfplay.pairing(number) for number in range(first, end)], []
        one, other = min(planned[0][:2]), max(planned[0][:2])
        match = InProcessMatch(
            players[one],
            players[other],
            [(start, Color.WHITE if white == one else Color.BLACK) for white, _, start in planned],
            adjudication=core_adjudication(selfplay.adjudication, selfplay.max_plies),
            decisions=True,
            threads=threads,
        )
        following = range(end, min(selfplay.span(end), numbers.stop))
        for played in match.raw():
            white, black, start = planned[played.number]
            tags = _tags(selfplay, first + played.number, white, black, played.ending)
            yield SelfPlayGame(played.record(start, tags))
            if len(ahead) < len(following):
                ahead.append(selfplay.pairing(following[len(ahead)]))  # while the core plays
        ahead += [selfplay.pairing(number) for number in following[len(ahead) :]]
        first = end


def _by_workers(selfplay: SelfPlay, numbers: range, make_workers: WorkerFactory) -> Iterator[SelfPlayGame]:
    """Played by workers, as in a match, and put in order."""
    early: dict[int, PlayedGame] = {}
    following = numbers.start
    with closing(make_workers(selfplay.game_settings())) as workers:
        asked = ((number, selfplay.pairing(number)) for number in numbers)
        games = (Pairing(number, white, black, start.fen()) for number, (white, black, start) in asked)
        for played in play_all(games, workers):
            early[played.number] = played
            while following in early:
                yield _stored(selfplay, early.pop(following))
                following += 1


def _stored(selfplay: SelfPlay, played: PlayedGame) -> SelfPlayGame:
    """A game of the arena for the store. A game lost by a fault has no result: there is nothing to learn from it."""
    pairing = played.pairing
    start = Position.from_fen(pairing.fen)
    position, moves, decisions = start.copy(), list[Move](), list[Decision | None]()
    for text, info in zip(played.moves, played.infos, strict=True):
        value, ahead = info.value(position.turn), position.copy()
        line = tuple(map(ahead.play, info.line))
        told = None if value is None else Decision(position.move(text), value, line, info.nodes, info.depth)
        decisions.append(told)
        moves.append(position.play(text))
    tags = dict(_tags(selfplay, played.number, pairing.white, pairing.black, played.ending))
    result = "*" if played.fault else played.result
    game = Game(start, tuple(moves), result, tuple(decisions), tags)
    fault = f"game {played.number + 1}: {played.ending}" if played.fault else ""
    return SelfPlayGame(to_record(game), fault)


def _tags(selfplay: SelfPlay, number: int, white: int, black: int, ending: str) -> list[tuple[str, str]]:
    players = [(side, short_name(selfplay.sides[index])) for side, index in (("White", white), ("Black", black))]
    return [("Event", "okapi selfplay"), ("Round", str(number + 1)), *players, ("Termination", ending)]


MAX_FAULTS: Final = 10
"""Games in a row with a crash, a stall or an illegal move, after which self-play stops."""


@dataclass(slots=True)
class SelfPlayReport:
    games: int = 0
    plies: int = 0
    results: Counter[str] = field(default_factory=Counter)
    faults: int = 0
    kept: int = 0
    """Games that were in the store at the start."""
    seconds: float = 0.0
    trouble: str = ""

    def add(self, played: SelfPlayGame) -> None:
        self.games += 1
        self.plies += len(played.game.moves)
        self.results[played.game.result] += 1
        self.faults += bool(played.fault)
        self.trouble = played.fault

    def metrics(self) -> dict[str, float]:
        """The numbers that a run logs: the length of games, and their results."""
        share = {f"{result} share": self.results[result] / self.games for result in ("1-0", "1/2-1/2", "0-1")}
        return {"plies a game": self.plies / self.games, **share}

    def cursor(self, described: dict[str, Any]) -> dict[str, Any]:
        counted = {"games": self.games, "plies": self.plies, "results": dict(self.results), "faults": self.faults}
        return {"selfplay": described, **counted}

    @classmethod
    def of(cls, writer: StoreWriter, described: dict[str, Any], path: Path) -> "SelfPlayReport":
        """The progress of a store; UsageError if its games were made with other settings."""
        cursor = writer.cursor or {}
        if not len(writer):
            return cls()
        had = cursor.get("selfplay", {})
        if had != described:
            other = ", ".join(key for key in described if had.get(key) != described[key]) if had else "everything"
            what = f"{path} has games with other settings: {other} differs"
            raise UsageError(what, hint="give another name with --out")
        return cls(cursor["games"], cursor["plies"], Counter(cursor["results"]), cursor["faults"], cursor["games"])


def play_selfplay(
    selfplay: SelfPlay,
    games: int,
    to: Path,
    *,
    concurrency: int | None = None,
    make_workers: WorkerFactory | None = None,
    watch: Callable[[SelfPlayReport], object] = lambda report: None,
) -> SelfPlayReport:
    """Play until the store has `games` games, whatever interrupts it and whoever plays.

    `watch` gets the report after each game, and once before the first. `make_workers` gives the workers; the default is
    threads of the core where possible, else processes on this machine.
    """
    described = selfplay.describe()
    with closing(StoreWriter.open(to)) as writer:
        report = SelfPlayReport.of(writer, described, to)
        watch(report)
        if report.games >= games:
            return report
        check_players(selfplay.game_settings())
        about = {**described, "players": " ".join(selfplay.players)}
        with run_log(to, "selfplay", games, about, report.metrics) as log:
            begun, failed = time.monotonic(), 0
            left = range(report.games, games)
            for played in play_in_order(selfplay, left, concurrency or processors(), make_workers):
                writer.add(played.game)
                report.add(played)
                if report.games % selfplay.block == 0 or report.games == games:
                    writer.flush(report.cursor(described))
                report.seconds = time.monotonic() - begun
                watch(report)
                log(report.games)
                failed = failed + 1 if played.fault else 0
                if failed == MAX_FAULTS:
                    raise PlayerFailed(f"{MAX_FAULTS} games in a row could not be played: {played.fault}")
        return report
