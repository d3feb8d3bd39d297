"""
Record the run that ships for the time-lapse: a small network from random weights to its best, in kilobytes.

    python scripts/record_run.py            # writes src/okapi/web/recorded/first

The network has eight neurons, so that twenty snapshots fit 300 kB.
"""

import json
import math
import shutil
import sys
import tempfile
from pathlib import Path

from okapi.data.runs import LOG_FILE, RUN_FILE, Run, RunInfo
from okapi.recipes.config import RecipeConfig
from okapi.recipes.run import RecipeRun
from okapi.recipes.snapshots import CHECKPOINTS, Snapshots

TO = Path(__file__).parent.parent / "src" / "okapi" / "web" / "recorded" / "first"
CHANGES = {"width": 8, "batch": 256, "epochs": 8, "lr": 0.003, "snapshots": 20, "elo_games": 100}
MOST_BYTES = 300_000


def record(folder: Path) -> None:
    config = RecipeConfig(changes=CHANGES, cache=folder / "labels")
    RecipeRun(name="mlp", config=config, folder=folder, threads=1, device="cpu", tell=print).start()
    about = RunInfo.read(folder)
    with Run.start(folder, about.kind, total=about.total, unit=about.unit, title=about.title) as run:
        Snapshots(run, config.snapshots(), threads=2, share=math.inf).finish()  # those that had no time
    about.write(folder)


def keep(folder: Path) -> int:
    """Copy what the board shows; the size in bytes."""
    shutil.rmtree(TO, ignore_errors=True)
    shutil.copytree(folder / CHECKPOINTS, TO / CHECKPOINTS)
    about = json.loads((folder / RUN_FILE).read_bytes())
    (TO / RUN_FILE).write_text(json.dumps({**about, "title": "A network of eight neurons learns"}, indent=1))
    lines = [json.loads(line) for line in (folder / LOG_FILE).read_text().splitlines()]
    shown = sorted(
        (line for line in lines if "validation_loss" in line or "elo_material" in line), key=lambda line: line["step"]
    )
    (TO / LOG_FILE).write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in shown))
    return sum(file.stat().st_size for file in TO.rglob("*") if file.is_file())


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="okapi-") as temporary:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(temporary)
        record(folder)
        size = keep(folder)
    print(f"{size:,} bytes in {TO}")
    return size > MOST_BYTES


if __name__ == "__main__":
    raise SystemExit(main())
