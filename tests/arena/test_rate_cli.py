"""`okapi rate` and the reader of results behind it."""

import gzip
import json
from pathlib import Path

import pytest

from okapi.cli import main
from okapi.data.pgn import import_games
from okapi.formats.pgn import PgnResult, read_results


def game(white: str, black: str, result: str, moves: str = "1. e4 e5") -> str:
    return f'[Event "?"]\n[White "{white}"]\n[Black "{black}"]\n[Result "{result}"]\n\n{moves} {result}\n\n'


GAMES = (
    game("okapi", "giraffe", "1-0") * 6 + game("giraffe", "okapi", "1/2-1/2") * 8 + game("giraffe", "okapi", "1-0") * 3
)


@pytest.fixture
def pgn(tmp_path: Path) -> Path:
    file = tmp_path / "games.pgn"
    file.write_text(GAMES, encoding="utf-8")
    return file


def answer(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, object]:
    assert 0 == main(["rate", *map(str, arguments), "--json"])
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_json_has_what_programs_rely_on(pgn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, pgn)
    players = found["players"]

    assert isinstance(players, list)
    assert ["okapi", "giraffe"] == [player["name"] for player in players]
    assert {"name", "elo", "low", "high", "games", "score", "draws"} <= players[0].keys()
    assert (17, 0.5882, 0.4706) == tuple(players[0][key] for key in ("games", "score", "draws"))
    assert players[0]["low"] < players[0]["elo"] < players[0]["high"]
    assert {"advantage", "drawelo", "games", "skipped"} <= found.keys()


