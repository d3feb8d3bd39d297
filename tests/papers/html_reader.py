"""Reads a page of a paper: follows its elements, and keeps words, ids and links."""

from html.parser import HTMLParser

CLOSED = {"rect", "line", "circle", "polyline", "polygon", "path", "use"}
"""Elements of SVG that end where they begin."""


class Reader(HTMLParser):
    """Follows the elements, and keeps words, ids and links."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.labels: list[str] = []
        self.counts: dict[str, int] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        self.ids += [found["id"]] if found.get("id") else []  # type: ignore[list-item]
        self.links += [found["href"]] if found.get("href") else []  # type: ignore[list-item]
        if tag == "svg" and "aria-hidden" not in found:
            self.labels.append(found.get("aria-label") or "")
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in CLOSED, f"<{tag}/>"

    def handle_endtag(self, tag: str) -> None:
        assert tag == self.open.pop(), f"</{tag}> ends nothing"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def read(html: str) -> Reader:
    reader = Reader()
    reader.feed(html)
    reader.close()
    assert not reader.open
    return reader


def check(html: str) -> Reader:
    """Every id is there once, every link leads to one, and every picture has a description."""
    reader = read(html)
    assert len(set(reader.ids)) == len(reader.ids), sorted(name for name in reader.ids if reader.ids.count(name) > 1)
    assert {link.removeprefix("#") for link in reader.links} <= set(reader.ids)
    assert all(reader.labels) and len(reader.labels) >= reader.counts.get("svg", 0) - 1
    assert reader.counts["figcaption"] == reader.counts["figure"]
    assert "script" not in reader.counts and "img" not in reader.counts
    return reader
