"""The options: declared as hosts need them, and each does what it says."""

import os
import re
import shutil
from pathlib import Path

import pytest
from uci_driver import MIDDLEGAME, Engine, running

from okapi.brains import SHIPPED, default_name, find, shipped
from okapi.brains.library import Library

DECLARED = {
    "Threads": "spin default 1 min 1 max 1024",
    "Hash": "spin default 16 min 1 max 33554432",
    "Clear Hash": "button",
    "Ponder": "check default false",
    "MultiPV": "spin default 1 min 1 max 256",
    "UCI_Chess960": "check default false",
    "UCI_ShowWDL": "check default false",
    "UCI_LimitStrength": "check default false",
    "UCI_Elo": "spin default 1500 min 800 max 3200",
    "UCI_AnalyseMode": "check default false",
    "UCI_Opponent": "string default <empty>",
    "SyzygyPath": "string default <empty>",
    "SyzygyProbeDepth": "spin default 1 min 1 max 100",
    "SyzygyProbeLimit": "spin default 7 min 0 max 7",
    "Syzygy50MoveRule": "check default true",
    "OwnBook": "check default false",
    "BookFile": "string default <empty>",
    "HumanElo": "spin default 0 min 0 max 2900",
    "Move Overhead": "spin default 20 min 0 max 5000",
    "VerboseMoveStats": "check default false",
    "LogLiveStats": "check default false",
    "Debug Log File": "string default <empty>",
    "Without": "string default <empty>",
    "With": "string default <empty>",
    "Budget": "string default depth",
    "MoveBrain": "string default <empty>",
}


def declared(engine: Engine) -> dict[str, str]:
    engine.send("uci")
    matches = (re.fullmatch(r"option name (.+?) type (.+)", line) for line in engine.read_until("uciok"))
    return {found[1]: found[2] for found in matches if found}


def test_what_is_declared(engine: Engine) -> None:
    options = declared(engine)
    assert options.pop("EvalFile").startswith("string default ")
    assert options == DECLARED


def test_every_option_is_documented(engine: Engine) -> None:
    page = Path(__file__).parents[2] / "docs" / "reference" / "uci.md"
    if not page.exists():
        pytest.skip("no docs here")
    assert [name for name in declared(engine) if f"`{name}`" not in page.read_text(encoding="utf-8")] == []


def test_every_default_may_be_sent_back(engine: Engine) -> None:
    """Cute Chess does so, and sends nothing for an empty string."""
    for name, kind in declared(engine).items():
        default = re.search(r"default (\S+)", kind)
        for value in (default[1] if default else "", ""):
            assert engine.ask(f"setoption name {name} value {value}") == [], name
    assert engine.go("go depth 2").last.depth == 2


@pytest.mark.parametrize("name", ["multipv", "MULTIPV", "MultiPv"])
def test_names_know_no_case(engine: Engine, name: str) -> None:
    engine.send(f"setoption name {name} value 2")
    assert {info.multipv for info in engine.go("go depth 1").infos} == {1, 2}


@pytest.mark.parametrize(
    "line",
    [
        "setoption",
        "setoption name",
        "setoption value 3",
        "setoption name Nonsense",
        "setoption name Nonsense value 3",
        "setoption name MultiPV value 0",
        "setoption name MultiPV value 257",
        "setoption name MultiPV value many",
        "setoption name MultiPV value 2.5",
        "setoption name MultiPV value 99999999999999999999",
        "setoption name UCI_ShowWDL value perhaps",
        "setoption name Hash value 33554432",
        "setoption name EvalFile value /nowhere/at/all",
        "setoption name WeightsFile value /nowhere/at/all",
        "setoption name BookFile value /nowhere/at/all",
        "setoption name SyzygyPath value /nowhere/at/all",
        "setoption name Debug Log File value /nowhere/at/all",
        "setoption name Without value null_move,nonsense",
        "setoption name With value nonsense",
        "setoption name UCI_Variant value atomic",
    ],
)
def test_a_bad_value_is_refused_and_changes_nothing(engine: Engine, line: str) -> None:
    if "33554432" in line and has_much_memory():
        pytest.skip("this machine has 32 TB of memory")
    before = engine.go("position startpos", "go depth 5")
    said = engine.ask(line)
    assert len(said) == 1
    assert said[0].startswith("info string ERROR")
    after = engine.go("ucinewgame", "go depth 5")
    assert [info.pv for info in after.infos] == [info.pv for info in before.infos]


