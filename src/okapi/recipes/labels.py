"""Labelled positions: read from a file or made by self-play, with what is known of the games that they come from."""

import shutil
import tempfile
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from okapi.brains import default_name, load
from okapi.core import Color, Evaluator, InProcessMatch, Limits, MatchPlayer, random_openings
from okapi.core.evaluation import evaluate
from okapi.core.keys import Keys, KeySet, position_keys, successors_in
from okapi.core.packed import NO_GAME, NO_VALUE
from okapi.core.samples import as_samples
from okapi.core.selfplay import play_games
from okapi.data.pgn import import_games
from okapi.data.samples import RANDOM_MOVE, SampleFilter
from okapi.data.shuffle import hashed
from okapi.data.sources import STORE_SUFFIX, SUFFIXES, StoreSource, read_samples, write_samples
from okapi.data.split import in_chunks
from okapi.data.store import Store, store_match
from okapi.errors import InvalidText, NotFound, UsageError
from okapi.files import digest, file_hash
from okapi.formats.samples import SampleOptions, SampleView
from okapi.recipes.arrays import read_array, write_array
from okapi.recipes.config import RecipeConfig, Size, Tell


@dataclass(frozen=True, slots=True, eq=False)
class GameLibrary:
    """A collection of games in which labelled positions are looked up by their keys."""

    name: str
    """Of the file, with its hash."""
    store: Store
    folder: Path
    tell: Tell

    @classmethod
    def open(cls, path: Path, folder: Path | None, tell: Tell) -> Self:
        """A game store, or a PGN file, which is imported into the folder; without one, into a temporary folder."""
        hash_ = file_hash(path)
        where, kept = folder or Path(tempfile.mkdtemp(prefix="okapi-")), path
        if path.suffix != STORE_SUFFIX:
            kept = where / f"games-{hash_}{STORE_SUFFIX}"
            tell(f"{path.name}: importing its games")
            import_games([path], kept)
        store = Store.open(kept)
        if folder is None:
            weakref.finalize(store, shutil.rmtree, where, ignore_errors=True)
        return cls(f"{path.name} {hash_}", store, where, tell)

    def once(self, what: str, keys: Keys, make: Callable[[], NDArray[Any]], **settings: Any) -> NDArray[Any]:
        """An array computed from these games, keys and settings; read from the folder, if it is there."""
        about = {"games": self.name, "keys": blake2b(keys.tobytes(), digest_size=16).hexdigest(), **settings}
        name = f"{what}-{digest(about)}"
        try:
            return read_array(self.folder, name)
        except NotFound:
            write_array(self.folder, name, made := make(), compressed=True)
            return made

    def find(self, keys: Keys) -> NDArray[np.int64]:
        """The first game with each position; -1 if there is none."""
        return self.once("found", keys, lambda: self._find(keys))

    def _find(self, keys: Keys) -> NDArray[np.int64]:
        wanted, total = KeySet(len(keys)), len(self.store)
        wanted.add(keys)
        ordered, rows = np.unique(keys, return_inverse=True)
        first = np.full(len(ordered), -1, np.int64)
        for games, plies in in_chunks(self.store.plies(), np.arange(total)):
            there = position_keys(self.store.positions(games, plies))
            hits = np.flatnonzero(wanted.contains(there))[::-1]  # backwards: of several games the first one stays
            places = np.searchsorted(ordered, there[hits])
            new = first[places] < 0
            first[places[new]] = games[hits[new]]
            self.tell(f"looking positions up in games: {int(games[-1]) + 1:,} of {total:,}")
        return first[rows]

    def around(self, games: NDArray[np.int64], wanted: KeySet) -> Keys:
        """Of the wanted keys, those of positions of these games, or one legal move away from them."""
        found = [np.zeros(0, np.uint64)]
        for of, plies in in_chunks(self.store.plies(), games):
            positions = self.store.positions(of, plies)
            there = position_keys(positions)
            found += [there[wanted.contains(there)], np.unique(successors_in(positions, wanted)["key"])]
        return np.unique(np.concatenate(found))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LabelledPositions:
    """Positions with a teacher's values, in centipawns for the side to move: arrays of one length."""

    name: str
    """Of the file, with its hash; `made here` where Okapi played and labelled."""
    positions: NDArray[np.void]
    values: NDArray[np.int16]
    games: NDArray[np.int64] | None
    plies: NDArray[np.int64]
    """The number of each position's game, and plies before it there; -1 where unknown, None if all games are."""
    random: NDArray[np.bool_]
    """Whether a random move led to it: then it is in no game, but one move away from one."""
    moves: NDArray[np.uint16] | None = None
    """Move.bits of the teacher's best moves; 0: unknown. None if none are stored."""
    library: GameLibrary | None = None
    """If the file names no games: the games in which its positions were found."""
    left_out: Mapping[str, int] = field(default_factory=dict)
    """Positions of the file that are not here: why, and how many."""

    @classmethod
    def of(cls, name: str, positions: NDArray[np.void], **known: Any) -> Self:
        """Values, and perhaps games, of positions of which nothing else is known."""
        plies, random = np.full(len(positions), -1, np.int64), np.zeros(len(positions), np.bool_)
        return cls(**{"name": name, "positions": positions, "games": None, "plies": plies, "random": random, **known})

    def __len__(self) -> int:
        return len(self.positions)

    def keys(self) -> Keys:
        return position_keys(self.positions)

    def take(self, rows: NDArray[Any]) -> Self:
        columns = ("positions", "values", "games", "plies", "random", "moves")
        known = {name: getattr(self, name) for name in columns}
        return replace(self, **{name: column[rows] for name, column in known.items() if column is not None})

    def about(self) -> dict[str, Any]:
        told = {"labels": self.name, "positions": len(self), "random": int(self.random.sum()), "games": None}
        if self.games is not None:
            known = self.games[self.games >= 0]
            told["games"] = len(np.unique(known))
            if self.library is not None:
                told["found"] = {"in": self.library.name, "positions": len(known)}
        return told


