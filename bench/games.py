"""
Plays games between two engines and says who is stronger, how sure that is, and whether anyone misbehaved.

    python bench/games.py okapi-uci sunfish-uci --games 100 --tc 10+0.1
    python bench/games.py okapi-uci xboard:phalanx --games 100 --tc 10+0.1
    python bench/games.py okapi-uci okapi-uci --games 1000 --tc 1+0.01

Every opening is played twice with colours changed. Openings are random moves that the first engine holds to be balanced.
"""

from __future__ import annotations

import argparse
import json
import math
import queue
import random
import shlex
import sys
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.engine
import chess.pgn

OPENING_PLIES = 8
BALANCED_CENTIPAWNS = 60


@dataclass
class Engine:
    """One running program, started again when it dies."""

    command: str
    options: dict[str, str]
    running: chess.engine.SimpleEngine | None = None

    def get(self) -> chess.engine.SimpleEngine:
        if self.running is None:
            xboard = self.command.startswith("xboard:")
            words = shlex.split(self.command.removeprefix("xboard:"))
            start = chess.engine.SimpleEngine.popen_xboard if xboard else chess.engine.SimpleEngine.popen_uci
            self.running = start(words, timeout=30)
            self.running.configure({k: v for k, v in self.options.items() if k in self.running.options})
        return self.running

    def close(self) -> None:
        if self.running is not None:
            try:
                self.running.quit()
            except (chess.engine.EngineError, TimeoutError):
                self.running.close()
            self.running = None


@dataclass
class Report:
    """What happened so far, seen from the first engine."""

    pairs: Counter[float] = field(default_factory=Counter)
    results: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    plies: int = 0

    def elo(self) -> tuple[float, float, float]:
        """Elo and its 95 % interval, from pairs of games."""
        n = sum(self.pairs.values())
        if not n:
            return 0.0, -math.inf, math.inf
        mean = sum(score * k for score, k in self.pairs.items()) / n
        variance = sum((score - mean) ** 2 * k for score, k in self.pairs.items()) / n
        margin = 1.96 * math.sqrt(variance / n)
        return to_elo(mean), to_elo(mean - margin), to_elo(mean + margin)


def to_elo(score: float) -> float:
    score = min(max(score, 1e-3), 1 - 1e-3)
    return -400 * math.log10(1 / score - 1)


