"""The page is sound HTML and has all numbers."""

import re
from copy import deepcopy
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from html_reader import check, read
from vazquez_results import all_data, all_results, result

from okapi.core import Position
from okapi.formats.html import Boards, Command, Figure, Missing, Notes, Prose, Section, Table, document
from okapi.formats.numbers import interval, number
from okapi.papers import PAPERS
from okapi.papers.experiment import ExperimentResult
from okapi.papers.page import Column, chart_of, read_paper, table_of
from okapi.papers.published import read_toml

PAPER = read_paper("vazquez2012")


def written(changes: dict[str, dict[str, Any]]) -> str:
    """The text of the page for made-up results with changes."""
    data = deepcopy(all_data())
    for name, change in changes.items():
        data[name].update(change)
    return read(PAPER.page({name: result(each) for name, each in data.items()})).text


def test_the_page_is_sound() -> None:
    assert check(PAPER.page(all_results())).counts["svg"] >= 14


@pytest.mark.parametrize("name", list(PAPERS))
def test_a_page_without_results_is_sound(name: str) -> None:
    text = check(read_paper(name).page({})).text

    assert "was not made" in text and f"okapi paper {name}" in text


@pytest.mark.parametrize("name", ["Table 9", "Table 10", "Table 11", "Tables 12 and 13", "Tables 15 and 16"])
def test_every_table_is_there(name: str) -> None:
    assert f"{name}." in read(PAPER.page(all_results())).text


@pytest.mark.parametrize("number", [34, 35, 38, 39, 41, 42])
def test_every_figure_is_there(number: int) -> None:
    assert f"Figure {number}." in read(PAPER.page(all_results())).text


CONTENTS = {"vazquez2012": (44, 22), "sheehan2016": (10, 3), "sabatelli2018": (3, 4), "lai2015": (6, 5)}
"""How many figures and tables each has."""


@pytest.mark.parametrize("name", CONTENTS)
def test_every_table_and_figure_of_the_paper_has_a_row(name: str) -> None:
    rows = read_toml(name, "contents")["rows"]
    found: dict[str, list[int]] = {"Figure": [], "Table": []}
    for where, what, how in rows:
        assert what and how
        if kind := re.match(r"(Figure|Table)s? (\d+)(?:–(\d+))?$", where):
            found[kind[1]] += range(int(kind[2]), int(kind[3] or kind[2]) + 1)

    assert tuple(list(range(1, last + 1)) for last in CONTENTS[name]) == tuple(found.values())


def test_a_table_that_was_not_repeated_says_what_it_costs() -> None:
    text = read(PAPER.page({"five": all_results()["five"]})).text

    assert "experiment five" in text
    assert "about 3 h 30 min on two cores: okapi paper vazquez2012 --size full --only pieces" in text


def test_no_number_is_missing() -> None:
    for text in (PAPER.page(all_results()), PAPER.page({})):
        assert not re.search(r"\b(nan|None|inf|NaN)\b", text)


def test_without_results_everything_is_said_to_be_missing() -> None:
    text = read(PAPER.page({})).text

    for name in ("Table 9", "Table 10", "Table 13", "Figure 41", "Table 16", "Table 17", "Table 18", "Ways of tuning"):
        assert f"{name} is missing" in text
    assert "not measured" in text


@pytest.mark.parametrize("name", list(all_data()))
def test_any_experiment_may_be_missing_or_skipped(name: str) -> None:
    results = all_results()
    del results[name]
    assert f"the experiment {name} was not made" in PAPER.page(results)

    results[name] = result({"skipped": "there is no stockfish here"})
    assert "there is no stockfish here" in PAPER.page(results)


def test_published_and_measured_numbers_stand_beside_each_other() -> None:
    text = written({})

    assert "mean 10.1 % 93.33 % 15.0 % 83.25 %" in text  # the share of draws and the score, of the thesis and of ours
    assert "depth 4 3" in text and "scaled no yes" in text and "sigma" not in text
    assert "gain +433 +450 380 … 520" in text
    assert "exploration +597 +500 430 … 570" in text and "exploitation +227 +40 −20 … 100" in text
    assert "of other games 1000 – 47.9 % 31.0 % 34.0 %" in text
    assert "the brain vazquez-exploitation – – 30.1 %" in text
    assert "4-5-1 40.0 % −70 (−120 … −20)" in text


def test_the_bishop_table_is_compared_with_the_thesis() -> None:
    flat = {"table11": [[0.0] * 8, *([[5.0] * 8] * 6), [0.0] * 8]}

    assert "correlation with the thesis, 48 squares 1.00" in written({})
    text = written({"pieces": flat})
    assert "correlation with the thesis, 48 squares 0.00" in text
    assert "squares in the middle 9.1 5.0" in text


def test_remarks_of_experiments_are_told_once() -> None:
    assert 1 == written({}).count("Mutations were to the letter.")


