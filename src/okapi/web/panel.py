"""The server's half of a panel: a class whose methods answer messages."""

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache, partial, wraps
from typing import Any, ClassVar, Final, TypeAlias, TypeVar

from okapi.errors import OkapiError
from okapi.web.jobs import AnalysisJob, BackgroundTask, EngineSlot, FairPool, Job, LazyPlayer, Steps
from okapi.web.messages import arguments, parameters
from okapi.web.state import AppState
from okapi.web.views import error_view

Answer: TypeAlias = Mapping[str, Any] | None  # whatever JSON can say, or nothing but “done”
Method = TypeVar("Method", bound=Callable[..., Answer])
Slot = TypeVar("Slot", EngineSlot, LazyPlayer)
ACTION: Final = "_answers_messages"


def action(method: Method) -> Method:
    """Mark a method as the answer to messages of its name. Its parameters are the fields of the message.

    A record that is its only parameter is the whole message.
    """
    setattr(method, ACTION, True)
    return method


@cache
def declares(method: Callable[..., Answer]) -> Callable[..., object]:
    """What has the fields of a message as its parameters: an action, or the record that it takes."""
    kinds = [parameter.annotation for parameter in parameters(method).values()]
    record: type = kinds[0] if len(kinds) == 1 else object
    return record if is_dataclass(record) else method


class Panel:
    """One for each page and panel. Methods run on the event loop and return at once; searches go to the pool."""

    name: ClassVar[str]  # the page sends `name.method`; as its module is called
    actions: ClassVar[Mapping[str, Callable[..., Answer]]]  # the methods that answer messages

    def __init_subclass__(cls) -> None:
        cls.name = cls.__module__.rpartition(".")[2]
        methods = {name: getattr(cls, name) for name in dir(cls)}
        cls.actions = {name: method for name, method in methods.items() if hasattr(method, ACTION)}

    def __init__(self, state: AppState, tell: Callable[..., object]) -> None:
        """`tell` sends news of a kind to the page, with fields; a slow page gets only the newest of each kind."""
        self.state, self.tell = state, tell

    def close(self) -> None:
        """The page has gone: stop all of its jobs."""

    def answer(self, method: Callable[..., Answer], data: object) -> Answer:
        """Read a message, and answer it by an action: OkapiError."""
        declared = declares(method)
        read = arguments(declared, data)
        return method(self, **read) if declared is method else method(self, declared(**read))

    def complain(self, error: OkapiError) -> None:
        self.tell("error", **error_view(error))


class WatchingPanel(Panel):
    """A panel that is told of changes until it is out of sight. What it watches goes on without it."""

    @action
    def rest(self) -> None:
        self.close()

    def close(self) -> None:
        super().close()
        self.state.runs.leave(self)
        self.state.tournaments.leave(self)


class JobPanel(Panel):
    """A panel that answers by jobs, one of each kind at a time, with searches and players, one for each purpose."""

    def __init__(self, state: AppState, tell: Callable[..., object]) -> None:
        super().__init__(state, tell)
        self.running: dict[str, Job] = {}
        self._slots: dict[object, tuple[object, Any]] = {}

    def close(self) -> None:
        self.stop_jobs(*self.running)
        self.leave(*self._slots)

    def engine(self, purpose: object, brain: str | None = None) -> EngineSlot:
        """A search with this brain; it replaces another one with the same purpose."""
        return self._slot(purpose, brain, lambda: self.state.engine_slot(brain))

    def player(self, purpose: object, *which: Any) -> LazyPlayer:
        """Any other player: the arguments of AppState.player."""
        return self._slot(purpose, which, lambda: LazyPlayer(partial(self.state.player, *which)))

    def leave(self, *purposes: object) -> None:
        """Close what has these purposes; programs are ended in the background."""
        for purpose in purposes:
            _, slot = self._slots.pop(purpose, (None, None))
            if isinstance(slot, LazyPlayer):
                self.state.programs.submit(BackgroundTask(self, slot.close))

    def run_job(self, kind: str, job: Job, pool: FairPool) -> None:
        """Start a job; it ends an older one of its kind."""
        self.stop_jobs(kind)
        self.running[kind] = job
        pool.submit(job)

    def stop_jobs(self, *kinds: str) -> None:
        for kind in kinds:
            if kind in self.running:
                self.running.pop(kind).stop()

    def run_steps(self, steps: Steps, kind: str, **which: Any) -> None:
        """Start a job whose results are news `NAME.KIND`, and its error `NAME.failed`; `which` is sent along."""

        def heard(found: dict[str, Any]) -> None:
            self.tell(f"{self.name}.{kind}", **which, **found)

        def failed(error: OkapiError) -> None:
            self.complain(error)
            self.tell(f"{self.name}.failed", of=kind, **which)

        self.run_job(kind, AnalysisJob(self, steps, on_update=heard, on_failed=failed), self.state.jobs)

    def _slot(self, purpose: object, what: object, make: Callable[[], Slot]) -> Slot:
        if purpose not in self._slots or self._slots[purpose][0] != what:
            self.leave(purpose)
            self._slots[purpose] = what, make()
        slot: Slot = self._slots[purpose][1]
        return slot


def job(kind: str, *echoed: str) -> Callable[[Callable[..., Steps]], Callable[..., Answer]]:
    """Make an action of a JobPanel from a generator: it yields its answer first, and then, in a thread, its results.

    The results are news of this kind, with the `echoed` fields of the message.
    """

    def mark(method: Callable[..., Steps]) -> Callable[..., Answer]:
        @action
        @wraps(method)
        def begin(panel: JobPanel, **fields: object) -> Answer:
            steps = method(panel, **fields)
            answer: Answer = next(steps)
            declared = parameters(method)
            panel.run_steps(steps, kind, **{name: fields.get(name, declared[name].default) for name in echoed})
            return answer

        return begin

    return mark
