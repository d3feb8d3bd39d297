"""Labelling: the right positions, in order, each once, and the same file however often it was interrupted."""

import gzip
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from okapi.core import Game, Limits, random_openings
from okapi.core.packed import NO_VALUE, SAMPLE, fens, pack, unpack
from okapi.data.label import LabelConfig, LabelProgress, PositionSelection, PositionSelector, label
from okapi.data.samples import RANDOM_MOVE, Samples
from okapi.data.sources import Chunk, read_positions, read_samples
from okapi.data.store import StoreWriter
from okapi.errors import InvalidSamples, NotFound, PlayerCrashed, UsageError
from okapi.formats.pgn import write_pgn
from okapi.formats.samples import SkippedSamples
from okapi.players.teacher import TeacherSettings
from okapi.uci import okapi_uci

PICKY = Path(__file__).parent.parent / "players" / "picky_engine.py"
QUICK = Limits(nodes=200)
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """Sixty positions, ten of them twice, two where the game is over, and a line that is none."""
    openings = [position.fen() for position in random_openings(60, seed=1, plies=10)]
    path = tmp_path / "positions.fen"
    path.write_text("\n".join([*openings[:30], MATED, "nonsense", *openings[:10], MATED, *openings[30:]]) + "\n")
    return path


def selected(selection: PositionSelection, size: int = 7) -> tuple[np.ndarray, PositionSelector]:
    selector = PositionSelector(selection)
    batches = list(selector.batches(read_positions(selection.sources, SkippedSamples()), size))
    assert all(len(batch) == size for batch in batches[:-1])
    return np.concatenate(batches), selector


def chunks(rows: np.ndarray, size: int) -> list[Chunk]:
    return [Chunk(rows[start : start + size], (start + size) / len(rows)) for start in range(0, len(rows), size)]


class TestPlan:
    def test_each_position_once_and_in_order(self, source: Path) -> None:
        rows, selector = selected(PositionSelection(sources=(source,)))

        openings = [position.fen() for position in random_openings(60, seed=1, plies=10)]
        assert openings == fens(rows["position"])
        assert (60, 10, 2, 1.0) == (selector.selected, selector.duplicates, selector.over, selector.fraction)
        assert {NO_VALUE} == set(rows["value"].tolist())

    def test_the_same_source_twice_gives_nothing_new(self, source: Path) -> None:
        rows, selector = selected(PositionSelection(sources=(source, source)))

        assert (60, 80) == (len(rows), selector.duplicates)

    def test_every_and_max(self, source: Path) -> None:
        rows, _ = selected(PositionSelection(sources=(source,), every=3, most=5))

        openings = random_openings(60, seed=1, plies=10)
        assert [openings[number].fen() for number in (0, 3, 6, 9, 12)] == fens(rows["position"])

    def test_every_does_not_begin_anew_with_each_chunk(self) -> None:
        openings = np.zeros(20, SAMPLE)
        openings["position"] = pack(random_openings(20, seed=2))
        selector = PositionSelector(PositionSelection(sources=(), every=3))
        rows = np.concatenate(list(selector.batches(chunks(openings, 7), 4)))

        assert fens(openings["position"][::3]) == fens(rows["position"])

    def test_a_share_gets_one_random_move_and_is_marked(self) -> None:
        before = np.zeros(4000, SAMPLE)
        before["position"] = np.repeat(pack(random_openings(100, seed=3, plies=6)), 40)
        before["result"], before["ply"] = 2, 6
        selector = PositionSelector(PositionSelection(sources=(), random_moves=0.25))
        after = np.concatenate(list(selector.batches(chunks(before, 500), 64)))

        varied = after["flags"] == RANDOM_MOVE
        reachable = {opening.after(move).fen() for opening in random_openings(100, seed=3, plies=6)
                     for move in opening.legal_moves()}  # fmt: skip
        assert 500 < varied.sum() < 1000, "of about a thousand, those that were not there before"
        assert set(fens(after["position"][varied])) <= reachable
        assert ({-1}, {7}) == (set(after["result"][varied].tolist()), set(after["ply"][varied].tolist()))
        assert ({2}, {6}) == (set(after["result"][~varied].tolist()), set(after["ply"][~varied].tolist()))

    def test_half_of_them_means_half_of_them(self) -> None:
        openings = np.zeros(2000, SAMPLE)
        openings["position"] = pack(random_openings(2000, seed=4))
        selector = PositionSelector(PositionSelection(sources=(), random_moves=0.5))
        chosen = sum(int((batch["flags"] == RANDOM_MOVE).sum()) for batch in selector.batches(chunks(openings, 99), 9))

        assert 900 < chosen < 1100

    def test_dice_depend_on_the_seed_alone(self, source: Path) -> None:
        first, again, other = (
            selected(PositionSelection(sources=(source,), random_moves=0.5, seed=seed))[0] for seed in (1, 1, 2)
        )

        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)

    def test_a_share_is_a_share(self) -> None:
        with pytest.raises(UsageError, match="of all positions"):
            PositionSelection(sources=(), random_moves=1.5)