GAMES: Final[dict[Size, int]] = {"tiny": 40, "quick": 800, "full": 4000}

NODES: Final = 400
"""Of okapi-28, which plays them and labels."""

QUICK_GAMES: Final[dict[Size, int]] = {"tiny": 40, "quick": 4_000, "full": 40_000}
"""Of the default brain with 100 nodes a move, where only quiet positions are used."""

SEED: Final = 2016
"""Of the openings, which are random moves: such games are decided more often than those of masters."""


@lru_cache(maxsize=1)
def own_labels(size: Size, threads: int) -> NDArray[np.void]:
    """Rows of SAMPLE, each position once; they do not depend on the number of threads."""
    player = MatchPlayer(Evaluator.from_brain(load("okapi-28")), Limits(nodes=NODES))
    starts = random_openings(GAMES[size], seed=SEED)
    match = InProcessMatch(player, player, [(start, Color.WHITE) for start in starts], decisions=True, threads=threads)
    with tempfile.TemporaryDirectory(prefix="okapi-") as folder:
        source = StoreSource(store_match(match, starts, Path(folder) / "games.okapi"))
        rows = source.take(np.arange(len(source)))
    return rows[KeySet(len(rows)).add(position_keys(rows["position"]))]


Rows = NDArray[np.void]


def load_labels(
    asked: RecipeConfig, *, most: int | None = None, folder: Path | None = None, quiet: bool = False
) -> LabelledPositions:
    """The positions of --labels FILE, each with a value; without a file, games that Okapi plays and labels itself.

    Where the file names no games, its positions are looked up in those of --games FILE. At most `most` positions: whole
    games, chosen by their hashes. `folder`, or `asked.cache`, keeps results that take long to compute. `quiet` leaves
    out positions in check and those whose best move is a capture: their values need a search.
    """
    folder, tell = folder or asked.cache, asked.tell
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    if asked.labels is None:
        rows = _kept(folder, f"{'quiet' if quiet else 'made'}-{asked.size}", partial(_played, asked, quiet=quiet))
        return _some(_record(rows, "made here", quiet=quiet), most)
    if not asked.labels.is_file():
        raise NotFound(f"no labels at `{asked.labels}`", hint="`okapi label` makes some (docs/howto/label.md)")
    hash_ = file_hash(asked.labels)
    fast = asked.labels.suffix in SUFFIXES  # others are kept as a sample file
    rows = _kept(None if fast else folder, f"read-{hash_}", partial(_read, asked.labels, tell))
    found = _record(rows, f"{asked.labels.name} {hash_}", quiet=quiet)
    if found.games is None and asked.games is not None:
        library = GameLibrary.open(asked.games, folder, tell)
        found = replace(found, library=library, games=library.find(found.keys()))
    return _some(found, most)


