"""Self-play as it is played: by threads of the core, or by the workers of the arena; the games are the same."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from functools import partial
from itertools import combinations
from typing import NamedTuple

from okapi.arena.inside import can_play_inside, duellist
from okapi.arena.match import Hire
from okapi.arena.played import Pairing, Played, Thought
from okapi.arena.selfplay import SelfPlay
from okapi.arena.worker import Orders
from okapi.arena.workers import LocalWorkers, play_all
from okapi.core import Adjudication, Agreement, Color, Decision, Duel, Game, Move, Position, Value
from okapi.core._core import RawGame
from okapi.data.record import to_record

__all__ = ["Stored", "play_in_order"]


class Stored(NamedTuple):
    """A game on its way to the store."""

    number: int
    white: int
    black: int
    game: RawGame
    ending: str
    fault: str = ""


def play_in_order(selfplay: SelfPlay, numbers: range, concurrency: int, hire: Hire | None) -> Iterator[Stored]:
    """The games with these numbers, in order."""
    orders = selfplay.orders()
    pairs = combinations(orders.players, 2)
    if hire is None and all(can_play_inside(_between(orders, pair)) for pair in pairs):
        return _inside(selfplay, numbers, concurrency)
    return _outside(selfplay, numbers, hire or partial(LocalWorkers, count=concurrency))


def _between(orders: Orders, pair: tuple[str, str]) -> Orders:
    return Orders(players=pair, control=orders.control, adjudication=orders.adjudication)


# --- Threads of the core ----------------------------------------------------------------------------------------------


def _inside(selfplay: SelfPlay, numbers: range, threads: int) -> Iterator[Stored]:
    agreed = {name: getattr(selfplay.adjudication, name) for name in asdict(Agreement())}
    players = [duellist(spec, selfplay.control) for spec in selfplay.everybody]
    first = numbers.start
    ahead: list[tuple[int, int, Position]] = []
    while first < numbers.stop:
        end = min(selfplay.span(first), numbers.stop)
        planned, ahead = ahead or [selfplay.pairing(number) for number in range(first, end)], []
        one, other = min(planned[0][:2]), max(planned[0][:2])
        duel = Duel(
            players[one],
            players[other],
            [(start, Color.WHITE if white == one else Color.BLACK) for white, _, start in planned],
            adjudication=Adjudication(**agreed, max_plies=selfplay.max_plies),
            thoughts=True,
            threads=threads,
        )
        following = range(end, min(selfplay.span(end), numbers.stop))
        for bout in duel.raw():
            white, black, start = planned[bout.number]
            number = first + bout.number
            tags = _tags(selfplay, number, white, black, bout.ending)
            yield Stored(number, white, black, bout.record(start, tags), bout.ending)
            if len(ahead) < len(following):
                ahead.append(selfplay.pairing(following[len(ahead)]))  # meanwhile, so that nobody waits for it later
        ahead += [selfplay.pairing(number) for number in following[len(ahead) :]]
        first = end


# --- Workers of the arena ---------------------------------------------------------------------------------------------


def _outside(selfplay: SelfPlay, numbers: range, hire: Hire) -> Iterator[Stored]:
    """Played by whoever is hired, as in a match, and put in order."""
    early: dict[int, Played] = {}
    following = numbers.start
    with closing(hire(selfplay.orders())) as workers:
        for played in play_all((_asked(selfplay, number) for number in numbers), workers):
            early[played.number] = played
            while following in early:
                yield _stored(selfplay, early.pop(following))
                following += 1


def _asked(selfplay: SelfPlay, number: int) -> Pairing:
    white, black, start = selfplay.pairing(number)
    return Pairing(number, white, black, start.fen())


def _stored(selfplay: SelfPlay, played: Played) -> Stored:
    """A game of the arena, as the store keeps it. One that a player spoiled has no result: it says nothing of chess."""
    pairing = played.pairing
    start = Position.from_fen(pairing.fen)
    position = start.copy()
    moves: list[Move] = []
    thoughts: list[Decision | None] = []
    for text, thought in zip(played.moves, played.thoughts, strict=True):
        thoughts.append(_decision(position, text, thought))
        moves.append(position.play(text))
    tags = dict(_tags(selfplay, played.number, pairing.white, pairing.black, played.ending))
    result = "*" if played.fault else played.result
    game = Game(start, tuple(moves), result, tuple(thoughts), tags)
    fault = f"game {played.number + 1}: {played.ending}" if played.fault else ""
    return Stored(played.number, pairing.white, pairing.black, to_record(game), played.ending, fault)


def _decision(position: Position, move: str, thought: Thought) -> Decision | None:
    if thought.mate is not None:
        value = Value.from_mate(thought.mate, position.turn)
    elif thought.centipawns is not None:
        value = Value.from_centipawns(thought.centipawns, position.turn)
    else:
        return None
    ahead = position.copy()
    line = tuple(ahead.play(text) for text in thought.line)
    return Decision(position.move(move), value, line, thought.nodes, thought.depth)


def _tags(selfplay: SelfPlay, number: int, white: int, black: int, ending: str) -> list[tuple[str, str]]:
    names = selfplay.names
    return [
        ("Event", "okapi selfplay"),
        ("Round", str(number + 1)),
        ("White", names[white]),
        ("Black", names[black]),
        ("Termination", ending),
    ]
