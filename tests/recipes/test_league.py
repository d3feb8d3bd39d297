"""The league: what is played, what it costs, what it says, and the command that makes it."""

import itertools
import json
import random
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from okapi.arena.standings import Standings
from okapi.arena.tournament import MatchupSettings
from okapi.brains import card, find, shipped
from okapi.brains.nnue import QuantisedNnue
from okapi.cli import main
from okapi.cli.console import Exit
from okapi.errors import InvalidText, NotFound
from okapi.recipes.league import season as season_of_the_league
from okapi.recipes.league.entrants import (
    ENTRANTS,
    LEARN,
    PIECES,
    available_entrants,
    seconds_of,
    select_entrants,
)
from okapi.recipes.league.report import as_markdown, in_one, in_short, league_page
from okapi.recipes.league.result import (
    RESULT,
    SHIPPED,
    EntrantInfo,
    LeagueResult,
    LeagueTable,
    LevelRating,
    TableRow,
    answers,
    frontier,
)
from okapi.recipes.league.season import Season, SeasonConfig

Capture = pytest.CaptureFixture[str]
DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "league.md"


def entry(name: str, samples: float | None, operations: float | None) -> EntrantInfo:
    return EntrantInfo(
        name=name,
        way="a way & its words",
        learned_from="games",
        samples=samples,
        operations=operations,
        weights=5,
        seconds=1e-6,
        searches=True,
    )


def row(name: str, elo: float, *, entrant: bool = True) -> TableRow:
    return TableRow(
        name=name, elo=elo, low=elo - 50, high=elo + 50, games=4, score=0.5, faults={"time_losses": 1}, entrant=entrant
    )


def level(name: str, nodes: int, elo: float) -> LevelRating:
    return LevelRating(name=name, nodes=nodes, seconds=nodes * 1e-6, elo=elo, low=elo - 9, high=elo + 9, games=4)


@pytest.fixture
def season() -> LeagueResult:
    rows = (row("<taught>", 300), row("stockfish", 200, entrant=False), row("books", 0), row("watched", -100))
    met = {"<taught>": {"books": [2, 1, 1]}, "books": {"<taught>": [1, 1, 2]}}
    return LeagueResult(
        entries=(entry("books", 0, 0), entry("watched", 1e6, 1e12), entry("<taught>", 2e6, None)),
        tables=(LeagueTable(name="nodes", limits="nodes=1000", games=8, rows=rows, met=met),),
        levels=(level("books", 100, -200), level("books", 1000, 0), level("<taught>", 100, 50)),
        left_out={"nodes: resnet": "too slow"},
        commands={"nodes": "okapi league --only nodes"},
    )


# --- What it costs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(20))
def test_the_frontier_is_those_whom_nobody_surpasses_for_less(seed: int) -> None:
    dice = random.Random(seed)
    points = [(str(n), float(dice.randrange(6)), float(dice.randrange(6))) for n in range(10)]
    found = set(frontier(points))
    for (name, price, strength), other in itertools.product(points, points):
        surpassed = other[1] <= price and other[2] >= strength and other[1:] != (price, strength)
        if surpassed:
            assert name not in found
    best_of = {(price, strength) for name, price, strength in points if name in found}
    undominated = {
        one[1:] for one in points if not any(a[1] <= one[1] and a[2] >= one[2] and a[1:] != one[1:] for a in points)
    }

    assert undominated == best_of


def test_every_entrants_brain_is_shipped() -> None:
    ships = {brain.name for brain in shipped()}

    assert {entrant.name for entrant in ENTRANTS} <= ships
    assert [entrant.name for entrant in ENTRANTS if entrant.name in ships] == [
        one.name for one in available_entrants({})
    ]


@pytest.mark.parametrize("name", ["sheehan-a", "sabatelli-mlp"])
def test_compute_is_what_the_card_tells(name: str) -> None:
    brain = card(name)
    epochs = brain.details()["settings"]["plan"]["epochs"]
    (entrant,) = (entrant for entrant in ENTRANTS if entrant.name == name)

    assert LEARN * epochs * 1_866_062 * brain.weights == entrant.operations, "docs/explanation/sheehan2016.md"


def test_evolutions_compute_is_what_the_card_tells() -> None:
    brain = card("vazquez-pieces-results")
    details = brain.details()
    (entrant,) = (entrant for entrant in ENTRANTS if entrant.name == brain.name)

    assert int(details["evaluations"]) * details["settings"]["positions"] * brain.weights == entrant.operations
    assert details["settings"]["masters"]["positions"] == entrant.samples


