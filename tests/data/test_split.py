"""Games keep their part whatever happens around them, and no position of a later part stands in an earlier one."""

import json
import os
from pathlib import Path

import chess
import numpy as np
import pytest
from shuffled_games import some_games, stored

from okapi.cli import main
from okapi.cli.console import Exit
from okapi.core import Game
from okapi.core.packed import NO_GAME, SAMPLE
from okapi.data import split as split_module
from okapi.data.split import LAST_PLY, Shares, Split, Subset, in_chunks, make_split, subsets_of
from okapi.data.store import Store
from okapi.errors import InvalidSplit, UsageError

SHARES = Shares(50, 20, 20, salt=5)


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return some_games()


@pytest.fixture(scope="module")
def path(games: list[Game], tmp_path_factory: pytest.TempPathFactory) -> Path:
    return stored(tmp_path_factory.mktemp("split") / "games.okapi", games)


@pytest.fixture(scope="module")
def store(path: Path) -> Store:
    return Store.open(path)


@pytest.fixture(scope="module")
def split(store: Store) -> Split:
    return make_split(store, SHARES)


def boards(game: Game) -> list[tuple[str, bool]]:
    """Each position of a game as text without counters, and whether it stands after move 10; by python-chess."""
    board = chess.Board(game.start.fen())
    found = []
    for ply in range(len(game.moves) + 1):
        found.append((board.epd(en_passant="legal"), ply >= 20 or board.fullmove_number > 10))
        if ply < len(game.moves):
            board.push_uci(str(game.moves[ply]))
    return found


def allowed(split: Split, number: int, game: Game) -> list[bool]:
    return split.allows(np.array([number]), np.arange(len(game.moves) + 1)).tolist()


# --- The promise ----------------------------------------------------------------------------------------------------


def test_no_position_of_a_later_part_is_used_in_an_earlier_one_and_no_other_is_left_out(
    games: list[Game], split: Split
) -> None:
    held: set[str] = set()
    left_out = 0
    for part in (Subset.TEST, Subset.VALIDATION, Subset.TRAIN):
        late: set[str] = set()
        for number in np.flatnonzero(split.subsets == part):
            positions = boards(games[number])
            expected = [text not in held for text, _ in positions]
            assert expected == allowed(split, number, games[number])
            left_out += expected.count(False)
            late.update(text for text, is_late in positions if is_late)
        held |= late
    assert 500 < left_out == split.counts["left_out"], "too few transpositions to prove anything"


def test_in_several_passes_it_is_the_same(store: Store, split: Split, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(split_module, "MOST_KEYS", 100)
    monkeypatch.setattr(split_module, "POSITIONS_AT_ONCE", 300)
    told: list[float] = []
    again = make_split(store, SHARES, told.append)

    assert split.runs.tolist() == again.runs.tolist()
    assert 1.0 == pytest.approx(told[-1]) and told == sorted(told)


def test_games_of_no_part_allow_nothing(games: list[Game], split: Split) -> None:
    number = int(np.flatnonzero(split.subsets == Subset.NONE)[0])

    assert not any(allowed(split, number, games[number]))


def test_what_it_does_not_know_is_not_allowed(split: Split) -> None:
    assert not split.allows(len(split), 3).any()
    assert not split.allows(int(split.games("train")[0]), LAST_PLY + 1).any()


def test_counts_are_what_it_allows(games: list[Game], split: Split) -> None:
    for part in ("train", "validation", "test"):
        assert len(split.games(part)) == split.counts[part]
        assert sum(sum(allowed(split, n, games[n])) for n in split.games(part)) == split.counts["positions"][part]


# --- Stability ------------------------------------------------------------------------------------------------------


def test_another_order_gives_the_same_parts_and_positions(games: list[Game], split: Split, tmp_path: Path) -> None:
    order = list(range(len(games)))[::-1]
    other = make_split(Store.open(stored(tmp_path / "other.okapi", [games[n] for n in order])), SHARES)

    assert split.subsets[order].tolist() == other.subsets.tolist()
    assert [allowed(split, n, games[n]) for n in order] == [allowed(other, i, games[n]) for i, n in enumerate(order)]


def test_games_that_are_added_move_no_game(games: list[Game], split: Split, tmp_path: Path) -> None:
    fewer = make_split(Store.open(stored(tmp_path / "fewer.okapi", games[:70])), SHARES)

    assert split.subsets[:70].tolist() == fewer.subsets.tolist()


def test_a_larger_share_keeps_its_games() -> None:
    hashes = np.random.default_rng(1).integers(0, 2**63, 4000).astype(np.uint64)
    small, large = subsets_of(hashes, Shares(40, 10, 5)), subsets_of(hashes, Shares(60, 10, 15))

    for part in (Subset.TRAIN, Subset.TEST):
        assert not ((small == part) & (large != part)).any()


def test_shares_are_kept_and_a_salt_changes_the_games() -> None:
    hashes = np.arange(20_000, dtype=np.uint64)  # neighbours, as bad hashes may be
    parts = subsets_of(hashes, Shares(70, 20, 10))
    shares = [float((parts == part).mean()) for part in (Subset.NONE, Subset.TRAIN, Subset.VALIDATION, Subset.TEST)]

    assert shares == pytest.approx([0, 0.7, 0.2, 0.1], abs=0.01)
    assert 0.3 < (parts != subsets_of(hashes, Shares(70, 20, 10, salt=1))).mean() < 0.6


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ((80, 15, 10), "--train 80 --validation 15 --test 10 make 105 %"),
        ((120, 0, 0), "--train 120 is not a share"),
        ((50, -1, 0), "--validation -1 is not a share"),
    ],
)
def test_impossible_shares_are_refused(shares: tuple[float, float, float], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        Shares(*shares)


def test_there_is_no_other_part(split: Split) -> None:
    with pytest.raises(UsageError, match="`exam` is no subset"):
        split.games("exam")


# --- The file -------------------------------------------------------------------------------------------------------


def test_a_file_gives_the_same_split_back(split: Split, tmp_path: Path) -> None:
    split.write(tmp_path / "a.split")
    again = Split.open(tmp_path / "a.split")

    assert (split.shares, split.of, split.counts) == (again.shares, again.of, again.counts)
    assert (split.subsets.tolist(), split.runs.tolist()) == (again.subsets.tolist(), again.runs.tolist())


def test_every_damaged_byte_is_noticed(split: Split, tmp_path: Path) -> None:
    file = tmp_path / "a.split"
    split.write(file)
    data = file.read_bytes()
    for place in [*range(40), *range(40, len(data), 97)]:
        file.write_bytes(data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :])
        with pytest.raises(InvalidSplit):
            Split.open(file)
    for length in (0, 5, 16, len(data) - 1):
        file.write_bytes(data[:length])
        with pytest.raises(InvalidSplit):
            Split.open(file)


