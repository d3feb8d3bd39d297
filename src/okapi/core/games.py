"""Games, their store and PGN as the C++ library has them; okapi.data puts Python's records around them."""

from okapi.core._core import (
    RawExporter,
    RawFilter,
    RawGame,
    RawImportCounts,
    RawImporter,
    RawPgnReader,
    RawStore,
    RawStoreWriter,
    surname,
    time_control_seconds,
)

__all__ = [
    "RawExporter",
    "RawFilter",
    "RawGame",
    "RawImportCounts",
    "RawImporter",
    "RawPgnReader",
    "RawStore",
    "RawStoreWriter",
    "surname",
    "time_control_seconds",
]