def teaching(**more: object) -> TeacherSettings:
    return TeacherSettings(**{"command": str(okapi_uci()), "limits": QUICK, "options": {"Hash": "1"}, **more})  # type: ignore[arg-type]


def run(source: Path, to: Path, workers: int = 2, **more: object) -> LabelProgress:
    selection = PositionSelection(sources=(source,), random_moves=0.5)
    return label(LabelConfig(selection=selection, teaching=teaching(**more), to=to), workers=workers)


class TestSources:
    def test_a_store_gives_every_position_in_which_a_move_was_played(self, tmp_path: Path) -> None:
        games = [Game.of(["e4", "e5", "Qh5", "Ke7", "Qxe5#"]), Game.of(["d4", "d5", "c4"])]
        with StoreWriter.open(tmp_path / "games.okapi") as writer:
            for game in games:
                writer.add(game)
        rows, selector = selected(PositionSelection(sources=(tmp_path / "games.okapi",)), size=3)

        expected = [position.fen() for game in games for position, _ in game.positions()]
        assert [*expected[:5], *expected[6:]] == fens(rows["position"]), "the start comes twice"
        assert [0, 0, 0, 0, 0, 1, 1] == rows["game"].tolist()
        assert [2, 0, 2, 0, 2, -1, -1] == rows["result"].tolist()
        assert (1, 0) == (selector.duplicates, selector.over)

    def test_a_pgn_gives_the_same_as_the_store(self, tmp_path: Path) -> None:
        games = [Game.of(["e4", "e5", "Qh5", "Ke7", "Qxe5#"]), Game.of(["d4", "d5", "c4"])]
        text = write_pgn(games[0]) + "\n" + "1. e4 nonsense *\n\n" + write_pgn(games[1])
        with gzip.open(tmp_path / "games.pgn.gz", "wt") as file:
            file.write(text)
        with StoreWriter.open(tmp_path / "games.okapi") as writer:
            for game in games:
                writer.add(game)
        skipped = SkippedSamples()
        (from_pgn,) = read_positions([tmp_path / "games.pgn.gz"], skipped)
        (from_store,) = read_positions([tmp_path / "games.okapi"], SkippedSamples())

        for name in ("position", "result", "ply", "game"):
            assert np.array_equal(from_store.rows[name], from_pgn.rows[name])
        assert 1 == skipped.count and "games.pgn.gz, line" in skipped.told[0]


