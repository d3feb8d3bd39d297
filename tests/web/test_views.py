"""Every view of the board for everybody: by keyboard, on small screens, in both themes, without motion, read aloud."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from okapi.web.panels import PANELS

pytest.importorskip("selenium", reason="needs selenium: make test installs it")

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.wait import WebDriverWait

AXE = Path(__file__).parents[2] / "build" / "web" / "node_modules" / "axe-core" / "axe.min.js"

DESKTOP, PHONE, SMALLEST = (1280, 860), (390, 844), (360, 640)

LONGEST_WAIT_S = 20

VIEWS = [*(panel.name for panel in PANELS), "two_brains"]

needs_axe = pytest.mark.skipif(not AXE.is_file(), reason="needs axe-core: make web fetches it")

every_view = pytest.mark.parametrize("view", VIEWS)

REACHABLE = "a[href], button, input, select, textarea, summary, [tabindex]"

WATCH = """
    window.reachable = arguments[0];
    window.walked = new Set();
    window.steps = [];
    window.isAround = false;
    window.changed = performance.now();
    const isReachable = (node) =>
        node.nodeType === Node.ELEMENT_NODE && (node.matches(reachable) || node.querySelector(reachable));
    const touches = (change) => [...change.addedNodes, ...change.removedNodes].some(isReachable);
    new MutationObserver((changes) => { if (changes.some(touches)) window.changed = performance.now(); })
        .observe(document.body, { childList: true, subtree: true });
    addEventListener('focusin', ({ target: e }) => {
        isAround ||= walked.has(e);
        if (isAround) return;
        walked.add(e);
        const marked = e.type === 'radio' || e.type === 'checkbox' ? e.nextElementSibling ?? e : e;
        const isOutlined = [e, marked].some((m) => {
            const style = getComputedStyle(m);
            return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
        });
        steps.push({ html: e.outerHTML.slice(0, 100), isOutlined });
    });
"""

NOT_WALKED = """
    const isShown = (e) => e.checkVisibility({ visibilityProperty: true }) && !e.closest('[inert]');
    const isHeard = (e) => e.type !== 'radio' || e.checked;
    return [...document.querySelectorAll(reachable)]
        .filter((e) => !e.disabled && e.tabIndex >= 0 && isShown(e) && isHeard(e) && !walked.has(e))
        .map((e) => e.outerHTML.slice(0, 100));
"""

STILL = "return performance.now() - changed > 500"


class View:
    """A view in the browser."""

    def __init__(self, driver: Any, address: str) -> None:
        self.driver, self.address = driver, address

    def open(self, name: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(f"{self.address}#{name}")
        self.until(lambda: self.run(f"return document.querySelector('#panel-{name}')?.childElementCount > 0"))
        self.until(lambda: "on" in self.find(".light").get_attribute("class"))

    def run(self, script: str, *arguments: object) -> Any:
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> Any:
        return self.driver.find_element("css selector", selector)

    def count(self, selector: str) -> int:
        return len(self.driver.find_elements("css selector", selector))

    def until(self, condition: Any) -> Any:
        waiting = WebDriverWait(self.driver, LONGEST_WAIT_S, poll_frequency=0.05, ignored_exceptions=(Exception,))
        return waiting.until(lambda driver: condition())

    def press(self, *keys: str) -> None:
        ActionChains(self.driver).send_keys(*keys).perform()

    def walk(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Where Tab leads one after the other, and where it does not lead."""
        before = -1
        while before < (now := self.run("return isAround ? -1 : steps.length")):
            before = now
            self.press(*[Keys.TAB] * 20)
        return self.run("return steps"), self.run(NOT_WALKED)

    def errors(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser") if entry["level"] != "INFO"]

    def theme(self, name: str) -> None:
        """Change the colours, and wait until they have changed and all is drawn."""
        self.driver.execute_async_script(
            """const [name, done] = arguments;
            document.documentElement.dataset.theme = name;
            dispatchEvent(new Event('themechange'));
            const ends = (a) => a.effect.getComputedTiming().endTime !== Infinity;
            const settled = () =>
                Promise.allSettled(document.getAnimations().filter(ends).map((a) => a.finished)).then(() => done());
            requestAnimationFrame(() => requestAnimationFrame(settled))""",
            name,
        )

    @contextmanager
    def screen(self, width: int, height: int) -> Iterator[None]:
        """Look at it on another screen; a small one is a phone's."""
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < height}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        yield
        self.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def too_wide(self) -> list[str]:
        """What reaches beyond the right edge of the window and makes it scroll."""
        script = """
            const isOut = (e) => e.getBoundingClientRect().right > innerWidth + 1;
            const all = document.documentElement.scrollWidth > innerWidth ? document.querySelectorAll('body *') : [];
            return [...all].filter(isOut).map((e) => e.outerHTML.slice(0, 80)).slice(0, 5);
        """
        return list(self.run(script))

    def serious(self, rules: list[str] | None = None) -> list[Any]:
        """What axe finds serious or critical, by all its rules or by some."""
        if not self.run("return 'axe' in window"):
            self.run(AXE.read_text(encoding="utf-8"))
        script = "axe.run({ resultTypes: ['violations'], ...arguments[0] }).then(arguments[1])"
        options = {"runOnly": {"type": "rule", "values": rules}} if rules else {}
        found = self.driver.execute_async_script(script, options)["violations"]
        grave = [finding for finding in found if finding["impact"] in ("serious", "critical")]
        return [(finding["id"], [node["html"][:120] for node in finding["nodes"]]) for finding in grave]


