"""Games as PGN."""

import gzip
from pathlib import Path

import pytest

from okapi import Game, Position
from okapi.errors import InvalidPgn, InvalidText, NotFound
from okapi.formats.pgn import movetext, read_pgn, write_pgn

FOOLS_MATE = """[Event "Test"]
[White "A \\"B\\" C"]
[Black "D"]
[Result "0-1"]

1. f3 {a comment} e5 (1... e6) 2. g4?? Qh4# 0-1

"""


def written(folder: Path, text: str) -> Path:
    file = folder / "games.pgn"
    file.write_text(text, encoding="utf-8")
    return file


def test_reads_games(tmp_path: Path) -> None:
    games = list(read_pgn(written(tmp_path, FOOLS_MATE * 2)))

    assert 2 == len(games)
    assert ("0-1", 'A "B" C', 4) == (games[0].result, games[0].tags["White"], len(games[0].moves))
    assert games[0].last.is_checkmate()


def test_reads_bare_moves(tmp_path: Path) -> None:
    (game,) = read_pgn(written(tmp_path, "1. e4 e5 2. Nf3 *"))

    assert "1. e4 e5 2. Nf3" == movetext(game)


def test_what_is_written_can_be_read(tmp_path: Path) -> None:
    (game,) = read_pgn(written(tmp_path, FOOLS_MATE))
    (again,) = read_pgn(written(tmp_path, write_pgn(game, {2: "$4 { oh }", 3: "ha"})))

    assert (game.moves, game.tags, game.result) == (again.moves, again.tags, again.result)


def test_games_from_other_positions(tmp_path: Path) -> None:
    start = Position.from_fen("4k3/8/8/8/8/8/8/1R1K4 b B - 0 7")
    text = write_pgn(Game.of(["Ke7", "O-O-O"], start))

    (game,) = read_pgn(written(tmp_path, text))

    assert "7... Ke7 8. O-O-O" in text
    assert (start, 2) == (game.start, len(game.moves))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there is no game"),
        ("1. e4 e5 2. Ke3 *", "game 1 of games.pgn: illegal san: 'Ke3'"),
        (FOOLS_MATE + "1. Nf4 *", "game 2 of games.pgn"),
        ('[FEN "nonsense"]\n[SetUp "1"]\n\n1. e4 *', "game 1"),
        ("this is just some prose, not a game", "game"),
    ],
)
def test_says_which_game_is_wrong(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InvalidPgn, match=message):
        list(read_pgn(written(tmp_path, text)))


def test_says_that_there_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"missing\.pgn"):
        list(read_pgn(tmp_path / "missing.pgn"))


def test_bytes_that_are_no_text_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn"
    file.write_bytes(FOOLS_MATE.replace("Test", "T\u00e4st").encode("latin-1"))

    assert 4 == len(next(read_pgn(file)).moves)


def test_compressed_files_are_read_and_names_may_be_text(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn.gz"
    file.write_bytes(gzip.compress(FOOLS_MATE.encode() * 2))

    assert 2 == len(list(read_pgn(file))) == len(list(read_pgn(str(file))))


def test_games_before_the_damage_come_first(tmp_path: Path) -> None:
    file = tmp_path / "games.pgn.gz"
    whole = gzip.compress(FOOLS_MATE.encode() * 2_000)
    file.write_bytes(whole[: len(whole) // 2])
    games = read_pgn(file)

    assert 4 == len(next(games).moves)
    with pytest.raises(InvalidText, match=r"games\.pgn\.gz is damaged or cut off"):
        list(games)


@pytest.mark.parametrize("text", ["1. e5 ) {a}", "1. e4 e4 ) $1", "1. e4 ( 1. e5 ) ) {a} 1... Ke3", "$" + "1" * 9_999])
def test_what_python_chess_stumbles_over_is_told(tmp_path: Path, text: str) -> None:
    """There, an illegal move and a bracket end in an IndexError, and long numbers in a ValueError."""
    with pytest.raises(InvalidPgn, match=r"game 1 of games\.pgn: "):
        list(read_pgn(written(tmp_path, text)))


def test_what_is_wrong_is_not_logged_as_well(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(InvalidPgn):
        list(read_pgn(written(tmp_path, "1. e4 e5 2. Ke3 *")))

    assert [] == caplog.records
