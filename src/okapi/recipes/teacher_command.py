"""`python -m okapi.recipes.teacher`: a ResNet taught, and positions judged, on a machine that has torch alone."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from okapi.errors import OkapiError
from okapi.recipes.unlabelled import Asking
from okapi.training.programs import answer, failed
from okapi.training.resnet import ResNetConfig

__all__ = ["main"]

EVERY_S: Final = 5.0
"""A line so often."""

EXAMPLES: Final = """examples:
  python -m okapi.recipes.teacher transcribe games.okapi --to transcripts --files 3
  python -m okapi.recipes.teacher train labelled --out resnet --change seconds=330
  python -m okapi.recipes.teacher judge resnet --games transcripts --to judged --seconds 240
  python -m okapi.training train judged labelled labelled labelled --out run
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the arguments and do it."""
    parser = argparse.ArgumentParser(
        prog="python -m okapi.recipes.teacher",
        description="Few labels made many: a large network learns them, and judges positions that nobody labelled.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    _transcribe_options(commands.add_parser("transcribe", help="games of a store as bare moves, which travel"))
    _train_options(commands.add_parser("train", help="teach a ResNet the labelled positions of parts"))
    _judge_options(commands.add_parser("judge", help="let it judge the positions of games; parts come of it"))
    for command in commands.choices.values():
        command.add_argument("--json", action="store_true", help="one JSON object on stdout")
    args = parser.parse_args(arguments)
    try:
        told = {"transcribe": _transcribe, "train": _train, "judge": _judge}[args.command](args)
    except (OkapiError, KeyboardInterrupt) as error:
        return failed(error)
    return answer(told, as_json=args.json)


def _transcribe_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("store", type=Path, metavar="STORE")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--files", type=int, default=1, metavar="N", help="of about the same size; 92 bytes a game")
    parser.add_argument("--validation", type=float, default=0.01, help="share of games left out, as pack does")


def _train_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", nargs="+", type=Path, metavar="FOLDER", help="folders with parts, or parts")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    known = ", ".join(ResNetConfig().as_json())
    parser.add_argument("--change", action="append", default=[], metavar="KEY=VALUE", help=known)
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")


def _judge_options(parser: argparse.ArgumentParser) -> None:
    usual = Asking()
    parser.add_argument("resnet", type=Path, metavar="FOLDER", help="where it was taught")
    parser.add_argument("--games", nargs="+", type=Path, required=True, metavar="FOLDER", help="with transcripts")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="for plain parts")
    parser.add_argument("--first-ply", type=int, default=usual.first_ply, metavar="N", help="leave out earlier ones")
    parser.add_argument(
        "--random", type=float, default=usual.random, metavar="SHARE", help="moves by dice from so many"
    )
    parser.add_argument("--most", type=int, default=0, metavar="N", help="positions; 0: all")
    parser.add_argument("--seconds", type=float, metavar="N", help="stop in time, and write what was judged")
    parser.add_argument("--batch", type=int, default=16_384, metavar="N")
    parser.add_argument("--compile", action="store_true", help="let torch compile the ResNet, where the machine can")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")


def _transcribe(args: argparse.Namespace) -> dict[str, Any]:
    from okapi.data.store import Store
    from okapi.recipes.teacher import write_transcripts
    from okapi.training.shards import PackingConfig

    line = _Line()
    paths = write_transcripts(
        Store.open(args.store),
        args.to,
        PackingConfig(validation=args.validation),
        files=args.files,
        watch=lambda done, of: line(f"{done:,} of {of:,} games"),
    )
    return {"files": [str(path) for path in paths], "bytes": [path.stat().st_size for path in paths]}


def _train(args: argparse.Namespace) -> dict[str, Any]:
    from okapi.training.resnet import train_resnet
    from okapi.training.trainer import TrainingProgress

    line = _Line()

    def watch(now: TrainingProgress) -> None:
        known = f", validation mistake {now.curve[-1]['validation_value_mae']:.4f}" if now.curve else ""
        pace = f"{now.seconds:.0f} of {plan.seconds:.0f} s, {now.samples_per_second:,.0f} samples/s"
        loss = "" if now.train_loss is None else f", loss {now.train_loss:.5f}"
        line(f"{pace}{loss}{known}")

    plan = ResNetConfig().changed(args.change)
    report = train_resnet(plan, args.data, args.out, device=args.device, watch=watch, threads=os.cpu_count() or 1)
    told = {name: getattr(report, name) for name in ("best_epoch", "seconds", "samples_per_second", "device", "busy")}
    return {"resnet": str(args.out), **told, "train": dict(report.train), "validation": dict(report.validation)}


def _judge(args: argparse.Namespace) -> dict[str, Any]:
    from okapi.recipes.teacher import judge_games

    done = judge_games(
        args.resnet,
        args.games,
        args.to,
        Asking(first_ply=args.first_ply, random=args.random),
        device=args.device,
        batch=args.batch,
        compiled=args.compile,
        most=args.most,
        seconds=args.seconds,
        threads=os.cpu_count() or 1,
        heard=lambda text: print(text, file=sys.stderr, flush=True),
    )
    return asdict(done)


class _Line:
    """Says something now and then."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, text: str) -> None:
        if time.monotonic() - self._last >= EVERY_S:
            self._last = time.monotonic()
            print(text, file=sys.stderr, flush=True)