def test_a_writer_that_is_stopped_leaves_the_old_file(
    split: Split, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "a.split"
    split.write(file)
    before = file.read_bytes()

    def stopped(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", stopped)
    with pytest.raises(KeyboardInterrupt):
        Split(Shares(1, 1, 1), "other", split.subsets, split.runs, split.counts).write(file)
    assert before == file.read_bytes()


def test_a_split_knows_its_store(games: list[Game], store: Store, split: Split, tmp_path: Path) -> None:
    split.check(store.hashes())
    grown = Store.open(stored(tmp_path / "grown.okapi", [*games, games[0]]))
    other = Store.open(stored(tmp_path / "other.okapi", games[::-1]))

    with pytest.raises(InvalidSplit, match="knows 150 of the store's 151 games"):
        split.check(grown.hashes())
    with pytest.raises(InvalidSplit, match="another store"):
        split.check(other.hashes())


# --- The command ----------------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, object]:
    assert Exit.DONE == main(["games", "split", *map(str, words), "--json"])
    (line,) = capsys.readouterr().out.splitlines()
    answer: dict[str, object] = json.loads(line)
    return answer


def test_the_command_writes_beside_the_store(
    games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = stored(tmp_path / "games.okapi", games)
    answer = run(capsys, path)

    assert {"games", "train", "validation", "test", "positions", "left_out", "seconds", "file"} <= set(answer)
    assert answer["train"] == len(Split.open(tmp_path / "games.okapi.split").games("train"))


def test_the_same_command_brings_it_up_to_date(
    games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = stored(tmp_path / "games.okapi", games[:100])
    run(capsys, path)
    before = Split.open(tmp_path / "games.okapi.split").subsets
    stored(path, games[100:])
    answer = run(capsys, path)

    assert 150 == answer["games"]
    assert before.tolist() == Split.open(tmp_path / "games.okapi.split").subsets[:100].tolist()
    written = (tmp_path / "games.okapi.split").stat().st_mtime_ns
    run(capsys, path)
    assert written == (tmp_path / "games.okapi.split").stat().st_mtime_ns


def test_another_split_is_not_replaced_by_mistake(
    games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = stored(tmp_path / "games.okapi", games)
    run(capsys, path)

    assert Exit.USAGE == main(["games", "split", str(path), "--train", "70"])
    assert "--train 80 --validation 10 --test 10 --salt 0" in capsys.readouterr().err
    run(capsys, path, "--train", "70", "--fresh")
    assert 70 == Split.open(tmp_path / "games.okapi.split").shares.train


def test_people_see_a_table(games: list[Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = stored(tmp_path / "games.okapi", games)

    assert Exit.DONE == main(["games", "split", str(path), "--to", str(tmp_path / "my.split")])
    assert "positions are left out" in capsys.readouterr().out
    assert (tmp_path / "my.split").exists()


def test_an_empty_or_missing_store_is_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert Exit.INPUT == main(["games", "split", str(stored(tmp_path / "empty.okapi", []))])
    assert "holds no games" in capsys.readouterr().err
    assert Exit.INPUT == main(["games", "split", str(tmp_path / "nowhere.okapi")])


def test_samples_of_a_store_are_split_with_it(store: Store, split: Split) -> None:
    """Rows of a sample file that was made from the store say their game and ply."""
    plies = store.plies()
    rows = np.concatenate([store.samples(of, ply) for of, ply in in_chunks(plies, np.arange(len(store)))])
    strangers = np.zeros(3, SAMPLE)
    strangers["game"] = NO_GAME
    for part in ("train", "test"):
        mine = np.isin(rows["game"], split.games(part)) & split.allows(rows["game"], rows["ply"])

        assert split.counts["positions"][part] == int(mine.sum())
    assert not split.allows(strangers["game"], strangers["ply"]).any()


def test_an_empty_part_is_empty(store: Store) -> None:
    assert 0 == len(make_split(store, Shares(90, 10, 0)).games("test"))
