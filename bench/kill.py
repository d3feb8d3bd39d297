"""
kill -9 at random moments of a command, which is then given again: is the outcome that of an undisturbed run?

    python bench/kill.py match --kills 20
    python bench/kill.py import games.pgn.zst
    python bench/kill.py evolve --recipe vazquez-pieces --games masters.pgn
    python bench/kill.py label --engine stockfish
    python bench/kill.py selfplay --player uci:okapi-uci --games 100
    python bench/kill.py train --recipe resnet --labels labels.samples
    python bench/kill.py tdleaf --threads 2 --games masters.okapi
    python bench/kill.py paper --size quick --games masters.pgn

Targets: champion, evolve, import, label, league, match, nnue, paper, selfplay, tdleaf, train, tune.
`python bench/kill.py TARGET --help` shows the options of one.

After each kill no process that the command started may still run, and nothing that was finished may be lost.
"""

import argparse
import csv
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

OKAPI = (sys.executable, "-m", "okapi")

EARLIEST_S = 0.3
"""Before that Python has hardly started."""

DATA = Path(__file__).parent.parent.parent / "shared" / "data" / "games"

Finished = Mapping[Any, Any]
"""What is finished, by key: games by number, for example."""


class Target:
    """A command to be killed, and how its outcome is compared."""

    kills = 20
    """The default number."""
    unit = ""
    """What `finished` counts."""
    same_figures = False
    """Are the figures of a killed run those of an undisturbed one?"""

    def add_options(self, parser: ArgumentParser) -> None:
        """Add the options of this target."""

    def prepare(self, args: Namespace, inputs: Path) -> None:
        """Write what the command reads into the folder `inputs`."""

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        """The command; everything that it writes is in the folder `out`."""
        raise NotImplementedError

    def seconds(self, args: Namespace, command: Sequence[str], undisturbed: float, output: Mapping[str, Any]) -> float:
        """The time of all runs together, if the command is killed `args.kills` times."""
        return undisturbed

    def finished(self, out: Path) -> Finished:
        """What may not be lost or changed by a kill."""
        return {}

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        """What is not the same in the end."""
        raise NotImplementedError

    def figures(self, output: Mapping[str, Any]) -> dict[str, Any]:
        """What to print about the run, from the JSON of the last command."""
        return {}


def counted(number: int) -> Finished:
    """So many finished things that nobody compares before the end."""
    return dict.fromkeys(range(number))


def unequal_files(calm: Path, killed: Path, names: Sequence[str]) -> list[str]:
    return [f"{name} differs" for name in names if (calm / name).read_bytes() != (killed / name).read_bytes()]


def changes(args: Namespace) -> list[str]:
    return [word for change in args.change for word in ("--change", change)]


def add_changes(parser: ArgumentParser, default: Sequence[str]) -> None:
    parser.add_argument("--change", nargs="*", default=default, metavar="KEY=VALUE")


# --- Games ------------------------------------------------------------------------------------------------------------


class Match(Target):
    """A match limited by nodes: in the end its games are, move for move, those of an undisturbed match."""

    unit = "games"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=200)

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        from okapi.uci import okapi_uci

        engine = f"uci:{okapi_uci()}{{Hash=1}}"
        limits = ["--nodes", "3000", "--games", str(args.games), "--concurrency", "2", "--resign-score", "700"]
        files = ["--store", str(out / "games.sqlite"), "--pgn", str(out / "games.pgn"), "--json"]
        return [*OKAPI, "match", engine, "alphabeta:material,hash=1", *limits, *files]

    def finished(self, out: Path) -> Finished:
        from okapi.arena.games import read_games

        path = out / "games.sqlite"
        played = read_games(path)[1] if path.exists() else []
        return {game.number: (game.pairing, game.moves, game.result, game.ending) for game in played}

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        wanted, found = self.finished(calm), self.finished(killed)
        problems = [f"game {number} is missing or differs" for number in wanted if wanted[number] != found.get(number)]
        in_pgn = (killed / "games.pgn").read_text().count("[Event ")
        return problems + ([f"{in_pgn} games in the PGN"] if in_pgn != args.games else [])

    def figures(self, output: Mapping[str, Any]) -> dict[str, Any]:
        return {"games": output["games"]}


