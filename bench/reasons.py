"""
What share of the mistakes in real games the report gives a reason for, and what a report costs.

    python bench/reasons.py games.pgn --games 20

Each game gets a quick report, as on the board: 20,000 nodes a move by the champion. Printed are the mistakes by the words of
their sentences, the share that names a reason, and the processor time for 40 moves of both sides.
`--keep FILE` writes the mistakes as scripts/make_mistakes.py does, and such a file can be given in place of games: the
sentences are then made again without any search.
"""

import argparse
import json
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

from okapi.analysis.report import GameAnalysis
from okapi.analysis.report.moves import JudgedMove
from okapi.analysis.report.sentences import mistake_sentence
from okapi.core import Game, Position, Value
from okapi.formats.pgn import read_pgn
from okapi.players import AlphaBeta
from okapi.web.panels.analyse import EFFORTS, write_report

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from make_mistakes import as_json, kind_of

FIRST, LEAST_PLIES = 2000, 40
"""Games are drawn from so many at the beginning of the file; shorter ones are left out."""

PLIES = 80


def drawn(file: Path, count: int, seed: int) -> list[Game]:
    """Games at random, with moves enough."""
    games = []
    for game in read_pgn(file):
        if len(game.moves) >= LEAST_PLIES:
            games.append(game)
        if len(games) == FIRST:
            break
    return random.Random(seed).sample(games, count)


def mistakes_of(game: Game) -> list[dict[str, Any]]:
    study = GameAnalysis(game, AlphaBeta())
    for _ in write_report(study, EFFORTS["quick"]):
        pass
    return [as_json(move) for move in study.moves() if move.mark]


def said_again(record: dict[str, Any]) -> dict[str, Any]:
    """A mistake with the sentence that it gets now."""
    position = Position.from_fen(record["fen"])
    move, after = position.move(record["move"]), position.after(position.move(record["move"]))
    before, value = (Value(number, position.turn, mate) for number, mate in (record["before"], record["value"]))
    lines = []
    for start, texts in ((position, record["best_line"]), (after, record["reply_line"])):
        ahead = start.copy()
        lines.append(tuple(ahead.play(text) for text in texts))
    judged = JudgedMove(0, position, move, before, value, lines[0], lines[1])
    return {**record, "sentence": mistake_sentence(judged)}


def has_reason(sentence: str) -> bool:
    return not sentence.startswith("gives away")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--all", action="store_true", help="print every sentence")
    options = parser.parse_args()
    found: list[dict[str, Any]] = []
    if options.file.suffix == ".json":
        found = [said_again(record) for record in json.loads(options.file.read_text(encoding="utf-8"))]
    else:
        spent, plies = 0.0, 0
        for number, game in enumerate(drawn(options.file, options.games, options.seed), 1):
            begun = time.process_time()
            found += mistakes_of(game)
            spent, plies = spent + time.process_time() - begun, plies + len(game.moves)
            print(f"game {number}: {len(found)} mistakes, {spent / plies * PLIES:.1f} s for 40 moves", file=sys.stderr)
    if options.keep:
        lines = ",\n".join(json.dumps(each) for each in found)
        options.keep.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    for kind, count in Counter(kind_of(each["sentence"]) for each in found).most_common():
        print(f"{count:5} {kind}")
    if options.all:
        print("\n".join(f"{each['fen']} {each['move']}: {each['sentence']}" for each in found))
    explained = sum(has_reason(each["sentence"]) for each in found)
    print(f"{explained} of {len(found)} mistakes have a reason: {explained / len(found):.0%}")


if __name__ == "__main__":
    main()