def has_much_memory() -> bool:
    found = (
        re.search(r"MemTotal:\s+(\d+)", Path("/proc/meminfo").read_text()) if Path("/proc/meminfo").exists() else None
    )
    return found is None or int(found[1]) > 30 << 30


def test_a_brain_that_is_none_is_refused(engine: Engine, tmp_path: Path) -> None:
    for content in (b"", b"no brain", b"\xff" * 100, (10**12).to_bytes(8, "little") + b"{}"):
        (tmp_path / "bad").write_bytes(content)
        said = engine.ask(f"setoption name EvalFile value {tmp_path / 'bad'}")
        assert len(said) == 1
        assert said[0].startswith("info string ERROR EvalFile stays as it was")
    assert engine.go("go depth 3").last.depth == 3


def test_what_lichess_sends_undeclared_is_understood(engine: Engine) -> None:
    assert engine.ask("setoption name UCI_Variant value chess") == []


def test_several_options_at_work(engine: Engine) -> None:
    said = engine.ask(
        "setoption name Threads value 2",
        "setoption name Hash value 64",
        "setoption name Clear Hash",
        "setoption name Clear Hash value true",
        "setoption name Move Overhead value 100",
        "setoption name UCI_Opponent value none none computer Stockfish 17",
        "setoption name Without value null_move, table",
    )
    assert said == []
    engine.go("go movetime 50")


def test_switching_heuristics_off_changes_the_search(engine: Engine) -> None:
    clever = engine.go(f"position fen {MIDDLEGAME}", "go depth 7").last.nodes
    engine.send("setoption name Without value null_move,late_move_reductions,futility")
    naive = engine.go("ucinewgame", "go depth 7").last.nodes
    engine.send("setoption name Without value")
    assert engine.go("ucinewgame", "go depth 7").last.nodes == clever
    assert naive > clever


def test_switching_heuristics_on_changes_the_search(engine: Engine) -> None:
    usual = engine.go(f"position fen {MIDDLEGAME}", "go depth 9").last.nodes
    engine.send("setoption name With value similarity")
    assert engine.go("ucinewgame", "go depth 9").last.nodes != usual
    engine.send("setoption name With value")
    assert engine.go("ucinewgame", "go depth 9").last.nodes == usual


def test_statistics_of_moves_in_the_manner_of_leela(engine: Engine) -> None:
    """Nibbler reads P, N, Q and V from them, and draws arrows."""
    stats = re.compile(
        r"info string (\w+) +\((\d+) *\) N: (\d+) \(\+0\) \(P: ([\d.]+)%\)"
        r" \(WL: (-?[\d.]+)\) \(D: ([\d.]+)\) \(Q: (-?[\d.]+)\) \(V: (-?[\d.]+)\)"
    )
    engine.send("setoption name VerboseMoveStats value true", "setoption name MultiPV value 4")
    search = engine.go("go depth 5")
    found = [stats.fullmatch(line) for line in search.lines[-6:-1]]
    rows = [row for row in found if row]
    assert [row[1] for row in rows[::-1]] == ["node", *[info.pv[0] for info in search.infos[-4:]]]
    assert sum(float(row[4]) for row in rows[:-1]) == pytest.approx(100, abs=0.1)
    assert int(rows[-1][3]) == search.infos[-1].nodes

    engine.send("setoption name VerboseMoveStats value false", "setoption name LogLiveStats value true")
    live = engine.go("go depth 5").lines
    assert sum(line.startswith("info string node") for line in live) == 5


def test_the_log_has_both_sides(uci_path: str, tmp_path: Path) -> None:
    with running(uci_path) as engine:
        engine.send(f"setoption name Debug Log File value {tmp_path / 'a log.txt'}")
        engine.go("go depth 1")
        engine.send("setoption name Debug Log File value")
        engine.ask("d")
    log = (tmp_path / "a log.txt").read_text()
    assert ">> go depth 1" in log
    assert "<< bestmove" in log
    assert "isready" not in log


def test_budgets_are_chosen_by_name(engine: Engine) -> None:
    """Other trees need other numbers of nodes for the same iterations."""
    nodes = set()
    for shape in ("depth", "even", "shares", "even+steps=2", ""):
        assert engine.ask(f"setoption name Budget value {shape}") == []
        nodes.add(engine.go("go depth 5").last.nodes)
    assert len(nodes) == 4


def test_the_former_name_of_the_budget_is_still_taken(engine: Engine) -> None:
    assert engine.ask("setoption name Budget value even+steps=2") == []
    nodes = engine.go("go depth 5").last.nodes
    assert engine.ask("setoption name Budget value depth") == []
    assert engine.ask("setoption name Shape value even+steps=2") == []
    assert engine.go("go depth 5").last.nodes == nodes