class League(Target):
    """A league of size tiny: trainings, then pools of games whose pairings depend on the games before."""

    kills = 10
    unit = "games"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ways", nargs="+", default=["five", "28-evolution", "28-hooke", "nnue-labels"])

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        return [*OKAPI, "league", "--size", "tiny", "--out", str(out), "--ways", *args.ways, "--concurrency", "2"]

    def seconds(self, args: Namespace, command: Sequence[str], undisturbed: float, output: Mapping[str, Any]) -> float:
        return with_loading(args, command, undisturbed)

    def finished(self, out: Path) -> Finished:
        from okapi.arena.games import read_games

        return counted(sum(len(read_games(store)[1]) for store in (out / "games").glob("*.sqlite")))

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        from okapi.recipes.league.result import RESULT, LeagueResult

        same = LeagueResult.read(calm / RESULT).pools == LeagueResult.read(killed / RESULT).pools
        return [] if same else ["the tables differ"]


class SelfPlay(Target):
    """Self-play: the store is the same, byte for byte."""

    unit = "games"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=int, default=300)
        parser.add_argument("--nodes", type=int, default=2_000)
        parser.add_argument("--player", default="alphabeta:okapi-28,hash=1")

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        limits = ["--games", str(args.games), "--nodes", str(args.nodes), "--concurrency", "2"]
        return [*OKAPI, "selfplay", args.player, *limits, "--to", str(out / "games.okapi"), "--json"]

    def finished(self, out: Path) -> Finished:
        from okapi.data.store import Store

        path = out / "games.okapi"
        return counted(len(Store.open(path)) if path.exists() else 0)

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        return unequal_files(calm, killed, ["games.okapi"])

    def figures(self, output: Mapping[str, Any]) -> dict[str, Any]:
        return {name: output[name] for name in ("games", "plies")}


class Import(Target):
    """An import of PGN files: store and report are the same, byte for byte, and so are the figures."""

    same_figures = True

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="*", type=Path, help="default: the smaller files of ../shared/data/games")

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        files = args.files or sorted(DATA.glob("*.pgn.xz"), key=lambda file: file.stat().st_size)[:4]
        if not files:
            sys.exit(f"there are no games at {DATA}: give files")
        to = ["--to", str(out / "games.okapi"), "--min-plies", "20", "--report", str(out / "report.txt"), "--json"]
        return [*OKAPI, "games", "import", *map(str, files), *to]

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        return unequal_files(calm, killed, ["games.okapi", "report.txt"])

    def figures(self, output: Mapping[str, Any]) -> dict[str, Any]:
        names = ("games", "skipped", "duplicates", "filtered", "plies", "bytes", "total", "complaints")
        return {name: output[name] for name in names}


class Label(Target):
    """Labelling by an engine: the file of samples is the same, byte for byte."""

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--positions", type=int, default=10_000)
        parser.add_argument("--nodes", type=int, default=1_000)
        parser.add_argument("--engine", help="default: okapi-uci")

    def prepare(self, args: Namespace, inputs: Path) -> None:
        from okapi.core import random_openings

        openings = random_openings(args.positions, seed=1)
        (inputs / "positions.fen").write_text("".join(f"{position.fen()}\n" for position in openings * 2))

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        from okapi.uci import okapi_uci

        asked = ["--engine", args.engine or str(okapi_uci()), "--nodes", str(args.nodes), "--workers", "2"]
        asked += ["--random-moves", "0.5", "--multipv", "2", "--to", str(out / "labels.samples"), "--json"]
        return [*OKAPI, "label", str(inputs / "positions.fen"), *asked]

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        return unequal_files(calm, killed, ["labels.samples"])

    def figures(self, output: Mapping[str, Any]) -> dict[str, Any]:
        return {name: output[name] for name in ("positions", "duplicates")}


# --- Training ---------------------------------------------------------------------------------------------------------


class Training(Target):
    """A training that starts with loading torch and data: kills have to fall into the training itself."""

    kills = 10

    def seconds(self, args: Namespace, command: Sequence[str], undisturbed: float, output: Mapping[str, Any]) -> float:
        training = float(output["seconds"])
        return training + int(args.kills) * (undisturbed - training)