def test_giraffes_data_are_its_own_positions_and_the_bootstraps() -> None:
    details = card("giraffe").details()
    (entrant,) = (entrant for entrant in ENTRANTS if entrant.name == "giraffe")

    assert int(details["positions"]) + details["settings"]["bootstrap"] == entrant.samples


def test_the_champions_card_tells_what_it_cost(tmp_path: Path) -> None:
    path = tmp_path / "champion.safetensors"
    youth = {"name": "mine", "data": json.dumps({"positions": 5_000}), "samples_eaten": "40000"}
    path.write_bytes(QuantisedNnue.random(32).file(youth))
    (entrant,) = (one for one in available_entrants({"champion": path}) if one.name == "champion")

    assert (5_000, LEARN * 40_000 * (2 * PIECES * 32 + 2 * 32)) == (entrant.samples, entrant.operations)


def test_another_file_can_be_an_entrants_brain(tmp_path: Path) -> None:
    path = tmp_path / "mine.safetensors"
    path.write_bytes(find("okapi-28").read_bytes())
    (entrant,) = (one for one in available_entrants({"giraffe": path}) if one.name == "giraffe")

    assert f"alphabeta:{path},nodes=50" == entrant.at(50)


def test_a_slower_brain_takes_longer() -> None:
    brains = {entrant.name: entrant for entrant in ENTRANTS}

    assert seconds_of(brains["sabatelli-mlp"]) > 3 * seconds_of(brains["material"])


# --- What it says ---------------------------------------------------------------------------------------------------


def test_a_season_is_read_as_it_was_written(season: LeagueResult, tmp_path: Path) -> None:
    season.write(tmp_path / RESULT)

    assert season == LeagueResult.read(tmp_path / RESULT)


@pytest.mark.parametrize("damage", ["", "[]", "null", '{"entries": 1}', '{"entries": [{"name": "x"}]}'])
def test_a_damaged_file_is_told(damage: str, tmp_path: Path) -> None:
    (tmp_path / RESULT).write_text(damage)
    with pytest.raises(InvalidText, match="damaged"):
        LeagueResult.read(tmp_path / RESULT)


@pytest.mark.parametrize(
    ("sound", "damaged"),
    [
        ('"seconds": 1e-06', '"seconds": NaN'),
        ("[2, 1, 1]", "[2, 1]"),
        ("[2, 1, 1]", "[2, 1, 1, 1]"),
        ('"elo": 300', '"elo": []'),
    ],
)
def test_numbers_that_cannot_be_drawn_are_told(season: LeagueResult, sound: str, damaged: str, tmp_path: Path) -> None:
    text = json.dumps(season.as_json())
    assert sound in text
    (tmp_path / RESULT).write_text(text.replace(sound, damaged))
    with pytest.raises(InvalidText, match="damaged"):
        LeagueResult.read(tmp_path / RESULT)
    with pytest.raises(NotFound):
        LeagueResult.read(tmp_path / "elsewhere.json")


def test_the_answers_name_the_strongest_and_those_worth_their_price(season: LeagueResult) -> None:
    best, data, compute, thinking = answers(season)

    assert "<taught> is the strongest, 300 (250 … 350) Elo" in best and "apart" in best
    assert "books (0, 0 Elo) and <taught> (2 million, 300 Elo)" in data, "watched costs more than books and is weaker"
    assert "books (0, 0 Elo) (multiplications of learning)" in compute, "nobody knows what <taught> cost"
    assert "up to 0.1 ms it is <taught> with 100 nodes (50 Elo)." in thinking, "thinking longer brings nobody further"


def test_engines_are_no_answer(season: LeagueResult) -> None:
    assert not any("stockfish" in sentence for sentence in answers(season))


def test_page_and_picture_are_well_formed_and_escaped(season: LeagueResult) -> None:
    picture, page = in_one(season), league_page(season)
    drawn = ElementTree.fromstring(picture)

    assert {"<taught>", "books", "stockfish"} <= {element.text for element in drawn.iter() if element.text}
    assert "<taught>" not in page and "&lt;taught&gt;" in page and "too slow" in page


def test_markdown_has_everybody_once(season: LeagueResult) -> None:
    short = in_short(season)

    assert ["| `<taught>`", "| `books`", "| `watched`"] == [
        line[: line.index(" | ")] for line in short.splitlines()[2:]
    ]
    assert short in as_markdown(season) and "stockfish 1 (nodes=1000)" in as_markdown(season)