@pytest.mark.parametrize("line", ["Budget value evne", "Budget value even+pace=2", "MoveBrain value nowhere"])
def test_wrong_budgets_are_refused(engine: Engine, line: str) -> None:
    [answer] = engine.ask(f"setoption name {line}")
    assert "stays as it was" in answer


# --- Brains by name ---------------------------------------------------------------------------------------------------


def has_brain(folder: Path) -> Path:
    """A folder with one brain, which is one that ships under another name."""
    folder.mkdir(parents=True)
    shutil.copy(SHIPPED / "okapi-28.safetensors", folder / "mine.safetensors")
    return folder


@pytest.fixture
def lonely(uci_path: str, tmp_path: Path) -> Path:
    """The program by itself, in a folder like those that programs are installed in."""
    program = tmp_path / "a" / "b" / "c" / "bin" / Path(uci_path).name
    program.parent.mkdir(parents=True)
    shutil.copy(uci_path, program)
    return program


def without_variable(**more: str) -> dict[str, str]:
    return {**{name: value for name, value in os.environ.items() if name != "OKAPI_BRAINS"}, **more}


@pytest.mark.parametrize("option", ["EvalFile", "WeightsFile"])
def test_every_brain_that_ships_is_used_by_name_or_clearly_refused(uci_path: str, option: str) -> None:
    with running(uci_path, env=without_variable(OKAPI_BRAINS=str(SHIPPED))) as engine:
        for brain in shipped():
            said = engine.ask(f"setoption name {option} value {brain.name}")
            if brain.name == default_name():
                assert said == []
            elif brain.kind in ("seven-networks", "giraffe-moves") or (
                brain.kind == "convolutional" and not brain.predicts_moves
            ):
                assert len(said) == 1
                assert f"brain '{brain.name}' of kind '{brain.kind}' cannot be used: it " in said[0]
            else:
                assert said == [f"info string brain {brain.name} ({brain.kind})"]
        assert engine.go("go depth 3").last.depth == 3


def test_the_installed_program_finds_the_brains_itself(uci_path: str) -> None:
    if "OKAPI_UCI" in os.environ:
        pytest.skip("OKAPI_UCI may be a program that was not installed with the package")
    with running(uci_path, env=without_variable()) as engine:
        assert engine.ask("setoption name EvalFile value okapi-28") == ["info string brain okapi-28 (linear-28)"]


@pytest.mark.parametrize(
    "place",
    [
        "lib/python3.99/site-packages/okapi/brains/shipped",
        "lib64/python3.99/site-packages/okapi/brains/shipped",
        "lib/python3/dist-packages/okapi/brains/shipped",
        "Lib/site-packages/okapi/brains/shipped",
        "okapi/brains/shipped",
        "src/okapi/brains/shipped",
        "../src/okapi/brains/shipped",
    ],
)
def test_brains_are_found_from_where_the_program_is(lonely: Path, place: str) -> None:
    has_brain(lonely.parents[1] / place)
    with running(str(lonely), env=without_variable(), cwd=lonely.parents[3]) as engine:
        assert engine.ask("setoption name EvalFile value mine") == ["info string brain okapi-28 (linear-28)"]


def test_folders_of_the_environment_come_first(lonely: Path, tmp_path: Path) -> None:
    has_brain(lonely.parents[1] / "lib" / "python3.99" / "site-packages" / "okapi" / "brains" / "shipped")
    folders = [tmp_path / "missing", has_brain(tmp_path / "one"), tmp_path / "two"]
    (tmp_path / "two").mkdir()
    shutil.copy(SHIPPED / "material.safetensors", tmp_path / "one" / "mine.safetensors")
    shutil.copy(SHIPPED / "vazquez-five.safetensors", tmp_path / "two" / "other.safetensors")
    with running(str(lonely), env=without_variable(OKAPI_BRAINS=os.pathsep.join(map(str, folders)))) as engine:
        assert engine.ask("setoption name EvalFile value mine") == ["info string brain material (material)"]
        assert engine.ask("setoption name EvalFile value other") == ["info string brain vazquez-five (linear-5)"]


