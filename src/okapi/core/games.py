"""Games, their store and PGN as the C++ library has them; okapi.data puts Python's records around them."""

from okapi.core._core import RawExporter as RawExporter
from okapi.core._core import RawFilter as RawFilter
from okapi.core._core import RawGame as RawGame
from okapi.core._core import RawImportCounts as RawImportCounts
from okapi.core._core import RawImporter as RawImporter
from okapi.core._core import RawPgnReader as RawPgnReader
from okapi.core._core import RawStore as RawStore
from okapi.core._core import RawStoreWriter as RawStoreWriter
from okapi.core._core import surname as surname
from okapi.core._core import time_control_seconds as time_control_seconds
