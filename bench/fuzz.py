"""Damaged input for every reader: no crash, no leak, no error but okapi's own.

    python bench/fuzz.py [INPUTS] [--only READER ...] [--seed N]

The readers in C++ (brain, pgn, samples, store, uci) are built with AddressSanitizer, which also finds leaks, and UBSan
in build/sanitize. Those in Python (epd, nnue, sample-file, brain-file, message, uci-python) run in this process: they
may raise OkapiError alone, and memory may not grow. One line a reader: inputs, what was read, seconds.
"""

import argparse
import io
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from okapi.brains import SHIPPED, files
from okapi.brains.card import ModelCard
from okapi.core import Decision, Limits, Position, Value
from okapi.core.packed import SAMPLE, fens, pack
from okapi.data.samples import Samples, SampleWriter
from okapi.errors import InvalidMessage, OkapiError
from okapi.formats.epd import Epd
from okapi.formats.nnue_file import NnueFile
from okapi.uci import Uci
from okapi.web.messages import arguments, parameters, parse
from okapi.web.panel import declares
from okapi.web.panels import PANELS

ROOT = Path(__file__).parents[1]
BUILD = ROOT / "build" / "sanitize"
CPP = ("brain", "pgn", "samples", "store", "uci")
MOST_GROWTH_MB = 64
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

Rng = random.Random


@dataclass(frozen=True)
class Reader:
    """Makes a damaged input and reads it; True if it was read, OkapiError if it was refused."""

    once: Callable[[Rng], bool]


# --- Damage -------------------------------------------------------------------------------------------------------------


def damaged(content: bytes, rng: Rng, texts: list[bytes]) -> bytes:
    """Some bytes changed, removed, repeated or replaced by texts that mean something."""
    found = bytearray(content)
    for _ in range(rng.randint(1, 4)):
        at, length = rng.randrange(len(found) + 1), rng.randrange(12)
        match rng.randrange(6):
            case 0 if at < len(found):
                found[at] = rng.randrange(256)
            case 1:
                del found[at : at + length]
            case 2:
                found[at:at] = found[at : at + length]
            case 3:
                found[at : at + length] = rng.choice(texts)
            case 4:
                found[at:at] = rng.choice(texts)
            case _ if rng.randrange(8) == 0:
                del found[at:]
    return bytes(found)


def text_reader(lines: list[str], parts: list[str], use: Callable[[str], object]) -> Reader:
    whole, texts = [line.encode() for line in lines], [part.encode() for part in parts]

    def once(rng: Rng) -> bool:
        use(damaged(rng.choice(whole), rng, texts).decode(errors="replace"))
        return True

    return Reader(once)


# --- Readers ------------------------------------------------------------------------------------------------------------


def epd() -> Reader:
    lines = [
        *(ROOT / "src/okapi/arena/openings.epd").read_text().splitlines()[:50],
        '6k1/5ppp/8/8/8/8/8/R5K1 w - - bm Ra8#; id "back rank"; ce 9999; hmvc 3; fmvn 7;',
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - bm O-O O-O-O; am Ra2; acd 12; dm 3; pv Rb1 Rb8 Rc1;",
        "8/P6k/8/8/8/8/8/7K w - - bm a8=Q a8=N; c0 \"a; b\"; noop;",
    ]  # fmt: skip
    parts = [
        "bm",
        "am",
        ";",
        '"',
        "\\",
        "e8=K",
        "O-O",
        "-",
        "--",
        "Nxf7+",
        "99999999999",
        "KQkq",
        "/8/",
        " w ",
        "é",
        "\0",
    ]

    def use(text: str) -> None:
        line = Epd.parse(text)
        line.moves("bm"), line.moves("am"), line.moves("pv")

    return text_reader(lines, parts, use)


