"""Charts are well-formed, show every number they are given, and survive empty and hostile input."""

import xml.etree.ElementTree as ElementTree

import pytest

from okapi.formats.svg import Bars, Chart, Line, Lines, page, ticks

SVG = "{http://www.w3.org/2000/svg}"


def drawn(*charts: Chart) -> ElementTree.Element:
    return ElementTree.fromstring(page("A <page> & its title", charts))


def test_a_bar_is_as_high_as_its_count() -> None:
    bars = [element for element in drawn(Bars("b", ("x", "y"), (5, 10))).iter(f"{SVG}rect") if element.get("y")]

    low, high = (float(bar.get("height", "")) for bar in bars)
    assert high == pytest.approx(2 * low, abs=0.2)


def test_points_stand_where_they_belong() -> None:
    chart = Lines("l", [Line("one", [(0, 0), (10, 1)], dots=True), Line("two", [(0, 0), (5, 0.5), (10, 1)])])
    tree = drawn(chart)
    dots = [(float(dot.get("cx", "")), float(dot.get("cy", ""))) for dot in tree.iter(f"{SVG}circle")]
    (path,) = (element.get("points", "").split() for element in tree.iter(f"{SVG}polyline"))

    assert [f"{x:.1f},{y:.1f}" for x, y in dots] == [path[0], path[2]]


@pytest.mark.parametrize("chart", [Bars("none", (), ()), Lines("none", []), Lines("one", [Line("p", [(3, 3)])])])
def test_nothing_to_show_is_no_error(chart: Chart) -> None:
    assert f"{SVG}svg" == drawn(chart).tag


def test_text_is_escaped() -> None:
    assert "A <page> & its title" in [element.text for element in drawn(Bars("<b>", ("&",), (1,))).iter(f"{SVG}text")]


def test_ticks_are_round_and_inside() -> None:
    assert [-1000, -500, 0, 500, 1000] == ticks(-1000, 1000)
    assert [7.0] == ticks(7.0, 7.0)
    assert all(0.13 <= tick <= 0.87 for tick in ticks(0.13, 0.87))