class Train(Training):
    """Supervised training of many short epochs: weights, brain and curves are the same, bit for bit."""

    unit = "epochs"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--recipe", default="mlp")
        parser.add_argument("--size", default="quick")
        parser.add_argument("--labels", type=Path)
        parser.add_argument("--threads", type=int, default=2)
        add_changes(parser, ("epochs=300", "patience=300", "positions=20000"))

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        asked = ["--size", args.size, "--device", "cpu", "--json", "--threads", str(args.threads)]
        asked += ["--labels", str(args.labels)] if args.labels else []
        return [*OKAPI, "train", args.recipe, *asked, *changes(args), "--out", str(out)]

    def curve(self, out: Path) -> list[dict[str, str]]:
        path = out / "metrics.csv"
        if not path.exists():
            return []
        with path.open(newline="") as file:
            return [{name: value for name, value in row.items() if name != "seconds"} for row in csv.DictReader(file)]

    def finished(self, out: Path) -> Finished:
        return counted(len(self.curve(out)))

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        import numpy as np

        from okapi.training.report import read_network

        first, second = read_network(calm).tensors, read_network(killed).tensors
        problems = [f"tensor {name} differs" for name in first if not np.array_equal(first[name], second[name])]
        problems += unequal_files(calm, killed, ["brain.safetensors"])
        return problems + (["the curves differ"] if self.curve(calm) != self.curve(killed) else [])

    def figures(self, output: Mapping[str, Any]) -> dict[str, Any]:
        return {"epochs": output["epochs"]}


class TdLeaf(Training):
    """TD-Leaf training of many short iterations: the brain and the checkpoint are the same, bit for bit."""

    unit = "iterations"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--games", type=Path)
        parser.add_argument("--threads", type=int, default=1)
        add_changes(parser, ("iterations=3000", "gauge_every=100", "hidden=16", "pieces=16", "squares=16"))

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        asked = ["--size", "tiny", "--json", "--threads", str(args.threads)]
        asked += ["--games", str(args.games)] if args.games else []
        return [*OKAPI, "train", "giraffe", *asked, *changes(args), "--out", str(out)]

    def finished(self, out: Path) -> Finished:
        import torch

        path = out / "checkpoint.pt"
        return counted(int(torch.load(path, weights_only=True)["steps"]) if path.exists() else 0)

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        import torch

        first, second = (torch.load(folder / "checkpoint.pt", weights_only=True)["state"] for folder in (calm, killed))
        return unequal_files(calm, killed, ["bootstrap.safetensors", "brain.safetensors"]) + [
            f"{what}: {name} differs"
            for what in ("model", "average", "buffer")
            for name, value in (first[what] or {}).items()
            if not torch.equal(torch.as_tensor(value), torch.as_tensor(second[what][name]))
        ]

    def figures(self, output: Mapping[str, Any]) -> dict[str, Any]:
        return {"iterations": output["iterations"]}


class Nnue(Target):
    """Training of an NNUE on random positions with material as the teacher: the weights are the same, bit for bit."""

    kills = 5

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--positions", type=int, default=50_000)
        add_changes(parser, ("neurons=64", "batch=512", "epochs=60", "dropout=0.1"))

    def prepare(self, args: Namespace, inputs: Path) -> None:
        import numpy as np

        from okapi import brains
        from okapi.core.evaluation import evaluate
        from okapi.core.packed import SAMPLE, random_positions
        from okapi.data.samples import SampleWriter
        from okapi.training.shards import pack_samples

        rows = np.zeros(args.positions, SAMPLE)
        rows["position"] = random_positions(args.positions, seed=1)
        rows["value"] = evaluate([brains.evaluator("material")], rows["position"], threads=1)[0]
        rows["game"] = np.cumsum(rows["position"]["fullmove_number"] == 1) // 2
        with SampleWriter.open(inputs / "made.samples") as writer:
            writer.append(rows)
        pack_samples([inputs / "made.samples"], inputs)

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        train = [sys.executable, "-m", "okapi.training", "train", str(inputs), "--device", "cpu", "--threads", "1"]
        return [*train, *changes(args), "--out", str(out)]

    def seconds(self, args: Namespace, command: Sequence[str], undisturbed: float, output: Mapping[str, Any]) -> float:
        return undisturbed * int(args.kills)

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        from okapi.training.nnue import WEIGHTS_FILE

        return unequal_files(calm, killed, [WEIGHTS_FILE])


