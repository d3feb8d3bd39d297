"""The three steps from the command line: pack, train, export."""

import argparse
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from okapi.errors import OkapiError, UsageError
from okapi.training.nnue.plan import Plan
from okapi.training.programs import answer, failed
from okapi.training.supervised.now import Now

__all__ = ["main"]

EVERY_S: Final = 5.0
"""A line so often."""

EXAMPLES: Final = """examples:
  python -m okapi.training.nnue pack labels.samples --to data
  python -m okapi.training.nnue train data --out run --change neurons=256 --change epochs=40
  python -m okapi.training.nnue export run --to brain.safetensors --name mine --data data
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Parse the arguments and do it."""
    parser = argparse.ArgumentParser(
        prog="python -m okapi.training.nnue",
        description="The NNUE: pack samples, train on them, export a brain. "
        "Everything goes on where it was broken off, if it is asked for again.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    _pack_options(commands.add_parser("pack", help="sample files and stores into parts that travel"))
    _train_options(commands.add_parser("train", help="parts into weights; needs torch and numpy alone"))
    _export_options(commands.add_parser("export", help="weights into a brain"))
    for command in commands.choices.values():
        command.add_argument("--json", action="store_true", help="one JSON object on stdout")
    args = parser.parse_args(arguments)
    try:
        told = {"pack": _pack, "train": _train, "export": _export}[args.command](args)
    except (OkapiError, KeyboardInterrupt) as error:
        return failed(error)
    return answer(told, as_json=args.json)


def _pack_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sources", nargs="+", type=Path, metavar="FILE", help="samples in any format, or game stores")
    parser.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--first-ply", type=int, default=8, metavar="N", help="leave out what comes before")
    parser.add_argument("--largest-value", type=int, default=10_000, metavar="CP")
    parser.add_argument("--validation", type=float, default=0.01, help="share of games that are not taught")


def _train_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("data", nargs="+", type=Path, metavar="FOLDER", help="folders with parts, or parts")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--change", action="append", default=[], metavar="KEY=VALUE", help=", ".join(Plan().as_json()))
    parser.add_argument("--start", type=Path, metavar="FILE", help="weights.npz to begin with")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--seconds", type=float, metavar="N", help="stop in time, and keep everything")
    parser.add_argument("--threads", type=int, default=0, metavar="N", help="on a CPU")


def _export_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("run", type=Path, metavar="FOLDER", help="where training was")
    parser.add_argument("--to", type=Path, required=True, metavar="FILE", help="brain.safetensors")
    parser.add_argument("--name", default="champion", help="of the brain")
    parser.add_argument(
        "--data", nargs="*", type=Path, default=[], metavar="FOLDER", help="compare on validation parts"
    )
    parser.add_argument(
        "--card",
        "--passport",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="more for its card, as parent=NAME",
    )


def _pack(args: argparse.Namespace) -> dict[str, Any]:
    from okapi.training.nnue.pack import Packing, pack

    packing = Packing(first_ply=args.first_ply, largest_value=args.largest_value, validation=args.validation)
    packed = pack(args.sources, args.to, packing, heard=_Line())
    told = asdict(packed) | {"parts": len(packed.parts)}
    return told | {"bytes_a_position": round(packed.size / max(1, packed.positions), 2)}


def _train(args: argparse.Namespace) -> dict[str, Any]:
    import torch

    from okapi.training.nnue.loop import train

    if args.threads:
        torch.set_num_threads(args.threads)
    ends = None if args.seconds is None else time.monotonic() + args.seconds
    report = train(
        Plan().changed(args.change),
        args.data,
        args.out,
        start=args.start,
        device=args.device,
        watch=_Told(),
        stop=lambda: ends is not None and time.monotonic() >= ends,
        threads=os.cpu_count() or 1,
    )
    told = {name: getattr(report, name) for name in ("epochs", "best_epoch", "seconds", "samples_per_second", "device")}
    return {"run": str(args.out), **told, "busy": report.busy, "train": report.train, "validation": report.validation}


def _export(args: argparse.Namespace) -> dict[str, Any]:
    from okapi.training.nnue.export import export
    from okapi.training.nnue.parts import find_parts, joined

    if wrong := [entry for entry in args.card if not entry.partition("=")[1]]:
        raise UsageError(f"--card `{wrong[0]}`", hint="expected KEY=VALUE")
    card = dict(entry.split("=", 1) for entry in args.card)
    sample = joined(find_parts(args.data))[1] if args.data else None
    exported = export(args.run, args.to, name=args.name, sample=sample, card=card)
    return asdict(exported) | {"brain": str(exported.brain)}


class _Line:
    """Says now and then how much of a file was read."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def __call__(self, name: str, share: float) -> None:
        if time.monotonic() - self._last >= EVERY_S:
            self._last = time.monotonic()
            print(f"{name}: {share:.0%}", file=sys.stderr, flush=True)


class _Told:
    """A line now and then, and after each epoch if there is time."""

    def __init__(self) -> None:
        self._last, self._begun, self._done = 0.0, time.monotonic(), 0.0

    def __call__(self, now: Now) -> None:
        if self._last == 0.0:
            self._done = now.done
        at = time.monotonic()
        if at - self._last < EVERY_S and now.done < 1:
            return
        self._last = at
        done = now.done - self._done
        left = f", {(at - self._begun) * (1 - now.done) / done:.0f} s left" if done > 0 else ""
        loss = "" if now.train_loss is None else f" loss {now.train_loss:.6f}"
        known = f" validation {now.curve[-1]['validation_loss']:.6f}" if now.curve else ""
        print(
            f"epoch {now.epoch}/{now.epochs} {now.batch}/{now.batches}{loss}{known}, "
            f"{now.samples_per_second:,.0f} samples/s{left}",
            file=sys.stderr,
            flush=True,
        )
