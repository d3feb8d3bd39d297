"""
A UCI engine that always plays e1e2, values a position at its halfmove clock, and has a fault at one clock:
python picky_engine.py FAULT CLOCK. With the fault `hasty` it forgets questions that came while it was thinking.
"""

import os
import sys
import time
from collections.abc import Iterator

unread = b""


def lines() -> Iterator[list[str]]:
    global unread
    while True:
        while b"\n" not in unread:
            chunk = os.read(0, 65536)
            if not chunk:
                return
            unread += chunk
        line, _, unread = unread.partition(b"\n")
        yield line.decode().split()


def main(fault: str, at: int) -> None:
    clock = 0
    for words in lines():
        match words:
            case ["uci"]:
                print("id name Picky\noption name UCI_ShowWDL type check default false\nuciok", flush=True)
            case ["isready"]:
                print("readyok", flush=True)
            case ["position", *_]:
                clock = int(words[6])
            case ["go", "nodes", nodes]:
                time.sleep(int(nodes) / 2e6)
                answer(clock, fault if clock == at or fault == "hasty" else "")
            case ["quit"]:
                return


def answer(clock: int, fault: str) -> None:
    global unread
    move = "e1e2"
    match fault:
        case "crashes":
            sys.stderr.write("out of luck\n")
            sys.exit(7)
        case "hangs":
            time.sleep(3600)
        case "cheats":
            move = "e1e8"
        case "hasty":
            unread = b""
    print(f"info depth 3 score cp {clock} wdl 20 970 10 nodes 100 pv {move}\nbestmove {move}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
