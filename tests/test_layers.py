"""A package may import only what stands below it in design.md's tree, and only some may import torch."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "src" / "okapi"

LAYERS = (
    ("errors",),
    ("cluster", "files", "settings"),
    ("core",),
    ("encodings", "formats"),
    ("brains",),
    ("models", "players"),
    ("data",),
    ("training", "optimize", "arena"),
    ("analysis",),
    ("recipes",),
    ("papers",),
    ("terminal", "uci"),
    ("web",),
    ("cli",),
    ("api", "mongo"),
)
"""Those on one level do not import each other."""

LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

WITH_TORCH = {"models", "training", "recipes", "papers", "api"}
FRONT_ENDS = {"cli", "web", "terminal", "uci", "mongo", "__main__"}


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def imported(file: Path) -> tuple[str, ...]:
    """The modules that `file` imports, also late."""
    return tuple(_imported(parsed(file)))


def _imported(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        match node:
            case ast.ImportFrom(module=str(module), names=aliases):
                yield from (f"{module}.{alias.name}" for alias in aliases)
            case ast.Import(names=aliases):
                yield from (alias.name for alias in aliases)


FILES = [*sorted(ROOT.glob("*/**/*.py")), *(path for path in ROOT.glob("*.py") if not path.stem.startswith("__"))]


def upward(file: Path) -> Iterator[str]:
    """What `file` imports and may not."""
    here = file.relative_to(ROOT).parts[0].removesuffix(".py")
    for module in imported(file):
        if module.split(".")[0] == "torch" and here not in WITH_TORCH:
            yield f"{file} may not import torch: playing must work without it"
        if not module.startswith("okapi."):
            continue
        there = module.split(".")[1]
        if there not in LEVEL:
            if here not in FRONT_ENDS:
                yield f"{file} imports {module}: only a front end may use okapi's own front door"
        elif here != there and LEVEL[there] >= LEVEL[here]:
            yield f"{file} may not import okapi.{there}"


def test_imports_point_down() -> None:
    assert len(FILES) > 200
    assert [] == [problem for file in FILES for problem in upward(file)]


def test_every_package_has_its_place() -> None:
    packages = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}

    assert packages <= set(LEVEL)


def test_only_the_core_imports_the_library() -> None:
    """okapi.core is the only package that uses C++; the others import from its modules."""
    users = {
        file.relative_to(ROOT).parts[0] for file in FILES if any("_core" in name.split(".") for name in imported(file))
    }

    assert {"core"} == users


def module_name(file: Path) -> str:
    return ".".join(("okapi", *file.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def imported_at_once(body: list[ast.stmt]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Imports that run when the module is imported: not those of functions, of type checkers and of `__main__`."""
    for node in body:
        match node:
            case ast.Import() | ast.ImportFrom():
                yield node
            case ast.If(test=test) if not {"TYPE_CHECKING", "__name__"} & set(re.findall(r"\w+", ast.unparse(test))):
                yield from imported_at_once([*node.body, *node.orelse])
            case ast.Try() | ast.With() | ast.ClassDef():
                yield from imported_at_once(node.body)


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Also within a package. Whoever takes a name from a package depends on its __init__."""
    modules = {module_name(file): file for file in [*ROOT.rglob("*.py"), *ROOT.rglob("*.pyi")]}
    imports: dict[str, set[str]] = {}
    for name, file in modules.items():
        names = set()
        for node in imported_at_once(parsed(file).body):
            prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
            wanted = {f"{prefix}{alias.name}" for alias in node.names}
            names |= {each if each in modules else each.rpartition(".")[0] for each in wanted}
        imports[name] = names & set(modules) - {name}
    try:
        list(TopologicalSorter(imports).static_order())
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))


def test_a_class_has_a_name_of_its_own() -> None:
    """Who reads `Report` anywhere knows which: one meaning a name."""
    places: dict[str, list[str]] = {}
    for file in ROOT.rglob("*.py"):
        for node in parsed(file).body:
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(module_name(file))

    assert {} == {name: modules for name, modules in places.items() if len(modules) > 1}


def test_a_type_of_the_page_has_a_name_of_its_own() -> None:
    names: list[str] = []
    for file in (ROOT.parent.parent / "web" / "src").rglob("*.ts"):
        declared = r"^(?:export )?(?:abstract )?(?:interface|class|type) ([A-Z]\w*)"
        names += re.findall(declared, file.read_text(encoding="utf-8"), re.MULTILINE)

    assert names and [] == sorted(name for name in set(names) if names.count(name) > 1)


CPP = ROOT.parent.parent / "cpp" / "okapi"

CPP_LAYERS = (
    ("utils",),
    ("chess",),
    ("eval", "samples", "pgn"),
    ("search", "store", "encode"),
    ("selfplay",),
    ("uci",),
)
"""Folders of the C++ library; those on one level do not include each other."""

CPP_LEVEL = {name: level for level, names in enumerate(CPP_LAYERS) for name in names}
CPP_FILES = sorted(path for path in CPP.rglob("*") if path.suffix in {".h", ".cpp"})
MOST_FILES = 40
"""In one folder."""


def test_includes_point_down() -> None:
    wrong = []
    for file in CPP_FILES:
        here = file.relative_to(CPP).parts[0]
        there = set(re.findall(r'^#include "okapi/(\w+)/', file.read_text(encoding="utf-8"), re.MULTILINE)) - {here}
        wrong += [f"{file} may not include okapi/{name}" for name in there if CPP_LEVEL[name] >= CPP_LEVEL[here]]

    assert len(CPP_FILES) > 200
    assert [] == wrong


def test_no_kind_of_network_includes_the_brains_that_hold_all_kinds() -> None:
    """eval/brain.cpp knows every kind of evaluator; no header of eval/ includes a folder below it."""
    for header in (CPP / "eval").glob("*.h"):
        assert not re.search(r'^#include "okapi/eval/\w+/', header.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_folder_of_cpp_has_its_place() -> None:
    assert set(CPP_LEVEL) == {path.name for path in CPP.iterdir() if path.is_dir()}


def test_no_folder_of_cpp_is_crowded() -> None:
    for folder in {path.parent for path in CPP_FILES}:
        assert sum(path.is_file() for path in folder.iterdir()) <= MOST_FILES, f"divide {folder}"
