"""The server's half of a panel: a class whose methods answer messages."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Protocol, TypeAlias, TypeVar

from okapi.errors import OkapiError
from okapi.web.jobs import AnalysisJob, Steps
from okapi.web.messages import Nothing
from okapi.web.state import AppState

Answer: TypeAlias = Mapping[str, Any] | None
"""Whatever JSON can say, or nothing but “done”."""

P = TypeVar("P", bound="Panel")
M = TypeVar("M")
RECORD: Final = "_record"


class PanelContext(Protocol):
    """What a panel may use: the shared state, and a way to send news to its page."""

    state: AppState

    def tell(self, kind: str, **data: Any) -> None:
        """Send news to the page; a slow page gets only the newest of each kind."""
        ...


def answers(record: type[M]) -> Callable[[Callable[[P, M], Answer]], Callable[[P, M], Answer]]:
    """Mark a method as the answer to messages of its name, which are read as `record`."""

    def mark(method: Callable[[P, M], Answer]) -> Callable[[P, M], Answer]:
        setattr(method, RECORD, record)
        return method

    return mark


class Panel:
    """One for each page and panel. Methods run on the event loop and return at once; searches go to the pool."""

    name: ClassVar[str]
    """As in the messages: the page sends `name.method`."""

    def __init__(self, context: PanelContext) -> None:
        self.context = context
        self.state = context.state

    def close(self) -> None:
        """The page has gone: stop all of its jobs."""


class WatchingPanel(Panel):
    """A panel that is told of changes until it is out of sight."""

    @answers(Nothing)
    def rest(self, message: Nothing) -> Answer:
        self.close()
        return None


class JobPanel(Panel):
    """A panel that answers by jobs: a newer job ends an older one of its kind."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self._asked: dict[str, AnalysisJob] = {}

    def close(self) -> None:
        for job in self._asked.values():
            job.stop()

    def start_job(self, steps: Steps, kind: str, **which: Any) -> None:
        """Send results as news `NAME.KIND`, or an error as `NAME.failed`; `which` is sent along."""

        def heard(found: dict[str, Any]) -> None:
            self.context.tell(f"{self.name}.{kind}", **which, **found)

        def failed(error: OkapiError) -> None:
            self.context.tell("error", error=str(error), hint=error.hint)
            self.context.tell(f"{self.name}.failed", of=kind, **which)

        if kind in self._asked:
            self._asked[kind].stop()
        self._asked[kind] = AnalysisJob(self, steps, stop=lambda: None, on_update=heard, on_failed=failed)
        self.state.jobs.submit(self._asked[kind])
