"""What all pages share: brains, programs, runs, tournaments, and the threads that search."""

import asyncio
import ctypes
import os
import secrets
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from okapi.analysis.attribution import Terms, explains
from okapi.arena.time_control import TimeControl
from okapi.brains import ModelCard, card, default_name, display_name, evaluator, find, load, predicts_moves, shipped
from okapi.brains.library import Library, default_library
from okapi.brains.summary import summary
from okapi.core import Evaluator, Search
from okapi.core.search import HIGHEST_ELO, LOWEST_ELO
from okapi.encodings.layers import ELO_RANGE
from okapi.errors import NotFound, OkapiError, TooBusy, UsageError, did_you_mean
from okapi.players import Engine, Player, parse_player
from okapi.players.opponents import OPPONENTS
from okapi.players.spec import OF_PAPERS, engine_options, kind_of, takes_elo
from okapi.web.game import RequestedGame
from okapi.web.jobs import BackgroundTask, EngineSlot, FairPool
from okapi.web.runs import RunWatcher
from okapi.web.timelapse import recorded_brain
from okapi.web.tournaments import LiveTournament, LiveTournaments, TournamentSettings
from okapi.web.trainings import Trainings

T = TypeVar("T")
TABLES_MB: Final = 256  # what the tables of all boards may take together
MOST_SLOTS: Final = 256
MOST_PAGES: Final = 128
PROGRAMS_AT_ONCE: Final = 4
JOBS_AT_ONCE: Final = 4
MOST_OPEN: Final = 3  # files of each kind that stay open between two questions
LOOK_S: Final = 1.0  # between two looks for brains that are new
TIDY_S: Final = 2.0  # until whatever a page began has noticed that it is over
LIBRARY: Final = ctypes.CDLL(None) if sys.platform == "linux" else None


class LruCache(Generic[T]):
    """What was read from the few files that were asked for last. One thread at a time may use each of them.

    A file that has changed is read again: a run may write its brain anew under its name.

    >>> notes = LruCache(lambda path: path.read_text().split(), most=2)
    """

    def __init__(self, read: Callable[[Path], T], most: int) -> None:
        self._open = lru_cache(most)(lambda path, written: (read(path), threading.Lock()))
        self._lock = threading.Lock()

    @contextmanager
    def use(self, path: Path) -> Iterator[T]:
        """The contents of a file, locked while in use."""
        try:
            written = path.stat().st_mtime_ns
        except OSError:
            raise NotFound(f"`{path.name}` is no longer there", hint="choose another") from None
        with self._lock:  # so that nothing is read twice at once
            found, turn = self._open(path, written)
        with turn:
            yield found