def test_a_program_by_itself_knows_the_brain_inside_and_says_where_it_looked(lonely: Path) -> None:
    with running(str(lonely), env=without_variable()) as engine:
        assert engine.ask(f"setoption name EvalFile value {default_name()}") == []
        [said] = engine.ask("setoption name EvalFile value okapi-28")
        assert said.startswith("info string ERROR EvalFile stays as it was: no brain and no file is called okapi-28")
        assert f"{default_name()} inside" in said and "OKAPI_BRAINS (not set)" in said and str(lonely.parent) in said
        file = SHIPPED / "okapi-28.safetensors"
        assert engine.ask(f"setoption name EvalFile value {file}") == ["info string brain okapi-28 (linear-28)"]


def test_a_name_that_nobody_has_is_answered_with_those_that_are_there(lonely: Path, tmp_path: Path) -> None:
    folder = has_brain(tmp_path / "one")
    with running(str(lonely), env=without_variable(OKAPI_BRAINS=str(folder))) as engine:
        for wrong in ("nine", "../one/mine", "."):
            [said] = engine.ask(f"setoption name EvalFile value {wrong}")
            assert said.startswith("info string ERROR EvalFile stays as it was: no ")
            assert said.endswith(f"{folder} has mine")


def test_brains_that_know_moves_have_names_too(uci_path: str) -> None:
    with running(uci_path, env=without_variable(OKAPI_BRAINS=str(SHIPPED))) as engine:
        said = engine.ask("setoption name MoveBrain value giraffe-moves")
        assert said == ["info string moves by giraffe-moves (giraffe-moves)"]
        [said] = engine.ask("setoption name MoveBrain value okapi-28")
        assert "does not tell how likely moves are" in said


@pytest.fixture
def somebody(tmp_path: Path) -> Path:
    """A runs folder with a run, one in progress, one with brains inside, and one that lies elsewhere."""
    runs = tmp_path / "data" / "okapi" / "runs"
    files = {
        runs / "mine" / "brain.safetensors": "okapi-28",
        runs / "mine" / "checkpoints" / "000012.safetensors": "material",
        runs / "bred" / "champions" / "0003.safetensors": "material",
        runs / "bred" / "champions" / "0020.safetensors": "vazquez-five",
        runs / "paper" / "brains" / "net.safetensors": "vazquez-five",
        tmp_path / "far away" / "other" / "brain.safetensors": "vazquez-exploration",
    }
    for file, brain in files.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SHIPPED / f"{brain}.safetensors", file)
    Library(runs).register(tmp_path / "far away" / "other")
    return runs


OWN = {
    "mine": "okapi-28",
    "mine@12": "material",
    "bred@3": "material",
    "bred": "vazquez-five",
    "paper/brains/net": "vazquez-five",
    "other": "vazquez-exploration",
}


@pytest.mark.parametrize("variable", ["OKAPI_RUNS", "XDG_DATA_HOME"])
def test_the_program_and_python_find_the_same_brains_of_the_user(
    lonely: Path, somebody: Path, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OKAPI_RUNS")
    monkeypatch.setenv(variable, str(somebody if variable == "OKAPI_RUNS" else somebody.parents[1]))
    with running(str(lonely), env=without_variable()) as engine:
        for name, brain in OWN.items():
            [said] = engine.ask(f"setoption name EvalFile value {name}")
            assert said.startswith(f"info string brain {brain} (")
            assert find(name).read_bytes() == (SHIPPED / f"{brain}.safetensors").read_bytes()
        for wrong in ("mine@13", "mine@", "mine@x", "../runs/mine/..", ".", "paper", "paper/brains"):
            [said] = engine.ask(f"setoption name EvalFile value {wrong}")
            assert "stays as it was" in said


def test_a_mistyped_name_is_answered_with_the_nearest(lonely: Path, somebody: Path) -> None:
    with running(str(lonely), env=without_variable(OKAPI_RUNS=str(somebody))) as engine:
        [said] = engine.ask("setoption name EvalFile value mien")
        assert "did you mean mine?" in said and "your brains are bred, mine, other" in said
        [said] = engine.ask("setoption name EvalFile value something-else")
        assert "did you mean" not in said


def test_a_damaged_index_hides_no_other_brain(lonely: Path, somebody: Path) -> None:
    (somebody / "index.json").write_text('{"other": 3')
    with running(str(lonely), env=without_variable(OKAPI_RUNS=str(somebody))) as engine:
        assert engine.ask("setoption name EvalFile value mine") == ["info string brain okapi-28 (linear-28)"]


def test_the_program_starts_without_a_home(lonely: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OKAPI_RUNS", "XDG_DATA_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    with running(str(lonely), env=without_variable()) as engine:
        [said] = engine.ask("setoption name EvalFile value mine")
        assert "stays as it was" in said
