"""Samples and positions from any file: stores, PGN, sample files and other formats; and conversion between these."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from itertools import chain, count
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.core import Game, Move
from okapi.core.packed import NO_VALUE, SAMPLE, pack
from okapi.core.samples import Columns, Rows, as_samples
from okapi.data.pgn import SkippedGame, read_games
from okapi.data.samples import Samples, SampleWriter, is_sample_file
from okapi.data.store import Store
from okapi.errors import UsageError
from okapi.files import write_whole
from okapi.formats.samples import FORMATS, SampleOptions, SkippedSamples, format_by_name, format_of, format_to_write
from okapi.formats.samples.base import gathered
from okapi.formats.streams import create_stream, open_stream, plain_suffix


class StoreSource:
    """A game store: every position in which a move was played."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._games = np.concatenate([[0], store.plies().astype(np.int64).cumsum()])

    def __len__(self) -> int:
        return int(self._games[-1])

    def take(self, numbers: NDArray[np.int64]) -> Rows:
        """The store is read in its own order, which is fastest."""
        order = np.argsort(numbers)
        asked = numbers[order]
        games = np.searchsorted(self._games, asked, side="right") - 1
        rows = self._store.samples(games.astype(np.uint32), (asked - self._games[games]).astype(np.uint16))
        return rows.take(np.argsort(order))

    def __getitem__(self, which: slice) -> Rows:
        return self.take(np.arange(*which.indices(len(self))))


def open_source(path: Path | str) -> Samples | StoreSource:
    """Open a sample file or a game store; its first bytes say which."""
    return Samples.open(path) if is_sample_file(path) else StoreSource(Store.open(path))


# --- Files of samples, in any format ----------------------------------------------------------------------------------

SAMPLES: Final = "samples"
STORE: Final = "store"
STORE_SUFFIX: Final = ".okapi"
SUFFIXES: Final = {".samples": SAMPLES, STORE_SUFFIX: STORE}
"""Suffixes of Okapi's own files: sample files, and game stores, which are only read here."""

STDOUT: Final = "-"  # instead of a file name: the standard output
FORMAT_NAMES: Final = (SAMPLES, STORE, *FORMATS)
ROWS_IN_A_BLOCK: Final = 1 << 16  # rows that are committed together: a few megabytes

OnProgress = Callable[[float], None]  # called with the fraction of a file that was read, 0 to 1


def read_samples(
    path: Path | str,
    *,
    kind: str | None = None,
    options: SampleOptions | None = None,
    skipped: SkippedSamples | None = None,
    skip_damaged: bool = False,
    on_progress: OnProgress = lambda _: None,
) -> Iterator[Rows]:
    """Yield the samples of a file, some thousands at a time. The format is `kind`, or found from name and bytes."""
    path = Path(path)
    if (own := kind or SUFFIXES.get(path.suffix)) in SUFFIXES.values():
        source = StoreSource(Store.open(path)) if own == STORE else Samples.open(path, skip_damaged=skip_damaged)
        for start in range(0, len(source), ROWS_IN_A_BLOCK):
            on_progress(min(1.0, (start + ROWS_IN_A_BLOCK) / len(source)))
            yield source[start : start + ROWS_IN_A_BLOCK]
        return
    with open_stream(path) as stream:
        reader = format_of(path, stream.start()) if kind is None else format_by_name(kind)
        for rows in reader.read(stream, path.name, options or SampleOptions(), skipped or SkippedSamples()):
            on_progress(stream.fraction)
            yield rows


def write_samples(
    path: Path | str,
    rows: Iterable[Rows],
    *,
    kind: str | None = None,
    card: dict[str, Any] | None = None,
    options: SampleOptions | None = None,
    skipped: SkippedSamples | None = None,
) -> None:
    """Write samples to a new file. The file gets its name when it is complete."""
    path = Path(path)
    own = (kind or SUFFIXES.get(path.suffix)) == SAMPLES
    if own and str(path) == STDOUT:
        raise UsageError("a sample file cannot go to the standard output", hint="give a file name")
    with nullcontext(path) if str(path) == STDOUT else write_whole(path) as part:
        if own:
            rows = iter(rows)
            first = next(rows, np.zeros(0, SAMPLE))  # decides the columns
            with closing(SampleWriter.open(part, card=card, columns=Columns.of(first.dtype))) as writer:
                for some in gathered(chain([first], rows), ROWS_IN_A_BLOCK):
                    writer.append(some)
                    writer.commit()
        else:
            target = format_to_write(path) if kind is None else format_by_name(kind)
            with create_stream(part, path.suffix) as file:
                target.write(file, rows, options or SampleOptions(), skipped or SkippedSamples())


