"""
How much of a teacher's speed does `okapi label` keep? Nodes a second, against as many processes left to themselves.

    python bench/label_speed.py --engine stockfish --workers 2

The rivals are fed with a script of commands from a file and write into one: nobody waits for anybody. Both get the same
positions with the same limits, turn by turn, and both pay for starting their engines. `ratio` compares nodes a second,
which is only fair on a machine that has nothing else to do; `cpu_ratio` compares nodes a second of processor time, with
okapi's own, and without what it takes to begin.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from okapi.core import Evaluator, InProcessMatch, Limits, MatchPlayer, RawBrain, both_colors, random_openings
from okapi.data.label import LabelConfig, PositionSelection, label
from okapi.players.process import find_program
from okapi.players.teacher import TeacherSettings

SHARE_OF_A_GAME = 3
"""One position of so many: neighbours are alike."""


def positions(count: int) -> list[str]:
    """From games of Okapi against itself."""
    player = MatchPlayer(Evaluator.from_brain(RawBrain.default()), Limits(depth=3))
    found: dict[str, None] = {}
    for match_game in InProcessMatch(
        player, player, both_colors(random_openings(count // 20 + 1, seed=1)), threads=os.cpu_count() or 1
    ):
        for ply, (position, _) in enumerate(match_game.game.positions()):
            if ply % SHARE_OF_A_GAME == 0:
                found.setdefault(position.fen())
        if len(found) >= count:
            break
    return list(found)[:count]


def processor_seconds() -> float:
    """Ours and those of the engines that ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measured(run: Callable[[bool], tuple[int, float]]) -> tuple[float, float]:
    """Nodes a second, and nodes a second of the processor time beyond what it takes to begin."""
    before = processor_seconds()
    run(True)
    begun = processor_seconds()
    nodes, rate = run(False)
    return rate, nodes / (processor_seconds() - begun - (begun - before))


def alone(engine: str, fens: list[str], nodes: int, processes: int, folder: Path, few: bool) -> tuple[int, float]:
    """Processes that read a script: nodes, and nodes a second."""
    fens = fens[:processes] if few else fens
    rates: list[float] = []
    found: list[int] = []

    def run(number: int) -> None:
        mine = fens[number::processes]
        script = folder / f"{number}.txt"
        script.write_text("".join(f"position fen {fen}\ngo nodes {nodes}\n" for fen in mine) + "quit\n")
        begun = time.perf_counter()
        with script.open() as commands, (folder / f"{number}.out").open("w") as out:
            subprocess.run([engine], stdin=commands, stdout=out, check=True)
        seconds = time.perf_counter() - begun
        found.append(searched(folder / f"{number}.out"))
        rates.append(found[-1] / seconds)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(found), sum(rates)


def searched(output: Path) -> int:
    """The nodes of all searches: what was said last before each move."""
    total = last = 0
    for line in output.read_text().splitlines():
        if line.startswith("bestmove"):
            total += last
        elif " nodes " in line:
            words = line.split()
            last = int(words[words.index("nodes") + 1])
    return total


def labelled(
    engine: str, source: Path, nodes: int, workers: int, folder: Path, independent: bool, few: bool
) -> tuple[int, float]:
    """The same of okapi label."""
    target = folder / "labels.samples"
    target.unlink(missing_ok=True)
    teaching = TeacherSettings(command=engine, limits=Limits(nodes=nodes), independent=independent)
    progress = label(
        LabelConfig(
            selection=PositionSelection(sources=(source,), most=workers if few else None), teaching=teaching, to=target
        ),
        workers=workers,
    )
    return progress.nodes, progress.nodes / progress.seconds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="stockfish")
    parser.add_argument("--nodes", type=int, nargs="*", default=[2_000, 10_000, 50_000])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--million", type=float, default=10.0, help="nodes of each run, in millions")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--independent", action="store_true", help="also with empty tables for each position")
    args = parser.parse_args()
    engine = find_program(args.engine)
    if engine is None:
        print(f"there is no engine `{args.engine}`", file=sys.stderr)
        return 3
    for nodes in args.nodes:
        fens = positions(int(args.million * 1e6 / nodes))
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            source = folder / "positions.fen"
            source.write_text("\n".join(fens) + "\n")
            rivals: dict[str, Callable[[bool], tuple[int, float]]] = {
                "alone": partial(alone, engine, fens, nodes, args.workers, folder),
                "okapi": partial(labelled, engine, source, nodes, args.workers, folder, False),
            }
            if args.independent:
                rivals["independent"] = partial(labelled, engine, source, nodes, args.workers, folder, True)
            found = [{who: measured(run) for who, run in rivals.items()} for _ in range(args.rounds)]
        ratios = [[each["okapi"][kind] / each["alone"][kind] for each in found] for kind in (0, 1)]
        told = {
            "nodes": nodes,
            "positions": len(fens),
            **{f"{who}_nps": round(statistics.median(each[who][0] for each in found)) for who in rivals},
            "ratios": [round(ratio, 3) for ratio in ratios[0]],
            "ratio": round(statistics.median(ratios[0]), 4),
            "cpu_ratio": round(statistics.median(ratios[1]), 4),
            "load": round(os.getloadavg()[0], 1),
        }
        print(json.dumps(told), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