class AppState:
    """Brains, programs and threads. A page chooses by name; nothing it sends becomes a path or a command."""

    def __init__(
        self,
        *,
        brain: str | None = None,
        engines: Mapping[str, str | Callable[[], Player]] | None = None,
        requested: RequestedGame | None = None,
        threads: int | None = None,
        runs: Path | None = None,
    ) -> None:
        """`brain` is a name or path to add and, if it evaluates positions, to prefer.

        `engines` are players by name: specifications as for `okapi match`, or functions that make one.
        `runs` is another folder of runs than the user's.
        """
        self._sources: dict[str, str] = {card.name: card.name for card in shipped()}
        self.default_brain = default_name()
        if brain is not None and predicts_moves(brain):
            self._sources[card(brain).name] = brain
        elif brain is not None:
            load(brain)  # says at once what is wrong with it
            self.default_brain = display_name(brain)
            self._sources[self.default_brain] = brain
        self._predicting = {name for name, source in self._sources.items() if predicts_moves(source)}
        self._papers = {name: of["sentence"] for name, of in OF_PAPERS.items() if name not in self._sources}
        self.engines = {**{name: name for name in self._papers}, **(engines or {})}
        self.requested = requested
        self.started = secrets.token_hex(8)  # shows a page whether the server was restarted
        self.pool = FairPool(threads or os.cpu_count() or 1, "thinking")
        self.programs = FairPool(PROGRAMS_AT_ONCE, "programs")
        self.jobs = FairPool(JOBS_AT_ONCE, "jobs")
        self.library = default_library() if runs is None else Library(runs)
        self.runs = RunWatcher(self.library)
        self.tournaments = LiveTournaments(self.library.folder)
        self.trainings = Trainings(self.library.folder)
        self.may_train = True  # whether pages may start trainings: not those of other machines
        self._caches: dict[Callable[[Path], Any], LruCache[Any]] = {}
        self.pages, self._tidying = 0, False
        self._evaluators: dict[str, Evaluator] = {}
        self._terms: dict[str, Terms | None] = {}
        self._lock = threading.Lock()
        self._looked_at = -LOOK_S
        self._own_brains: frozenset[str] = frozenset()
        self._slots, self._free_mb = 0, float(TABLES_MB)

    @property
    def runs_folder(self) -> str:
        home, folder = os.path.expanduser("~"), str(self.library.folder)
        return f"~{folder.removeprefix(home)}" if folder.startswith(os.path.join(home, "")) else folder

    @property
    def brains(self) -> list[str]:
        """The names of the brains that evaluate positions: the preferred one, those that ship, the user's."""
        named = sorted(self._sources.keys() - self._predicting, key=lambda name: (name != self.default_brain, name))
        return [*named, *(name for name, brain in self._own().items() if brain.evaluates)]

    def offer(self) -> dict[str, Any]:
        """What pages may choose from; `predicting` has the range of ratings that a brain takes as input, if any."""
        cards = {name: card(self._sources[name]) for name in sorted(self._predicting)} | self._own()
        cards = {name: brain for name, brain in cards.items() if brain.predicts_moves}
        predicting = {name: ELO_RANGE if "elo" in brain.encoding.split("+") else None for name, brain in cards.items()}
        predictors = (name for name in predicting if name not in self.engines)
        return {
            "brains": self.brains,
            "players": ["alphabeta", "greedy", "random", *predictors, *self.engines],
            "elo": [LOWEST_ELO, HIGHEST_ELO],
            "predicting": predicting,
            "runs_folder": self.runs_folder,
            "papers": self._papers,
            "opponents": [opponent.as_json() for opponent in OPPONENTS],
        }

    def lines(self) -> dict[str, dict[str, str]]:
        """What lists say of each brain beside its name: its measured Elo, and its sentence."""
        cards = {name: card(source) for name, source in self._sources.items()} | self._own()
        told = {name: summary(brain) for name, brain in cards.items()}
        return {name: {"elo": line["elo_text"], "sentence": line["sentence"]} for name, line in told.items()}

    def _own(self) -> dict[str, ModelCard]:
        """The cards of the user's brains by name, without those that are hidden by a shipped one or unreadable."""
        found: dict[str, ModelCard] = {}
        for name, path in self.library.brains().items():
            with suppress(OkapiError, OSError):
                found |= {} if name in self._sources else {name: ModelCard.read(path)}
        return found

    def own_brains(self) -> frozenset[str]:
        """The names of the user's brains; all pages together look once in LOOK_S."""
        if time.monotonic() - self._looked_at >= LOOK_S:
            self._own_brains, self._looked_at = frozenset(self.library.brains()), time.monotonic()
        return self._own_brains

    def all_brains(self) -> list[str]:
        """Brains of every kind: first those that ship or were named, then those of runs."""
        return [*sorted(self._sources), *self.library.brains()]

    def card(self, name: str) -> ModelCard | None:
        with suppress(OkapiError):
            return card(self.source(name))
        return None

    def predicts_moves(self, name: str) -> bool:
        """Does a brain predict moves? False for one that cannot be read."""
        if name in self._sources:
            return name in self._predicting
        found = self.card(name)
        return found is not None and found.predicts_moves

    def predicting(self, name: str) -> Path:
        """The file of a brain that predicts moves: NotFound, InvalidBrain."""
        path = find(self.source(name))
        if not predicts_moves(path):
            raise UsageError(f"`{name[:40]}` does not predict moves", hint="choose one that is offered")
        return path

    def cached(self, read: Callable[[Path], T], path: Path) -> AbstractContextManager[T]:
        """What `read` makes of a file; the latest few files stay open. NotFound."""
        with self._lock:
            cache: LruCache[T] = self._caches.setdefault(read, LruCache(read, MOST_OPEN))
        return cache.use(path)

    def evaluator(self, brain: str) -> Evaluator:
        """The evaluator of a brain; for the event loop alone."""
        return self._keep(self._evaluators, brain, evaluator)

    def terms(self, brain: str) -> Terms | None:
        """The terms of a brain's value, if it has some; for the event loop alone."""
        return self._keep(self._terms, brain, lambda source: Terms(source) if explains(card(source)) else None)

    def engine_slot(self, brain: str | None = None) -> EngineSlot:
        """A search with that brain for one board; its memory is freed with it.

        Each gets a sixteenth of what is left, so that the first boards have much and there is always some for one more.
        """
        name = self.known(brain)
        with self._lock:
            if self._slots >= MOST_SLOTS:
                raise TooBusy("too many boards search at once", hint="close some, or wait a little")
            table_mb = max(1, min(16, int(self._free_mb / 16)))
            slot = EngineSlot(name, Search(self.evaluator(name), table_mb=table_mb))
            self._slots += 1
            self._free_mb -= table_mb
        weakref.finalize(slot, self._take_back, table_mb)
        return slot

    def player(self, kind: str, brain: str | None, elo: int | None, chess960: bool = False, multipv: int = 1) -> Player:
        """Any other player: a search limited by Elo, greedy, random, or a program that was configured."""
        if kind in self.engines:
            found = self.engines[kind]
            return _configured(found, elo, chess960, multipv) if isinstance(found, str) else found()
        if self.predicts_moves(kind):
            return parse_player("top-prob", brain=self.source(kind), elo=elo)
        return parse_player(kind, brain=self.source(self.known(brain)), elo=elo, table_mb=1)

    def spec(self, kind: str, brain: str | None, elo: int | None) -> str:
        """The same as text, for the arena: NotFound, UsageError."""
        engine = self.engines.get(kind, "")
        if engine and elo is not None:
            raise UsageError(f"`{kind}` plays a tournament at its full strength", hint="leave its rating out")
        if not isinstance(engine, str):
            raise UsageError(f"`{kind}` is an object of this process, and plays no tournaments")
        if engine:
            return engine
        if kind == "random":
            return kind
        predicts = self.predicts_moves(kind)
        if kind not in ("alphabeta", "greedy") and not predicts:
            raise NotFound(f"there is no player `{kind}` here", hint=did_you_mean(kind, self.offer()["players"]))
        source = self.source(kind if predicts else self.known(brain))
        if "," in source:
            raise UsageError(f"`{source}` cannot play here: there is a comma in its path", hint="rename it")
        spec = f"{'top-prob' if predicts else kind}:{source}"
        return spec if elo is None or kind == "greedy" else f"{spec},elo={elo}"

    def begin_match(self, first: str, second: str, games: int, *, depth: int) -> LiveTournament:
        names, control = (first, second), TimeControl(depth=depth)
        specs = tuple(self.spec("alphabeta", name, None) for name in names)
        plan = TournamentSettings(names=names, specs=specs, rounds=(games + 1) // 2, control=control, in_process=True)
        return self.tournaments.begin(plan)

    def gives_no_values(self, kind: str) -> bool:
        """Does a player only say how likely moves are?"""
        if kind not in self.engines:
            return self.predicts_moves(kind)
        spec = self.engines[kind]
        return isinstance(spec, str) and kind_of(spec)[0] in ("top-move", "top-prob")

    def tidy_up_soon(self) -> None:
        """Return the memory of a closed page to the system, which the C library would keep."""
        if not self._tidying:
            self._tidying = True
            asyncio.get_running_loop().call_later(TIDY_S, self._tidy_up)

    def close(self) -> None:
        self.tournaments.close()
        self.runs.close()
        self.pool.close()
        for work in self.programs.close():
            if isinstance(work, BackgroundTask):
                work.run()
        self.jobs.close()

    def known(self, brain: str | None) -> str:
        """The name of a known brain, the preferred one if none is named: NotFound, InvalidBrain."""
        name = self.default_brain if brain is None else brain
        source = self.source(name)
        if name not in self._sources:
            ModelCard.read(Path(source))
        return name

    def source(self, name: str) -> str:
        """The source of a brain for loading; files of runs are looked up each time: NotFound, InvalidBrain."""
        if name in self._sources:
            return self._sources[name]
        path = recorded_brain(name) or self.library.find(name)
        if path is None:
            raise NotFound(f"there is no brain `{name[:40]}` here", hint=did_you_mean(name, self.all_brains()))
        return str(path)

    def _keep(self, kept: dict[str, T], name: str, read: Callable[[str], T]) -> T:
        """What was read for a brain; for one of a run, it is read again: the run may write it anew under its name."""
        if name not in self._sources:
            return read(self.source(name))
        if name not in kept:
            kept[name] = read(self._sources[name])
        return kept[name]

    def _take_back(self, table_mb: int) -> None:
        with self._lock:
            self._slots -= 1
            self._free_mb += table_mb

    def _tidy_up(self) -> None:
        self._tidying = False
        if LIBRARY is not None and hasattr(LIBRARY, "malloc_trim"):
            LIBRARY.malloc_trim(0)


def _configured(spec: str, elo: int | None, chess960: bool, multipv: int) -> Player:
    """A player that the command line named; UCI programs take a rating by two options."""
    kind, rest = kind_of(spec)
    if elo is None:
        player = parse_player(spec, multipv=multipv)
    elif kind == "uci":
        command, options = engine_options(rest)
        player = Engine(command, options={**options, "UCI_LimitStrength": True, "UCI_Elo": elo})
    elif takes_elo(spec):
        player = parse_player(spec, elo=elo)
    else:
        raise UsageError(f"`{spec}` knows no ratings", hint="limit it by positions, time or depth")
    if isinstance(player, Engine):
        player.new_game(chess960)
    return player
