"""
Import, export, import again: is every game the same?

    python bench/round_trip.py                    # ../shared/data/games
    python bench/round_trip.py games.pgn.zst

Compared are tags and their order, start and moves (by their number and 64-bit hash), result, values and clocks.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

from okapi.core._core import RawGame
from okapi.data.pgn import export_games, import_games
from okapi.data.store import Store

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "games"


def everything(game: RawGame) -> tuple[object, ...]:
    return game.tags, game.hash, game.result, game.values, game.best, game.lines, game.clocks


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    args = parser.parse_args()
    files = args.files or sorted(DATA.glob("*.pgn.xz"))
    if not files:
        parser.error(f"there are no games at {DATA}: give files")
    different: list[int] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        imported = import_games(files, folder / "one.okapi")
        begun = time.monotonic()
        export_games(folder / "one.okapi", folder / "one.pgn")
        seconds = time.monotonic() - begun
        size = (folder / "one.pgn").stat().st_size
        again = import_games([folder / "one.pgn"], folder / "two.okapi")
        one, two = Store.open(folder / "one.okapi"), Store.open(folder / "two.okapi")
        if len(one) == len(two) and bool((one.plies() == two.plies()).all()):
            different = [n for n in range(len(one)) if everything(one.record(n)) != everything(two.record(n))]
        else:
            different = list(range(len(one)))
    figures = {
        "games": imported.games,
        "skipped": imported.skipped,
        "duplicates": imported.duplicates,
        "again": again.games,
        "different": len(different),
        "first_different": different[:5],
        "export_games_per_second": round(imported.games / seconds),
        "export_megabytes_per_second": round(size / seconds / 1e6),
    }
    print(json.dumps(figures))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
