"""A person who looks at one panel of a real server in a real browser."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn

from okapi.web.app import STATIC, make_app
from okapi.web.state import AppState

AXE = Path(__file__).parents[3] / "build" / "web" / "node_modules" / "axe-core" / "axe.min.js"
SETTLE = """
for (const change of document.getAnimations())
  if (change.effect.getComputedTiming().endTime < Infinity) change.finish();
"""
"""Colours that fade from one theme to the other are no colours to judge."""
PRESS = """
const [path] = arguments;
const found = document.evaluate(path, document, null, XPathResult.FIRST_ORDERED_NODE_TYPE).singleNodeValue;
if (!found) throw new Error(`nothing on the page is at ${path}`);
found.click();
"""
"""Find a button and press it at once: a list that is drawn again between the two would leave an old button."""
DESKTOP, PHONE = (1280, 860), (390, 844)
LONGEST_WAIT_S = 30


class Visit:
    """What a person sees and does."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver, self.address = driver, address

    def open(self, link: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(self.address + link)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        found: list[Any] = self.driver.find_elements("css selector", selector)
        return found

    def texts(self, selector: str) -> list[str]:
        """What the elements say, whether one has to scroll for it or not."""
        script = "return [...document.querySelectorAll(arguments[0])].map(e => e.textContent)"
        found: list[str] = self.driver.execute_script(script, selector)
        return found

    def click(self, text: str, within: str = "//main") -> None:
        """Press a button, by what is written on it; one behind the edge of the window, too."""
        self.driver.execute_script(PRESS, f"{within}//button[normalize-space(.)='{text}']")

    def set(self, label: str, value: str, *, nth: int = 0) -> None:
        """Fill in the field with this label, or the nth of them."""
        script = """
            const [name, value, nth] = arguments;
            const field = [...document.querySelectorAll('.panel:not([hidden]) .field')]
                .filter(f => f.querySelector('.field-label').textContent === name)[nth];
            const control = field.querySelector('select, input');
            control.value = value;
            control.dispatchEvent(new Event('input')); control.dispatchEvent(new Event('change'));
        """
        self.driver.execute_script(script, label, value, nth)

    def until(self, condition: Any) -> Any:
        from selenium.webdriver.support.wait import WebDriverWait

        waiting = WebDriverWait(self.driver, LONGEST_WAIT_S, poll_frequency=0.05, ignored_exceptions=(Exception,))
        return waiting.until(lambda driver: condition())

    @contextmanager
    def on_a_phone(self) -> Iterator[None]:
        size = {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 2, "mobile": True}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        try:
            yield
        finally:
            self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    @property
    def fits(self) -> bool:
        """Is nothing wider than the window?"""
        wide, window = self.driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        return bool(wide <= window)

    def serious(self) -> list[Any]:
        """What axe has to say; nothing where it was not fetched."""
        if not AXE.is_file():
            return []
        self.driver.execute_script(AXE.read_text(encoding="utf-8"))
        self.driver.execute_script(SETTLE)
        found = self.driver.execute_async_script("axe.run().then(arguments[0])")["violations"]
        grave = [finding for finding in found if finding["impact"] in ("serious", "critical")]
        return [(finding["id"], [node["html"] for node in finding["nodes"]]) for finding in grave]

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "INFO"]


@pytest.fixture
def visiting(chromium: Any) -> Callable[[AppState, str], AbstractContextManager[Visit]]:
    """Visit a panel of a server that is served for this; the browser's console has to stay silent."""
    return lambda state, link: _visiting(chromium, state, link)


@contextmanager
def _visiting(driver: Any, state: AppState, link: str) -> Iterator[Visit]:
    if not (STATIC / "index.html").is_file():
        pytest.skip("the board's page is not built: make web")
    listener = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(make_app(state), log_level="warning"))
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    visit = Visit(driver, f"http://127.0.0.1:{listener.getsockname()[1]}/")
    driver.set_window_size(*DESKTOP)
    driver.switch_to.new_window("tab")
    visit.errors()
    try:
        visit.open(link)
        yield visit
        assert [] == visit.errors(), "the browser's console has something to say"
    finally:
        driver.close()
        driver.switch_to.window(driver.window_handles[0])
        server.should_exit = True
        thread.join(10)
        listener.close()
