"""Charts are well-formed, show every number they are given, and survive empty and hostile input."""

import xml.etree.ElementTree as ElementTree
from datetime import date, timedelta
from itertools import pairwise

import pytest

from okapi.core import Position
from okapi.formats.boards import BoardPanel, board, board_parts, panels
from okapi.formats.svg import (
    Bars,
    Chart,
    Cloud,
    Curve,
    Grid,
    Interval,
    Intervals,
    Lines,
    Picture,
    Scatter,
    ScatterPoint,
    Stacks,
    figure,
    page,
    ticks,
)

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*charts: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(page("A <page> & its title", charts))


def test_a_bar_is_as_high_as_its_count() -> None:
    bars = [element for element in drawn(Bars("b", ("x", "y"), (5, 10))).iter(f"{SVG}rect") if element.get("y")]

    low, high = (float(bar.get("height", "")) for bar in bars)
    assert high == pytest.approx(2 * low, abs=0.2)


def test_points_stand_where_they_belong() -> None:
    chart = Lines("l", [Curve("one", [(0, 0), (10, 1)], dots=True), Curve("two", [(0, 0), (5, 0.5), (10, 1)])])
    tree = drawn(chart)
    dots = [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in tree.iter(f"{SVG}circle")]
    (path,) = (element.get("points", "").split() for element in tree.iter(f"{SVG}polyline"))

    assert [f"{x:.1f},{y:.1f}" for x, y in dots] == [path[0], path[2]]


@pytest.mark.parametrize("chart", [Bars("none", (), ()), Lines("none", []), Lines("one", [Curve("p", [(3, 3)])])])
def test_nothing_to_show_is_no_error(chart: Chart) -> None:
    assert f"{SVG}svg" == drawn(chart).tag


def test_text_is_escaped() -> None:
    assert "A <page> & its title" in [element.text for element in drawn(Bars("<b>", ("&",), (1,))).iter(f"{SVG}text")]


def test_ticks_are_round_and_inside() -> None:
    assert [-1000, -500, 0, 500, 1000] == ticks(-1000, 1000)
    assert [7.0] == ticks(7.0, 7.0)
    assert all(0.13 <= tick <= 0.87 for tick in ticks(0.13, 0.87))


