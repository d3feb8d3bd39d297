"""The game that the command line asks for, in the words of the board."""

from dataclasses import dataclass, field
from pathlib import Path

from okapi.brains import load
from okapi.core import Limits, Position
from okapi.players import parse_player
from okapi.players.engine import DIALECTS
from okapi.players.spec import alphabeta_options, brains_of, engine_options, kind_of, takes_elo

__all__ = ["Invitation", "invite"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """Who plays against the person, how strongly, and where the game begins."""

    player: str = "alphabeta"
    brain: str | None = None
    """A name or path, as it was given; the house knows it by the name in its card."""
    elo: int | None = None
    limits: Limits = field(default_factory=Limits)
    side: str = "white"
    fen: str | None = None

    @property
    def brain_name(self) -> str | None:
        """As the house calls it."""
        return None if self.brain is None else load(self.brain).name


def invite(
    player: str, brain: str | None, elo: int | None, limits: Limits, side: str, start: Position | None
) -> tuple[Invitation, dict[str, str]]:
    """The invitation, and what is to be offered by name: a program, or a player that the board does not have itself.

    >>> invite("alphabeta:material,elo=1200", None, None, Limits(), "black", None)[0].brain
    'material'
    >>> invite("uci:stockfish", None, None, Limits(), "white", None)[1]
    {'stockfish': 'uci:stockfish'}
    """
    kind, rest = kind_of(player)
    programs: dict[str, str] = {}
    if kind in DIALECTS:
        name = engine_options(rest)[0].split()[0].rpartition("/")[2]
        kind, programs = name, {name: player}
    elif kind == "alphabeta":
        parse_player(player, brain=brain, elo=elo)  # says at once what is wrong with it
        options = alphabeta_options(rest)
        brain, elo = options.get("brain", brain), options.get("elo", elo)
    elif kind == "greedy":
        brain = rest or brain
    elif kind != "random":
        parse_player(player, elo=elo if takes_elo(player) else None)
        name = " ".join([kind, *(Path(name).stem for name in brains_of(player))])
        kind, programs = name, {name: player}
    fen = None if start is None else start.fen()
    return Invitation(player=kind, brain=brain, elo=elo, limits=limits, side=side, fen=fen), programs