def test_the_page_says_how_to_repeat_it() -> None:
    text = read(PAPER.page(all_results())).text

    assert "16 experiments of size tiny, 3 min 20 s of work, with the games of masters.pgn" in text
    assert "okapi paper vazquez2012 --size tiny --seed 1 --games masters.pgn" in text
    assert "0123456789abcdef" in text and "2 × processor, Linux" in text
    alone: dict[str, ExperimentResult] = {
        name: ExperimentResult(
            data=each.data, settings={**each.settings, "games": None}, seconds=1, version="1", machine="m"
        )
        for name, each in all_results().items()
    }
    assert "Okapi played games of its own" in PAPER.page(alone)
    changed = replace(alone["pieces"], settings={**alone["pieces"].settings, "changes": {"runs": "3"}})
    fewer = read(PAPER.page({**alone, "pieces": changed})).text
    assert "okapi paper vazquez2012 --size tiny --seed 1 --change pieces.runs=3" in fewer
    assert "Changed settings: pieces.runs=3." in fewer


KEYS = [
    "last_against_first",
    "pieces_gain",
    "pieces_elo",
    "five_knight",
    "five_bishop",
    "five_rook",
    "five_queen",
    "five_average",
    "person_score",
    "five_seconds",
    "solved_before",
    "solved_after",
    "solved_fresh",
    "exploitation_score",
    "exploration_gain",
    "exploitation_gain",
    "best_c",
    "more_games",
    "best_rate",
    "subset_gain",
    "bayeselo_off",
    "printed_gain",
    "best_elo",
]
"""Programs rely on these; docs/explanation/vazquez2012.md lists them."""


def test_headline_figures_have_keys_that_stay() -> None:
    measured, nothing = PAPER.figures(all_results()), PAPER.figures({})

    assert KEYS == list(measured) == list(nothing)
    assert all(figure["ours"] is None and "not measured" in figure["text"] for figure in nothing.values())
    assert (433, 450.2, 380.0) == tuple(measured["pieces_gain"][key] for key in ("theirs", "ours", "low"))
    assert (93.325, 83.25) == (measured["last_against_first"]["theirs"], measured["last_against_first"]["ours"])
    assert "evolved, Stockfish at 6 plies" == measured["best_elo"]["note"]


RATINGS = partial(
    table_of,
    name="Ratings",
    caption="On {machine}.",
    published=[{"name": "theirs", "elo": 2400}],
    columns=(Column("player", "name"), Column("Elo", "elo", number), Column("95 %", ("low", "high"), interval)),
)


def test_a_table_has_published_rows_above_ours() -> None:
    (table,) = RATINGS({"machine": "this", "rows": [{"name": "mine", "elo": 2301.4, "low": 2250, "high": None}]})

    assert isinstance(table, Table)
    assert ("On this.", ["player", "Elo", "95 %"]) == (table.caption, table.heads)
    assert [["theirs", "2400", ""], ["mine", "2301", "2250 … ∞"]] == table.rows
    assert (("paper", 1), ("ours", 1)) == table.bands


def test_a_table_without_rows_is_left_out() -> None:
    assert [] == RATINGS({"machine": "this", "rows": []}, published=())


def test_a_chart_leaves_out_what_was_not_measured() -> None:
    rows = [{"name": "a", "elo": 10.0, "low": None, "high": 20.0}, {"name": "b", "elo": None, "low": None, "high": 5.0}]
    (chart,) = chart_of({"rows": rows}, name="Elo", title="Elo")

    assert isinstance(chart, Figure) and 'aria-label="a 10 (10 … 20)"' in chart.pictures[0]
    assert [] == chart_of({"rows": rows[1:]}, name="Elo", title="Elo")


def test_hostile_text_is_escaped() -> None:
    bad = "<script>alert('&')</script>"
    table = Table(name=bad, caption=bad, heads=(bad, bad), rows=((bad, bad),), groups=((bad, 2),), bands=((bad, 1),))
    drawn = Figure(name="figure", caption=bad, pictures=())
    html = document(bad, bad, [Section(bad, [Prose(bad), table, drawn, Notes([bad]), Missing(bad, bad), Command(bad)])])

    assert "script" not in read(html).counts
    assert "<script" not in html


def test_boards_share_their_pieces_and_stand_with_their_words() -> None:
    first, second = Position.start(), Position.from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1")
    boards = Boards(name="Calm", caption="c", boards=[(first, ["+0.2", "<b>"]), (second, ["−1.0"])])
    html = document("t", "s", [Section("Examples", [boards])])

    assert 1 == html.count('id="white-pawn"'), "pieces are in the page once"
    assert 9 == html.count('href="#white-pawn"')
    assert "+0.2<br>&lt;b&gt;" in html and f'aria-label="{second.fen()}"' in html
    assert 'href="#calm"' in html and 'id="calm"' in html
    assert "squares-white" not in document("t", "s", [Section("None", [])])