def pictured(picture: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(figure(picture, 'what "it" <shows>'))


def test_parts_of_a_stack_stand_on_each_other() -> None:
    tree = pictured(Stacks("s", ("one",), {"won": (6,), "drawn": (3,), "lost": (1,)}))
    parts = [rect for rect in tree.iter(f"{SVG}rect") if rect.find(f"{SVG}title") is not None]
    tops = [float(part.get("y", "")) for part in parts]
    heights = [float(part.get("height", "")) for part in parts]

    assert heights[0] == pytest.approx(6 * heights[2], abs=0.5)
    assert tops[0] == pytest.approx(tops[1] + heights[1], abs=0.2)
    assert tops[1] == pytest.approx(tops[2] + heights[2], abs=0.2)


def test_intervals_stand_in_their_order() -> None:
    rows = [Interval("a", 10, 5, 20, "ours"), Interval("b", 30, 25, 35, "theirs")]
    first, second = pictured(Intervals("i", rows)).iter(f"{SVG}circle")

    assert float(first.get("cx", "")) < float(second.get("cx", ""))
    assert float(first.get("cy", "")) < float(second.get("cy", ""))
    assert first.get("fill") != second.get("fill")


def test_a_mark_stands_where_its_value_is() -> None:
    tree = pictured(Intervals("i", [Interval("a", 10, 5, 20)], mark=10))
    (dot,) = tree.iter(f"{SVG}circle")
    (mark,) = (each for each in tree.iter(f"{SVG}line") if each.get("stroke-dasharray"))

    assert mark.get("x1") == mark.get("x2") == dot.get("cx")


def test_cells_are_as_deep_as_their_numbers() -> None:
    tree = pictured(Grid("g", ((0, 5), (10, 20)), ("2", "1"), ("a", "b"), most=20))

    assert [0, 0.25, 0.5, 1] == [float(cell.get("fill-opacity", "")) for cell in tree.iter(f"{SVG}rect")]
    assert {"0", "5", "10", "20", "a", "b", "1", "2"} <= {element.text for element in tree.iter(f"{SVG}text")}


@pytest.mark.parametrize("picture", [Stacks("none", (), {}), Intervals("none", ()), Grid("none", (), (), ())])
def test_empty_pictures_are_no_error(picture: Picture) -> None:
    assert f"{SVG}svg" == pictured(picture).tag


def test_a_figure_has_words_for_those_who_cannot_see_it() -> None:
    tree = pictured(Bars("b", ("x",), (1,)))

    assert ("img", 'what "it" <shows>') == (tree.get("role"), tree.get("aria-label"))


def test_a_legend_takes_as_many_lines_as_it_needs() -> None:
    tree = pictured(Lines("l", [Curve(f"a rather long name, number {n}", [(0, n), (1, n)]) for n in range(8)]))
    names = [element for element in tree.iter(f"{SVG}text") if "rather" in (element.text or "")]

    assert 8 == len(names) and 1 < len({name.get("y") for name in names})


def test_charts_within_the_same_bounds_can_be_compared() -> None:
    low, high = (pictured(Lines("l", [Curve("a", [(0, 0), (1, top)])], within=(0, 10))) for top in (5, 10))
    ends = [tree.find(f"{SVG}polyline").get("points").split()[1] for tree in (low, high)]  # type: ignore[union-attr]

    assert float(ends[0].split(",")[1]) > float(ends[1].split(",")[1])


def test_a_board_is_seen_by_the_side_to_move() -> None:
    for turn, white, middle in (("w", ("180", "315"), ("202.5", "337.5")), ("b", ("135", "0"), ("157.5", "337.5"))):
        position = Position.from_fen(f"4k3/8/8/8/8/8/8/4K3 {turn} - - 0 1")
        tree = ElementTree.fromstring(board(position, [("wanted", position.legal_moves()[0])]))
        places = {use.get("href"): (use.get("x"), use.get("y")) for use in tree.iter("use")}
        (arrow,) = tree.iter("line")

        assert white == places["#white-king"]
        assert middle == (arrow.get("x1"), arrow.get("y1")), "the mover's king is below"
    ElementTree.fromstring(board_parts())


def test_a_cloud_has_colours_and_paths() -> None:
    chart = Cloud("map", [(0, 0), (1, 1), (2, 0)], [0, 0.5, 1], {"winner": [(0, 0), (2, 0)], "loser": [(1, 1)]})
    tree = pictured(chart)
    points = [dot.get("fill") for dot in tree.iter(f"{SVG}circle") if dot.get("r") == "2"]

    assert ["#2f5bb7", "#cdcdcd", "#be2026"] == points
    assert 4 == len(list(tree.iter(f"{SVG}polyline"))), "each path, and the dark line under it"
    assert {"winner", "loser"} <= {element.text for element in tree.iter(f"{SVG}text")}


def test_a_cloud_of_nothing_is_no_error() -> None:
    assert f"{SVG}svg" == pictured(Cloud("none", [], [], {})).tag


def test_the_square_with_the_larger_share_is_redder() -> None:
    position = Position.from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1")
    heat = [0.0] * 64
    heat[60], heat[52], heat[4] = 0.64, 0.16, 0.001
    tree = ElementTree.fromstring(panels(position, [BoardPanel("board"), BoardPanel("which <piece>", heat)]))
    glow = {(rect.get("x"), rect.get("y")): float(rect.get("fill-opacity", "")) for rect in tree.iter("rect")}

    assert {("135", "315"): pytest.approx(0.72), ("135", "270"): pytest.approx(0.36)} == glow, "as Black sees e8 and e7"
    assert ["board", "16", "64", "which <piece>"] == [element.text for element in tree.iter("text")]


# --- Scatters -------------------------------------------------------------------------------------------------------


def scattered(*places: ScatterPoint, front: tuple[str, ...] = ()) -> ElementTree.Element:
    return ElementTree.fromstring(figure(Scatter("strength", places, "cost", "Elo", front), "a scatter"))


def test_ten_times_as_much_is_one_step_to_the_right_and_nothing_has_a_place_of_its_own() -> None:
    found = scattered(*(ScatterPoint(f"{x:g}", x, 0, -1, 1) for x in (0, 10, 100, 1000)))
    across = [float(dot.attrib["cx"]) for dot in found.iter(f"{SVG}circle")]
    steps = [right - left for left, right in pairwise(across)]

    assert steps == pytest.approx([steps[0]] * 3, abs=0.2)
    assert {"0", "10¹", "10²", "10³"} <= {text.text for text in found.iter(f"{SVG}text")}


def test_names_do_not_cover_each_other() -> None:
    names = [f"player {number}" for number in range(8)]
    found = scattered(*(ScatterPoint(name, 100, 50, 40, 60) for name in names))
    down = [float(text.attrib["y"]) for text in found.iter(f"{SVG}text") if text.text in names]

    assert 8 == len(down) and all(later - sooner >= 12 for sooner, later in pairwise(sorted(down)))


def test_points_of_one_name_are_joined_and_named_once() -> None:
    found = scattered(ScatterPoint("a", 10, 1, 0, 2), ScatterPoint("a", 100, 2, 1, 3), ScatterPoint("b", 10, 3, 2, 4))

    assert 1 == len(list(found.iter(f"{SVG}polyline")))
    assert ["a", "b"] == [text.text for text in found.iter(f"{SVG}text") if text.text in ("a", "b")]


def test_who_does_not_stand_out_is_pale() -> None:
    found = scattered(ScatterPoint("a", 10, 1, 0, 2), ScatterPoint("b", 10, 3, 2, 4), front=("b",))
    (marks, name) = (group for group in found.iter(f"{SVG}g") if "opacity" in group.attrib)

    assert float(marks.attrib["opacity"]) < float(name.attrib["opacity"]) < 1
    assert ["a"] == [text.text for text in name.iter(f"{SVG}text")]


def test_names_of_one_column_stand_in_the_order_of_their_dots() -> None:
    found = scattered(*(ScatterPoint(f"{value}", 100, value, value - 1, value + 1) for value in (3, 9, 1, 2)))
    down = {text.text: float(text.attrib["y"]) for text in found.iter(f"{SVG}text") if text.text in tuple("1239")}

    assert down["9"] < down["3"] < down["2"] < down["1"]


def test_lines_of_one_colour_differ_in_their_dashes() -> None:
    found = scattered(*(ScatterPoint(f"{n}", x, n, n - 1, n + 1) for n in range(20) for x in (10, 100)))
    styles = {(line.attrib["stroke"], line.attrib.get("stroke-dasharray")) for line in found.iter(f"{SVG}polyline")}

    assert 20 == len(styles)


def test_days_stand_as_far_apart_as_they_are_and_have_their_dates() -> None:
    first = date(2026, 11, 28)
    places = [ScatterPoint("a", (first + timedelta(days)).toordinal(), days, -5, 15) for days in (0, 1, 4)]
    found = ElementTree.fromstring(figure(Scatter("gap", places, days=True), "a scatter"))
    one, two, five = (float(dot.attrib["cx"]) for dot in found.iter(f"{SVG}circle"))

    assert five - two == pytest.approx(3 * (two - one), abs=0.3)
    assert {"2026-11-28", "2026-12-02"} <= {text.text for text in found.iter(f"{SVG}text")}
    assert "a: 4 (-5 … 15) at 2026-12-02" in {title.text for title in found.iter(f"{SVG}title")}


@pytest.mark.parametrize("days", [(), (740_000,), tuple(range(740_000, 740_400))])
def test_dates_do_not_cover_each_other(days: tuple[int, ...]) -> None:
    places = [ScatterPoint("a", day, 1, 0, 2) for day in days]
    found = ElementTree.fromstring(figure(Scatter("gap", places, days=True), "a scatter"))
    dates = [float(text.attrib["x"]) for text in found.iter(f"{SVG}text") if (text.text or "").startswith("20")]

    assert len(days[:1]) <= len(dates) and all(right - left >= 70 for left, right in pairwise(dates))