def test_anchors_stand_anywhere_on_the_line(pgn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in ((pgn, "--anchor", "giraffe=2400"), ("--anchor", "giraffe=2400", pgn)):
        players = answer(capsys, *arguments)["players"]

        assert isinstance(players, list)
        assert 2400 == players[1]["elo"]


def test_several_anchors(pgn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = answer(capsys, pgn, "--anchor", "giraffe=2000", "--anchor", "okapi=2100")["players"]

    assert isinstance(players, list)
    assert 4100 == pytest.approx(players[0]["elo"] + players[1]["elo"], abs=0.01)


def test_given_numbers_are_not_estimated(pgn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = answer(capsys, pgn, "--advantage", 32.8, "--drawelo", 97.3, "--los")

    assert (32.8, 97.3) == (found["advantage"], found["drawelo"])
    assert isinstance(found["los"], list) and [2, 2] == [len(row) for row in found["los"]]


def test_game_by_game(pgn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    players = answer(capsys, pgn, "--incremental", "--anchor", "giraffe=1800")["players"]

    assert isinstance(players, list)
    assert {"okapi": 17, "giraffe": 17} == {player["name"]: player["games"] for player in players}
    assert ("giraffe", 1800) == (players[0]["name"], players[0]["elo"])
    assert players[0]["low"] is None


def test_people_get_a_table(pgn: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert 0 == main(["rate", str(pgn), "--los"])
    printed = capsys.readouterr().out

    assert "okapi" in printed and "59%" in printed and "drawelo" in printed and "stronger than" in printed


def test_names_in_brackets_are_names(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Brackets are rich's markup, too."""
    file = tmp_path / "games.pgn"
    file.write_text(game("okapi [red]", "giraffe", "1-0"), encoding="utf-8")
    assert 0 == main(["rate", str(file)])

    assert "okapi [red]" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "rate takes PGN files"),
        (("missing.pgn",), 3, "no file at"),
        (("PGN", "--anchor", "giraffe"), 2, "is no anchor"),
        (("PGN", "--anchor", "giraffe=nan"), 2, "is no anchor"),
        (("PGN", "--anchor", "girafe=2000"), 2, "did you mean `giraffe`?"),
        (("PGN", "--incremental", "--anchor", "girafe=2000"), 2, "did you mean `giraffe`?"),
        (("PGN", "--prior", "-1"), 2, "a prior of -1 draws"),
    ],
)
def test_mistakes_are_explained(
    arguments: tuple[str, ...], code: int, message: str, pgn: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert code == main(["rate", *(str(pgn) if word == "PGN" else word for word in arguments)])
    assert message in capsys.readouterr().err


def test_files_without_a_result_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(game("a", "?", "1-0") + game("a", "b", "*"), encoding="utf-8")

    assert 3 == main(["rate", str(file)])
    err = capsys.readouterr().err
    assert "no finished game between two players in games.pgn (2 skipped)" in err and "tags White, Black" in err


def test_games_of_a_player_against_itself_are_refused_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Their tags are complete, and must not be blamed."""
    file = tmp_path / "own.pgn"
    file.write_text(game("okapi", "okapi", "1-0") * 3 + game("a", "b", "*"), encoding="utf-8")

    for more in ((), ("--incremental",)):
        assert 3 == main(["rate", str(file), *more])
        err = capsys.readouterr().err
        assert "every finished game in own.pgn is between players of the same name: `okapi` (3 in all; 1 more" in err
        assert "different names" in err and "okapi match" in err and "need the tags" not in err


def test_one_game_between_two_players_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "games.pgn"
    file.write_text(game("okapi", "okapi", "1-0") + game("okapi", "giraffe", "1-0"), encoding="utf-8")

    assert (1, 1) == tuple(answer(capsys, file)[key] for key in ("games", "skipped"))


def test_compressed_games_are_rated_and_stores_refused(
    pgn: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed, store = tmp_path / "games.pgn.gz", tmp_path / "games.okapi"
    packed.write_bytes(gzip.compress(pgn.read_bytes()))
    import_games([pgn], store)

    assert answer(capsys, pgn) == answer(capsys, packed)
    assert 3 == main(["rate", str(store)])
    err = capsys.readouterr().err
    assert "games.okapi is not a PGN file" in err and "okapi games export" in err


# --- The reader -----------------------------------------------------------------------------------------------------


def read(folder: Path, text: str | bytes) -> list[PgnResult | None]:
    file = folder / "games.pgn"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(read_results(file))


A_WINS = PgnResult("A", "B", 1.0)


@pytest.mark.parametrize(
    "text",
    [
        game("A", "B", "1-0"),
        game("A", "B", "1-0").replace("\n", "\r\n"),
        "\ufeff" + game("A", "B", "1-0").removeprefix('[Event "?"]\n'),
        '[White "A"][Black "B"][Result "1-0"]',
        '[Black  "B" ]\n[Result "1-0"]\n[White "A"]\n1-0',
        '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 1-0\n',
        '[White "A"]\n[Black "B"]\n[Result "?"]\n\n1. e4 {\n[%clk 0:01:00] }\n1-0\n',
    ],
    ids=["plain", "windows", "byte order mark", "one line", "any order", "no result tag", "comment in brackets"],
)
def test_reads_games_as_they_come(tmp_path: Path, text: str) -> None:
    assert [A_WINS] == read(tmp_path, text)
    assert [A_WINS, A_WINS] == read(tmp_path, text.rstrip() + "\n" + text.removeprefix("\ufeff"))


def test_bad_games_do_not_spoil_their_neighbours(tmp_path: Path) -> None:
    good = game("A", "B", "1-0")
    bad = [
        game("A", "?", "1-0"),
        game("A", "B", "*"),
        '[Event "no names"]\n\n1. e4 1-0\n\n',
        '[Event "cut off"]\n[White "A"]\n[Bla\n\n',
        "1. e4 e5 and no tags\n\n",
    ]
    for text in bad:
        found = read(tmp_path, good + text + good)

        assert [A_WINS, A_WINS] == [result for result in found if result is not None]


def test_names_are_read_as_written(tmp_path: Path) -> None:
    names = [result and result.white for result in read(tmp_path, game('A \\"B\\" \\\\ C', "D", "1-0"))]

    assert ['A "B" \\ C'] == names
    assert "V\ufffdzquez" == str((read(tmp_path, game("Vázquez", "D", "1-0").encode("latin-1"))[0] or A_WINS).white)
    assert "Vázquez" == str((read(tmp_path, game("Vázquez", "D", "1-0"))[0] or A_WINS).white)
