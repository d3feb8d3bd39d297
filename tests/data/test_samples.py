"""Sample files: what was committed is there, whatever happens to the writer or to the disk."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest

from okapi.core.packed import NO_GAME, SAMPLE
from okapi.data.samples import HEADER, MAGIC, VERSION, Columns, Samples, SampleWriter, as_samples
from okapi.errors import InvalidSamples, NotFound

PLAIN = Columns()
EVERYTHING = Columns(lines=3, wdl=True, depth=True)


def some_rows(count: int, seed: int = 1, columns: Columns = PLAIN) -> np.ndarray:
    """Rows of random bytes: a sample file does not care what they mean."""
    dtype = columns.dtype
    rows = np.random.default_rng(seed).integers(0, 256, (count, dtype.itemsize), dtype=np.uint8).view(dtype)[:, 0]
    if "unused" in (dtype.names or ()):
        rows["unused"] = 0
    return rows


def write(path: Path, *blocks: np.ndarray, columns: Columns = PLAIN) -> Path:
    with SampleWriter.open(path, card={"seed": 7}, columns=columns) as writer:
        for number, rows in enumerate(blocks):
            writer.append(rows)
            writer.commit({"block": number})
    return path


@pytest.mark.parametrize("columns", [Columns(), Columns(wdl=True), Columns(depth=True), EVERYTHING], ids=str)
def test_rows_come_back_as_they_went_in(tmp_path: Path, columns: Columns) -> None:
    blocks = [some_rows(count, seed=count, columns=columns) for count in (5, 1, 0, 100)]
    samples = Samples.open(write(tmp_path / "a.samples", *blocks, columns=columns))
    everything = np.concatenate(blocks)

    assert 106 == len(samples)
    assert {"seed": 7} == samples.card
    assert {"block": 3} == samples.cursor
    assert columns == samples.columns
    assert 0 == samples.torn
    samples.verify()
    assert everything.tobytes() == np.concatenate(list(samples.blocks())).tobytes()
    for which in (
        slice(0, 5),
        slice(3, 50),
        slice(None),
        slice(90, 2, -7),
        slice(8, 8),
        [105, 0, 5, 5],
        everything["ply"] > 9,
    ):
        assert everything[which].tobytes() == samples[which].tobytes()
    assert everything[-1] == samples[-1] and everything[5] == samples[5]
    for beyond in (106, -107, [0, 106], [-1]):
        with pytest.raises(IndexError):
            samples[beyond]


def test_a_slice_of_a_block_is_a_view_of_the_file(tmp_path: Path) -> None:
    samples = Samples.open(write(tmp_path / "a.samples", some_rows(4), some_rows(50)))

    assert np.shares_memory(samples[10:40], samples[20:22])
    assert not samples[10:40].flags.writeable


def test_samples_without_columns_are_the_records_of_the_core(tmp_path: Path) -> None:
    assert SAMPLE == Columns().dtype
    rows = some_rows(9, columns=EVERYTHING)

    plain = as_samples(Samples.open(write(tmp_path / "a.samples", rows, columns=EVERYTHING))[:])

    assert SAMPLE == plain.dtype
    assert all(np.array_equal(rows[name], plain[name]) for name in SAMPLE.names or ())


def test_rows_that_lack_columns_get_zeros_and_strangers_are_refused(tmp_path: Path) -> None:
    with SampleWriter.open(tmp_path / "a.samples", columns=EVERYTHING) as writer:
        writer.append(some_rows(2))
        with pytest.raises(ValueError, match="the file has"):
            writer.append(np.zeros(1, [("position", "V32"), ("score", "<i2")]))

    assert 0 == Samples.open(tmp_path / "a.samples")[:]["wdl"].sum()


def test_a_second_writer_goes_on_where_the_first_stopped(tmp_path: Path) -> None:
    path = write(tmp_path / "a.samples", some_rows(3))
    with SampleWriter.open(path, card={"seed": 7}) as writer:
        assert (3, {"block": 0}) == (len(writer), writer.cursor)
        writer.append(some_rows(4, seed=2))
        writer.commit({"block": 1})

    assert path.read_bytes() == write(tmp_path / "b.samples", some_rows(3), some_rows(4, seed=2)).read_bytes()


def test_what_was_appended_but_never_committed_is_not_in_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "a.samples", some_rows(3))
    with contextlib.suppress(ZeroDivisionError), SampleWriter.open(path) as writer:
        writer.append(some_rows(5))
        raise ZeroDivisionError

    assert 3 == len(Samples.open(path))


def test_a_file_made_with_other_settings_is_not_mixed_up(tmp_path: Path) -> None:
    path = write(tmp_path / "a.samples", some_rows(3))

    with pytest.raises(InvalidSamples, match="seed was 7 and is 8"):
        SampleWriter.open(path, card={"seed": 8})
    with pytest.raises(InvalidSamples, match="wdl=True"):
        SampleWriter.open(path, columns=Columns(wdl=True))


def test_two_writers_at_a_time_are_one_too_many(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    with SampleWriter.open(tmp_path / "a.samples"), pytest.raises(InvalidSamples, match="another program"):
        SampleWriter.open(tmp_path / "a.samples")


def test_a_tail_torn_at_any_byte_is_dropped(tmp_path: Path) -> None:
    rows = [some_rows(2, seed=seed) for seed in range(3)]
    whole = write(tmp_path / "whole.samples", *rows).read_bytes()
    two = len(write(tmp_path / "two.samples", *rows[:2]).read_bytes())
    torn = tmp_path / "torn.samples"
    for length in range(two, len(whole)):
        torn.write_bytes(whole[:length])
        assert (4, length - two) == (len(Samples.open(torn)), Samples.open(torn).torn)
        with SampleWriter.open(torn, card={"seed": 7}) as writer:
            assert {"block": 1} == writer.cursor
            writer.append(rows[2])
            writer.commit({"block": 2})
        assert whole == torn.read_bytes()


def test_a_header_torn_at_any_byte_is_written_again(tmp_path: Path) -> None:
    rows = some_rows(1)
    whole = write(tmp_path / "whole.samples", rows).read_bytes()
    header = len(whole) - 48 - 48
    torn = tmp_path / "torn.samples"
    for length in range(header):
        torn.write_bytes(whole[:length])
        with pytest.raises(InvalidSamples):
            Samples.open(torn)
        assert whole == write(torn, rows).read_bytes()


def test_any_flipped_byte_is_found_or_harmless(tmp_path: Path) -> None:
    rows = [some_rows(2, seed=seed) for seed in range(3)]
    path = write(tmp_path / "a.samples", *rows)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x41]) + whole[place + 1 :])
        try:
            samples = Samples.open(path)
            samples.verify()
        except InvalidSamples:
            continue
        kept = samples[:]
        assert np.concatenate(rows)[: len(kept)].tobytes() == kept.tobytes()
        assert 6 == len(kept) or samples.torn  # damage in the last block looks like a torn tail


def test_damage_in_the_middle_is_named_and_the_rest_can_be_saved(tmp_path: Path) -> None:
    rows = [some_rows(2, seed=seed) for seed in range(3)]
    path = write(tmp_path / "a.samples", *rows)
    whole = path.read_bytes()
    second = whole.index(b"OKSB", whole.index(b"OKSB") + 1)
    for place in (second, second + 9, second + 48 + 50):  # its magic, its cursor's length, its rows
        path.write_bytes(whole[:place] + b"\xff" + whole[place + 1 :])
        with pytest.raises(InvalidSamples, match=f"block 1 of a.samples, at byte {second}"):
            Samples.open(path).verify()

        saved = Samples.open(path, skip_damaged=True)

        saved.verify()
        assert np.concatenate([rows[0], rows[2]]).tobytes() == saved[:].tobytes()


def test_a_writer_does_not_cut_off_what_follows_damage(tmp_path: Path) -> None:
    path = write(tmp_path / "a.samples", *(some_rows(2, seed=seed) for seed in range(3)))
    whole = path.read_bytes()
    damaged = whole.replace(b"OKSB", b"XXXX", 1)
    path.write_bytes(damaged)

    with pytest.raises(InvalidSamples):
        SampleWriter.open(path)

    assert damaged == path.read_bytes()


def test_a_header_that_says_passport_is_still_read(tmp_path: Path) -> None:
    path = write(tmp_path / "a.samples")
    text = json.dumps({"columns": PLAIN.as_json(), "passport": {"seed": 7}}).encode()
    row = PLAIN.dtype.itemsize
    header = HEADER.pack(MAGIC, VERSION, row, len(text), zlib.crc32(text)) + text
    path.write_bytes(header + bytes(-len(header) % row))

    assert {"seed": 7} == Samples.open(path).card
    assert 3 == len(Samples.open(write(path, some_rows(3))))


@pytest.mark.parametrize("content", [b"", b"[Event]", b"OKSAMPLE", b"OKSAMPLE" + b"\xff" * 100, b"\0" * 4096])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.samples"
    path.write_bytes(content)
    with pytest.raises(InvalidSamples):
        Samples.open(path)
    with pytest.raises(NotFound):
        Samples.open(tmp_path / "nothing.samples")
    if content[:1] not in (b"", b"O"):
        with pytest.raises(InvalidSamples):
            SampleWriter.open(path)
        assert content == path.read_bytes()


def test_hostile_counts_do_not_make_us_allocate(tmp_path: Path) -> None:
    path = write(tmp_path / "a.samples", some_rows(2))
    whole = path.read_bytes()
    start = whole.index(b"OKSB")
    path.write_bytes(whole[: start + 4] + b"\xff\xff\xff\xff\xff\xff\xff\x7f" + whole[start + 12 :])

    assert 0 == len(Samples.open(path))


WRITE_FOREVER = """
import sys
import numpy as np
from okapi.data.samples import SAMPLE, SampleWriter
writer = SampleWriter.open(sys.argv[1], card={"seed": 7})
while True:
    rows = np.zeros(1000, SAMPLE)
    rows["game"] = np.arange(len(writer), len(writer) + 1000)
    writer.append(rows)
    writer.commit({"rows": len(writer) + 1000})
    print(len(writer), flush=True)
"""


def test_kill_9_loses_nothing_that_was_committed(tmp_path: Path) -> None:
    path = tmp_path / "a.samples"
    for wanted in (3, 8):
        with subprocess.Popen([sys.executable, "-c", WRITE_FOREVER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            told = [int(process.stdout.readline()) for _ in range(wanted)][-1]
            os.kill(process.pid, signal.SIGKILL)
        samples = Samples.open(path)
        assert told <= len(samples) == json.loads(json.dumps(samples.cursor))["rows"]
        assert np.array_equal(np.arange(len(samples)), samples[:]["game"])
        assert NO_GAME not in samples[:]["game"]
