"""Samples by number from files and stores, in a computed random order, and filters."""

from pathlib import Path

import numpy as np
import pytest

from okapi.analysis.positions import sample_positions
from okapi.core import Game, Position
from okapi.core.packed import NO_GAME, NO_VALUE, SAMPLE, Trait, fens, pack, pack_fens, traits
from okapi.core.samples import Columns, move_texts, quiet
from okapi.data.doctor import examine
from okapi.data.pgn import export_games, import_games, read_games
from okapi.data.runs import Run, RunInfo
from okapi.data.samples import SampleFilter, SampleWriter, is_sample_file
from okapi.data.shuffle import Shuffle, hashed
from okapi.data.sources import StoreSource, open_source, read_positions, read_samples, write_samples
from okapi.data.split import Shares, Split, make_split
from okapi.data.store import Store, StoreWriter, is_store
from okapi.formats.samples import SkippedSamples

LENGTHS = [3, 1, 40, 7, 7, 100, 0, 2]


class ArraySource:
    """Samples in memory; `nodes` is the number of each."""

    def __init__(self, lengths: list[int], first: int = 0) -> None:
        self.rows = np.zeros(sum(lengths), SAMPLE)
        self.rows["nodes"] = np.arange(first, first + sum(lengths))
        self.rows["game"] = np.repeat(np.arange(len(lengths)), lengths)
        self.rows["ply"] = np.concatenate([np.arange(0), *map(np.arange, lengths)])
        self._games = np.concatenate([[0], np.cumsum(lengths)])

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, numbers: np.ndarray) -> np.ndarray:
        return self.rows[numbers]

    def games(self) -> np.ndarray:
        return self._games

    def plies(self) -> np.ndarray:
        return np.diff(self._games).astype(np.uint16)

    def samples(self, games: np.ndarray, plies: np.ndarray) -> np.ndarray:
        return self.rows[self._games[games] + plies]


def chi_square(counts: np.ndarray, expected: np.ndarray | float) -> float:
    """How many standard deviations the counts are away from what was expected."""
    freedom = len(counts) - 1
    return float((((counts - expected) ** 2 / expected).sum() - freedom) / (2 * freedom) ** 0.5)


