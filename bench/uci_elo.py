"""Measure the strength dial (UCI_Elo) and the board's named opponents, all in one pool of games.

    python bench/uci_elo.py play --games 100       levels, anchors and opponents play each other
    python bench/uci_elo.py fit                    the table for cpp/okapi/uci/handicap.cpp that these games suggest
    python bench/uci_elo.py write                  docs/reference/uci_elo.json and src/okapi/players/opponents.json

No clock is involved: everybody has a limit of nodes or plies, so that a loaded machine changes nothing. Steps of the
scale are matches between neighbouring levels. Its zero is the mean of the anchors: Stockfish's UCI_Elo levels, whose
ratings its authors have set by games at 60+0.6 against engines of the CCRL list. Here they search ANCHOR_NODES a move,
which is less: Stockfish chooses at a small depth, but its table remembers what it searched deeper before. Games are stored by player and settings: the same command goes on, and more games make the intervals
smaller.
"""

import argparse
import json
import re
from concurrent.futures import ProcessPoolExecutor, as_completed
from itertools import pairwise
from pathlib import Path

import numpy as np

from okapi.arena.games import Pairing
from okapi.arena.ladder import LADDER
from okapi.arena.openings import load_openings
from okapi.arena.ratings import Rating, RatingPool, rate
from okapi.arena.settings import AdjudicationRules, GameSettings, GivenPlayer
from okapi.arena.time_control import TimeControl
from okapi.arena.workers import Worker
from okapi.brains.library import run_folder
from okapi.core import Decision, Limits, Position
from okapi.core.search import HIGHEST_ELO, LOWEST_ELO, Handicap
from okapi.files import digest
from okapi.players.engine import Engine
from okapi.players.opponents import OPPONENTS, RATINGS
from okapi.players.spec import engine_options, kind_of

STEP = 200
LEVELS = tuple(range(LOWEST_ELO, HIGHEST_ELO + 1, STEP))
FIELDS = ("nodes", "lines", "temperature", "visible_loss", "visible_mate")
RESULT = Path(__file__).parents[1] / "docs" / "reference" / "uci_elo.json"


ANCHOR_NAMES = ("1500", "1800", "2100")
ANCHOR_NODES = 30_000
NEAR = 100
"""An anchor plays the levels this near to its rating."""
FIRST_GUESS = {"Dik-dik": 800, "Duiker": 1300, "Bongo": 1500, "Kudu": 1700, "Giraffe": 2500, "Okapi": 3200}
"""Where opponents play their first games; afterwards their own rating says which levels are near."""

ENDED_EARLY = AdjudicationRules(resign_score=900, resign_moves=4, draw_score=10, draw_moves=8, draw_after=50)
AGREE_FROM = 2000
"""Players of this strength win what they agree to be won; weaker ones play on."""
LONGEST = 400
"""Plies; then a game is drawn."""
CHUNK = 10
SHOWN = 130
"""The board shows ratings of opponents that are at least as certain as ± this."""


class Anchor:
    """Stockfish at a UCI_Elo."""

    def __init__(self, name: str) -> None:
        rung = next(rung for rung in LADDER if rung.name == name)
        command, options = engine_options(kind_of(rung.player)[1])
        self._engine = Engine(command, options=options)

    def choose(self, position: Position, limits: Limits) -> Decision:
        return self._engine.choose(position, Limits(nodes=ANCHOR_NODES))

    def close(self) -> None:
        self._engine.close()


def nominal(name: str) -> float:
    return float(FIRST_GUESS[name] if name in FIRST_GUESS else name.rpartition("-")[2])


def given(name: str) -> GivenPlayer:
    """A player of the pool by its name: `stockfish-1350`, `okapi-1400` (a level), or a named opponent."""
    if name.startswith("stockfish-"):
        return Anchor(name)
    if name.startswith("okapi-"):
        return f"alphabeta:champion,elo={int(nominal(name))},hash=1"
    return next(opponent.spec for opponent in OPPONENTS if opponent.name == name)


