"""
An XBoard engine for tests: python xboard_engine.py FEATURES [FAULT].

It plays the first legal move, and writes down what it was told to the file in $XBOARD_LOG.
"""

import os
import sys
import time
from pathlib import Path

from okapi.core import Position


def say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Xboard:
    def __init__(self, features: str, fault: str) -> None:
        self.features, self.fault = features, fault
        self.position, self.forced = Position.start(), False
        self.editing: list[str] | None = None
        self.log = Path(os.environ["XBOARD_LOG"]).open("w") if "XBOARD_LOG" in os.environ else None  # noqa: SIM115

    def hear(self, line: str) -> bool:
        if self.log:
            print(line, file=self.log, flush=True)
        word, _, rest = line.partition(" ")
        if self.editing is not None:
            self.edit(word)
        elif word == "protover" and self.features:
            say(f'feature done=0\nfeature myname="Tester" {self.features} option="Level -spin 1 0 9" done=1')
        elif word == "ping":
            say(f"pong {rest}")
        elif word == "new":
            self.position, self.forced = Position.start(), False
        elif word == "force":
            self.forced = True
        elif word == "setboard":
            self.position = Position.from_fen(rest)
        elif word == "edit":
            self.editing = []
        elif word == "go":
            self.forced = False
            self.think()
        elif word == "sd" and self.fault == "no-depth":
            say("Illegal move: sd 4")
        elif word == "quit":
            return False
        elif word == "usermove" or (
            word[:1] in "abcdefghO" and len(word) in (3, 4, 5) and word not in ("easy", "hard")
        ):
            self.opponent(rest if word == "usermove" else word)
        return True

    def edit(self, word: str) -> None:
        assert self.editing is not None
        if word != ".":
            self.editing.append(word)
            return
        squares = {}
        black = False
        for item in self.editing:
            if item == "c":
                black = not black
            elif item != "#":
                squares[item[1:]] = item[0].lower() if black else item[0]
        rows = ["".join(squares.get(f"{file}{rank}", "1") for file in "abcdefgh") for rank in range(8, 0, -1)]
        turn = "b" if self.position.plies else "w"
        self.position, self.editing = Position.from_fen(f"{'/'.join(rows)} {turn} - - 0 1"), None

    def opponent(self, text: str) -> None:
        if self.fault == "refuses" and not self.forced:
            say(f"Illegal move: {text}")
            return
        self.position.play(text)
        if not self.forced:
            self.think()

    def think(self) -> None:
        move = self.position.legal_moves()[0]
        text = self.position.san(move) if "san=1" in self.features else self.position.uci(move)
        say(f"# thinking\n3 +25 4 1200 {self.position.san(move)} 1... e5")
        if self.fault == "resigns":
            say("resign")
        elif self.fault == "admits":
            say(("0-1" if self.position.turn.name == "WHITE" else "1-0") + " {I am lost}")
        elif self.fault == "claims":
            say("1/2-1/2 {Draw by repetition}")
        elif self.fault == "claims-and-moves":
            say(f"1/2-1/2 {{Draw}}\nmove {text}")
        elif self.fault == "old-words":
            say(f"1. ... {text}\nMy move is: {text}")
        elif self.fault == "slow":
            while self.hear(line := sys.stdin.readline().strip()) and line != "?":
                time.sleep(0.01)
            say(f"move {text}")
        else:
            say(f"move {text}")
        self.position.play(move)


def main() -> None:
    engine = Xboard(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "")
    for line in sys.stdin:
        if not engine.hear(line.strip()):
            return


if __name__ == "__main__":
    main()
