"""Play: a person and a player, two people, or two players, at one board."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from okapi.brains import display_name
from okapi.core import Color, Decision, Limits
from okapi.errors import IllegalMove, OkapiError, PlayerResigned, UsageError, did_you_mean
from okapi.web.game import PERSON, LiveGame, Record, Seat, Setup
from okapi.web.jobs import Job, MoveJob, SearchJob, SearchUpdate
from okapi.web.messages import MoveText
from okapi.web.panel import Answer, JobPanel, action
from okapi.web.views import line_view, picked, read_move, side_name, update_view

HINT: Final = Limits(movetime_ms=600)
WITH_BRAIN: Final = ("alphabeta", "greedy")
PACE_S: Final = 0.4  # two players move no faster than this against each other, so that people can follow


class Play(JobPanel):
    """One game. The page gets all of it after every change."""

    _game: LiveGame | None = None
    _timers: tuple[asyncio.TimerHandle, ...] = ()

    @action
    def requested(self) -> Answer:
        requested = self.state.requested
        if requested is None:
            return {"setup": None}
        limits = picked(requested.limits, "nodes", "movetime_ms", "depth")
        brain = None if requested.brain is None else display_name(requested.brain)
        opponent = {**picked(requested, "player", "elo"), "brain": brain, **limits}
        return {"setup": {"opponent": opponent, **picked(requested, "side", "fen")}}

    @action
    def new(self, setup: Setup) -> None:
        self._begin(LiveGame(replace(setup, white=self._seat(setup.white), black=self._seat(setup.black))))

    @action
    def resume(self, record: Record) -> None:
        record = replace(record, white=self._seat(record.white), black=self._seat(record.black))
        self._begin(LiveGame.from_record(record))

    @action
    def move(self, move: MoveText) -> None:
        game = self._going()
        if not game.seats[game.turn].is_person:
            raise UsageError("it is not your turn")
        try:
            game.play(read_move(game.position, move))
        except IllegalMove as error:  # the board shows the position: its FEN is not needed
            raise UsageError(f"{error.move} {error.why} here", hint=error.hint) from None
        self._go_on()

    @action
    def take_back(self) -> None:
        """Undo; two players that play each other are paused."""
        game = self._going()
        game.take_back()
        game.paused = game.paused or not any(seat.is_person for seat in game.seats.values())
        self._go_on()

    @action
    def resign(self) -> None:
        self._going().resign()
        self._go_on()

    @action
    def draw(self) -> Answer:
        taken = self._going().offer_draw()
        if taken:
            self._go_on()
        return {"taken": taken}

    @action
    def pause(self) -> None:
        """Let the players rest, or go on."""
        game = self._going()
        game.paused = not game.paused
        self._go_on()

    @action
    def hint(self) -> None:
        """What would the default brain do? The answer comes as news."""
        game = self._going()
        if game.is_over:
            raise UsageError("the game is over")
        adviser = self.engine("hint")
        position = game.position.copy()

        def tell(decision: Decision) -> None:
            line = line_view(position, decision.lines[0]) if decision.lines else None
            self.tell("play.hint", brain=adviser.brain, fen=position.fen(), line=line)

        hint = SearchJob(self, adviser, position, HINT, on_done=tell, on_failed=self.complain)
        self.run_job("hint", hint, self.state.pool)

    @action
    def pgn(self) -> Answer:
        return {"pgn": self._going().pgn()}

    def close(self) -> None:
        self._rest()
        super().close()

    def _begin(self, game: LiveGame) -> None:
        self.leave(*Color)
        self._game = game
        self._go_on()

    def _go_on(self) -> None:
        """After any change: show the game, and start the player to move."""
        self._rest()
        game = self._going()
        seat = game.seats[game.turn]
        if not game.is_over and seat.is_person:
            game.start_clock()
            self._watch_the_clock()
        self.tell("play.game", game=game.view())
        if not game.is_over and not seat.is_person and not game.paused:
            self._think(seat)

    def _think(self, seat: Seat) -> None:
        game = self._going()
        position, limits = game.position.copy(), game.limits()
        begun = asyncio.get_running_loop().time()

        def decided(decision: Decision) -> None:
            alone = not any(seat.is_person for seat in game.seats.values())
            wait = begun + PACE_S - asyncio.get_running_loop().time() if alone else 0.0
            game.stop_clock()
            self._later(max(0.0, wait), lambda: self._decided(decision))

        def searched(news: SearchUpdate) -> None:
            view: dict[str, Any] = update_view(position, news)
            self.tell("play.search", side=side_name(position.turn), fen=position.fen(), **view)

        job: Job
        if seat.player == "alphabeta" and seat.elo is None:
            job = SearchJob(self, self.engine(game.turn, seat.brain), position, limits, on_update=searched)
        else:
            player = self.player(game.turn, seat.player, seat.brain, seat.elo, game.start.is_chess960())
            job = MoveJob(self, player, position, limits)
        job.on_begun, job.on_done, job.on_failed = self._begun, decided, self._failed
        self.run_job("move", job, self.state.programs if seat.player in self.state.engines else self.state.pool)

    def _begun(self) -> None:
        """The player's clock runs from here: it does not pay for the time that others kept it waiting."""
        game = self._going()
        game.start_clock()
        self._watch_the_clock()
        self.tell("play.game", game=game.view())

    def _decided(self, decision: Decision) -> None:
        self.running.pop("move", None)
        self._going().play(decision.move, decision)
        self._go_on()

    def _failed(self, error: OkapiError) -> None:
        """A player that fails stops the game where it is, so that the person can choose what to do about it."""
        game = self._going()
        if isinstance(error, PlayerResigned):
            game.resign_for(game.turn)
        else:
            game.paused = True
            self.complain(error)
        self.leave(*Color)
        self._go_on()

    def _watch_the_clock(self) -> None:
        """Be there when the flag falls."""
        game = self._going()
        if game.control is not None:
            self._later(game.left_ms(game.turn) / 1000 + 0.01, self._look_at_the_flag)

    def _look_at_the_flag(self) -> None:
        if self._going().flag():
            self._go_on()

    def _rest(self) -> None:
        """Stop the thinking and the timers of the move that was to come."""
        self.stop_jobs("move")
        for timer in self._timers:
            timer.cancel()
        self._timers = ()
        if self._game is not None:
            self._game.stop_clock()

    def _seat(self, seat: Seat) -> Seat:
        """The same seat with its brain named; only players and brains that the server offers may sit down."""
        offered = self.state.offer()
        if seat.player not in (PERSON, *offered["players"]):
            hint = did_you_mean(seat.player, offered["players"])
            raise UsageError(f"there is no player `{seat.player}` here", hint=hint)
        if seat.player not in WITH_BRAIN:
            return seat
        least, most = offered["elo"]
        if seat.elo is not None and not least <= seat.elo <= most:
            raise UsageError(f"a rating of {seat.elo} cannot be played", hint=f"{least} to {most} can")
        return replace(seat, brain=self.state.known(seat.brain))

    def _going(self) -> LiveGame:
        if self._game is None:
            raise UsageError("there is no game", hint="begin a new one")
        return self._game

    def _later(self, seconds: float, function: Callable[[], object]) -> None:
        self._timers += (asyncio.get_running_loop().call_later(seconds, function),)
