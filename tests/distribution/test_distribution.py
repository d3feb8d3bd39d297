"""What a user gets from PyPI: a source distribution and a wheel, installed without Node, compiler or network.

`make wheel` builds both and runs this. It names them in OKAPI_SDIST and OKAPI_WHEEL; the folder OKAPI_PACKAGES has
everything that the wheel needs.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path
from urllib.request import urlopen

import pytest

pytestmark = pytest.mark.skipif("OKAPI_WHEEL" not in os.environ, reason="make wheel builds what this needs")

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
POSITIONS = ("startpos", f"fen {KIWIPETE}", "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")
PROCESSORS = {"x86-64-v2": "Nehalem", "x86-64-v3": "Haswell"}
"""The names that qemu has for processors of these levels."""


@dataclass(frozen=True)
class Machine:
    """A user's machine: this environment, and no program outside it."""

    folder: Path

    @property
    def programs(self) -> Path:
        return self.folder / "bin"

    @property
    def environment(self) -> dict[str, str]:
        return {"PATH": str(self.programs), "HOME": str(self.folder), "PIP_NO_INDEX": "1", "LANG": "C.UTF-8"}

    def run(self, *command: str | Path, said: str = "", timeout: int = 300) -> str:
        done = subprocess.run(
            [str(self.programs / command[0]), *map(str, command[1:])],
            input=said,
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert 0 == done.returncode, done.stderr
        return done.stdout


@pytest.fixture(scope="session")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    folder = tmp_path_factory.mktemp("machine")
    venv.create(folder, with_pip=True)
    machine = Machine(folder)
    for program in ("node", "npm", "g++", "gcc", "cc", "cmake", "make"):
        assert shutil.which(program, path=machine.environment["PATH"]) is None
    machine.run("pip", "install", "--quiet", "--find-links", os.environ["OKAPI_PACKAGES"], os.environ["OKAPI_WHEEL"])
    return machine


def names_in_sdist() -> set[str]:
    with tarfile.open(os.environ["OKAPI_SDIST"]) as archive:
        return {name.partition("/")[2] for name in archive.getnames()}


def test_the_source_distribution_holds_the_page_and_its_sources() -> None:
    names = names_in_sdist()

    assert "src/okapi/web/static/index.html" in names
    assert any(re.fullmatch(r"src/okapi/web/static/assets/.*\.js", name) for name in names)
    assert {"web/src/main.ts", "web/package-lock.json", "LICENSE", "CMakeLists.txt"} <= names


def test_the_source_distribution_holds_nothing_that_was_built_or_fetched() -> None:
    assert not [name for name in names_in_sdist() if re.search(r"node_modules|\.venv/|__pycache__|^build/|\.so$", name)]


def test_the_wheel_is_small_and_holds_its_licences() -> None:
    wheel = Path(os.environ["OKAPI_WHEEL"])
    names = zipfile.ZipFile(wheel).namelist()

    assert wheel.stat().st_size <= 30e6
    assert "okapi/licences/fathom.txt" in names
    assert any(name.endswith("dist-info/licenses/LICENSE") for name in names)


def test_the_wheel_serves_every_later_python() -> None:
    name = Path(os.environ["OKAPI_WHEEL"]).name

    assert ("cp311-cp311" if sys.version_info < (3, 12) else "cp312-abi3") in name
    assert "manylinux" in name


def test_the_board_answers(machine: Machine) -> None:
    command = [str(machine.programs / "okapi"), "play", "--no-browser"]
    board = subprocess.Popen(
        command, env=machine.environment, cwd=machine.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert board.stdout is not None
        address = re.search(r"http://\S+", board.stdout.readline())
        assert address is not None
        page = urlopen(address[0], timeout=30).read().decode()
        script = re.search(r'src="\./(assets/[^"]+\.js)"', page)
        assert "<title>Okapi</title>" in page and script is not None
        with urlopen(f"{address[0].rstrip('/')}/{script[1]}", timeout=30) as answer:
            assert "javascript" in answer.headers["content-type"]
            assert len(answer.read()) > 10_000
        board.send_signal(signal.SIGINT)
        assert 0 == board.wait(30)
    finally:
        board.kill()
        board.communicate()


def test_a_match_is_played(machine: Machine) -> None:
    said = machine.run("okapi", "match", "material", "okapi-28", "--games", "4", "--depth", "2", "--json")
    result = json.loads(said)

    assert 4 == result["wins"] + result["draws"] + result["losses"]


def test_endgame_tables_are_read_inside_the_search(machine: Machine) -> None:
    said = machine.run("python", "-c", "from okapi.core._core import tablebase_available as a; print(a())")

    assert "True" == said.strip()
    assert "no support" not in machine.run("okapi-uci", said="setoption name SyzygyPath value nowhere\nquit\n")


def lines_of(machine: Machine, *emulator: str) -> list[str]:
    """What okapi-uci says of a few positions, without times."""
    engine = subprocess.Popen(
        [*emulator, str(machine.programs / "okapi-uci")],
        env=machine.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert engine.stdin is not None and engine.stdout is not None
    lines = []
    for position in POSITIONS:
        engine.stdin.write(f"ucinewgame\nposition {position}\ngo nodes 20000\n")
        engine.stdin.flush()
        for line in engine.stdout:
            lines.append(re.sub(r" (nps|time|hashfull) \d+", "", line))
            if line.startswith("bestmove"):
                break
    engine.communicate("quit\n", timeout=60)
    assert len(POSITIONS) == sum(line.startswith("bestmove") for line in lines)
    return lines


@pytest.mark.parametrize("level", PROCESSORS)
def test_the_same_moves_on_every_processor(machine: Machine, level: str) -> None:
    """The fast paths of the evaluators equal the plain ones to the last bit, and the search follows."""
    emulator = shutil.which("qemu-x86_64")
    if emulator is None:
        pytest.skip("needs qemu-user")

    assert lines_of(machine) == lines_of(machine, emulator, "-cpu", PROCESSORS[level])


@pytest.mark.parametrize("level", PROCESSORS)
def test_python_plays_on_every_processor(machine: Machine, level: str) -> None:
    emulator = shutil.which("qemu-x86_64")
    if emulator is None:
        pytest.skip("needs qemu-user")
    code = (
        "from okapi import Limits, Position; from okapi.players import AlphaBeta;"
        f"print(AlphaBeta().choose(Position.from_fen('{KIWIPETE}'), Limits(nodes=5000)).move)"
    )
    python = str(machine.programs / "python")
    emulated = subprocess.run(
        [emulator, "-cpu", PROCESSORS[level], python, "-c", code],
        env=machine.environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )

    assert machine.run("python", "-c", code) == emulated.stdout, emulated.stderr