class Champion(Target):
    """Generations of the champion: games, weights and outcomes are the same, bit for bit, except for times.

    One thread plays. With several, the games of a test end in another order, and the test may stop a game earlier.
    """

    kills = 10

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--generations", type=int, default=2)
        add_changes(parser, ("games=64", "nodes=100", "epochs=20", "test_games=60", "test_nodes=200"))

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        asked = ["--size", "tiny", "--device", "cpu", "--threads", "1", "--generations", str(args.generations)]
        return [*OKAPI, "train", "champion", *asked, *changes(args), "--out", str(out)]

    def seconds(self, args: Namespace, command: Sequence[str], undisturbed: float, output: Mapping[str, Any]) -> float:
        return with_loading(args, command, undisturbed)

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        problems = []
        for number in range(1, args.generations + 1):
            first, second = (folder / f"{number:02}" for folder in (calm, killed))
            unequal = unequal_files(first, second, ("own.samples", "training/weights.npz", "openings.epd"))
            problems += [f"generation {number}: {problem}" for problem in unequal]
            outcomes = [
                json.loads((folder / "outcome.json").read_bytes()) | {"seconds": 0} for folder in (first, second)
            ]
            if outcomes[0] != outcomes[1]:
                problems.append(f"generation {number}: {outcomes[0]} and {outcomes[1]}")
        return problems


# --- Optimisation -----------------------------------------------------------------------------------------------------


class Evolve(Target):
    """An evolution: all brains and generations are the same, except for times."""

    unit = "generations"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--recipe", default="vazquez-28")
        parser.add_argument("--size", default="quick")
        parser.add_argument("--games", type=Path)

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        games = ["--games", str(args.games)] if args.games else []
        return [*OKAPI, "evolve", args.recipe, "--size", args.size, "--json", *games, "--out", str(out)]

    def generations(self, out: Path) -> list[dict[str, Any]]:
        from okapi.recipes.evolution import read_generations

        return [{**line, "at": 0, "seconds": 0} for line in read_generations(out)]

    def finished(self, out: Path) -> Finished:
        return counted(len(self.generations(out)))

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        first, second = (
            {str(path.relative_to(out)): path.read_bytes() for path in out.glob("**/*.safetensors")}
            for out in (calm, killed)
        )
        problems = [f"{name} differs" for name in {**first, **second} if first.get(name) != second.get(name)]
        same = self.generations(calm) == self.generations(killed)
        return problems + ([] if same else ["the generations differ"])

    def figures(self, output: Mapping[str, Any]) -> dict[str, Any]:
        return {"generations": output["generations"]}


class Tune(Target):
    """Tuning of constants: all pairs of games and the constants are the same."""

    unit = "pairs of games"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--nodes", type=int, default=1000)
        parser.add_argument("--iterations", type=int, default=20)

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        limits = ["--nodes", str(args.nodes), "--iterations", str(args.iterations)]
        return [*OKAPI, "tune", "--player", "material", "--json", *limits, "--out", str(out)]

    def finished(self, out: Path) -> Finished:
        from okapi.recipes.tune import PAIRS

        path = out / PAIRS
        lines = path.read_bytes().rpartition(b"\n")[0].splitlines() if path.exists() else []
        return dict.fromkeys(lines)

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        from okapi.recipes.tune import TUNED

        same = self.finished(calm) == self.finished(killed)
        return ([] if same else ["the games differ"]) + unequal_files(calm, killed, [TUNED])


class Paper(Target):
    """A paper: all results are the same, except for times and ratings. Stockfish with limited strength is random."""

    unit = "results"

    def add_options(self, parser: ArgumentParser) -> None:
        parser.add_argument("--paper", default="vazquez2012")
        parser.add_argument("--size", default="tiny")
        parser.add_argument("--games", type=Path)

    def command(self, args: Namespace, inputs: Path, out: Path) -> list[str]:
        games = ["--games", str(args.games)] if args.games else []
        return [*OKAPI, "paper", args.paper, "--size", args.size, "--out", str(out), *games]

    def results(self, out: Path) -> dict[str, Any]:
        paths = sorted((out / "results").glob("*.json"))
        return {
            path.stem: without_times(json.loads(path.read_bytes()))
            for path in paths
            if not path.stem.endswith("_rating")
        }

    def finished(self, out: Path) -> Finished:
        return counted(len(self.results(out)))

    def differences(self, args: Namespace, calm: Path, killed: Path) -> list[str]:
        first, second = self.results(calm), self.results(killed)
        return [f"{name} differs" for name in {**first, **second} if first.get(name) != second.get(name)]


def without_times(data: Any) -> Any:
    if isinstance(data, dict):
        return {key: without_times(value) for key, value in data.items() if key not in ("seconds", "elo_per_minute")}
    return [without_times(value) for value in data] if isinstance(data, list) else data