@pytest.mark.skipif(not (SHIPPED.is_file() and DOCS.is_file()), reason="only in the repository, with a season")
def test_the_docs_have_the_season_that_ships() -> None:
    assert as_markdown(LeagueResult.read(SHIPPED)) in DOCS.read_text(encoding="utf-8")


# --- The command ----------------------------------------------------------------------------------------------------


def ask(folder: Path, *options: str) -> int:
    tiny = ["--nodes", "40", "--games", "2", "--levels", "20", "40", "--level-games", "2"]
    return main(["league", "--out", str(folder), "--entrants", "material", "vazquez-five", *tiny, *options])


def told(capsys: Capture) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_the_command_plays_and_goes_on(tmp_path: Path, capsys: Capture) -> None:
    assert 0 == ask(tmp_path, "--only", "nodes", "--json")
    first = told(capsys)
    assert {"material", "vazquez-five", "okapi-28"} == {row["name"] for row in first["tables"][0]["rows"]}
    assert 6 == first["tables"][0]["games"] and [] == first["levels"]
    assert 0 == ask(tmp_path, "--only", "nodes", "thinking")
    kept = LeagueResult.read(tmp_path / RESULT)

    assert first["tables"] == json.loads(json.dumps(kept.as_json()["tables"]))
    assert {("material", 20), ("okapi-28", 40), ("vazquez-five", 40)} <= {(at.name, at.nodes) for at in kept.levels}
    assert {"league.html", "league.json", "league.md", "league.svg", "games"} == {
        path.name for path in tmp_path.iterdir()
    }
    assert "is the strongest" in capsys.readouterr().out


def test_the_clock_has_a_table_of_its_own(tmp_path: Path, capsys: Capture) -> None:
    options = ("--only", "clock", "--tc", "0.1+0.01", "--engines", "none", "--json")
    assert 0 == main(["league", "--out", str(tmp_path), "--entrants", "material", *options])

    assert [("clock", "0.1+0.01", 2)] == [
        (table["name"], table["limits"], table["games"]) for table in told(capsys)["tables"]
    ]


def test_interrupted_it_says_how_to_go_on(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(
        company: MatchupSettings, meetings: Any, folder: Path, *, on_begin: Any, **others: Any
    ) -> Standings:
        on_begin(Standings(list(company.players)), folder, 6)
        raise KeyboardInterrupt

    monkeypatch.setattr(season_of_the_league, "play_matchups", interrupted)

    assert Exit.INTERRUPTED == ask(tmp_path, "--only", "nodes")
    assert "the same command goes on" in capsys.readouterr().err


def test_who_is_too_slow_is_left_out_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []

    def nobody_plays(company: MatchupSettings, meetings: Any, **others: Any) -> Standings:
        seen.append(list(company.players))
        return Standings(list(company.players))

    monkeypatch.setattr(season_of_the_league, "play_matchups", nobody_plays)
    monkeypatch.setattr(season_of_the_league, "seconds_of", lambda entrant: 1e-6)
    entrants = select_entrants(available_entrants({}), ["okapi-28", "material", "okapi-resnet"])
    season = Season(entrants, [], SeasonConfig(levels=(100, 1000)), tmp_path)
    result = season.play("thinking", season.play("clock", season.play("nodes", LeagueResult())))

    assert [["material", "okapi-28"]] * 2 == seen[:2]
    assert "okapi-resnet @ 100" in seen[2] and "okapi-resnet @ 1000" not in seen[2]
    left_out = ["nodes: okapi-resnet", "clock: okapi-resnet", "thinking: okapi-resnet at 1,000 nodes"]
    assert left_out == list(result.left_out)


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--entrants", "girafe"], 3, "no entrant of the league"),
        (["--brain", "champion"], 2, "names no brain"),
        (["--brain", "champion=nowhere.safetensors"], 3, "no brain named"),
        (["--engines", "deep-blue"], 3, "no engine of the ladder"),
        (["--entrants", "okapi-28"], 2, "two entrants"),
    ],
)
def test_wrong_usage_is_told(options: list[str], code: int, says: str, tmp_path: Path, capsys: Capture) -> None:
    assert code == main(["league", "--out", str(tmp_path), *options])
    assert says in capsys.readouterr().err
