"""Panels that answer by news: what takes a while is found in a thread, and told when it is."""

from typing import Any

from okapi.errors import OkapiError
from okapi.web.inquiry import Inquiry, Steps
from okapi.web.panel import Desk, Panel

__all__ = ["InquiringPanel"]


class InquiringPanel(Panel):
    """A newer question ends an older one of its kind."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self._asked: dict[str, Inquiry] = {}

    def close(self) -> None:
        """The page has gone."""
        for inquiry in self._asked.values():
            inquiry.stop()

    def inquire(self, steps: Steps, kind: str, **which: Any) -> None:
        """Tell the page what is found as news `NAME.KIND`, or `NAME.failed` if nothing is; `which` says of what."""

        def heard(found: dict[str, Any]) -> None:
            self.desk.tell(f"{self.name}.{kind}", **which, **found)

        def failed(error: OkapiError) -> None:
            self.desk.tell("error", error=str(error), hint=error.hint)
            self.desk.tell(f"{self.name}.failed", of=kind, **which)

        if kind in self._asked:
            self._asked[kind].stop()
        self._asked[kind] = Inquiry(self, steps, stop=lambda: None, on_news=heard, on_failed=failed)
        self.house.inquiries.submit(self._asked[kind])
