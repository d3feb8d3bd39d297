"""Give shipped brains that the league has not rated an Elo against `material`, at fixed depth, on their cards.

    python scripts/rate_brains.py                  # those that have none
    python scripts/rate_brains.py champion

200 games of three plies; 40 of one ply for networks that the core evaluates in batches.
"""

import json
import sys

from okapi import match
from okapi.brains import is_native
from okapi.brains.summary import CARDS
from okapi.files import replace_file


def main(names: list[str]) -> None:
    """Play the matches, and write each result when it is there."""
    for name in names or [name for name, entry in json.loads(CARDS.read_bytes()).items() if "strength" not in entry]:
        games, depth = (200, 3) if is_native(name) else (40, 1)
        found = match(name, "material", games=games, depth=depth)
        print(found, flush=True)
        told = json.loads(CARDS.read_bytes())
        elo = {"elo": round(found.elo), "low": round(found.low), "high": round(found.high)}
        told[name]["strength"] = {**elo, "games": found.games, "against": "material", "limits": f"depth {depth}"}
        replace_file(CARDS, (json.dumps(told, indent=1, ensure_ascii=False) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])
