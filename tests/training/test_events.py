"""TensorBoard's files: read again by a reader of our own, and by TensorBoard where it is installed."""

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest

from okapi.training.supervised.events import Events, crc32c

LOSSES = {1: 0.75, 2: 0.5, 300: 0.25}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    events = Events(tmp_path)
    for step, loss in LOSSES.items():
        events.log(step, {"train_loss": loss, "rate": 0.125})
    events.close()
    (path,) = tmp_path.glob("events.out.tfevents.*")
    return path


def records(data: bytes) -> Iterator[bytes]:
    """The records of a file, after a look at both checksums of each."""
    while data:
        length, head = struct.unpack_from("<QI", data)
        record, (tail,) = data[12 : 12 + length], struct.unpack_from("<I", data, 12 + length)
        assert (head, tail) == (masked(data[:8]), masked(record))
        yield record
        data = data[16 + length :]


def masked(data: bytes) -> int:
    crc = crc32c(data)
    return ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Numbers and contents of the fields of a protocol buffer."""
    at = 0

    def varint() -> int:
        nonlocal at
        number = shift = 0
        while True:
            byte = message[at]
            at += 1
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    while at < len(message):
        key = varint()
        match key & 7:
            case 0:
                yield key >> 3, varint()
            case kind:
                length = {1: 8, 5: 4}.get(kind) or varint()
                yield key >> 3, message[at : at + length]
                at += length


def test_every_record_has_its_checksums_and_says_what_was_logged(file: Path) -> None:
    first, *rest = (dict(fields(record)) for record in records(file.read_bytes()))

    assert b"brain.Event:2" == first[3]
    told: dict[int | bytes, float] = {}
    for event in rest:
        summary = event[5]
        assert isinstance(summary, bytes)
        for _, value in fields(summary):
            assert isinstance(value, bytes)
            scalar = dict(fields(value))
            if scalar[1] == b"train_loss":
                assert isinstance(scalar[2], bytes)
                (told[event[2]],) = struct.unpack("<f", scalar[2])
    assert LOSSES == told


def test_tensorboard_reads_it(file: Path) -> None:
    loader = pytest.importorskip("tensorboard.backend.event_processing.event_file_loader")

    events = [event for event in loader.LegacyEventFileLoader(str(file)).Load() if event.HasField("summary")]

    assert LOSSES == {event.step: event.summary.value[0].simple_value for event in events}
