"""`python -m okapi.recipes.jobs FOLDER`: run training jobs, and pack their results to copy them back."""

import argparse
import io
import json
import tarfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from okapi.errors import OkapiError
from okapi.recipes.jobs import job_folders, open_jobs, run_jobs
from okapi.training.programs import DONE, ProgressLines, failed
from okapi.training.report import METRICS_FILE, NETWORK_FILE, REPORT_FILE, TrainingReport, compact_network

PIECE: Final = 15 * 10**6
"""Bytes of a packed file, at most."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m okapi.recipes.jobs",
        description="Run the training jobs of a folder. Finished jobs are kept; the same command resumes the others.",
    )
    parser.add_argument("folder", type=Path, help="a folder of training jobs, or of such folders")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these jobs; all if not given")
    parser.add_argument("--at-once", type=int, default=1, metavar="N", help="processes that share the device")
    parser.add_argument("--device", default="auto", help="auto, cpu or cuda")
    parser.add_argument("--seconds", type=float, metavar="N", help="stop after it; the same command resumes")
    parser.add_argument("--cut", action="store_true", help="jobs that --seconds stops end with their best weights")
    parser.add_argument("--list", action="store_true", help="list the jobs")
    parser.add_argument("--pack", type=Path, metavar="OUT.tar", help="pack reports and curves instead")
    parser.add_argument("--weights", nargs="+", default=[], metavar="NAME", help="with --pack: these networks, too")
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    args = parser.parse_args(arguments)
    try:
        if args.pack:
            _tell({"packed": [str(path) for path in pack(args.folder, args.pack, args.weights)]}, json_=args.json)
        elif args.list:
            _tell(_listed(args.folder), json_=args.json)
        else:
            told = ProgressLines()
            until = None if args.seconds is None else time.monotonic() + args.seconds
            how = {"device": args.device, "at_once": args.at_once, "cut": args.cut}
            for folder in job_folders(args.folder) or [args.folder]:
                left = None if until is None else max(0.0, until - time.monotonic())
                run_jobs(folder, args.only, **how, seconds=left, watch=told)
            _tell(_listed(args.folder), json_=args.json)
    except (OkapiError, KeyboardInterrupt) as error:
        return failed(error)
    return DONE


def pack(folder: Path, out: Path, weights: Sequence[str] = ()) -> list[Path]:
    """Reports and curves of the jobs in a tar file, and some networks in half precision.

    What is larger than PIECE is cut into OUT.tar.1, OUT.tar.2, …; `cat OUT.tar.* | tar -x -C FOLDER` puts it back.
    """
    jobs = open_jobs(folder)
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name in jobs.jobs:
            for file in (REPORT_FILE, METRICS_FILE):
                if (path := jobs.job_folder(name) / file).exists():
                    _add(tar, f"{name}/{file}", path.read_bytes())
        for name in jobs.select(weights) if weights else ():
            _add(tar, f"{name}/{NETWORK_FILE}", compact_network((jobs.job_folder(name) / NETWORK_FILE).read_bytes()))
    content = buffer.getvalue()
    pieces = [content[begin : begin + PIECE] for begin in range(0, len(content), PIECE)]
    paths = [out] if len(pieces) == 1 else [Path(f"{out}.{number}") for number in range(1, len(pieces) + 1)]
    for path, piece in zip(paths, pieces, strict=True):
        path.write_bytes(piece)
    return paths


def _listed(folder: Path) -> dict[str, Any]:
    found = map(open_jobs, job_folders(folder) or [folder])
    return {"folder": str(folder), "jobs": [_line(name, jobs.report(name)) for jobs in found for name in jobs.jobs]}


def _line(name: str, report: TrainingReport | None) -> dict[str, Any]:
    if report is None:
        return {"name": name, "finished": False}
    test = {key: value for key, value in report.test.items() if not isinstance(value, list)}
    speed = {"samples_per_second": report.samples_per_second, "busy": report.busy}
    return {"name": name, "finished": True, "epochs": report.epochs, "seconds": report.seconds, **speed, "test": test}


def _tell(told: dict[str, Any], *, json_: bool) -> None:
    if json_:
        print(json.dumps(told), flush=True)
        return
    for line in told.get("jobs", told.get("packed", [])):
        print(line if isinstance(line, str) else " ".join(_words(line)), flush=True)


def _words(line: dict[str, Any]) -> Iterator[str]:
    for key, value in line.items():
        match value:
            case dict():
                yield from (f"{key} {name} {number:g}" for name, number in value.items())
            case str():
                yield value
            case _:
                yield f"{key} {value}"


def _add(tar: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    tar.addfile(entry, io.BytesIO(content))
