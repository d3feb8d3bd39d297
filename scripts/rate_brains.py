"""Give shipped brains that the league has not rated an Elo against `material` on their cards.

    python scripts/rate_brains.py                  # those that have none
    python scripts/rate_brains.py champion

400 games of 1,000 nodes a move, as in the league; 40 of one ply for networks that the core evaluates in batches.
"""

import json
import sys

from okapi import match
from okapi.brains import is_native
from okapi.brains.summary import CARDS
from okapi.files import replace_file


def main(names: list[str]) -> None:
    """Play the matches, and write each result when it is there."""
    unrated = [name for name, entry in json.loads(CARDS.read_bytes()).items() if "strength" not in entry]
    for name in names or (name for name in unrated if name != "material"):
        fast = is_native(name)
        found = match(name, "material", games=400, nodes=1000) if fast else match(name, "material", games=40, depth=1)
        print(found, flush=True)
        told = json.loads(CARDS.read_bytes())
        elo = {"elo": round(found.elo), "low": round(found.low), "high": round(found.high)}
        limits = "1,000 nodes" if fast else "depth 1"
        told[name]["strength"] = {**elo, "games": found.games, "against": "material", "limits": limits}
        replace_file(CARDS, (json.dumps(told, indent=1, ensure_ascii=False) + "\n").encode())


if __name__ == "__main__":
    main(sys.argv[1:])
