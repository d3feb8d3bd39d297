"""Shares are fair, and a search that was interrupted goes on."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from threading import Event
from weakref import ref

import pytest

from okapi.core import Decision, Limits, Position
from okapi.errors import TooBusy
from okapi.web import state as state_module
from okapi.web.jobs import FairPool, SearchJob, SearchUpdate
from okapi.web.session import MOST_WAITING, Outbox
from okapi.web.state import AppState


@pytest.fixture
def pool() -> Iterator[FairPool]:
    pool = FairPool(2, "tests")
    yield pool
    pool.close()


class Endless:
    """Work that never ends, and counts its turns."""

    def __init__(self, owner: str, turns: Counter[str]) -> None:
        self.owner = owner
        self._turns = turns
        self._paused = Event()
        self.over = False

    def run(self) -> bool:
        self._paused.clear()
        if not self.over:
            self._turns[self.owner] += 1
            self._paused.wait(5)
        return self.over

    def pause(self) -> None:
        self._paused.set()


def test_everybody_gets_as_many_turns_whoever_asks_for_more(pool: FairPool) -> None:
    turns: Counter[str] = Counter()
    works = [Endless(owner, turns) for owner in "aaaabcde"]
    for work in works:
        pool.submit(work)
    time.sleep(3)
    for work in works:
        work.over = True
        work.pause()

    assert set("abcde") == set(turns)
    assert max(turns.values()) - min(turns.values()) <= 2


def test_work_without_company_is_not_disturbed(pool: FairPool) -> None:
    turns: Counter[str] = Counter()
    work = Endless("a", turns)
    pool.submit(work)
    time.sleep(0.8)
    work.over = True
    work.pause()

    assert 1 == turns["a"]


def test_closing_ends_what_runs() -> None:
    pool = FairPool(1, "tests")
    turns: Counter[str] = Counter()
    for owner in "ab":
        pool.submit(Endless(owner, turns))
    time.sleep(0.1)
    pool.close()

    assert 0 == pool.busy


def test_what_is_done_is_forgotten_by_everybody(pool: FairPool) -> None:
    turns: Counter[str] = Counter()
    works = [Endless(owner, turns) for owner in "abcd"]
    for work in works:
        pool.submit(work)
    time.sleep(0.5)
    for work in works:
        work.over = True
        work.pause()
    while pool.busy:
        time.sleep(0.01)
    held = [ref(work) for work in works]
    del work, works
    time.sleep(0.1)

    assert [None] * 4 == [each() for each in held]


async def _search(
    state: AppState, position: Position, limits: Limits, others: int = 0, multipv: int = 1
) -> tuple[Decision, list[SearchUpdate]]:
    """A search among others, with everything it told."""
    done: asyncio.Future[Decision] = asyncio.get_running_loop().create_future()
    news: list[SearchUpdate] = []
    crowd = [SearchJob(n, state.engine_slot("material"), Position.start(), Limits()) for n in range(others)]
    for search in crowd:
        state.pool.submit(search)
    slot = state.engine_slot("material")
    state.pool.submit(
        SearchJob("it", slot, position, limits, multipv=multipv, on_update=news.append, on_done=done.set_result)
    )
    async with asyncio.timeout(20):
        decision = await done
    for search in crowd:
        search.stop()
    return decision, news


def test_a_search_that_others_interrupt_uses_its_time_and_goes_deeper(state: AppState) -> None:
    alone, _ = asyncio.run(_search(state, Position.start(), Limits(movetime_ms=800)))
    crowded, news = asyncio.run(_search(state, Position.start(), Limits(movetime_ms=800), others=3))
    depths = [told.lines[0].depth for told in news]

    assert 8 * crowded.nodes >= alone.nodes  # a quarter is its share
    assert depths == sorted(depths)
    state.close()


def test_nodes_are_counted_over_all_turns(state: AppState) -> None:
    decision, _ = asyncio.run(_search(state, Position.start(), Limits(nodes=400_000), others=3))

    assert 400_000 <= decision.nodes < 440_000
    state.close()


def test_the_last_news_come_before_the_end(state: AppState) -> None:
    async def listen() -> list[str]:
        told: list[str] = []
        search = SearchJob(
            "it",
            state.engine_slot("material"),
            Position.start(),
            Limits(nodes=20_000),
            on_update=lambda news: told.append(f"depth {news.lines[0].depth}"),
            on_done=lambda decision: told.append(f"done at {decision.depth}"),
        )
        state.pool.submit(search)
        while not any("done" in text for text in told):
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.3)
        return told

    *_, last, end = asyncio.run(listen())

    assert last.replace("depth", "done at") == end
    state.close()


def test_several_lines_come_whole(state: AppState) -> None:
    _, news = asyncio.run(_search(state, Position.start(), Limits(nodes=100_000), multipv=3))

    assert news and all(3 == len(told.lines) and 1 == len({line.depth for line in told.lines}) for told in news)
    state.close()


def test_a_search_that_sees_everything_ends(state: AppState) -> None:
    bare = Position.from_fen("8/8/8/8/8/8/6k1/K7 w - - 0 1")
    decision, _ = asyncio.run(_search(state, bare, Limits()))

    assert decision.move in bare.legal_moves()
    state.close()


def test_memory_comes_back_and_there_is_always_some_left(state: AppState) -> None:
    def sizes(monkey: pytest.MonkeyPatch) -> list[int]:
        """The hash tables of as many boards as there may be, in MB."""
        made: list[int] = []
        monkey.setattr(state_module, "Search", lambda evaluator, table_mb: made.append(table_mb))
        slots = [state.engine_slot("material") for _ in range(state_module.MOST_SLOTS)]
        with pytest.raises(TooBusy):
            state.engine_slot("material")
        del slots
        return made

    with pytest.MonkeyPatch.context() as monkey:
        first = sizes(monkey)
        assert first == sizes(monkey)
    assert 16 == first[0] and all(size >= 1 for size in first)
    assert sum(first) <= state_module.TABLES_MB + state_module.MOST_SLOTS
    state.close()


def test_of_news_the_newest_wins_and_answers_keep_their_order() -> None:
    async def conversation() -> list[object]:
        outbox = Outbox()
        outbox.put({"id": 1})
        outbox.put({"n": 1}, newest_of="news")
        outbox.put({"id": 2})
        outbox.put({"n": 2}, newest_of="news")
        return [await outbox.get() for _ in range(3)]

    assert [{"id": 1}, {"n": 2}, {"id": 2}] == asyncio.run(conversation())


def test_a_page_that_does_not_listen_is_noticed() -> None:
    outbox = Outbox()
    for number in range(MOST_WAITING + 1):
        outbox.put({"id": number})

    assert outbox.overflown
