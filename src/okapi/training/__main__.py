"""`python -m okapi.training`: the steps of an NNUE training one by one: pack, train, export."""

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Final

from okapi.errors import OkapiError
from okapi.settings import parse_override
from okapi.training.nnue import NnueConfig
from okapi.training.programs import DONE, EVERY_S, ProgressLines, failed

EXAMPLES: Final = """examples:
  python -m okapi.training pack labels.samples --to data
  python -m okapi.training train data --out run --change neurons=256 --change epochs=40
  python -m okapi.training export run --to brain.safetensors --name mine --data data
"""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m okapi.training",
        description="The steps of an NNUE training: pack samples, train on them, export a brain. "
        "The same command resumes what was interrupted.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    pack = commands.add_parser("pack", help="sample files and stores into shards")
    pack.add_argument("sources", nargs="+", type=Path, metavar="FILE", help="samples in any format, or game stores")
    pack.add_argument("--to", type=Path, required=True, metavar="FOLDER")
    pack.add_argument("--first-ply", type=int, default=8, metavar="N", help="leave out earlier positions")
    pack.add_argument("--largest-value", type=int, default=10_000, metavar="CP")
    pack.add_argument("--validation", type=float, default=0.01, help="share of games for validation")
    train = commands.add_parser("train", help="shards into weights")
    train.add_argument("data", nargs="+", type=Path, metavar="FOLDER", help="folders with shards, or shards")
    train.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    settings = ", ".join(NnueConfig().as_json())
    train.add_argument("--change", action="append", default=[], metavar="KEY=VALUE", help=settings)
    train.add_argument("--warm-start", "--start", type=Path, metavar="FILE", help="weights.npz to start from")
    train.add_argument("--device", default="auto", help="auto, cpu or cuda")
    train.add_argument("--seconds", type=float, metavar="N", help="stop after it; the same command resumes")
    train.add_argument("--threads", type=int, default=0, metavar="N", help="on a CPU")
    export = commands.add_parser("export", help="weights into a brain")
    export.add_argument("run", type=Path, metavar="FOLDER", help="of a finished training")
    export.add_argument("--to", type=Path, required=True, metavar="FILE", help="brain.safetensors")
    export.add_argument("--name", default="champion", help="of the brain")
    compared, card = "compare on their validation shards", "more for its card, as parent=NAME"
    export.add_argument("--data", nargs="*", type=Path, default=[], metavar="FOLDER", help=compared)
    export.add_argument("--card", "--passport", action="append", default=[], metavar="KEY=VALUE", help=card)
    for command in commands.choices.values():
        command.add_argument("--json", action="store_true", help="one JSON object on stdout")
    args = parser.parse_args(arguments)
    try:
        result = {"pack": _pack, "train": _train, "export": _export}[args.command](args)
    except (OkapiError, KeyboardInterrupt) as error:
        return failed(error)
    print(json.dumps(result) if args.json else "\n".join(f"{name} {value}" for name, value in result.items()))
    return DONE


def _pack(args: argparse.Namespace) -> dict[str, Any]:
    from okapi.training.shards import PackingConfig, pack_samples

    packing = PackingConfig(first_ply=args.first_ply, largest_value=args.largest_value, validation=args.validation)
    last = time.monotonic()

    def watch(name: str, share: float) -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY_S:
            last = time.monotonic()
            print(f"{name}: {share:.0%}", file=sys.stderr, flush=True)

    packed = pack_samples(args.sources, args.to, packing, watch=watch)
    result = asdict(packed) | {"shards": len(packed.shards)}
    return result | {"bytes_a_position": round(packed.size / max(1, packed.positions), 2)}


def _train(args: argparse.Namespace) -> dict[str, Any]:
    import torch

    from okapi.training.nnue import train_nnue

    if args.threads:
        torch.set_num_threads(args.threads)
    ends = None if args.seconds is None else time.monotonic() + args.seconds
    report = train_nnue(
        NnueConfig().changed(args.change),
        args.data,
        args.out,
        warm_start=args.warm_start,
        device=args.device,
        watch=partial(ProgressLines(), args.out.name),
        stop=lambda: ends is not None and time.monotonic() >= ends,
        threads=os.cpu_count() or 1,
    )
    shown = ("epochs", "best_epoch", "seconds", "samples_per_second", "device", "busy", "train", "validation")
    return {"run": str(args.out)} | {name: getattr(report, name) for name in shown}


def _export(args: argparse.Namespace) -> dict[str, Any]:
    from okapi.training.nnue_export import export_brain
    from okapi.training.shards import find_shards, load_shards

    card = dict(map(parse_override, args.card))
    sample = load_shards(find_shards(args.data))[1] if args.data else None
    exported = export_brain(args.run, args.to, name=args.name, sample=sample, card=card)
    return asdict(exported) | {"brain": str(exported.brain)}


if __name__ == "__main__":
    sys.exit(main())
