"""
Ten gigabytes of PGN through a pipe: how much memory does an import take?

    python bench/import_memory.py                         # variations of generated games
    python bench/import_memory.py games.pgn --gigabytes 2

Games are repeated with other players, so that none is a duplicate and the set of known games grows as it would with real ones.
Give a file, and its games are varied instead of generated ones.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from okapi.core import Position

GENERATED = 2_000
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def generated() -> Iterator[str]:
    """Movetexts of random games, about as long as those that people play."""
    dice = random.Random(1)
    for _ in range(GENERATED):
        position = Position.start()
        words = []
        for ply in range(dice.randrange(40, 120)):
            moves = position.legal_moves()
            if not moves:
                break
            move = dice.choice(moves)
            words.append(f"{ply // 2 + 1}. {position.san(move)}" if ply % 2 == 0 else position.san(move))
            position.play(move)
        yield " ".join(words) + " *"


def movetexts(file: Path | None) -> list[str]:
    if file is None:
        return list(generated())
    text = file.read_text(encoding="utf-8", errors="replace")[: 50 << 20]
    return [part for part in text.split("\n\n") if part and not part.startswith("[")]


def name(number: int) -> str:
    """A name that no other number has."""
    letters = []
    for _ in range(6):
        number, rest = divmod(number, len(LETTERS))
        letters.append(LETTERS[rest])
    return "".join(letters).capitalize()


def texts(movetexts: list[str], size: int) -> Iterator[bytes]:
    """Pieces of PGN of so many bytes in all."""
    number = 0
    while size > 0:
        games = []
        for moves in movetexts:
            number += 1
            head = f'[Event "Event {number // 100}"]\n[Site "https://example.org/{number:x}"]\n[White "{name(number)}"]'
            games.append(f'{head}\n[Black "Somebody"]\n[WhiteElo "2000"]\n[BlackElo "2100"]\n\n{moves}\n\n')
        piece = "".join(games).encode()
        yield piece
        size -= len(piece)


def peak_megabytes(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--gigabytes", type=float, default=10.0)
    args = parser.parse_args()
    varied = movetexts(args.file)
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "okapi", "games", "import", "-", "--to", f"{folder}/games.okapi", "--json"]
        begun, peak, fed = time.monotonic(), 0.0, 0
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for piece in texts(varied, int(args.gigabytes * 1e9)):
                process.stdin.write(piece)
                fed += len(piece)
                peak = max(peak, peak_megabytes(process.pid))
                print(f"\r{fed / 1e9:.2f} GB, {peak:.0f} MB", end="", file=sys.stderr, flush=True)
            peak = max(peak, peak_megabytes(process.pid))
            process.stdin.close()
            told = json.loads(process.stdout.read())
        print(file=sys.stderr)
        size = Path(folder, "games.okapi").stat().st_size
    figures = {"gigabytes": round(fed / 1e9, 2), "games": told["games"], "peak_megabytes": round(peak, 1)}
    print(json.dumps({**figures, "store_bytes": size, "seconds": round(time.monotonic() - begun, 1)}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