TARGETS: Mapping[str, Target] = {
    "champion": Champion(),
    "evolve": Evolve(),
    "import": Import(),
    "label": Label(),
    "league": League(),
    "match": Match(),
    "nnue": Nnue(),
    "paper": Paper(),
    "selfplay": SelfPlay(),
    "tdleaf": TdLeaf(),
    "train": Train(),
    "tune": Tune(),
}


# --- Killing ----------------------------------------------------------------------------------------------------------


def main() -> int:
    parser = ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    targets = parser.add_subparsers(dest="target", required=True, metavar="TARGET")
    for name, target in TARGETS.items():
        options = targets.add_parser(name, description=target.__doc__)
        options.add_argument("--kills", type=int, default=target.kills)
        options.add_argument("--seed", type=int, default=1)
        target.add_options(options)
    args = parser.parse_args()
    report = run(TARGETS[args.target], args)
    print(json.dumps(report))
    return 1 if report["problems"] else 0


def run(target: Target, args: Namespace) -> dict[str, Any]:
    """Run the command undisturbed, then kill it again and again; both write to the same path, one after the other."""
    with tempfile.TemporaryDirectory() as name:
        inputs, out, calm = (Path(name, part) for part in ("inputs", "out", "calm"))
        inputs.mkdir()
        out.mkdir()
        target.prepare(args, inputs)
        command = target.command(args, inputs, out)
        output, undisturbed = timed(command)
        seconds = target.seconds(args, command, undisturbed, output)
        out.rename(calm)
        problems: list[str] = []
        kills = before_round = 0
        while kills < args.kills:  # a run that ends early is compared, and the next begins again
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir()
            before = target.finished(out)
            for left_running in killed(command, args.kills - kills, seconds / args.kills, args.seed + kills):
                kills += 1
                now = target.finished(out)
                lost = [key for key in before if key not in now or now[key] != before[key]]
                problems += left_running + ([f"kill {kills}: {len(lost)} {target.unit} were lost"] if lost else [])
                before = now
                done = f"{len(now)} {target.unit}" if target.unit else f"{size(out):,} bytes"
                print(f"kill {kills}: {done}", file=sys.stderr, flush=True)
            last, _ = timed(command)
            problems += target.differences(args, calm, out)
            if kills == before_round:
                problems.append("the command ended before the first kill")
                break
            before_round = kills
    figures = target.figures(last)
    if target.same_figures and figures != target.figures(output):
        problems.append(f"the figures differ: {target.figures(output)} and {figures}")
    return {"kills": kills, **figures, "seconds_undisturbed": round(undisturbed, 1), "problems": problems}


def with_loading(args: Namespace, command: Sequence[str], undisturbed: float) -> float:
    """The time of all runs together, each of which loads what is there before it goes on."""
    _, loading = timed(command)  # nothing is left to do
    return undisturbed + int(args.kills) * loading


def timed(command: Sequence[str]) -> tuple[dict[str, Any], float]:
    """The JSON that a command prints, if it does, and the seconds it takes."""
    begun = time.monotonic()
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    return (json.loads(output) if "--json" in command else {}), time.monotonic() - begun


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.glob("**/*") if path.is_file())


def killed(command: Sequence[str], count: int, each: float, seed: int) -> Iterator[list[str]]:
    """Start the command `count` times and kill it at random moments, so that it works for about `each` seconds.

    Yields after each kill: what the command left running. Ends early if the command does.
    """
    rng = random.Random(seed)
    for number in range(1, count + 1):
        marker = f"OKAPI_KILLED={os.getpid()}-{number}"
        environment = {**os.environ, **dict([marker.split("=")])}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(rng.uniform(EARLIEST_S, 1.2 + 1.6 * each))
            print(f"the command ended before kill {number}", file=sys.stderr, flush=True)
            return
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
        left = still_running(marker, timeout=3)
        yield [f"kill {number}: {len(left)} processes still run"] if left else []


def still_running(marker: str, timeout: float) -> list[int]:
    """The processes with the marker in their environment that do not end within `timeout` seconds."""
    deadline = time.monotonic() + timeout
    while (found := marked_processes(marker)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def marked_processes(marker: str) -> list[int]:
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if marker.encode() in environment.read_bytes():
                found.append(int(environment.parent.name))
        except OSError:
            continue
    return found


if __name__ == "__main__":
    sys.exit(main())
