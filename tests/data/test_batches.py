"""Sampling: everything once, nothing twice, the same again, and as likely as it should be."""

import json
from pathlib import Path

import numpy as np
import pytest

from okapi.analysis.disagreement.chosen import chosen_positions
from okapi.core import Game, Position
from okapi.core.packed import NO_GAME, NO_VALUE, SAMPLE, fens, pack, pack_fens
from okapi.core.samples import Columns, move_texts, quiet
from okapi.core.traits import Trait, traits
from okapi.data import batches as module
from okapi.data.batches import Batches, By, Sampler
from okapi.data.convert import read_samples, write_samples
from okapi.data.doctor import admit
from okapi.data.export import export_games
from okapi.data.filters import Filters
from okapi.data.ingest import import_games
from okapi.data.parts import part_of_samples, part_of_store
from okapi.data.positions import read_positions
from okapi.data.reading import read_games
from okapi.data.runs import About, Run
from okapi.data.samples import SampleWriter, is_sample_file
from okapi.data.shuffle import Shuffle, hashed
from okapi.data.sources import Source, StoreSource, Together, open_source
from okapi.data.split import Shares, Split
from okapi.data.splitting import make_split
from okapi.data.store import Store, StoreWriter, is_store
from okapi.errors import InvalidSamples, NotFound
from okapi.formats.samples import Skipped

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


def nodes(batches: list[np.ndarray]) -> list[int]:
    return np.concatenate(batches)["nodes"].tolist() if batches else []


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


@pytest.mark.parametrize("size", [1, 7, 64, 1000])
def test_every_sample_comes_exactly_once_an_epoch(size: int) -> None:
    batches = list(Batches.of([ArraySource(LENGTHS)], size=size, seed=5, epochs=3))
    seen = nodes(batches)

    assert {size} >= {len(batch) for batch in batches[:-1]}
    for epoch in range(3):
        assert list(range(160)) == sorted(seen[160 * epoch : 160 * (epoch + 1)])
    assert seen[:160] != seen[160:320]


def test_the_same_seed_gives_the_same_batches() -> None:
    def first(seed: int) -> list[int]:
        stream = Batches.of([ArraySource(LENGTHS)], size=50, seed=seed)
        return nodes([next(stream) for _ in range(10)])

    assert first(1) == first(1) != first(2)