def message() -> Reader:
    declared = {f"{kind.name}.{name}": declares(method) for kind in PANELS for name, method in kind.actions.items()}
    fields = {"fen": Position.start().fen(), "start": Position.start().fen(), "moves": ["e2e4", "e5"], "move": "Nf3",
              "brain": "champion", "engine": "material", "text": "1. e4 *", "number": 3, "lines": 2, "elo": 2400}  # fmt: skip
    lines = [
        json.dumps({"id": 1, "do": do, **{k: v for k, v in fields.items() if k in parameters(function)}})
        for do, function in declared.items()
    ]
    parts = ["{", "}", "[", "]", ",", ":", '"', "null", "true", "1e999", "NaN", "-1", "9007199254740993", "\\u0000",
             "\\ud800", "[[[[[[", '"id"', '"do"', "play.move", "0.5", "é", '{"a":', "\0"]  # fmt: skip

    def use(text: str) -> None:
        request = parse(text)
        function = declared.get(f"{request.panel}.{request.action}")
        if function is None:
            raise InvalidMessage("no action")
        arguments(function, request.data)

    return text_reader(lines, parts, use)


class _AnyMove:
    """Plays a legal move at once."""

    def choose(self, position: Position, limits: Limits) -> Decision:
        move = (limits.only or position.legal_moves())[0]
        return Decision(move, Value(0.5, position.turn), (move,), 1)


def uci_python() -> Reader:
    lines = ["uci", "isready", "ucinewgame", "stop", "ponderhit", "position startpos moves e2e4 e7e5", "go depth 1",
             "position fen 8/P6k/8/8/8/8/p6K/8 w - - 99 80 moves a7a8q", "go wtime 100 winc 1 btime 100 movestogo 2",
             "go searchmoves e2e4 d2d4 nodes 5", "setoption name Move Overhead value 10", "go movetime 1", "stop",
             "setoption name UCI_Chess960 value true", "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go"]  # fmt: skip
    parts = ["go", "position", "fen", "moves", "startpos", "name", "value", "infinite", "ponder", "-1", "99999999999999",
             "depth", "nodes", "searchmoves", "e7e8q", "0000", "setoption", "KQkq", " ", "\t", "é", "\0", "stop"]  # fmt: skip
    out = io.StringIO()
    front = Uci(_AnyMove(), "fuzz", out=out)

    def use(text: str) -> None:
        front.read(text.replace("\n", " "))
        if out.tell() > 1 << 16:
            front.read("stop")
            out.seek(0)
            out.truncate()

    return text_reader(lines, parts, use)


def nnue() -> Reader:
    """Whole files of 47 MB, damaged in place and put right again."""
    whole = NnueFile(
        "zeros", np.zeros(1024, "<i2"), np.zeros((22528, 1024), "<i2"), np.zeros((22528, 8), "<i4"), np.zeros((8, 16), "<i4"),
        np.zeros((8, 16, 1024), "i1"), np.zeros((8, 32), "<i4"), np.zeros((8, 32, 32), "i1"), np.zeros(8, "<i4"),
        np.zeros((8, 32), "i1"),
    )  # fmt: skip
    content = bytearray(whole.to_bytes())
    read_nnue = NnueFile.read
    ends = len(content) - 8 * 17640

    def once(rng: Rng) -> bool:
        if rng.randrange(3) == 0:
            cut = rng.choice((rng.randrange(40), rng.randrange(len(content))))
            start = damaged(
                bytes(content[: min(cut, 4096)]), rng, [b"\0\0\0\0", b"\xff\xff\xff\x7f", b"\x20\x2f\xf3\x7a"]
            )
            read_nnue(start, "fuzz")
            return True
        places = [rng.choice((rng.randrange(26), rng.randrange(len(content)), rng.randrange(ends, len(content)))) for _ in range(3)]  # fmt: skip
        former = [content[place] for place in places]
        for place in places:
            content[place] = rng.randrange(256)
        try:
            network = read_nnue(content, "fuzz")
            assert network.first_weight.shape == (8, 16, 1024)
            return True
        finally:
            for place, byte in zip(reversed(places), reversed(former), strict=True):
                content[place] = byte

    return Reader(once)


def sample_file() -> Reader:
    folder = Path(tempfile.mkdtemp(dir=MEMORY))
    rows = np.zeros(2, SAMPLE)
    rows["position"] = pack([Position.start(), Position.from_fen("8/P6k/8/8/8/8/p6K/8 w - - 9 80")])
    with SampleWriter.open(folder / "whole.samples", card={"made": "here"}) as writer:
        for cursor in range(3):
            writer.append(rows)
            writer.commit({"cursor": cursor})
    whole = (folder / "whole.samples").read_bytes()
    texts = [b"OKSB", b"OKSAMPLE", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\1\0\0\0", b'"columns"', b"}", b"depth"]
    file = folder / "damaged.samples"

    def once(rng: Rng) -> bool:
        file.write_bytes(damaged(whole, rng, texts))
        samples = Samples.open(file, skip_damaged=bool(rng.randrange(2)))
        for part in samples.blocks():
            fens(part["position"])
        samples.verify()
        return True

    return Reader(once)


