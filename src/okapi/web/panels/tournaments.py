"""Tournaments: begin, watch, stop and resume tournaments between brains and programs."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Final, Literal

from okapi.errors import UsageError
from okapi.web.game import ClockSettings
from okapi.web.jobs import Steps
from okapi.web.messages import Between, GameRef, Many, Nothing, Text, TournamentRef
from okapi.web.panel import Answer, JobPanel, PanelContext, WatchingPanel, answers
from okapi.web.tournaments import (
    TournamentPlayer,
    TournamentSettings,
    game_view,
    games_view,
    tournament_pgn,
    tournament_summary,
    tournament_view,
)

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


class Tournaments(WatchingPanel, JobPanel):
    """All pages see the same tournaments, and these go on when a page is closed. A page watches one of them closely."""

    name = "tournaments"

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._watched: int | None = None
        self._due = False

    @answers(Nothing)
    def watch(self, message: Nothing) -> Answer:
        loop = asyncio.get_running_loop()
        self.state.tournaments.listen(self, lambda: loop.is_closed() or loop.call_soon_threadsafe(self._soon))
        self._tell()
        self.state.tournaments.look()
        return None

    @answers(TournamentRef)
    def choose(self, which: TournamentRef) -> Answer:
        self._watched = self.state.tournaments.find(which.number).number
        self._tell()
        return None

    @answers(Plan)
    def begin(self, plan: Plan) -> Answer:
        """Play it or, if it was played before, go on."""
        tournament = self.state.tournaments.begin(self._players(plan.players), _terms(plan))
        self._watched = tournament.number
        self._tell()
        return {"number": tournament.number}

    @answers(TournamentRef)
    def stop(self, which: TournamentRef) -> Answer:
        """Stop; games that are over stay stored."""
        self.state.tournaments.find(which.number).stop()
        return None

    @answers(TournamentRef)
    def resume(self, which: TournamentRef) -> Answer:
        self.state.tournaments.resume(which.number)
        self._tell()
        return None

    @answers(TournamentRef)
    def games(self, which: TournamentRef) -> Answer:
        return {"number": which.number, "games": games_view(self.state.tournaments.find(which.number))}

    @answers(GameRef)
    def game(self, wanted: GameRef) -> Answer:
        return {"game": game_view(self.state.tournaments.find(wanted.number), wanted.game)}

    @answers(TournamentRef)
    def pgn(self, which: TournamentRef) -> Answer:
        """All of these games come as news: writing them takes a while."""
        tournament = self.state.tournaments.find(which.number)

        def steps() -> Steps:
            yield {"pgn": tournament_pgn(tournament)}

        self.start_job(steps(), "written", number=which.number)
        return None

    def close(self) -> None:
        """The page has gone; tournaments go on."""
        super().close()
        self.state.tournaments.leave(self)

    # --- Players ----------------------------------------------------------------------------------------------------

    def _players(self, entrants: tuple[Entrant, ...]) -> tuple[TournamentPlayer, ...]:
        """Who plays, each under a name of its own: NotFound for anybody the server does not offer."""
        if len(entrants) < 2:
            raise UsageError("a tournament needs two players or more")
        specs = [self.state.spec(entrant.player, entrant.brain, entrant.elo) for entrant in entrants]
        names = [self._called(entrant) for entrant in entrants]
        numbered = [
            name if names.count(name) == 1 else f"{name} ({names[: place + 1].count(name)})"
            for place, name in enumerate(names)
        ]
        return tuple(map(TournamentPlayer, numbered, specs))

    def _called(self, entrant: Entrant) -> str:
        if entrant.player not in ("alphabeta", "greedy"):
            return entrant.player
        name = self.state.known(entrant.brain)
        if entrant.player == "greedy":
            return f"{name}, greedy"
        return name if entrant.elo is None else f"{name} at {entrant.elo}"

    # --- Speaking ---------------------------------------------------------------------------------------------------

    def _soon(self) -> None:
        if not self._due:
            self._due = True
            asyncio.get_running_loop().call_later(TELL_S, self._tell)

    def _tell(self) -> None:
        self._due = False
        tournaments = self.state.tournaments.all
        watched = next((tournament for tournament in tournaments if tournament.number == self._watched), None)
        if watched is None and tournaments:
            watched = tournaments[0]
        self.context.tell(
            "tournaments.listed", tournaments=[tournament_summary(tournament) for tournament in tournaments]
        )
        self.context.tell("tournaments.shown", tournament=None if watched is None else tournament_view(watched))


def _terms(plan: Plan) -> TournamentSettings:
    limits = [plan.clock, plan.movetime_ms, plan.nodes, plan.depth]
    if all(limit is None for limit in limits):
        raise UsageError("no limit of the players is given", hint="give a clock, a time, positions or a depth")
    if plan.sprt is not None and plan.sprt.elo0 >= plan.sprt.elo1:
        raise UsageError(f"a test between {plan.sprt.elo0:g} and {plan.sprt.elo1:g} Elo", hint="the first is smaller")
    return TournamentSettings(
        rounds=plan.rounds,
        format=plan.format,
        time_ms=plan.clock.time_ms if plan.clock else None,
        increment_ms=plan.clock.increment_ms if plan.clock else 0,
        movetime_ms=plan.movetime_ms,
        nodes=plan.nodes,
        depth=plan.depth,
        chess960=plan.openings == "chess960",
        sprt=(plan.sprt.elo0, plan.sprt.elo1) if plan.sprt and len(plan.players) == 2 else None,
    )
