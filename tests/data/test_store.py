"""The game store: every game comes back, in C++ and by a slow reader written from the documentation."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_games import NO_CLOCK, RawGame, contents, made_game
from plain_store import PlainGame, read_store

from okapi.core import Color, Decision, Game, Move, Position, Value
from okapi.core.packed import NO_VALUE, pack
from okapi.data.store import Store, StoreWriter
from okapi.errors import InvalidStore, NotFound


def write(path: Path, games: list[RawGame], games_in_block: int = 16384) -> Path:
    with StoreWriter.open(path, games_in_block=games_in_block) as writer:
        for game in games:
            writer.add(game)
    return path


def as_plain(game: RawGame) -> PlainGame:
    def names(moves: list[Move]) -> list[str]:
        return [game.start.uci(move, chess960=True) for move in moves]

    return PlainGame(
        start=game.start.to_chess(chess960=True).fen(en_passant="legal"),
        moves=names(game.moves),
        result=game.result,
        hash=game.hash,
        tags=game.tags,
        values=[None if value == NO_VALUE else value for value in game.values],
        clocks=[None if clock == NO_CLOCK else clock for clock in game.clocks],
        best=names(game.best),
        lines=[names(line) for line in game.lines],
    )


def test_a_slow_reader_written_from_the_documentation_reads_the_same(tmp_path: Path) -> None:
    games = [made_game(seed) for seed in range(250)] + [made_game(1000, plies=1000), made_game(1001, plies=0)]
    path = write(tmp_path / "games.okapi", games, games_in_block=100)

    plain = read_store(path.read_bytes())

    assert plain == [as_plain(game) for game in games]
    store = Store.open(path)
    assert [contents(store.record(number)) for number in range(len(store))] == [contents(game) for game in games]
    assert store.verify() == []


TAGS = st.lists(st.tuples(st.text(max_size=9), st.text(max_size=20) | st.integers().map(str)), max_size=6)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 10**6), TAGS), max_size=12), st.integers(1, 5))
def test_whatever_goes_in_comes_out(tmp_path_factory: pytest.TempPathFactory, made: list, games_in_block: int) -> None:
    games = []
    for seed, tags in made:
        game = made_game(seed, plies=seed % 30)
        _, _, moves, result, values, best, lines, clocks = contents(game)
        games.append(
            RawGame(
                tags=tags, start=game.start, moves=moves, result=result, values=values, best=best, lines=lines,
                clocks=clocks,
            )
        )  # fmt: skip
    path = write(tmp_path_factory.mktemp("store") / "games.okapi", games, games_in_block)

    store = Store.open(path)

    assert [contents(store.record(number)) for number in range(len(store))] == [contents(game) for game in games]


def test_a_game_comes_back_with_what_was_thought(tmp_path: Path) -> None:
    start = Position.start()
    e4, e5 = start.move("e4"), start.after("e4").move("e5")
    thoughts = (
        Decision(e4, Value.from_centipawns(35, Color.WHITE), (e4, e5), nodes=0),
        Decision(e5, Value.from_mate(-7, Color.BLACK), (e5,), nodes=0),
    )
    game = Game(start, (e4, e5), "1-0", thoughts, {"White": "Ä", "Black": "B", "Round": "1.2"}, (60_000, None))
    with StoreWriter.open(tmp_path / "games.okapi") as writer:
        writer.add(game)

    store = Store.open(tmp_path / "games.okapi")

    assert store[0] == store[-1] == game
    assert list(store) == store[:] == [game]
    with pytest.raises(IndexError, match="no game 1"):
        store[1]


def test_positions_and_samples_in_bulk(tmp_path: Path) -> None:
    games = [made_game(seed) for seed in range(30)]
    store = Store.open(write(tmp_path / "games.okapi", games, games_in_block=7))
    rng = np.random.default_rng(1)
    which = rng.integers(0, len(games), 500)
    plies = rng.integers(0, store.plies()[which].astype(int) + 1)

    positions, samples = store.positions(which, plies), store.samples(which, plies)

    for row, sample, number, ply in zip(positions, samples, which, plies, strict=True):
        game = games[number]
        position = game.start.copy()
        for move in game.moves[:ply]:
            position.pass_turn() if move == Move.none() else position.play(move)
        assert row == pack([position])[0]
        assert sample["position"] == row and sample["game"] == number and sample["ply"] == ply
        assert sample["value"] == (game.values[ply] if game.values else NO_VALUE)
    with pytest.raises(IndexError):
        store.positions([0, len(games)], [0, 0])
    with pytest.raises(IndexError):
        store.positions([0], [70_000])


def test_columns(tmp_path: Path) -> None:
    games = [made_game(seed) for seed in range(80)]
    store = Store.open(write(tmp_path / "games.okapi", games, games_in_block=30))
    columns, white = store.columns(), store.texts("White")

    for number, game in enumerate(games):
        tags = dict(reversed(game.tags))
        assert columns.hash[number] == game.hash and columns.plies[number] == len(game.moves)
        assert columns.result[number] == {"*": -1, "0-1": 0, "1/2-1/2": 1, "1-0": 2}[game.result]
        assert white[number] == tags.get("White")
        assert columns.white_elo[number] == int(tags.get("WhiteElo", -1))
        assert columns.black_elo[number] == -1
        assert columns.year[number] == int(tags["Date"][:4] if "Date" in tags else -1)
        assert columns.has_values[number] == bool(game.values)


def test_a_store_grows(tmp_path: Path) -> None:
    path = tmp_path / "games.okapi"
    games = [made_game(seed) for seed in range(9)]
    for number, game in enumerate(games):
        with StoreWriter.open(path) as writer:
            assert len(writer) == number and writer.cursor == (None if number == 0 else {"next": number})
            writer.add(game)
            writer.flush({"next": number + 1})

    store = Store.open(path)

    assert [contents(store.record(number)) for number in range(len(store))] == [contents(game) for game in games]
    assert store.cursor == {"next": 9}


def test_two_stores_become_one(tmp_path: Path) -> None:
    games = [made_game(seed) for seed in range(20)]
    parts = [write(tmp_path / "a.okapi", games[:13], 5), write(tmp_path / "b.okapi", games[13:], 5)]
    with StoreWriter.open(tmp_path / "both.okapi", games_in_block=5) as writer:
        for part in map(Store.open, parts):
            for number in range(len(part)):
                writer.add(part.record(number))

    assert (tmp_path / "both.okapi").read_bytes() == write(tmp_path / "once.okapi", games, 5).read_bytes()


WRITER = """
import sys
sys.path[:0] = [sys.argv[2]]
from made_games import made_game
from okapi.data.store import StoreWriter
with StoreWriter.open(sys.argv[1], games_in_block=3) as writer:
    seed = (writer.cursor or {"next": 0})["next"]
    while seed < 40:
        writer.add(made_game(seed, plies=20))
        seed += 1
        if writer.full:
            writer.flush({"next": seed})
            print(seed, flush=True)
    writer.flush({"next": seed})
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGKILL")
def test_a_killed_writer_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    def command(name: str) -> list[str]:
        return [sys.executable, "-c", WRITER, str(tmp_path / name), str(Path(__file__).parent)]

    for blocks in (1, 4):
        with subprocess.Popen(command("killed"), stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            for _ in range(blocks):
                process.stdout.readline()
            os.kill(process.pid, signal.SIGKILL)
    with (tmp_path / "killed").open("ab") as file:
        file.write(b"\x8fBLK torn")
    subprocess.run(command("killed"), check=True, capture_output=True)
    subprocess.run(command("undisturbed"), check=True, capture_output=True)

    assert (tmp_path / "killed").read_bytes() == (tmp_path / "undisturbed").read_bytes()
    assert len(Store.open(tmp_path / "killed")) == 40


def test_damage_is_named_and_does_not_spread(tmp_path: Path) -> None:
    games = [made_game(seed) for seed in range(9)]
    path = write(tmp_path / "games.okapi", games, games_in_block=3)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)

    store = Store.open(path)

    assert len(store.verify()) == 1 and "block 1" in store.verify()[0]
    assert contents(store.record(0)) == contents(games[0]) and contents(store.record(8)) == contents(games[8])
    with pytest.raises(InvalidStore, match=r"block 1 \(at byte \d+, 3 games from number 3 on\) is damaged"):
        store[4]


def test_errors_say_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="No such file"):
        Store.open(tmp_path / "nothing.okapi")
    (tmp_path / "text.okapi").write_text("1. e4 e5 *")
    with pytest.raises(InvalidStore, match="no game store") as refused:
        Store.open(tmp_path / "text.okapi")
    assert "okapi games import" in refused.value.hint
    with pytest.raises(InvalidStore, match="no game store"):
        StoreWriter.open(tmp_path / "text.okapi")
    writer = StoreWriter.open(tmp_path / "games.okapi")
    of_another_game = Position.from_fen("3k4/8/8/8/8/8/4R3/4K3 w - - 0 1").move("Re5")
    with pytest.raises(ValueError, match="no piece can play e2e5"):
        writer.add(Game(Position.start(), (of_another_game,), "*"))
    with pytest.raises(InvalidStore, match="another program"):
        StoreWriter.open(tmp_path / "games.okapi")
    writer.close()
    with pytest.raises(ValueError, match="closed"):
        writer.flush()