def play_chunk(first: str, second: str, number: int, seed: int) -> list[tuple[str, str, float]]:
    """CHUNK games of two players, each opening with both colours: White, Black and White's points."""
    players = (given(first), given(second))
    agree = min(nominal(first), nominal(second)) >= AGREE_FROM
    settings = GameSettings(
        players=players,
        control=TimeControl(nodes=1 << 40),
        adjudication=ENDED_EARLY if agree else AdjudicationRules(),
        seed=seed,
        max_plies=LONGEST,
    )
    starts = load_openings(seed=seed)
    worker = Worker(settings)
    results = []
    for game in range(number * CHUNK, (number + 1) * CHUNK):
        white = game % 2
        pairing = Pairing(game, white, 1 - white, starts[game // 2 % len(starts)].fen())
        played = worker.play(pairing)
        points = 0.5 if played.result == "*" else played.points(white)
        results.append(((first, second)[white], (first, second)[1 - white], points))
    for player in players:
        if isinstance(player, Anchor):
            player.close()
    return results


# --- The pool ---------------------------------------------------------------------------------------------------------


def table() -> dict[str, dict[str, float]]:
    return {str(elo): {field: getattr(Handicap(elo), field) for field in FIELDS} for elo in LEVELS}


class Pool:
    """Games in a file, one a line; another table of levels is another file."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.path = run_folder(None, f"uci-elo-{digest(table())[:8]}-{seed}.jsonl")
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        self.games = [(white, black, float(points)) for white, black, points in map(json.loads, lines)]

    def met(self, first: str, second: str) -> int:
        return sum({first, second} == {white, black} for white, black, _ in self.games)

    def add(self, games: list[tuple[str, str, float]]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.writelines(json.dumps(game) + "\n" for game in games)
        self.games += games

    def ratings(self) -> dict[str, Rating]:
        anchors = {name: nominal(name) for white, black, _ in self.games for name in (white, black) if "fish" in name}
        return {rating.name: rating for rating in rate(RatingPool.of(self.games), anchors=anchors).players}


def pairs(pool: Pool, only: str) -> list[tuple[str, str]]:
    """Who plays whom: neighbouring levels, the two weakest opponents; anchors and opponents with levels near them."""
    levels = [f"okapi-{elo}" for elo in LEVELS]
    found = [*pairwise(levels), (OPPONENTS[0].name, OPPONENTS[1].name)]
    found += [
        (anchor, level)
        for anchor in (f"stockfish-{name}" for name in ANCHOR_NAMES)
        for level in levels
        if abs(nominal(anchor) - nominal(level)) <= NEAR
    ]
    rated = pool.ratings() if pool.games else {}
    for opponent in OPPONENTS:
        own = rated[opponent.name].elo if opponent.name in rated else nominal(opponent.name)
        found += [(opponent.name, level) for level in sorted(levels, key=lambda name: abs(nominal(name) - own))[:2]]
    return [pair for pair in found if re.search(only, " ".join(pair))]


def play(pool: Pool, games: int, only: str, workers: int) -> None:
    wanted = [(pair, pool.met(*pair) // CHUNK) for pair in pairs(pool, only)]
    chunks = [(*pair, number, pool.seed) for number in range(games // CHUNK) for pair, done in wanted if number >= done]
    with ProcessPoolExecutor(workers) as executor:
        running = [executor.submit(play_chunk, *chunk) for chunk in chunks]
        for count, future in enumerate(as_completed(running), start=1):
            pool.add(future.result())
            print(f"\r{count} of {len(running)} chunks", end="", flush=True)
    print()


def show(pool: Pool) -> None:
    for rating in sorted(pool.ratings().values(), key=lambda rating: rating.elo):
        width = (rating.high - rating.low) / 2
        print(f"{rating.name:16} {rating.elo:6.0f} ± {width:3.0f}  {rating.games:5} games  {rating.draws:4.0%} drawn")


def fit(pool: Pool) -> None:
    """Print the table at which the measured ratings would be the nominal ones: between two rows, or beyond the last."""
    rated = np.maximum.accumulate([pool.ratings()[f"okapi-{elo}"].elo for elo in LEVELS])
    rows = list(table().values())
    for elo in LEVELS:
        below = int(np.clip(np.searchsorted(rated, elo) - 1, 0, len(rows) - 2))
        part = (elo - rated[below]) / max(rated[below + 1] - rated[below], 1.0)
        found = [_between(field, rows[below][field], rows[below + 1][field], part) for field in FIELDS]
        print(f"    {{{elo}, {{{', '.join(found)}}}}},")


def _between(field: str, low: float, high: float, part: float) -> str:
    if field in ("nodes", "temperature"):
        value = low * (high / low) ** part
        return f"{value:.0f}" if field == "nodes" else f"{value:.2g}"
    return f"{low + (high - low) * np.clip(part, 0, 1):.0f}"


def write(pool: Pool) -> None:
    rated = pool.ratings()

    def numbers(name: str) -> dict[str, int]:
        rating = rated[name]
        return {
            "rating": round(rating.elo),
            "low": round(rating.low),
            "high": round(rating.high),
            "games": rating.games,
        }

    opponents = {each.name: {**numbers(each.name), "spec": each.spec} for each in OPPONENTS if each.name in rated}
    shown = {name: row for name, row in opponents.items() if rated[name].high - rated[name].low <= 2 * SHOWN}
    RATINGS.write_text(json.dumps(shown, indent=1) + "\n", encoding="utf-8")
    levels = {elo: {**numbers(f"okapi-{elo}"), **settings} for elo, settings in table().items()}
    anchors = {name: numbers(name) for name in rated if "fish" in name}
    found = {"games": len(pool.games), "seed": pool.seed, "levels": levels, "anchors": anchors, "opponents": opponents}
    RESULT.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("play", "show", "fit", "write"))
    parser.add_argument("--games", type=int, default=100, help="of each pair of players")
    parser.add_argument("--only", default="", help="pairs whose names match this expression")
    parser.add_argument("--seed", type=int, default=1, help="another seed: other openings, other games")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    pool = Pool(arguments.seed)
    if arguments.what == "play":
        play(pool, arguments.games, arguments.only, arguments.workers)
    {"play": show, "show": show, "fit": fit, "write": write}[arguments.what](pool)


if __name__ == "__main__":
    main()