def _record(rows: Rows, name: str, *, quiet: bool = False) -> LabelledPositions:
    left_out = {"without a value": int((rows["value"] == NO_VALUE).sum())}
    rows = as_samples(rows[rows["value"] != NO_VALUE])
    if quiet:
        calm = rows[SampleFilter(quiet=True).keep(rows)]
        new = calm[KeySet(len(calm)).add(position_keys(calm["position"]))]
        left_out |= {"unquiet": len(rows) - len(calm), "twice": len(calm) - len(new)}
        rows = new
    if not len(rows):
        raise InvalidText(f"{name} has no position with a value", hint="`okapi label` makes labels of positions")
    _refuse_wrong_signs(rows, name)
    known, told = rows["game"] != NO_GAME, rows["result"] >= 0
    columns: dict[str, Any] = {"values": rows["value"].copy(), "moves": rows["move"].copy()}
    columns["plies"] = np.where(known, rows["ply"].astype(np.int64), -1)
    columns["random"] = ((rows["flags"] & RANDOM_MOVE) != 0) | (~known & ~told & told.any())
    if known.any():
        columns["games"] = np.where(known, rows["game"].astype(np.int64), -1)
    return LabelledPositions.of(name, np.ascontiguousarray(rows["position"]), **columns, left_out=left_out)


def _refuse_wrong_signs(rows: Rows, name: str) -> None:
    """Values for White, taken for the mover's, contradict the material wherever Black is to move: 20,000 tell."""
    black = rows[rows["position"]["turn"] == 1]
    black = black[np.argsort(hashed(np.arange(len(black)), 1))[:20_000]]
    material = evaluate([Evaluator.from_brain(load("material"))], np.ascontiguousarray(black["position"]))[0]
    agreement = int((np.sign(material) * np.sign(black["value"].astype(np.int32))).sum())
    if agreement < 0:
        told = "with Black to move, values are good where material is lost; they seem to be White's"
        raise InvalidText(f"{name}: {told}", hint="okapi samples convert FILE --view white --out labels.samples")


def _played(asked: RecipeConfig, *, quiet: bool) -> Rows:
    threads, games = asked.executor.workers, QUICK_GAMES[asked.size]
    if not quiet:
        asked.tell("Okapi plays games and labels them")
        return own_labels(asked.size, threads)
    asked.tell(f"{default_name()} plays {games:,} games and labels them")
    return play_games(Evaluator.from_brain(load()), games=games, nodes=100, seed=SEED, threads=threads)


def _read(path: Path, tell: Tell) -> Rows:
    def heard(part: float) -> None:
        tell(f"reading {path.name}: {part:.0%}")

    def read(**how: Any) -> list[Rows]:
        return list(map(as_samples, read_samples(path, on_progress=heard, **how)))

    try:
        rows = read()
    except UsageError:  # the header does not state the point of view: engines write the mover's
        rows = read(options=SampleOptions(view=SampleView.MOVER))
    if not rows:
        raise InvalidText(f"{path.name} has no positions", hint="`okapi label` makes labels of positions")
    return np.concatenate(rows)


def _kept(folder: Path | None, name: str, make: Callable[[], Rows]) -> Rows:
    """Rows from a sample file in a folder, or made and then written there."""
    if folder is None:
        return make()
    path = folder / f"{name}.samples"
    if not path.exists():
        write_samples(path, [make()])
    return np.concatenate(list(read_samples(path)))


def _some(labels: LabelledPositions, most: int | None) -> LabelledPositions:
    """At most so many, chosen by hashes: whole games where the file names them."""
    if most is None or len(labels) <= most:
        return labels
    labels = replace(labels, left_out={**labels.left_out, "beyond the limit of positions": len(labels) - most})
    if labels.games is None or labels.library is not None:
        return labels.take(np.sort(np.argsort(hashed(position_keys(labels.positions), 0), kind="stable")[:most]))
    order = np.argsort(hashed(labels.games, 0), kind="stable")
    ends = np.flatnonzero(np.diff(labels.games[order], append=-2))  # where a game ends
    whole = ends[ends < most]
    return labels.take(np.sort(order[: whole[-1] + 1 if len(whole) else most]))
