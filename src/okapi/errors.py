"""Everything okapi raises on purpose.

OkapiError
├── InvalidText          InvalidFen · InvalidMove · InvalidPgn · InvalidEpd · InvalidMessage
├── IllegalMove          GameIsOver
├── InvalidBrain         WrongBrain
├── PlayerFailed         PlayerCrashed · PlayerSilent · PlayerCheated · PlayerResigned
├── InvalidPosition · InvalidSamples · InvalidSplit · InvalidStore · NotFound · NotRatable
└── TooBusy · Unfinished · UsageError
"""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any


class OkapiError(Exception):
    """An expected failure. `hint` says what to try next."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint

    def __reduce__(self) -> tuple[Any, ...]:
        """Errors cross processes with their message and attributes, whatever a subclass is made from."""
        return OkapiError.__new__, (type(self), *self.args), self.__dict__


class InvalidText(OkapiError):
    """Text that cannot be read as what it should be."""


class InvalidFen(InvalidText):
    """A FEN that does not describe a position that chess can have."""

    def __init__(self, fen: str, field: str, start: int, end: int, expected: str) -> None:
        found = repr(fen[start:end]) if fen[start:end] else "missing"
        marked = f"  {fen}\n  {' ' * start}{'^' * max(1, end - start)}"
        super().__init__(f"{field} of the FEN is {found}\n{marked}", hint=f"expected {expected}")
        self.fen, self.field, self.start, self.end, self.expected = fen, field, start, end, expected


class InvalidMove(InvalidText):
    """Text that is not written like a move."""

    def __init__(self, text: str, *, hint: str = "write moves like e4, Nf3, O-O, e8=Q or e2e4, e7e8q") -> None:
        super().__init__(f"{text!r} is not a move", hint=hint)


class InvalidPgn(InvalidText):
    """A PGN file that cannot be read."""


class InvalidEpd(InvalidText):
    """An EPD line that cannot be read."""


class InvalidPosition(OkapiError):
    """Packed bytes that are no position that chess can have."""


class InvalidMessage(InvalidText):
    """A message from a page that no panel understands."""


class IllegalMove(OkapiError):
    """A move that the rules do not allow in this position."""

    def __init__(self, move: str, fen: str, legal: Sequence[str], why: str = "is not legal") -> None:
        super().__init__(f"{move} {why} in {fen}", hint=f"legal are {' '.join(legal)}" if legal else "no move is legal")
        self.move, self.fen, self.legal, self.why = move, fen, tuple(legal), why


class GameIsOver(IllegalMove):
    """A move was asked for where there is none."""

    def __init__(self, fen: str, reason: str) -> None:
        super().__init__("any move", fen, (), why=f"is too late: {reason}")


class InvalidBrain(OkapiError):
    """A file that is no brain, or one this build cannot think with."""


class WrongBrain(InvalidBrain):
    """A brain made for another encoding, network or purpose."""


class InvalidSamples(OkapiError):
    """A file that is no sample file, one that is damaged, or one made with other settings."""


class InvalidSplit(OkapiError):
    """A file that is no split of games, a damaged one, or one made for another store."""


class InvalidStore(OkapiError):
    """A file that is no game store, or one that is damaged."""


class NotFound(OkapiError):
    """No file, brain or player of that name."""


class NotRatable(OkapiError):
    """Games that do not say how strong their players are."""


class PlayerFailed(OkapiError):
    """Another program, or a function that was given to us, crashed, hung or cheated."""

    def __init__(self, message: str, *, hint: str = "", traceback: str = "") -> None:
        super().__init__(message, hint=hint)
        self.traceback = traceback


class PlayerCrashed(PlayerFailed):
    """A program ended, or never began."""


class PlayerSilent(PlayerFailed):
    """A program that runs, but did not answer in time."""


class PlayerCheated(PlayerFailed):
    """A program answered, but not with a legal move."""


class PlayerResigned(PlayerFailed):
    """A program gave the game up instead of moving."""


class TooBusy(OkapiError):
    """More is asked for at once than this machine should do."""


class Unfinished(OkapiError):
    """Work that was stopped before its end; the same call goes on."""


class UsageError(OkapiError):
    """Options that do not exist or do not go together."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint for a mistyped name: the nearest of the names that exist, or all of them.

    >>> did_you_mean("materiel", ["material", "linear-5"])
    'did you mean `material`?'
    """
    names = list(known)
    for near in get_close_matches(word, names, n=1):
        return f"did you mean `{near}`?"
    return f"there are {', '.join(f'`{name}`' for name in names)}" if names else ""
