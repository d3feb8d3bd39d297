"""Every encoding is written twice, and both agree."""

import pickle

import numpy as np
import pytest
from numpy.typing import NDArray

from okapi.core.packed import SAMPLE
from okapi.encodings import ENCODINGS, PIECE_SQUARES, Encoding, PieceSquare
from okapi.errors import InvalidPosition, UsageError

CHUNK = 2000
ALL = pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS)


@ALL
def test_numpy_and_cpp_agree_on_20_000_positions(encoding: Encoding, positions: NDArray[np.void]) -> None:
    few = positions[::5]
    for start in range(0, len(few), CHUNK):
        chunk = few[start : start + CHUNK]
        expected = encoding.in_numpy(chunk)
        actual = encoding.encode_many(chunk)

        assert expected.dtype == actual.dtype == encoding.dtype
        np.testing.assert_array_equal(expected, actual)


@pytest.mark.parametrize(
    "piece_square", [*PIECE_SQUARES.values(), PieceSquare(buckets=tuple(range(64)))], ids=lambda each: each.name
)
def test_sparse_features_agree(piece_square: PieceSquare, positions: NDArray[np.void]) -> None:
    chunk = positions[::10]

    np.testing.assert_array_equal(piece_square.indices_in_numpy(chunk), piece_square.indices(chunk))


@ALL
def test_numbers_are_the_same_in_every_type_that_holds_them(encoding: Encoding, positions: NDArray[np.void]) -> None:
    chunk = positions[:500]
    natural = encoding.encode_many(chunk)
    for dtype in (np.uint8, np.int8, np.float32):
        try:
            numbers = encoding.encode_many(chunk, dtype)
        except UsageError:
            assert not np.array_equal(natural.astype(dtype).astype(np.float32), natural.astype(np.float32))
        else:
            np.testing.assert_array_equal(natural.astype(dtype), numbers)


@ALL
def test_parts_name_what_is_there(encoding: Encoding) -> None:
    assert encoding.shape[0] == len(encoding.parts) == len(set(encoding.parts))


@ALL
def test_encodings_travel_to_other_processes(encoding: Encoding, positions: NDArray[np.void]) -> None:
    there = pickle.loads(pickle.dumps(encoding))

    np.testing.assert_array_equal(encoding.encode_many(positions[:10]), there.encode_many(positions[:10]))


def test_threads_change_nothing(positions: NDArray[np.void]) -> None:
    for encoding in ENCODINGS.values():
        one, many = (encoding.encode_many(positions[:1001], threads=threads) for threads in (1, 7))

        np.testing.assert_array_equal(one, many)


def test_samples_are_read_and_larger_arrays_written_in_place(positions: NDArray[np.void]) -> None:
    samples = np.zeros(100, SAMPLE)
    samples["position"] = positions[:100]
    batch = np.full((100, 9, 8, 8), 7, np.float32)

    ENCODINGS["planes-6"].encode_many(samples["position"], out=batch[:, 1:7])

    np.testing.assert_array_equal(ENCODINGS["planes-6"].encode_many(positions[:100], np.float32), batch[:, 1:7])
    assert (batch[:, [0, 7, 8]] == 7).all()


def test_arrays_that_do_not_fit_are_refused(positions: NDArray[np.void]) -> None:
    planes = ENCODINGS["planes-6"]
    with pytest.raises(UsageError, match="planes-6 cannot be written as uint8"):
        planes.encode_many(positions[:3], np.uint8)
    with pytest.raises(UsageError, match="do not fit an array of shape"):
        planes.encode_many(positions[:3], out=np.zeros((2, 6, 8, 8), np.int8))
    with pytest.raises(ValueError, match="gaps"):
        planes.encode_many(positions[:3], out=np.zeros((3, 6, 8, 16), np.int8)[..., ::2])


@ALL
def test_no_bytes_do_harm(encoding: Encoding, positions: NDArray[np.void]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (300, 32), np.uint8).view(positions.dtype)[:, 0]
    noise["occupied"] &= positions["occupied"][:300]
    refused = 0
    for n in range(len(noise)):
        try:
            encoding.encode_many(noise[n : n + 1])
        except InvalidPosition:
            refused += 1

    assert refused > 250
    with pytest.raises(InvalidPosition, match=r"^number 2: "):
        encoding.encode_many(np.concatenate([positions[:2], noise]), threads=3)


def test_nothing_is_encoded_into_nothing(positions: NDArray[np.void]) -> None:
    for encoding in ENCODINGS.values():
        assert (0, *encoding.shape) == encoding.encode_many(positions[:0]).shape