def brain_file() -> Reader:
    folder = Path(tempfile.mkdtemp(dir=MEMORY))
    whole = [
        (SHIPPED / f"{name}.safetensors").read_bytes() for name in ("material", "okapi-28", "vazquez-pieces-results")
    ]
    about = {"name": "bytes", "kind": "mlp", "encoding": "vector-64"}
    whole.append(
        files.brain_file(about, {"1.weight": np.linspace(-1, 1, 192, dtype=np.float32).reshape(3, 64)}, bits=8)
    )
    texts = [
        b"{",
        b"}",
        b'"',
        b"[",
        b"]",
        b",",
        b"-1",
        b"1e9",
        b"F16",
        b"I8",
        b".scale",
        b"null",
        b"\\ud800",
        b"\xff",
        b"shape",
        b"kind",
    ]
    file = folder / "damaged.safetensors"

    def once(rng: Rng) -> bool:
        content = damaged(rng.choice(whole), rng, texts)
        file.write_bytes(content)
        card = ModelCard.read(file)
        card.details(), card.predicts_moves
        files.tensors_of(content)
        return True

    return Reader(once)


PYTHON: dict[str, Callable[[], Reader]] = {
    "epd": epd,
    "nnue": nnue,
    "sample-file": sample_file,
    "brain-file": brain_file,
    "message": message,
    "uci-python": uci_python,
}


# --- Running them -------------------------------------------------------------------------------------------------------


def run_python(name: str, inputs: int, seed: int) -> str:
    rng, reader = Rng(seed), PYTHON[name]()
    accepted, settled = 0, 0.0
    for number in range(inputs):
        if number == inputs // 5:
            settled = memory_mb()
        try:
            accepted += reader.once(rng)
        except OkapiError:
            pass
        except BaseException:
            print(f"{name}: input {number} of seed {seed}", file=sys.stderr)
            raise
    growth = memory_mb() - settled
    if inputs >= 10_000 and growth > MOST_GROWTH_MB:
        raise SystemExit(f"{name}: memory grew by {growth:.0f} MB")
    return f"{accepted:,} read, the others refused, {growth:.0f} MB more"


def memory_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run_cpp(name: str, inputs: int, seed: int) -> str:
    done = subprocess.run(
        [BUILD / f"{name}_fuzz", str(inputs), str(seed)],
        cwd=ROOT, capture_output=True, text=True, check=False, env=os.environ | {"ASAN_OPTIONS": "detect_leaks=1"},
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{name}: exit code {done.returncode}\n{done.stderr[-4000:]}")
    return done.stdout.strip()


def build() -> None:
    flags = ["-DOKAPI_UNITY=OFF", "-DOKAPI_TESTS=ON", "-DOKAPI_SANITIZE=address,undefined", "-DCMAKE_BUILD_TYPE=Debug",
             "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -g"]  # fmt: skip
    subprocess.run(["cmake", "-S", ROOT, "-B", BUILD, "-G", "Ninja", *flags], check=True, stdout=subprocess.DEVNULL)
    targets = [f"{name}_fuzz" for name in CPP]
    subprocess.run(["cmake", "--build", BUILD, "--target", *targets, "--", "--quiet"], check=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", type=int, nargs="?", default=10_000)
    parser.add_argument("--only", nargs="+", choices=[*CPP, *PYTHON], default=[*CPP, *PYTHON])
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if set(asked.only) & set(CPP):
        build()
    for name in asked.only:
        begun = time.perf_counter()
        said = (run_cpp if name in CPP else run_python)(name, asked.inputs, asked.seed)
        print(f"{name}: {asked.inputs:,} inputs, {time.perf_counter() - begun:.0f} s: {said}", flush=True)


if __name__ == "__main__":
    main()