@pytest.fixture
def page(chromium: Any, server: str) -> Iterator[View]:
    chromium.set_window_size(*DESKTOP)
    chromium.execute_cdp_cmd("Storage.clearDataForOrigin", {"origin": server.rstrip("/"), "storageTypes": "all"})
    chromium.switch_to.new_window("tab")
    page = View(chromium, server)
    page.errors()
    yield page
    assert [] == page.errors(), "the browser's console has something to say"
    chromium.close()
    chromium.switch_to.window(chromium.window_handles[0])


def begin_a_game(page: View) -> None:
    page.find(".entry").send_keys("e4" + Keys.ENTER)
    page.until(lambda: page.count(".moves button") == 2)


FILLED = {"play": begin_a_game}
"""What there is to be seen only when something was done."""

OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe whose findings depend on the theme: it changes nothing but colours."""


@needs_axe
@every_view
def test_axe_finds_nothing_serious(page: View, view: str) -> None:
    found = {}
    page.open(view)
    if view in FILLED:
        FILLED[view](page)
    for size in (DESKTOP, PHONE):
        with page.screen(*size):
            for theme, rules in (("light", None), ("dark", OF_COLOURS)):
                page.theme(theme)
                found[theme, size] = page.serious(rules)

    assert {} == {where: serious for where, serious in found.items() if serious}


@needs_axe
@pytest.mark.parametrize("key", ["n", "?"])
def test_axe_finds_nothing_serious_in_dialogs(page: View, key: str) -> None:
    page.open("play")
    page.until(lambda: page.count(".cg-wrap piece"))
    page.press(key)
    page.until(lambda: page.find("dialog[open]"))

    assert [] == page.serious()


@needs_axe
@pytest.mark.parametrize("button", ["Resign", "Board and pieces"])
def test_axe_finds_nothing_serious_in_dialogs_of_buttons(page: View, button: str) -> None:
    page.open("play")
    page.until(lambda: page.count(".cg-wrap piece"))
    name = f"//button[@aria-label='{button}' or normalize-space(.)='{button}']"
    page.driver.find_element("xpath", name).click()
    page.until(lambda: page.find("dialog[open]"))

    assert [] == page.serious()


@needs_axe
def test_axe_finds_nothing_serious_when_the_game_is_over_and_in_zen(page: View) -> None:
    page.open("play")
    page.until(lambda: page.count(".cg-wrap piece"))
    page.find(".entry").send_keys("e5" + Keys.ENTER)
    page.until(lambda: page.find(".entry-error").text)
    found = {"a wrong move": page.serious()}
    page.driver.find_element("xpath", "//button[normalize-space(.)='Resign']").click()
    page.find("dialog button.primary").click()
    page.until(lambda: page.find(".status.over"))
    found["over"] = page.serious()
    page.press(Keys.ESCAPE, "z")
    page.until(lambda: page.find(".leave-zen").is_displayed())
    found["zen"] = page.serious()

    assert {} == {where: serious for where, serious in found.items() if serious}


@every_view
def test_the_smallest_phones_need_not_scroll_sideways(page: View, view: str) -> None:
    with page.screen(*SMALLEST):
        page.open(view)

        assert [] == page.too_wide()


@every_view
def test_tab_leads_everywhere_and_shows_where_one_is(page: View, view: str) -> None:
    for _ in range(5):  # what comes in behind one's back is not walked: once more
        page.open(view)
        page.run(WATCH, REACHABLE)
        page.until(lambda: page.run(STILL))
        before = page.run("return changed")
        steps, missed = page.walk()
        if before == page.run("return changed"):
            break

    assert "Skip to" in steps[0]["html"]
    assert [] == [step["html"] for step in steps if not step["isOutlined"]]
    assert [] == missed


def test_a_game_is_begun_and_played_by_keyboard(page: View) -> None:
    page.open("play")
    page.until(lambda: page.count(".cg-wrap piece"))
    page.press("n")
    page.until(lambda: page.find("dialog[open]"))
    page.press(Keys.ESCAPE)
    page.until(lambda: not page.count("dialog"))
    page.press("n")
    page.until(lambda: page.find("dialog[open]"))
    page.run("document.querySelector('dialog button.primary').focus()")
    page.press(Keys.ENTER)
    page.until(lambda: not page.count("dialog"))
    page.press("/")
    page.press("e4", Keys.ENTER)
    page.until(lambda: page.count(".moves button") == 2)
    page.press(Keys.ESCAPE)
    page.press("f")

    page.until(lambda: page.count(".cg-wrap.orientation-black"))


def test_who_wants_no_motion_gets_none(page: View) -> None:
    wish = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", wish)
    page.open("play")
    page.until(lambda: page.count(".cg-wrap.manipulable piece"))
    page.run(
        """window.moving = 0;
        new MutationObserver(() => (window.moving += document.querySelectorAll('piece.anim').length))
            .observe(document.querySelector('cg-board'), { subtree: true, attributes: true, childList: true })"""
    )
    page.find(".entry").send_keys("e4" + Keys.ENTER)
    page.until(lambda: page.count(".moves button") == 2)
    moving, seconds = page.run(
        "return [window.moving, getComputedStyle(document.querySelector('button')).transitionDuration]"
    )
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})

    assert (0, "0s") == (moving, seconds)