class TestLabel:
    def test_every_position_gets_its_label(self, source: Path, tmp_path: Path) -> None:
        progress = run(source, tmp_path / "labels.samples", lines=2, limits=Limits(nodes=400))
        samples = Samples.open(tmp_path / "labels.samples")
        rows, selector = selected(PositionSelection(sources=(source,), random_moves=0.5))

        assert len(rows) == len(samples) == progress.positions
        assert np.array_equal(rows["position"], samples[:]["position"])
        assert np.array_equal(rows["flags"], samples[:]["flags"])
        assert (1, selector.duplicates, 2) == (progress.unread, progress.duplicates, progress.over)
        assert samples[:]["nodes"].sum() == progress.nodes > 100 * len(rows)
        assert all(row["nodes"] > len(unpack(row["position"]).legal_moves()) for row in samples[:])
        for row in samples[:10]:
            assert row["value"] == row["lines"]["value"][0] >= row["lines"]["value"][1]
            assert row["move"] in [move.bits for move in unpack(row["position"]).legal_moves()]
        assert "Okapi" in samples.card["teacher"]
        assert {"nodes": 400} == samples.card["limits"]

    def test_the_number_of_workers_makes_no_difference(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("okapi.data.label.LARGEST_BATCH", 16)
        source = tmp_path / "many.fen"
        source.write_text("".join(f"{opening.fen()}\n" for opening in random_openings(300, seed=7)))
        for workers in (1, 4):
            run(source, tmp_path / f"{workers}.samples", workers=workers)

        assert (tmp_path / "1.samples").read_bytes() == (tmp_path / "4.samples").read_bytes()

    def test_a_second_run_has_nothing_to_do(self, source: Path, tmp_path: Path) -> None:
        first = run(source, tmp_path / "labels.samples")
        before = (tmp_path / "labels.samples").read_bytes()
        second = run(source, tmp_path / "labels.samples")

        assert before == (tmp_path / "labels.samples").read_bytes()
        assert (first.positions, first.duplicates, first.nodes) == (second.kept, second.duplicates, second.nodes)

    def test_other_settings_are_refused(self, source: Path, tmp_path: Path) -> None:
        run(source, tmp_path / "labels.samples")
        with pytest.raises(InvalidSamples, match="limits was"):
            run(source, tmp_path / "labels.samples", limits=Limits(nodes=300))

    @pytest.mark.parametrize("suffix", [".tsv", ".epd", ".csv.gz"])
    def test_other_formats_by_name(self, source: Path, tmp_path: Path, suffix: str) -> None:
        progress = run(source, tmp_path / f"labels{suffix}")
        rows = np.concatenate(list(read_samples(tmp_path / f"labels{suffix}")))
        samples = Samples.open(tmp_path / f"labels{suffix}.samples")

        assert progress.positions == len(rows) == len(samples)
        assert samples[:]["value"].tolist() == rows["value"].tolist()
        assert samples[:]["move"].tolist() == rows["move"].tolist()

    def test_a_name_that_says_nothing_is_noticed_before_the_work(self, source: Path, tmp_path: Path) -> None:
        with pytest.raises(UsageError, match="does not say what to write"):
            run(source, tmp_path / "labels.docx")
        assert not list(tmp_path.glob("labels*"))

    def test_an_engine_that_cannot_be_started(self, source: Path, tmp_path: Path) -> None:
        with pytest.raises(PlayerCrashed, match="no such program"):
            run(source, tmp_path / "labels.samples", command="no-such-engine")

    def test_a_source_that_is_not_there(self, tmp_path: Path) -> None:
        with pytest.raises(NotFound, match="nowhere"):
            run(tmp_path / "nowhere.epd", tmp_path / "labels.samples")

    def test_a_position_that_the_engine_fails_at_is_left_out(self, tmp_path: Path) -> None:
        source = tmp_path / "kings.fen"
        source.write_text("".join(f"{file}k{7 - file}/8/8/8/8/8/8/4K3 w - - {file} 1\n" for file in range(1, 7)))
        told: list[str] = []
        command = f"{sys.executable} {PICKY} crashes 3"
        progress = label(
            LabelConfig(
                selection=PositionSelection(sources=(source,)),
                teaching=TeacherSettings(command=command, limits=QUICK),
                to=tmp_path / "labels.samples",
            ),
            watch=lambda now: told.extend(now.problems),
        )  # fmt: skip

        assert (5, 1) == (progress.positions, progress.failed)
        assert [1, 2, 4, 5, 6] == Samples.open(tmp_path / "labels.samples")[:]["value"].tolist()
        assert "exit code 7" in told[0]


class TestInterrupted:
    """bench/kill.py label does it more often."""

    def test_killed_and_resumed_is_undisturbed(self, tmp_path: Path) -> None:
        source = tmp_path / "many.fen"
        source.write_text("".join(f"{opening.fen()}\n" for opening in random_openings(2000, seed=9)))
        for name, kills in (("calm", 0), ("killed", 2)):
            target = tmp_path / f"{name}.samples"
            for _ in range(kills):
                process = subprocess.Popen(self.command(source, target), stdout=subprocess.DEVNULL)
                self.wait_for_a_block(target)
                process.send_signal(signal.SIGKILL)
                process.wait()
            subprocess.run(self.command(source, target), check=True, stdout=subprocess.DEVNULL)

        assert (tmp_path / "calm.samples").read_bytes() == (tmp_path / "killed.samples").read_bytes()

    @staticmethod
    def command(source: Path, target: Path) -> list[str]:
        return [
            *(sys.executable, "-m", "okapi", "label", str(source), "--engine", str(okapi_uci())),
            *("--nodes", "300", "--random-moves", "0.5", "--to", str(target), "--json"),
        ]

    @staticmethod
    def wait_for_a_block(target: Path) -> None:
        """A block more than before."""
        before = target.stat().st_size if target.exists() else 500
        until = time.monotonic() + 30
        while time.monotonic() < until and not (target.exists() and target.stat().st_size > before):
            time.sleep(0.01)
