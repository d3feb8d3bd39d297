"""League: every way of learning in one table, and what strength costs."""

from dataclasses import dataclass
from typing import Annotated

from okapi.web.messages import Text
from okapi.web.panel import Answer, Desk, Panel, answers
from okapi.web.seasons import Seasons, season_view

__all__ = ["League"]


@dataclass(frozen=True, slots=True)
class Choice:
    """Which season; the newest if none is named."""

    season: Annotated[str, Text(255)] | None = None


class League(Panel):
    """Shows what `okapi league` left: its tables, pictures and answers."""

    name = "league"

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._seasons = Seasons(self.house.runs.folder)

    @answers(Choice)
    def show(self, choice: Choice) -> Answer:
        """The seasons that there are, and one of them."""
        names = self._seasons.names()
        season = choice.season or (names[0] if names else None)
        shown = None if season is None else season_view(self._seasons.read(season))
        return {"seasons": names, "season": season, "shown": shown}
