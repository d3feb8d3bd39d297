"""
Talk nonsense to a UCI program and check that it stays polite.

    python bench/fuzz_uci.py 1000000            okapi-uci, from beside this Python or from the path
    python bench/fuzz_uci.py 10000 --program PATH --seed 7

Each batch ends in `stop` and `isready`; by then every go must have had one bestmove and every isready its readyok. The
twin of this program, cpp/tests/uci_fuzz.cpp, does the same inside one process, for sanitizers.
"""

import argparse
import os
import random
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CORPUS = """
uci
isready
ucinewgame
stop
ponderhit
debug on
debug off
register later
joho debug off
position startpos
position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6
position startpos moves e2e4 e2e4
position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8
position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1
position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
position fen R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1
position fen 4k3/8/8/8/8/8/4P3/4K3 w - - moves
position fen qnrbkrbn/ppp3pp/3p1p2/4p3/4PP2/3P4/PPP3PP/QNRBKRBN w FCfc - 0 4
position fen 8/P6k/8/8/8/8/p6K/8 w - - 99 80 moves a7a8q
position fen kkkkkkkk/pppppppp/8/8/8/8/PPPPPPPP/KKKKKKKK w - - 0 1
d
eval
flip
help
compiler
go
go infinite
go ponder
go ponder wtime 1000 btime 1000
go depth 1
go depth 3
go nodes 1
go nodes 300
go movetime 1
go wtime 5 btime 5
go wtime 100 winc 1 btime 100 binc 1 movestogo 2
go wtime -5 btime 99999999999999999999
go mate 2 depth 3
go searchmoves e2e4 d2d4 depth 2
go searchmoves 0000 depth 1
go depth
go depth abc
setoption name Threads value 2
setoption name Threads value 1
setoption name Hash value 1
setoption name Hash value 4
setoption name Clear Hash
setoption name MultiPV value 3
setoption name MultiPV value 256
setoption name MultiPV value 1
setoption name UCI_Chess960 value true
setoption name UCI_Chess960 value false
setoption name UCI_ShowWDL value true
setoption name UCI_LimitStrength value true
setoption name UCI_LimitStrength value false
setoption name UCI_Elo value 800
setoption name UCI_AnalyseMode value true
setoption name SyzygyPath value
setoption name BookFile value nothing
setoption name EvalFile value nothing
setoption name VerboseMoveStats value true
setoption name LogLiveStats value true
setoption name LogLiveStats value false
setoption name Without value null_move,table
setoption name Without value
setoption name
""".strip().splitlines()

PROTOCOL = {
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
}
EXTRAS = {"help", "d", "eval", "flip", "bench", "compiler"}
BATCH = 200
PATIENCE = 20.0
"""Seconds until a program that does not answer counts as dead."""


def damaged(line: str, chance: random.Random) -> str:
    """The line with up to three wounds."""
    for _ in range(chance.randrange(4)):
        at = chance.randrange(len(line) + 1)
        match chance.randrange(6):
            case 0:
                line = line[:at] + chr(chance.randrange(1, 256)) + line[at:]
            case 1:
                line = line[:at] + line[at + chance.randint(1, 4) :]
            case 2:
                line = line[:at] + chr(chance.randrange(32, 127)) + line[at + 1 :]
            case 3:
                line += " " + chance.choice(CORPUS)
            case 4:
                line = f"{line[:at]} {chance.getrandbits(chance.randint(1, 70)) * chance.choice((1, -1))} {line[at:]}"
            case _:
                line = line[at:] + " " + line[:at]
    return line.replace("\n", " ")


def words_of(line: str) -> list[str]:
    """Split as the protocol does; str.split() knows more kinds of white space."""
    return [word for word in re.split(r"[ \t\r\v\f]", line) if word]


def command_in(words: list[str]) -> str:
    """The command of a line: unknown words before it are skipped; extras stand first."""
    if words and words[0] in EXTRAS:
        return words[0]
    return next((word for word in words if word in PROTOCOL), "")


def is_unkind(line: str) -> bool:
    """Would it end the run, take the whole machine, write files, or have no bestmove?"""
    low = line.lower()
    large = any(len(word.strip("+-")) > 1 for word in low.split() if word.strip("+-").isdigit())
    return any(word in low for word in ("quit", "bench", "log", "perft")) or (
        large and ("hash" in low or "threads" in low)
    )


def lines(chance: random.Random) -> Iterator[str]:
    """Nonsense without end."""
    while True:
        line = damaged(chance.choice(CORPUS), chance)
        if not is_unkind(line):
            yield line


@dataclass
class Program:
    """A running program and what it has said."""

    path: str
    process: "subprocess.Popen[bytes]" = field(init=False)
    rest: bytes = b""

    def __post_init__(self) -> None:
        self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)

    def exchange(self, text: str, readies: int) -> list[bytes]:
        """Say it all, and hear everything up to the last readyok expected."""
        assert self.process.stdin
        assert self.process.stdout
        out = memoryview(text.encode("latin-1"))
        heard: list[bytes] = []
        end = time.monotonic() + PATIENCE
        while heard.count(b"readyok") < readies:
            if time.monotonic() > end:
                raise AssertionError(f"no answer within {PATIENCE} s")
            readable, writable, _ = select.select([self.process.stdout], [self.process.stdin] if out else [], [], 1.0)
            if writable:
                out = out[os.write(self.process.stdin.fileno(), out[:4096]) :]
            if readable:
                data = os.read(self.process.stdout.fileno(), 1 << 16)
                if not data:
                    raise AssertionError(f"the program ended with {self.process.wait(5)}")
                *whole, self.rest = (self.rest + data).split(b"\n")
                heard += whole
        return heard

    def close(self) -> None:
        """End it."""
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                pipe.close()


def fuzz(path: str, count: int, seed: int = 1) -> int:
    """Say `count` lines; the number of searches. An AssertionError tells the batch that went wrong."""
    chance = random.Random(seed)
    source = lines(chance)
    program = Program(path)
    searches = 0
    try:
        for start in range(0, count, BATCH):
            batch = [next(source) for _ in range(min(BATCH, count - start))]
            commands = [command_in(words_of(line)) for line in batch]
            readies, gos = commands.count("isready") + 1, commands.count("go")
            try:
                heard = program.exchange("\n".join([*batch, "stop", "isready"]) + "\n", readies)
                bestmoves = sum(line.startswith(b"bestmove ") for line in heard)
                assert bestmoves == gos, f"{gos} go, {bestmoves} bestmove"
                assert heard.count(b"readyok") == readies
            except AssertionError as error:
                text = "\n".join(ascii(line) for line in batch)
                raise AssertionError(f"lines {start} to {start + len(batch)} of seed {seed}: {error}\n{text}") from None
            searches += gos
    finally:
        program.close()
    return searches


def main() -> int:
    """Run it from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").strip().splitlines()[0])
    parser.add_argument("lines", type=int, help="how many lines to say")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", help="the UCI program; okapi-uci if not given")
    options = parser.parse_args()
    beside = Path(sys.executable).with_name("okapi-uci")
    path = options.program or (str(beside) if beside.exists() else shutil.which("okapi-uci"))
    if not path:
        print("error: no okapi-uci here\n\nhint: pip install . or --program PATH", file=sys.stderr)
        return 3
    start = time.monotonic()
    searches = fuzz(path, options.lines, options.seed)
    print(f"{options.lines} lines, {searches} searches, {time.monotonic() - start:.0f} s: all answered")
    return 0


if __name__ == "__main__":
    sys.exit(main())