def balanced_opening(judge: Engine, rng: random.Random) -> chess.Board:
    while True:
        board = chess.Board()
        for _ in range(OPENING_PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        if board.is_game_over():
            continue
        info = judge.get().analyse(board, chess.engine.Limit(nodes=20_000))
        if abs(info["score"].relative.score(mate_score=10_000)) <= BALANCED_CENTIPAWNS:
            return board


def play(
    opening: chess.Board, players: dict[chess.Color, Engine], tc: tuple[float, float], game_id: object
) -> tuple[str, str, chess.Board]:
    """One game. Result, how it ended (a fault names its colour), and the final board."""
    board = opening.copy()
    clocks = {chess.WHITE: tc[0], chess.BLACK: tc[0]}
    while not board.is_game_over(claim_draw=True):
        color = board.turn
        limit = chess.engine.Limit(
            white_clock=clocks[True], black_clock=clocks[False], white_inc=tc[1], black_inc=tc[1]
        )
        started = time.perf_counter()
        loss = "0-1" if color else "1-0"
        name = "white" if color else "black"
        try:
            answer = players[color].get().play(board, limit, game=game_id, info=chess.engine.INFO_NONE)
        except chess.engine.EngineError as error:
            players[color].close()
            fault = "illegal" if "illegal" in str(error) else "crash"
            return loss, f"{fault} by {name}: {error}", board
        clocks[color] -= time.perf_counter() - started
        if clocks[color] < 0:
            return loss, f"time by {name}: {clocks[color] * 1000:.0f} ms", board
        clocks[color] += tc[1]
        if answer.resigned or answer.move is None:
            return loss, "resigns", board
        board.push(answer.move)
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None
    return outcome.result(), outcome.termination.name.lower(), board


class Match:
    """Pairs of games, several at a time."""

    def __init__(self, args: argparse.Namespace) -> None:
        self.args = args
        seconds, _, increment = args.tc.partition("+")
        self.tc = (float(seconds), float(increment or 0))
        self.report = Report()
        self.lock = threading.Lock()
        self.work: queue.Queue[int] = queue.Queue()
        for pair in range(args.games // 2):
            self.work.put(pair)
        self.started = time.time()

    def run(self) -> Report:
        threads = [threading.Thread(target=self.worker) for _ in range(self.args.concurrency)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return self.report

    def worker(self) -> None:
        options = dict(option.split("=", 1) for option in self.args.option)
        engines = [Engine(self.args.first, options), Engine(self.args.second, options)]
        try:
            while True:
                try:
                    pair = self.work.get_nowait()
                except queue.Empty:
                    return
                opening = balanced_opening(engines[0], random.Random(self.args.seed * 100_003 + pair))
                score = sum(self.game(opening, engines, pair, first_is_white) for first_is_white in (True, False))
                with self.lock:
                    self.report.pairs[score / 2] += 1
        finally:
            for engine in engines:
                engine.close()

    def game(self, opening: chess.Board, engines: list[Engine], pair: int, first_is_white: bool) -> float:
        players = {chess.WHITE: engines[not first_is_white], chess.BLACK: engines[first_is_white]}
        result, ending, board = play(opening, players, self.tc, (pair, first_is_white))
        score = 0.5 if result == "1/2-1/2" else float((result == "1-0") == first_is_white)
        with self.lock:
            report = self.report
            report.results[{1.0: "won", 0.5: "drawn", 0.0: "lost"}[score]] += 1
            report.plies += len(board.move_stack) - len(opening.move_stack)
            kind, _, rest = ending.partition(" by ")
            if rest:
                culprit = "first" if rest.startswith("white") == first_is_white else "second"
                report.faults[f"{kind} ({culprit})"] += 1
                print(f"\n{ending} in game {sum(report.results.values())}", file=sys.stderr)
            self.show(report)
            if self.args.pgn:
                self.save(board, result, ending, first_is_white, pair)
        return score

    def show(self, report: Report) -> None:
        done = sum(report.results.values())
        left = (time.time() - self.started) / done * (self.args.games - done)
        elo, low, high = report.elo()
        counts = " ".join(f"{name} {report.results[name]}" for name in ("won", "drawn", "lost"))
        print(f"\r{done}/{self.args.games} {counts}  {elo:+.0f} ({low:+.0f} … {high:+.0f})  {left / 60:.0f} min left ",
              end="", file=sys.stderr, flush=True)  # fmt: skip

    def save(self, board: chess.Board, result: str, ending: str, first_is_white: bool, pair: int) -> None:
        game = chess.pgn.Game.from_board(board)
        names = [self.args.first, self.args.second]
        game.headers.update(Event="bench/games.py", Round=str(pair + 1), White=names[not first_is_white],
                            Black=names[first_is_white], Result=result, Termination=ending)  # fmt: skip
        with Path(self.args.pgn).open("a") as file:
            print(game, file=file, end="\n\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("first")
    parser.add_argument("second", help="a UCI command, or xboard:COMMAND")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--tc", default="10+0.1", help="seconds+increment")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--option", action="append", default=[], help="NAME=VALUE for engines that have it")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pgn", help="append the games to this file")
    args = parser.parse_args()
    report = Match(args).run()
    elo, low, high = report.elo()
    done = sum(report.results.values())
    score = (report.results["won"] + report.results["drawn"] / 2) / max(done, 1)
    print(file=sys.stderr)
    print(json.dumps({**report.results, "games": done, "score": round(score, 4), "elo": round(elo), "low": round(low),
                      "high": round(high), "faults": report.faults, "plies": report.plies}))  # fmt: skip


if __name__ == "__main__":
    main()
