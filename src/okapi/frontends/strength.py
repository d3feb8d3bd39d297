"""UCI_LimitStrength and UCI_Elo, for players whose brain can be told whose moves it should predict."""

from okapi.players import Player
from okapi.players.predicting import Dialled, has_dial

__all__ = ["Strength", "strength_of"]


class Strength:
    """The two options, and the dial that they turn."""

    def __init__(self, player: Dialled, lowest: int, highest: int, usual: int) -> None:
        self._player = player
        self._range = lowest, highest
        self._full = player.elo
        self._elo = usual if player.elo is None else player.elo
        self._limited = False

    def options(self) -> tuple[str, str]:
        """What can be set."""
        lowest, highest = self._range
        return (
            "option name UCI_LimitStrength type check default false",
            f"option name UCI_Elo type spin default {self._elo} min {lowest} max {highest}",
        )

    def set(self, name: str, value: str) -> bool:
        """Set one of the two, by its name in small letters; False if it is another option."""
        match name:
            case "uci_elo":
                self._elo = max(self._range[0], min(self._range[1], int(value)))
            case "uci_limitstrength":
                self._limited = value == "true"
            case _:
                return False
        self._player.elo = self._elo if self._limited else self._full
        return True


def strength_of(player: Player) -> Strength | None:
    """None for players that know no ratings, or know them in another way."""
    if not has_dial(player):
        return None
    from okapi.encodings.layers import ELO_RANGE, UNKNOWN_ELO  # here, because numpy takes a while

    return Strength(player, *ELO_RANGE, UNKNOWN_ELO)
