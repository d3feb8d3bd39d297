"""Questions that take many looks: asked in a thread of their own, while the looking is done in fair turns."""

import asyncio
from collections.abc import Callable, Generator
from concurrent.futures import CancelledError, Future
from typing import Any, TypeAlias

from okapi.core import Decision, Limits, Position
from okapi.errors import OkapiError
from okapi.web.pool import Pool
from okapi.web.thinking import Chair, Job, Mind, Search

__all__ = ["Deputy", "Inquiry", "Program", "Steps"]

Steps: TypeAlias = Generator[Any, None, None]
"""What an inquiry has found so far, again and again."""


class Deputy:
    """A player for other threads: each move it is asked for becomes a search in the pool, with everybody else's."""

    def __init__(self, owner: object, pool: Pool, mind: Mind) -> None:
        """On the event loop."""
        self._owner, self._pool, self._mind = owner, pool, mind
        self._loop = asyncio.get_running_loop()
        self._search: Search | None = None
        self._answer: Future[Decision] | None = None
        self._stopped = False

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Wait for the pool; CancelledError once it was told to stop. From any thread but the event loop's."""
        answer: Future[Decision] = Future()
        self._loop.call_soon_threadsafe(self._begin, position.copy(), limits, answer)
        return answer.result()

    def stop(self) -> None:
        """Let whoever waits go away without an answer. On the event loop."""
        self._stopped = True
        if self._search is not None:
            self._search.stop()
        if self._answer is not None:
            self._answer.cancel()

    def _begin(self, position: Position, limits: Limits, answer: Future[Decision]) -> None:
        if self._stopped:
            answer.cancel()
            return
        self._answer = answer
        self._search = Search(
            self._owner, self._mind, position, limits, on_done=answer.set_result, on_failed=answer.set_exception
        )
        self._pool.submit(self._search)


class Program:
    """Another program as a player for other threads; it is started when it is first asked."""

    def __init__(self, chair: Chair) -> None:
        self._chair = chair
        self._stopped = False

    def choose(self, position: Position, limits: Limits) -> Decision:
        """Its decision; CancelledError once it was told to stop, or it would be started again after its end."""
        with self._chair.lock:
            if self._stopped:
                raise CancelledError
            return self._chair.player().choose(position, limits)

    def stop(self) -> None:
        """Answer now, and never again."""
        self._stopped = True
        self._chair.hurry()


class Inquiry(Job):
    """Runs steps and tells what each of them found. Between two of them it can be paused, and others have a turn."""

    def __init__(
        self,
        owner: object,
        steps: Steps,
        *,
        stop: Callable[[], object],
        on_news: Callable[[Any], object],
        on_done: Callable[[], object] = lambda: None,
        on_failed: Callable[[OkapiError], object],
    ) -> None:
        """`stop` ends the step that is under way."""
        super().__init__(owner, on_done, on_failed)
        self._steps, self._stop, self._on_news = steps, stop, on_news
        self._paused = False

    def run(self) -> bool:
        """One turn."""
        self._paused = False
        try:
            while not self.stopped:
                if self._paused:
                    return False
                self._tell(self._on_news, next(self._steps))
            self._steps.close()
        except StopIteration:
            self._tell(self._on_done)
        except CancelledError:
            pass
        except Exception as error:
            self._fail(error)
        return True

    def pause(self) -> None:
        """Let others have a turn after this step."""
        self._paused = True

    def stop(self) -> None:
        """Ask no more; nobody will be told anything."""
        self.stopped = True
        self._stop()
