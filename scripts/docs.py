"""Build the site of the docs; `make docs` calls it.

    python scripts/docs.py [--to build/docs]

docs/ is copied, and pages are added that the program itself writes: commands from `okapi COMMAND --help`, the Python
API from docstrings, UCI options from okapi-uci, the HTTP API from its description. Sphinx then builds build/docs/html
without a warning, and every local link, anchor and picture of the result is looked for.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from rich.console import Console

import okapi
from okapi.cli.app import COMMANDS, command_names, make_app
from okapi.web.api import openapi

ROOT = Path(__file__).resolve().parent.parent
REPOSITORY = "https://github.com/okapi-chess/okapi/blob/main"
WIDTH = 88
"""Characters of a line of help: as wide as the page."""


def main() -> int:
    """Copy, generate, build, check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=ROOT / "build" / "docs", help="a folder; what is there is replaced")
    folder = parser.parse_args().to.resolve()
    source, html = folder / "source", folder / "html"
    shutil.rmtree(folder, ignore_errors=True)
    write_source(source)
    sphinx = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-j", "auto", "-b", "html"]
    built = subprocess.run([*sphinx, "-d", folder / "doctrees", source, html], check=False)
    if built.returncode:
        return built.returncode
    faults = [*broken_links(html), *undocumented(html / "reference" / "api.html")]
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    pages = len(list(html.rglob("*.html")))
    print(f"site: {pages} pages, {len(faults)} faults; open {html / 'index.html'}")
    return bool(faults)


