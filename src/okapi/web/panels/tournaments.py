"""Tournaments: begin, watch, stop and resume tournaments between brains and programs."""

from dataclasses import asdict, dataclass
from typing import Annotated, ClassVar, Final, Literal

from okapi.arena.settings import numbered
from okapi.arena.sprt import Sprt
from okapi.arena.time_control import TimeControl
from okapi.errors import NotFound, UsageError
from okapi.web.game import ClockSettings
from okapi.web.jobs import Steps, Throttle
from okapi.web.messages import Between, GameNumber, Many, Text, TournamentNumber
from okapi.web.panel import Answer, JobPanel, WatchingPanel, action, job
from okapi.web.tournaments import SUMMARY, LiveTournament, TournamentSettings
from okapi.web.views import picked

MOST_PLAYERS: Final = 12
MOST_ROUNDS: Final = 10_000
TELL_S: Final = 0.2
Elo = Annotated[float, Between(-1000, 1000)]


@dataclass(frozen=True, slots=True)
class Entrant:
    player: Annotated[str, Text(60)]
    brain: Annotated[str, Text(200)] | None = None
    elo: Annotated[int, Between(0, 4000)] | None = None


@dataclass(frozen=True, slots=True)
class Bounds:
    """Stop when it is decided which of these Elo the first player is stronger by."""

    elo0: Elo
    elo1: Elo


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    players: Annotated[tuple[Entrant, ...], Many(MOST_PLAYERS)]
    rounds: Annotated[int, Between(1, MOST_ROUNDS)]
    format: Literal["round-robin", "gauntlet", "swiss"] = "round-robin"
    clock: ClockSettings | None = None
    movetime_ms: Annotated[int, Between(1, 600_000)] | None = None
    nodes: Annotated[int, Between(1, 1_000_000_000)] | None = None
    depth: Annotated[int, Between(1, 100)] | None = None
    openings: Literal["built-in", "chess960"] = "built-in"
    sprt: Bounds | None = None

    def control(self) -> TimeControl:
        """The limits of both players: UsageError if there is none."""
        limits = {**picked(self, "movetime_ms", "nodes", "depth"), **(asdict(self.clock) if self.clock else {})}
        if not any(limits.values()):
            raise UsageError("no limit of the players is given", hint="give a clock, a time, positions or a depth")
        return TimeControl(**limits)


class TournamentPanel(WatchingPanel):
    """A panel that shows tournaments, one of them closely. All pages see the same ones."""

    word: ClassVar = "tournament"
    chosen: int | None = None  # the number of the one that is watched closely; None: the newest

    def tournaments(self) -> list[LiveTournament]:
        return self.state.tournaments.all

    def find(self, number: int) -> LiveTournament:
        for tournament in self.tournaments():
            if tournament.number == number:
                return tournament
        raise NotFound(f"there is no such {self.word} any more", hint="begin it again: its games are kept")

    def watched(self) -> LiveTournament | None:
        found = {tournament.number: tournament for tournament in self.tournaments()}
        return found.get(self.chosen or 0) or next(iter(found.values()), None)

    def show(self, tournament: LiveTournament) -> Answer:
        self.chosen = tournament.number
        self.tell_tournaments()
        return {"number": tournament.number}

    def watch_tournaments(self) -> None:
        self.state.tournaments.listen(self, Throttle(self.tell_tournaments, TELL_S))
        self.tell_tournaments()

    def tell_tournaments(self) -> None:
        raise NotImplementedError

    @action
    def choose(self, number: TournamentNumber) -> None:
        self.show(self.find(number))

    @action
    def stop(self, number: TournamentNumber) -> None:
        """Stop; games that are over stay stored."""
        self.find(number).stop()

    @action
    def game(self, number: TournamentNumber, game: GameNumber) -> Answer:
        return {"game": self.find(number).game_view(game)}


class Tournaments(TournamentPanel, JobPanel):
    """Tournaments go on when a page is closed."""

    @action
    def watch(self) -> None:
        self.watch_tournaments()
        self.state.tournaments.look()

    @action
    def begin(self, plan: Plan) -> Answer:
        """Play it or, if it was played before, go on."""
        if len(plan.players) < 2:
            raise UsageError("a tournament needs two players or more")
        settings = TournamentSettings(
            names=tuple(numbered([self._called(entrant) for entrant in plan.players])),
            specs=tuple(self.state.spec(entrant.player, entrant.brain, entrant.elo) for entrant in plan.players),
            rounds=plan.rounds,
            control=plan.control(),
            format=plan.format,
            chess960=plan.openings == "chess960",
            sprt=Sprt(**asdict(plan.sprt)) if plan.sprt is not None and len(plan.players) == 2 else None,
        )
        return self.show(self.state.tournaments.begin(settings))

    @action
    def resume(self, number: TournamentNumber) -> None:
        self.state.tournaments.resume(self.find(number))
        self.tell_tournaments()

    @action
    def games(self, number: TournamentNumber) -> Answer:
        return {"number": number, "games": self.find(number).games_view()}

    @job("written", "number")
    def pgn(self, number: TournamentNumber) -> Steps:
        """All of these games come as news: writing them takes a while."""
        tournament = self.find(number)
        yield None
        yield {"pgn": tournament.pgn()}

    def _called(self, entrant: Entrant) -> str:
        if entrant.player not in ("alphabeta", "greedy"):
            return entrant.player
        strength = ", greedy" if entrant.player == "greedy" else "" if entrant.elo is None else f" at {entrant.elo}"
        return f"{self.state.known(entrant.brain)}{strength}"

    def tell_tournaments(self) -> None:
        watched = self.watched()
        self.tell("tournaments.listed", tournaments=[picked(each, *SUMMARY) for each in self.tournaments()])
        self.tell("tournaments.shown", tournament=None if watched is None else watched.view())