class TestShuffle:
    @pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 16, 17, 1000, 4096, 70_001])
    def test_every_number_comes_once(self, size: int) -> None:
        assert list(range(size)) == sorted(Shuffle(size, seed=3)[:].tolist())

    def test_the_order_is_the_same_however_it_is_asked_for(self) -> None:
        whole = Shuffle(1000, seed=4)[:].tolist()

        assert whole == [number for start in range(0, 1000, 7) for number in Shuffle(1000, seed=4)[start : start + 7]]
        assert whole != Shuffle(1000, seed=5)[:].tolist()

    def test_huge_ranges_cost_nothing(self) -> None:
        some = Shuffle(10**15, seed=1)[10**14 : 10**14 + 1000]

        assert 1000 == len(set(some.tolist()))
        assert 0 <= some.min() and some.max() < 10**15

    def test_a_number_may_stand_anywhere(self) -> None:
        """Over many seeds, each place holds each number equally often."""
        counts = np.zeros((13, 13))
        for seed in range(3900):
            counts[np.arange(13), Shuffle(13, seed=seed)[:]] += 1

        assert abs(chi_square(counts.ravel(), 300.0)) < 4

    def test_neighbours_do_not_stay_neighbours(self) -> None:
        order = Shuffle(100_000, seed=9)[:]
        steps = np.diff(order)

        assert (np.abs(steps) == 1).sum() < 20
        assert abs(float(np.corrcoef(order[:-1], order[1:])[0, 1])) < 0.02
        assert abs(chi_square(np.bincount(order[:10_000] // 1000, minlength=100).astype(float), 100.0)) < 4

    def test_hashes_use_all_bits(self) -> None:
        bits = np.unpackbits(hashed(np.arange(4096), seed=2).view(np.uint8)).reshape(4096, 64).mean(axis=0)

        assert 0.45 < bits.min() and bits.max() < 0.55


class TestSources:
    def test_a_file_gives_its_rows_and_games(self, tmp_path: Path) -> None:
        array = ArraySource([3, 4, 2])
        array.rows["game"][7:] = NO_GAME
        with SampleWriter.open(tmp_path / "a.samples", columns=Columns(wdl=True)) as writer:
            for part in np.array_split(array.rows, 4):
                writer.append(part)
                writer.commit()
        source = open_source(tmp_path / "a.samples")

        assert 9 == len(source)
        assert array.rows[[8, 0, 5]].tobytes() == source.take(np.array([8, 0, 5])).tobytes()

    def test_names_of_files_may_be_text(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """From a PGN to samples and back, with every function that takes a file."""
        monkeypatch.chdir(tmp_path)
        Path("a.pgn").write_text("1. e4 e5 2. Nf3 Nc6 1-0\n\n1. d4 d5 0-1\n")

        assert 2 == import_games(["a.pgn"], "a.okapi", report="bad.txt").games
        assert (is_store("a.okapi"), is_sample_file("a.okapi")) == (True, False)
        make_split(Store.open("a.okapi"), Shares(100, 0, 0)).write("a.okapi.split")
        assert 6 == len(open_source("a.okapi"))
        assert 6 == sum(len(chunk.rows) for chunk in read_positions(["a.pgn"], SkippedSamples()))

        write_samples("a.samples", read_samples("a.okapi"))
        assert [0, 1] == Split.open("a.okapi.split").games("train").tolist()
        assert 6 == len(open_source("a.samples"))
        assert 2 == examine("a.okapi").fix("b.okapi")
        assert 5 == examine("a.samples").fix("b.samples")  # the start of both games is one position
        assert 1 == len(sample_positions("b.samples", 1, SkippedSamples(), lambda part: None))
        assert 2 == export_games("b.okapi", "b.pgn.gz") == len(list(read_games("b.pgn.gz")))
        with Run.start("b.run", "test"):
            pass
        assert "done" == RunInfo.read("b.run").state

    def test_an_empty_file(self, tmp_path: Path) -> None:
        SampleWriter.open(tmp_path / "a.samples").close()

        assert 0 == len(open_source(tmp_path / "a.samples"))

    def test_a_store_is_asked_for_games_and_plies(self) -> None:
        array = ArraySource(LENGTHS)
        source = StoreSource(array)
        numbers = np.random.default_rng(1).permutation(160)

        assert 160 == len(source)
        assert array.rows[numbers].tobytes() == source.take(numbers).tobytes()

    def test_a_store_gives_every_position_in_which_a_move_was_played(self, tmp_path: Path) -> None:
        lines = ["e4 e5 Nf3 Nc6 Bb5", "", "f3 e5 g4 Qh4#", "d4"]
        games = [Game.of(line.split()) for line in lines]
        with StoreWriter.open(tmp_path / "games.okapi") as writer:
            for game in games:
                writer.add(game)
        played = [(position.fen(), str(move)) for game in games for position, move in game.positions()]

        source = open_source(tmp_path / "games.okapi")
        rows = source.take(np.arange(len(source)))

        assert 10 == len(rows)
        assert sorted(played) == sorted(zip(fens(rows["position"]), move_texts(rows), strict=True))
        assert {(0, 4): -1, (2, 2): 0, (2, 3): 2}.items() <= {
            (row["game"], row["ply"]): row["result"] for row in rows
        }.items()


class TestFilters:
    def test_each_by_itself(self) -> None:
        rows = np.zeros(3, SAMPLE)
        rows["position"] = pack_fens(
            ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/4PP2/4K3 b - - 0 1"]
        )
        rows["ply"] = 5, 10, 20
        rows["value"] = 50, NO_VALUE, -31990
        rows["result"] = -1, 0, 2
        rows["move"] = 0, 700, 0
        rows["flags"] = 1, 0, 0
        for filters, expected in (
            (SampleFilter(), [True, True, True]),
            (SampleFilter(plies=(10, 19)), [False, True, False]),
            (SampleFilter(pieces=(3, 4)), [False, True, True]),
            (SampleFilter(largest_value=1000), [True, False, False]),
            (SampleFilter(with_value=True), [True, False, True]),
            (SampleFilter(with_result=True), [False, True, True]),
            (SampleFilter(with_move=True), [False, True, False]),
            (SampleFilter(without_random=True), [False, True, True]),
        ):
            assert expected == filters.keep(rows).tolist(), filters

    def test_quiet_is_what_the_slow_twin_says(self) -> None:
        """is_quiet() sets up no position; traits() does."""
        random = np.random.default_rng(7)
        played = []
        for _ in range(40):
            position = Position.start()
            while moves := position.legal_moves():
                move = moves[random.integers(len(moves))]
                played.append((position.copy(), move.bits if random.random() < 0.8 else 0))
                position.play(move)
                if len(played) % 150 == 0:
                    break
        rows = np.zeros(len(played), SAMPLE)
        rows["position"] = pack(position for position, _ in played)
        rows["move"] = [move for _, move in played]
        loud = Trait.IN_CHECK | Trait.CAPTURE | Trait.PROMOTION
        expected = traits(rows["position"], rows["move"]) & int(loud) == 0

        assert np.array_equal(expected, quiet(rows))
        assert np.array_equal(expected, SampleFilter(quiet=True).keep(rows))
        assert 0.3 < expected.mean() < 0.95

    def test_hostile_rows_are_not_quiet_and_do_no_harm(self) -> None:
        noise = np.random.default_rng(1).integers(0, 256, (5000, 48), dtype=np.uint8).view(SAMPLE)[:, 0]

        assert len(noise) == len(quiet(noise))
        assert not quiet(np.zeros(3, SAMPLE)).any()
