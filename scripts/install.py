"""Install okapi and what it needs into the Python that runs this; `make` calls it.

    python scripts/install.py needs           what okapi needs to be compiled and to run
    python scripts/install.py okapi           okapi itself, compiled with a progress count
    python scripts/install.py needs dev       what the extra `dev` of pyproject.toml names; other extras likewise

What okapi needs is installed first: okapi is compiled without build isolation, so that the compiler's work is kept
between builds, and some of what it needs is source code on PyPI that must be built with isolation.
"""

import os
import re
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
BUILD: Final = "build/install"
"""Where okapi's C++ is compiled; kept, so that the next build compiles only what changed."""

TOOLS: Final = ("cmake", "ninja")
"""Of the build, besides what pyproject.toml names."""

PIP: Final = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
STEP: Final = re.compile(r"\s*\[(\d+)/(\d+)\] ")
"""How ninja begins a line: steps done, steps in all."""

LOG: Final = Path("build/install.log")
MOST_LINES: Final = 60
"""Of a failed build that are shown: the first error is the one to read. All of them are in the log."""

SECONDS_BETWEEN_LINES: Final = 10.0
"""Where the output is no terminal."""


def main(arguments: list[str]) -> int:
    """Install what the arguments name."""
    os.chdir(ROOT)
    match arguments:
        case ["okapi"]:
            return install_okapi()
        case ["needs", *extras]:
            return install(requirements(extras))
    print(__doc__, file=sys.stderr)
    return 2


def requirements(extras: list[str]) -> list[str]:
    """What pyproject.toml asks for: to build and run okapi, or for `extras` alone."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    project = settings["project"]
    if extras:
        return [needed for extra in extras for needed in project["optional-dependencies"][extra]]
    return [*settings["build-system"]["requires"], *project["dependencies"], *TOOLS]


def install(packages: list[str]) -> int:
    """By pip, in the versions of constraints.txt."""
    pip = [*PIP, "--quiet", "install", "--constraint", "constraints.txt"]
    return subprocess.run([*pip, *packages], check=False).returncode


def install_okapi() -> int:
    """Compile and install okapi. If that fails, the first errors are shown, and the log has everything."""
    settings = [f"--config-settings=build-dir={BUILD}", "--config-settings=cmake.define.OKAPI_TESTS=ON"]
    beside = str(Path(sys.executable).parent)
    environment = {
        **os.environ,
        "PATH": os.pathsep.join((beside, *os.get_exec_path())),
        "CMAKE_BUILD_PARALLEL_LEVEL": os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 2)),
    }
    command = [*PIP, "--verbose", "install", "--no-build-isolation", "--no-deps", *settings, "."]
    code, said = run_with_progress(command, environment)
    LOG.parent.mkdir(exist_ok=True)
    LOG.write_text("".join(said), encoding="utf-8")
    if code:
        first = next((n for n, line in enumerate(said) if "FAILED:" in line), max(0, len(said) - MOST_LINES))
        print("", *said[first : first + MOST_LINES], sep="", file=sys.stderr)
        print(f"error: okapi could not be compiled and installed\nhint: all of the output is in {LOG}", file=sys.stderr)
    return code


def run_with_progress(command: list[str], environment: dict[str, str]) -> tuple[int, list[str]]:
    """Run a build. Returns its exit code and everything that it said."""
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as build:
        assert build.stdout is not None
        said = show_progress(build.stdout)
    return build.returncode, said


def show_progress(lines: Iterable[str]) -> list[str]:
    """Count ninja's steps on the terminal, or in a line now and then elsewhere. Returns all lines."""
    said: list[str] = []
    terminal = sys.stdout.isatty()
    start = shown = time.monotonic()
    for line in lines:
        said.append(line)
        step = STEP.match(line)
        if step is None:
            continue
        done, total = int(step[1]), int(step[2])
        now = time.monotonic()
        text = f"make: compiled {done} of {total}{time_left(done, total, now - start)}"
        if terminal:
            print(f"\r{text:<70}", end="\n" if done == total else "", flush=True)
        elif now - shown >= SECONDS_BETWEEN_LINES or done == total:
            print(text, flush=True)
            shown = now
    return said


def time_left(done: int, total: int, seconds: float) -> str:
    """From the pace so far, once there is one to speak of."""
    if done == total:
        return f" in {seconds:.0f} s"
    if seconds < 2:
        return ""
    return f", about {seconds * (total - done) / max(done, 1):.0f} s left"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