@dataclass(slots=True)
class Conversion:
    """Converts files into one. `options` say how the sources express values."""

    sources: Sequence[Path]
    target: Path
    source_kind: str | None = None
    target_kind: str | None = None
    options: SampleOptions = field(default_factory=SampleOptions)
    target_scale: float = 1.0  # centipawns of one unit of the target
    skip_damaged: bool = False
    skipped: SkippedSamples = field(default_factory=SkippedSamples)
    positions: int = 0
    fraction: float = 0.0  # of the sources that was read, 0 to 1

    def run(self, on_progress: Callable[[], None] = lambda: None) -> None:
        """`on_progress` is called now and then."""
        if self.target in self.sources:
            raise UsageError(f"{self.target} would be read and written at once", hint="give another name")
        if self.target_kind is None and SUFFIXES.get(self.target.suffix) != SAMPLES:
            format_to_write(self.target)  # raise before work begins
        unread, view = SkippedSamples(tell=self.skipped.tell), self.options.view
        card = {"source": [path.name for path in self.sources], "view": view and str(view), "scale": self.options.scale}
        options = replace(self.options, view=None, scale=self.target_scale)
        rows = self._rows(on_progress)
        write_samples(self.target, rows, kind=self.target_kind, card=card, options=options, skipped=unread)
        self.positions -= unread.count
        self.skipped.count += unread.count
        self.skipped.told.extend(unread.told)

    def _rows(self, on_progress: Callable[[], None]) -> Iterator[Rows]:
        for number, path in enumerate(self.sources):

            def tell(fraction: float, number: int = number) -> None:
                self.fraction = (number + fraction) / len(self.sources)
                on_progress()

            how: dict[str, Any] = {"kind": self.source_kind, "options": self.options, "skipped": self.skipped}
            for rows in read_samples(path, **how, skip_damaged=self.skip_damaged, on_progress=tell):
                self.positions += len(rows)
                yield rows


# --- Positions, from games too ----------------------------------------------------------------------------------------

PGN_SUFFIX: Final = ".pgn"

POSITIONS_AT_ONCE: Final = 4096
RESULTS: Final = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}  # for White, as in samples; other results are unknown


@dataclass(frozen=True, slots=True)
class Chunk:
    rows: Rows  # SAMPLE, in the order of the source
    fraction: float  # of all sources that was read, 0 to 1


def read_positions(sources: Sequence[Path | str], skipped: SkippedSamples) -> Iterator[Chunk]:
    """Yield the positions of files. What cannot be read is counted in `skipped`."""

    def on_skipped(trouble: SkippedGame) -> None:
        skipped.add(f"{Path(trouble.file).name}, line {trouble.line}", trouble.reason)

    for number, path in enumerate(map(Path, sources)):
        part = [0.0]
        if plain_suffix(path) == PGN_SUFFIX:
            games = read_games(path, on_skipped, part.append)
            chunks = gathered(map(positions_of_game, count(), games), POSITIONS_AT_ONCE)
        else:
            chunks = read_samples(path, skipped=skipped, on_progress=part.append)
        for rows in chunks:
            yield Chunk(as_samples(rows), (number + part[-1]) / len(sources))


def positions_of_game(number: int, game: Game) -> Rows:
    """Every position of a game in which a move was played, up to a null move, after which the result means nothing."""
    positions, position = [], game.start.copy()
    for move in game.moves:
        if move == Move.none():
            break
        positions.append(position.copy())
        position.play_unchecked(move)
    rows = np.zeros(len(positions), SAMPLE)
    rows["position"] = pack(positions)
    rows["value"], rows["game"], rows["ply"] = NO_VALUE, number, np.arange(len(rows))
    white = RESULTS.get(game.result, -1)
    rows["result"] = white if white < 0 else np.where(rows["position"]["turn"] == 0, white, 2 - white)
    return rows
