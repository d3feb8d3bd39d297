"""
kill -9 at random moments of an import, then the same command: is the store, byte for byte, that of a calm import?

    python bench/kill_import.py --kills 20              # the smaller files of ../shared/data/games
    python bench/kill_import.py games.pgn.zst
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from killing import kills

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "games"
FIGURES = ("games", "skipped", "duplicates", "filtered", "plies", "bytes", "total", "complaints")


def command(files: list[Path], folder: Path, name: str) -> list[str]:
    wanted = ["--min-plies", "20", "--report", str(folder / f"{name}.txt")]
    paths = [str(file) for file in files]
    return [sys.executable, "-m", "okapi", "games", "import", *paths, "--to", str(folder / name), *wanted, "--json"]


def told(arguments: list[str]) -> dict[str, Any]:
    done = subprocess.run(arguments, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    figures = json.loads(done.stdout)
    return {name: figures[name] for name in FIGURES}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    files = args.files or sorted(DATA.glob("*.pgn.xz"), key=lambda file: file.stat().st_size)[:4]
    if not files:
        parser.error(f"there are no games at {DATA}: give files")
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begun = time.monotonic()
        calm = told(command(files, folder, "calm.okapi"))
        whole = time.monotonic() - begun
        struck = 0
        for found in kills(command(files, folder, "killed.okapi"), args.kills, whole, args.seed):
            problems += found
            struck += 1
            size = (folder / "killed.okapi").stat().st_size if (folder / "killed.okapi").exists() else 0
            print(f"kill {struck}: {size:,} bytes", file=sys.stderr, flush=True)
        after = told(command(files, folder, "killed.okapi"))
        if after != calm and struck == args.kills:
            problems.append(f"other figures: {calm} and {after}")
        for ending in ("", ".txt"):
            if (folder / f"calm.okapi{ending}").read_bytes() != (folder / f"killed.okapi{ending}").read_bytes():
                problems.append(f"killed.okapi{ending} is not the same")
    print(json.dumps({"kills": struck, "seconds": round(whole, 1), "problems": problems, **calm}))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
