"""
How fast PGN becomes a store, next to pgn-extract, which only checks the moves: both on one core, alternately.

    python bench/pgn_import.py                            # ../shared/data/games
    python bench/pgn_import.py games.pgn more.pgn.xz --runs 5

Compressed files are decompressed first, which is not timed. Both are timed as whole processes, start included; on a machine
with other work, the processor time (user and system) is the figure to trust.
"""

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from okapi.formats.streams import open_stream, plain_suffix

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "games"
SLOW = ["pgn-extract", "-s", "-r"]


@dataclass(frozen=True)
class Timing:
    wall: float
    processor: float

    def __str__(self) -> str:
        return f"{self.wall:.2f} s, {self.processor:.2f} s of a processor"


def plain(files: list[Path], folder: Path) -> list[Path]:
    """The files without compression."""
    found = []
    for file in files:
        with file.open("rb") as opened:
            compressed = opened.read(1) != b"["
        if not compressed and plain_suffix(file) == ".pgn":
            found.append(file)
            continue
        target = folder / f"{len(found)}-{file.stem}"
        with open_stream(file) as stream, target.open("wb") as out:
            shutil.copyfileobj(stream, out, 1 << 20)
        found.append(target)
    return found


def timed(command: list[str], core: int) -> tuple[Timing, str]:
    """Run a command on one core."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=lambda: pin(core)
    )
    wall, after = time.monotonic() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return Timing(wall, used), done.stdout


def pin(core: int) -> None:
    os.sched_setaffinity(0, {core})


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--core", type=int, default=0)
    args = parser.parse_args()
    chosen = args.files or sorted(DATA.glob("*.pgn.xz"))
    if not chosen:
        parser.error(f"there are no games at {DATA}: give files")
    ours: list[Timing] = []
    theirs: list[Timing] = []
    with tempfile.TemporaryDirectory() as name:
        files = [str(file) for file in plain(chosen, Path(name))]
        store = Path(name) / "games.okapi"
        for run in range(args.runs):
            store.unlink(missing_ok=True)
            importing = [sys.executable, "-m", "okapi", "games", "import", *files, "--to", str(store), "--json"]
            timing, text = timed(importing, args.core)
            told = json.loads(text)
            ours.append(timing)
            theirs.append(timed([*SLOW, *files], args.core)[0])
            print(f"run {run + 1}: okapi {ours[-1]}; pgn-extract {theirs[-1]}", file=sys.stderr, flush=True)
        size = store.stat().st_size
    games = told["games"] + told["duplicates"]
    figures = {
        "games": games,
        "plies": told["plies"],
        "bytes_per_ply": round(size / told["plies"], 3),
        "okapi_games_per_second": round(games / min(timing.wall for timing in ours)),
        "pgn_extract_games_per_second": round(games / min(timing.wall for timing in theirs)),
        "ratio": round(min(timing.wall for timing in theirs) / min(timing.wall for timing in ours), 2),
        "ratio_of_processor_time": round(
            min(timing.processor for timing in theirs) / min(timing.processor for timing in ours), 2
        ),
        "okapi_processor_ns_per_ply": round(min(timing.processor for timing in ours) / told["plies"] * 1e9, 1),
    }
    print(json.dumps(figures))
    return 0


if __name__ == "__main__":
    sys.exit(main())
