"""How okapi is built and installed: scripts/install.py, web/page.py and web/backend.py."""

import importlib.util
import shutil
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(not (ROOT / "scripts" / "install.py").is_file(), reason="only in the repository")


def load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def install() -> ModuleType:
    return load(ROOT / "scripts" / "install.py")


@pytest.fixture
def page(tmp_path: Path) -> ModuleType:
    """web/page.py of a checkout that has not been built."""
    shutil.copytree(ROOT / "web", tmp_path / "web", ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    return load(tmp_path / "web" / "page.py")


@pytest.fixture
def backend(page: ModuleType, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("scikit_build_core")
    monkeypatch.setitem(sys.modules, "page", page)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delenv("OKAPI_PAGE", raising=False)
    return load(ROOT / "web" / "backend.py")


class TestInstall:
    def test_everything_that_okapi_imports_is_installed_before_it(self, install: ModuleType) -> None:
        """okapi itself is installed with --no-deps: what is not named here would be missing on a fresh machine."""
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

        assert set(project["dependencies"]) <= set(install.requirements([]))
        assert set(project["optional-dependencies"]["dev"]) == set(install.requirements(["dev"]))

    def test_steps_are_counted_and_every_line_is_kept(
        self, install: ModuleType, capsys: pytest.CaptureFixture[str]
    ) -> None:
        lines = ["  *** Building\n", "  [1/2] Building CXX object a.o\n", "a warning\n", "  [2/2] Linking\n"]

        assert lines == install.show_progress(lines)
        assert "make: compiled 2 of 2 in 0 s\n" == capsys.readouterr().out

    def test_the_time_left_follows_the_pace(self, install: ModuleType) -> None:
        assert "" == install.time_left(1, 10, seconds=0.5)
        assert ", about 30 s left" == install.time_left(4, 10, seconds=20.0)

    def test_the_compilers_error_is_shown(
        self, install: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        said = "print('chatter'); print('  FAILED: a.o'); print('a.cpp:1: error: no such type'); raise SystemExit(1)"
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(install, "PIP", [sys.executable, "-c", said])

        assert 1 == install.install_okapi()
        shown = capsys.readouterr().err
        assert "a.cpp:1: error: no such type" in shown and "chatter" not in shown
        assert "chatter" in (tmp_path / install.LOG).read_text(encoding="utf-8")


class TestPage:
    def test_a_page_is_current_until_a_source_changes(self, page: ModuleType) -> None:
        assert not page.is_current()
        page.STATIC.mkdir(parents=True)
        page.BUILT_FROM.write_text(page.hash_of_sources(), encoding="utf-8")
        assert page.is_current()

        source = page.WEB / "src" / "main.ts"
        source.write_text(source.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        assert not page.is_current()

    def test_what_lies_about_is_no_source(self, page: ModuleType) -> None:
        before = page.hash_of_sources()
        (page.WEB / "node_modules").mkdir()
        (page.WEB / "node_modules" / "x.js").touch()
        (page.WEB / ".editor").touch()
        (page.WEB / "page.pyc").touch()

        assert before == page.hash_of_sources()

    def test_without_npm_nothing_is_fetched_unasked(self, page: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(page, "find_npm", lambda: None)

        with pytest.raises(OSError, match="needs npm with Node 20"):
            page.build(fetch=False)


class TestBackend:
    def test_a_build_without_its_page_fails(
        self, page: ModuleType, backend: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(page, "find_npm", lambda: None)
        for build in (backend.build_sdist, backend.build_wheel, backend.build_editable):
            with pytest.raises(OSError, match="the board's page"):
                build(str(tmp_path))

    def test_node_is_asked_for_only_where_the_page_must_be_built(
        self, page: ModuleType, backend: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(page, "find_npm", lambda: None)
        assert [page.NODE_WHEEL] == backend.page_requirements()
        monkeypatch.setattr(page, "is_current", lambda: True)
        assert [] == backend.page_requirements()

    def test_the_page_can_be_left_out_on_purpose(
        self, page: ModuleType, backend: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(page, "find_npm", lambda: None)
        monkeypatch.setenv("OKAPI_PAGE", "off")

        assert [] == backend.page_requirements()
        backend.build_page()