@pytest.mark.parametrize("by", ["positions", "games"])
@pytest.mark.parametrize("weights", [None, [3.0, 1.0]])
@pytest.mark.parametrize("filters", [None, Filters(plies=(2, 50))], ids=["all", "some"])
@pytest.mark.parametrize("at_a_time", [3, 1 << 14])
def test_a_run_that_was_stopped_goes_on_exactly_where_it_was(
    by: By, weights: list[float] | None, filters: Filters | None, at_a_time: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def begin() -> Batches:
        sources = [ArraySource(LENGTHS), ArraySource([30, 20], first=1000)]
        return Batches.of(sources, size=13, seed=8, by=by, filters=filters, weights=weights)

    undisturbed = begin()
    expected = [next(undisturbed)["nodes"].tolist() for _ in range(40)]

    monkeypatch.setattr(module, "AT_A_TIME", at_a_time)  # what comes out does not depend on it
    got: list[list[int]] = []
    state = json.loads(json.dumps(begin().state))
    while len(got) < 40:
        stream = begin()
        stream.restore(state)
        got += [next(stream)["nodes"].tolist() for _ in range(1 + len(got) % 5)]
        state = json.loads(json.dumps(stream.state))

    assert expected == got[:40]


def test_a_state_of_other_data_is_refused() -> None:
    state = Batches.of([ArraySource([5])], size=2, seed=1).state

    with pytest.raises(InvalidSamples, match="there were 5, and there are 6"):
        Batches.of([ArraySource([6])], size=2, seed=1).restore(state)
    with pytest.raises(InvalidSamples, match="another seed"):
        Batches.of([ArraySource([5])], size=2, seed=2).restore(state)


def test_by_games_every_game_is_equally_likely_and_then_every_position_of_it() -> None:
    sampler = Sampler(ArraySource(LENGTHS), seed=3, by="games")
    rows = sampler.draw(7 * 2000)
    games = np.bincount(rows["game"], minlength=8)

    assert [2000, 2000, 2000, 2000, 2000, 2000, 0, 2000] == games.tolist()  # once an epoch: not just on average
    for game, length in enumerate(LENGTHS):
        if length > 1:
            plies = np.bincount(rows["ply"][rows["game"] == game], minlength=length)
            assert abs(chi_square(plies, 2000 / length)) < 4, game


def test_by_games_the_order_of_games_is_random() -> None:
    """Which game comes first, over many seeds."""
    first = [Sampler(ArraySource([4] * 10), seed=seed, by="games").draw(1)["game"][0] for seed in range(1000)]

    assert abs(chi_square(np.bincount(first, minlength=10), 100.0)) < 4


def test_by_positions_a_long_game_is_as_much_likelier_as_it_is_longer() -> None:
    rows = Sampler(ArraySource(LENGTHS), seed=3).draw(160 * 50)

    assert [50 * length for length in LENGTHS] == np.bincount(rows["game"], minlength=8).tolist()


def test_by_games_filters_choose_among_the_positions_that_pass() -> None:
    rows = Sampler(ArraySource([50] * 20), seed=3, by="games", filters=Filters(plies=(10, 29))).draw(20 * 300)

    assert (10, 29) == (rows["ply"].min(), rows["ply"].max())
    assert abs(chi_square(np.bincount(rows["ply"], minlength=30)[10:], 300.0)) < 4
    assert np.bincount(rows["game"]).min() > 295  # 16 tries may fail, once in 3,500 times


def test_weights_are_kept_to_within_one_sample() -> None:
    sources: list[Source] = [ArraySource([1000]), ArraySource([10], first=1000), ArraySource([50], first=2000)]
    stream = Batches.of(sources, size=7, seed=1, weights=[0.5, 0.2, 0.3])
    seen = np.zeros(0, np.int64)
    for _ in range(300):
        batch = next(stream)["nodes"].astype(np.int64)
        assert 7 == len(batch)
        seen = np.concatenate([seen, batch // 1000])
        counts = np.bincount(seen, minlength=3)
        assert np.abs(counts - len(seen) * np.array([0.5, 0.2, 0.3])).max() <= 1.001


def test_the_rows_of_a_mixed_batch_are_mixed() -> None:
    stream = Batches.of([ArraySource([1000]), ArraySource([1000], first=1000)], size=100, seed=1, weights=[1, 1])
    first = sum(int((next(stream)["nodes"][:50] < 1000).sum()) for _ in range(100))

    assert 2300 < first < 2700


def test_no_samples_and_none_that_pass() -> None:
    with pytest.raises(NotFound, match="no samples"):
        Sampler(ArraySource([]), seed=1)
    with pytest.raises(NotFound, match="passes the filters"):
        Sampler(ArraySource([9]), seed=1, filters=Filters(plies=(20, 30))).draw(1)
    with pytest.raises(NotFound, match="passes the filters"):
        Sampler(ArraySource([9]), seed=1, by="games", filters=Filters(plies=(20, 30))).draw(1)


class TestSources:
    def test_a_file_gives_its_rows_and_games(self, tmp_path: Path) -> None:
        array = ArraySource([3, 4, 2])
        array.rows["game"][7:] = NO_GAME
        with SampleWriter.open(tmp_path / "a.samples", columns=Columns(wdl=True)) as writer:
            for part in np.array_split(array.rows, 4):
                writer.append(part)
                writer.commit()
        source = open_source(tmp_path / "a.samples")

        assert (9, [0, 3, 7, 8, 9]) == (len(source), source.games().tolist())
        assert array.rows[[8, 0, 5]].tobytes() == source.take(np.array([8, 0, 5])).tobytes()
        assert list(range(9)) == sorted(nodes(list(Batches.of([source], size=4, epochs=1))))

    def test_names_of_files_may_be_text(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        """From a PGN to batches and back, with every function that takes a file."""
        monkeypatch.chdir(tmp_path)
        Path("a.pgn").write_text("1. e4 e5 2. Nf3 Nc6 1-0\n\n1. d4 d5 0-1\n")

        assert 2 == import_games(["a.pgn"], "a.okapi", report="bad.txt").games
        assert (is_store("a.okapi"), is_sample_file("a.okapi")) == (True, False)
        make_split(Store.open("a.okapi"), Shares(100, 0, 0)).write("a.okapi.split")
        assert 6 == len(open_source("a.okapi")) == len(part_of_store("a.okapi", "train"))
        assert 6 == sum(len(chunk.rows) for chunk in read_positions(["a.pgn"], Skipped()))

        write_samples("a.samples", read_samples("a.okapi"))
        split = Split.open("a.okapi.split")
        assert 6 == len(open_source("a.samples")) == len(part_of_samples("a.samples", "train", split))
        assert 2 == admit("a.okapi").mend("b.okapi")
        assert 5 == admit("a.samples").mend("b.samples")  # the start of both games is one position
        assert 1 == len(chosen_positions("b.samples", 1, Skipped(), lambda part: None))
        assert 2 == export_games("b.okapi", "b.pgn.gz") == len(list(read_games("b.pgn.gz")))
        with Run.start("b.run", "test"):
            pass
        assert "done" == About.read("b.run").state

    def test_an_empty_file(self, tmp_path: Path) -> None:
        SampleWriter.open(tmp_path / "a.samples").close()

        assert [0] == open_source(tmp_path / "a.samples").games().tolist()

    def test_a_store_is_asked_for_games_and_plies(self) -> None:
        array = ArraySource(LENGTHS)
        source = StoreSource(array)
        numbers = np.random.default_rng(1).permutation(160)

        assert 160 == len(source)
        assert array.rows[numbers].tobytes() == source.take(numbers).tobytes()
        assert array.games().tolist() == source.games().tolist()

    def test_a_store_gives_every_position_in_which_a_move_was_played(self, tmp_path: Path) -> None:
        lines = ["e4 e5 Nf3 Nc6 Bb5", "", "f3 e5 g4 Qh4#", "d4"]
        games = [Game.of(line.split()) for line in lines]
        with StoreWriter.open(tmp_path / "games.okapi") as writer:
            for game in games:
                writer.add(game)
        played = [(position.fen(), str(move)) for game in games for position, move in game.positions()]

        rows = np.concatenate(list(Batches.of([open_source(tmp_path / "games.okapi")], size=3, epochs=1)))

        assert 10 == len(rows)
        assert sorted(played) == sorted(zip(fens(rows["position"]), move_texts(rows), strict=True))
        assert {(0, 4): -1, (2, 2): 0, (2, 3): 2}.items() <= {
            (row["game"], row["ply"]): row["result"] for row in rows
        }.items()
        assert [0, 5, 5, 9, 10] == StoreSource(Store.open(tmp_path / "games.okapi")).games().tolist()

    def test_together_is_one_after_the_other(self) -> None:
        both = Together([ArraySource([3, 2]), ArraySource([4], first=5), ArraySource([], first=9)])

        assert (9, [0, 3, 5, 9]) == (len(both), both.games().tolist())
        assert [8, 0, 4, 5] == both.take(np.array([8, 0, 4, 5]))["nodes"].tolist()
        assert 0 == len(both.take(np.zeros(0, np.int64)))


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
            (Filters(), [True, True, True]),
            (Filters(plies=(10, 19)), [False, True, False]),
            (Filters(pieces=(3, 4)), [False, True, True]),
            (Filters(largest_value=1000), [True, False, False]),
            (Filters(with_value=True), [True, False, True]),
            (Filters(with_result=True), [False, True, True]),
            (Filters(with_move=True), [False, True, False]),
            (Filters(without_random=True), [False, True, True]),
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
        assert np.array_equal(expected, Filters(quiet=True).keep(rows))
        assert 0.3 < expected.mean() < 0.95

    def test_hostile_rows_are_not_quiet_and_do_no_harm(self) -> None:
        noise = np.random.default_rng(1).integers(0, 256, (5000, 48), dtype=np.uint8).view(SAMPLE)[:, 0]

        assert len(noise) == len(quiet(noise))
        assert not quiet(np.zeros(3, SAMPLE)).any()
