"""A report as text, as JSON and as a page."""

from html.parser import HTMLParser
from typing import ClassVar

import pytest

from okapi.analysis.report import GameAnalysis, GameReport
from okapi.analysis.report.game import report_as_json
from okapi.analysis.report.page import page, plot, svg
from okapi.core import Color, Game, Limits, Value
from okapi.players import AlphaBeta


@pytest.fixture(scope="module")
def report() -> GameReport:
    game = Game.of(["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"])
    named = Game(game.start, game.moves, game.result, tags={"White": "<script>", "Black": "Bert"})
    study = GameAnalysis(named, AlphaBeta(), "a test")
    for _ in study.deepen(Limits(depth=4)):
        pass
    for _ in study.check(Limits(depth=4)):
        pass
    return study.report()


def test_the_page_stands_alone(report: GameReport) -> None:
    class Outside(HTMLParser):
        found: ClassVar[list[str | None]] = []

        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            self.found += [value for name, value in attributes if name in ("src", "href") and value and value[0] != "#"]
            assert tag != "script"

    reader = Outside()
    reader.feed(page([report]))

    assert [] == reader.found


def test_the_page_has_a_graph_and_a_board_for_each_mistake(report: GameReport) -> None:
    text = page([report, report])

    mistakes = sum(bool(move.sentence) for move in report.moves)
    assert mistakes >= 1
    assert 2 * (1 + mistakes) == text.count("<svg")
    assert "allows mate: Qxf7#" in text and "Written by a test" in text and "Bishop&#x27;s Opening" in text


def test_json_has_everything(report: GameReport) -> None:
    told = report_as_json(report)

    assert "C23" == told["opening"]["eco"] and "a test" == told["by"]
    assert list(range(8)) == [value["ply"] for value in told["values"]]
    assert {"value", "win", "draw", "loss"} <= set(told["values"][0])
    blunder = told["moves"][5]
    assert ("blunder", "??", ["Qxf7#"]) == (blunder["class"], blunder["mark"], blunder["reply_line"])
    assert {"accuracy", "average_loss", "blunders"} <= set(told["summary"]["black"])


def test_a_plot_is_never_wider_than_asked() -> None:
    values = [Value(0.5, Color.WHITE)] * 301

    assert max(map(len, plot(values, [], width=50))) <= 50 + 6


def test_a_plot_marks_mistakes_where_they_lead(report: GameReport) -> None:
    rows = plot(report.values, report.moves)

    assert "X" == rows[0][6 + 6]
    assert "X" not in rows[-1]


def test_a_graph_of_a_game_without_moves() -> None:
    assert svg([Value(0.5, Color.WHITE)], []).startswith("<svg")