def write_source(source: Path) -> None:
    """The pages of docs/ and the generated ones."""
    shutil.copytree(ROOT / "docs", source)
    generated = {
        "reference/commands.md": commands_page(),
        "reference/api.md": api_page(),
        "reference/uci-options.md": options_page(),
        "reference/http.md": http_page(),
        "howto/evaluator.md": evaluator_page(),
        "contributing.md": (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        "changelog.md": (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        "security.md": (ROOT / "SECURITY.md").read_text(encoding="utf-8"),
    }
    for name, text in generated.items():
        (source / name).write_text(text, encoding="utf-8")
    for page in source.rglob("*.md"):
        page.write_text(with_links_of_the_site(page.read_text(encoding="utf-8"), page, source), encoding="utf-8")


def with_links_of_the_site(text: str, page: Path, source: Path) -> str:
    """The text, with links to files that are not pages made links to the repository.

    A link that is named after its file, such as `[uci.md](uci.md)`, gets the title of that page. Links of
    CONTRIBUTING.md, CHANGELOG.md and SECURITY.md begin at the root of the repository.
    """
    moved = {ROOT / f"{name.upper()}.md": source / f"{name}.md" for name in ("contributing", "changelog", "security")}
    where = ROOT if page in moved.values() else ROOT / "docs" / page.parent.relative_to(source)

    def link(match: re.Match[str]) -> str:
        name, target, anchor = match[1] or "", match[2], match[3] or ""
        file = Path(os.path.normpath(where / target))
        there = moved.get(file)
        if not there and file.is_relative_to(ROOT / "docs") and file.suffix in (".md", ".ipynb", ".png", ".svg"):
            there = source / file.relative_to(ROOT / "docs")
        if there:
            return f"{titled(name, there)}]({os.path.relpath(there, page.parent)}{anchor})"
        return f"{name}]({REPOSITORY}/{file.relative_to(ROOT)})" if file.exists() else match[0]

    return re.sub(r"(\[[\w./-]+\.md)?\]\(((?!https?:|mailto:|#)[^)\s#]+)(#[^)\s]*)?\)", link, text)


def titled(name: str, page: Path) -> str:
    """The beginning of a link: `[`, and the title of the page where the name is that of its file."""
    title = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE) if name and page.exists() else None
    return f"[{title[1]}" if title else name


# --- Generated pages --------------------------------------------------------------------------------------------------


def help_of(*command: str) -> str:
    """What `okapi COMMAND --help` prints."""
    console = Console(file=StringIO(), width=WIDTH, no_color=True, force_terminal=False)
    with console.capture() as printed:
        make_app(command).help_print(list(command), console=console)
    return "\n".join(line.rstrip() for line in printed.get().strip().splitlines())


def commands_page() -> str:
    """Every command with its help."""
    lines = [
        "# Commands",
        "",
        "What `okapi COMMAND --help` prints. [cli.md](cli.md) has exit codes and JSON.",
        "",
    ]
    groups = {group: command_names(group) for group in COMMANDS}
    for group, names in groups.items():
        links = " · ".join(f"[{name}](#okapi-{name.replace(' ', '-')})" for name in names)
        lines.append(f"- {group}: {links}")
    for group, names in groups.items():
        lines.extend(["", f"## {group}", ""])
        for name in names:
            lines.extend([f"### okapi {name}", "", "```text", help_of(*name.split()), "```", ""])
    return "\n".join(lines)


VERSION = """## \\_\\_version\\_\\_

`okapi.__version__: str` is the version of the package.

    >>> import okapi
    >>> okapi.__version__.count(".")
    2
"""


def api_page() -> str:
    """Every public name with signature, docstring and members, for Sphinx to fill in."""
    lines = ["# Python API", "", "Every name of `okapi.__all__`; [python.md](python.md) shows them at work.", ""]
    for name in okapi.__all__:
        if name == "__version__":
            lines.append(VERSION)
            continue
        kind = "class" if isinstance(getattr(okapi, name), type) else "function"
        lines.extend([f"## {name}", "", "```{eval-rst}", f".. auto{kind}:: okapi.{name}", "```", ""])
    return "\n".join(lines)


def declared_options() -> dict[str, str]:
    """The options of okapi-uci by name, with type, default and range as the engine declares them."""
    engine = shutil.which("okapi-uci", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    assert engine, "okapi-uci is not installed"
    said = subprocess.run([engine], input="uci\nquit\n", capture_output=True, text=True, check=True).stdout
    return dict(re.findall(r"^option name (.+?) type (.+)$", said, re.MULTILINE))


def options_page() -> str:
    """What the engine declares, beside the meanings of uci.md."""
    page = (ROOT / "docs" / "reference" / "uci.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.+?) \| (.+) \|$", page, re.MULTILINE)
    meanings = {
        name: meaning.replace("](#", "](uci.md#") for names, meaning in rows for name in re.findall(r"`(.+?)`", names)
    }
    lines = ["# UCI options", "", "As `okapi-uci` declares them; [uci.md](uci.md) has the protocol.", ""]
    lines += ["| option | type | default | least | most | meaning |", "|---|---|---|---|---|---|"]
    for name, declared in declared_options().items():
        parts = re.fullmatch(r"(\w+)(?: default (\S+))?(?: min (\S+) max (\S+))?", declared)
        assert parts and name in meanings, f"uci.md does not explain {name}"
        kind, default, least, most = (part or "" for part in parts.groups())
        lines.append(f"| `{name}` | {kind} | {default.strip('<>')} | {least} | {most} | {meanings[name]} |")
    return "\n".join([*lines, ""])


def http_page() -> str:
    """The HTTP API of the board, from the description that it serves."""
    described = openapi()
    about = "[board.md](../howto/board.md#for-programs) has limits, token and a client of ten lines."
    lines = ["# HTTP API", "", f"What a board answers, as its `/api/openapi.json` describes it; {about}", ""]
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            asked = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
            answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
            takes = f"Takes {json_type(asked)}, answers" if asked else "Answers"
            lines += [f"## {method.upper()} {path}", "", f"{operation['summary']}. {takes} {json_type(answer)}.", ""]
    errors = [(code, each["description"]) for code, each in operation["responses"].items() if code != "200"]
    lines += [
        "## Errors",
        "",
        "| status | meaning |",
        "|---|---|",
        *(f"| {code} | {text} |" for code, text in errors),
        "",
    ]
    for name, schema in described["components"]["schemas"].items():
        lines += [f"## {name}", "", "| key | type | default |", "|---|---|---|"]
        for key, value in schema["properties"].items():
            default = value.get("default", "" if key in schema["required"] else "none")
            lines.append(f"| `{key}` | {json_type(value)} | {default if default in ('', 'none') else f'`{default}`'} |")
        lines.append("")
    return "\n".join(lines)


def json_type(schema: dict[str, Any]) -> str:
    """A JSON schema in words: `integer, 1 to 5`, or the link to a record."""
    match schema:
        case {"$ref": str(path)}:
            name = path.rpartition("/")[2]
            return f"[{name}](#{name.lower()})"
        case {"anyOf": [known, _]}:
            return f"{json_type(known)}, or null"
        case {"items": items}:
            most = f", {schema['maxItems']:,} at most" if "maxItems" in schema else ""
            return f"list of {json_type(items)}{most}"
        case {"type": kind, "minimum": least, "maximum": most}:
            return f"{kind}, {least:,} to {most:,}"
        case {"type": kind, "maxLength": most}:
            return f"{kind} of {most:,} characters at most"
    return str(schema["type"])


def evaluator_page() -> str:
    """The part of CONTRIBUTING.md that adds an evaluator."""
    whole = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    part = re.search(r"^### An evaluator, whole\n(.*?)^## ", whole, re.MULTILINE | re.DOTALL)
    assert part, "CONTRIBUTING.md has no section about an evaluator"
    return f"# Add an evaluator\n{part[1]}\n[evaluators.md](../reference/evaluators.md) describes those there are.\n"


# --- Links ------------------------------------------------------------------------------------------------------------


class Links(HTMLParser):
    """What a page links to and shows, and the anchors that it has."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note links, pictures and anchors."""
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.targets.append(value)
            elif name in ("id", "name") and value:
                self.anchors.add(value)


def broken_links(html: Path) -> Iterator[str]:
    """Links and pictures of the pages whose file or anchor does not exist; the network is not asked."""
    pages: dict[Path, Links] = {}
    for page in html.rglob("*.html"):
        pages[page] = Links()
        pages[page].feed(page.read_text(encoding="utf-8"))
    for page, links in pages.items():
        for target in links.targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            file = page if not parts.path else Path(os.path.normpath(page.parent / unquote(parts.path)))
            file = file / "index.html" if file.is_dir() else file
            anchor = unquote(parts.fragment)
            if not file.exists() or (anchor and file in pages and anchor not in pages[file].anchors):
                yield f"{page.relative_to(html)}: {target} does not exist"


def undocumented(page: Path) -> Iterator[str]:
    """Public names without signature, sentence or example on the page of the API."""
    text = page.read_text(encoding="utf-8")
    for name in okapi.__all__:
        here = text.find(f'id="okapi.{name}"') if name != "__version__" else text.find('id="version"')
        part = text[here : text.find("</section>", here)]
        if here < 0 or "<p>" not in part or "&gt;&gt;&gt;" not in part:
            yield f"{page.name}: {name} has no signature, sentence or example"


if __name__ == "__main__":
    sys.exit(main())
