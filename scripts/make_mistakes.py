"""Play games as weak players do, study them, and keep mistakes of every kind: tests/analysis/report/mistakes.json.

    python scripts/make_mistakes.py tests/analysis/report/mistakes.json --games 40

The games are the default brain's, handicapped; the same seed gives the same games, and with nodes as the limit the same
mistakes.
"""

import argparse
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

from okapi.analysis.report import GameAnalysis, JudgedMove
from okapi.core import Game, Limits, Move, Position, random_openings
from okapi.players import AlphaBeta

ELO = 1000
LONGEST = 160


def play(start: Position, seed: int) -> Game:
    """A game between two weak players."""
    player = AlphaBeta(elo=ELO, seed=seed)
    position, moves = start.copy(), list[Move]()
    while position.ending() is None and len(moves) < LONGEST:
        moves.append(player.choose(position, Limits(nodes=2_000)).move)
        position.play(moves[-1])
    return Game.of(moves, start)


def studied(game: Game, nodes: int) -> list[JudgedMove]:
    """Its mistakes."""
    study = GameAnalysis(game, AlphaBeta())
    limits = Limits(nodes=nodes)
    for _ in study.deepen(limits):
        pass
    for _ in study.check(limits):
        pass
    return [move for move in study.moves() if move.sentence]


def as_json(move: JudgedMove) -> dict[str, Any]:
    """All that the sentence was made from."""
    return {
        "fen": move.position.fen(),
        "move": str(move.move),
        "best_line": [str(each) for each in move.best_line],
        "reply_line": [str(each) for each in move.reply_line],
        "before": [round(move.before.expected, 9), move.before.mate],
        "value": [round(move.value.expected, 9), move.value.mate],
        "sentence": move.sentence,
    }


def kind_of(sentence: str) -> str:
    """The first words of it that are no moves, squares or numbers."""
    return " ".join(re.findall(r"(?<!\S)[a-z]+(?=[:,]?(?:\s|$))", sentence)[:4])


def main() -> None:
    """Write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("to", type=Path)
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=2, help="mistakes of one kind that are kept")
    options = parser.parse_args()
    kept: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    for number, start in enumerate(random_openings(options.games, plies=8, seed=options.seed)):
        for move in studied(play(start, number), options.nodes):
            kind = kind_of(move.sentence)
            counts[kind] += 1
            if counts[kind] <= options.each:
                kept.append(as_json(move))
        print(f"game {number + 1}: {len(kept)} kept of {counts.total()}", flush=True)
    lines = ",\n".join(json.dumps(each) for each in kept)
    options.to.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
