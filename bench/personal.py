"""
How much does a brain that predicts moves learn from one player's games, and how many games does that take?

    python bench/personal.py gather games.okapi --player "Doe, Jane" "Roe, Richard" --to FOLDER [--brain okapi-human]
    PYTHONPATH=src python bench/personal.py measure FOLDER --games 50 200 1000 --change lr=0.0001

What is gathered can be carried to a machine with a GPU, which needs torch and this checkout alone. Each player's newest
games are held out, the same ones for every number of games. The network must not have learned from the players before.
Moves are counted as the network says them, legal or not, so figures are a little lower than those of `okapi train`.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from okapi.models.express import Expressed, rebuilt
from okapi.models.torch_encodings import encode
from okapi.recipes import usual_settings
from okapi.recipes.arrays import NONE, TEST, TRAIN, VALIDATION
from okapi.recipes.config import SIZES
from okapi.recipes.personal import improvement, parts_by_age, warm_start_plan
from okapi.training.devices import find_device
from okapi.training.report import read_network, write_network
from okapi.training.supervised import Dataset, SupervisedConfig, train_supervised

CONFIG: Final = "config.json"
AT_ONCE: Final = 1024


def main() -> None:
    """Parse the arguments, and gather or measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    first = commands.add_parser("gather", help="the moves of some players, in a folder")
    first.add_argument("store", type=Path, help="a game store")
    first.add_argument("--player", nargs="+", required=True, help="whose moves, as the tags have it")
    first.add_argument("--to", type=Path, required=True)
    first.add_argument("--brain", help="the brain that is to learn on")
    second = commands.add_parser("measure", help="let a network learn on, and tell the gain")
    second.add_argument("folder", type=Path, help="what was gathered")
    second.add_argument("--base", type=Path, help="a lesson's folder, if no brain was gathered")
    second.add_argument("--games", nargs="+", type=int, default=[50, 200, 1000], help="the newest so many")
    second.add_argument("--size", default="quick", choices=SIZES)
    second.add_argument("--change", nargs="+", default=[], metavar="KEY=VALUE", help="settings of the training")
    second.add_argument("--device", default="auto")
    second.add_argument("--json", action="store_true", help="a JSON object a line")
    args = parser.parse_args()
    if args.command == "gather":
        gather(args.store, args.player, args.to, args.brain)
        return
    changes = {key: float(value) for key, value in (change.split("=", 1) for change in args.change)}
    usual = usual_settings("personal", args.size)
    learning = ("lr", "batch", "epochs", "samples", "patience")
    settings = {key: type(usual[key])(changes.get(key, usual[key])) for key in learning}
    for told in measure(args.folder, args.base or args.folder / "base", args.games, settings, args.device):
        print(json.dumps(told) if args.json else line(told), flush=True)


def gather(store: Path, players: list[str], folder: Path, brain: str | None) -> None:
    """Rows and targets of each player's games, the oldest first; and the network to begin with."""
    from okapi.brains import card, find  # here, because the other half does without the core
    from okapi.brains.files import read_tensors
    from okapi.data.store import Store
    from okapi.recipes.personal import games_by, moves_by

    folder.mkdir(parents=True, exist_ok=True)
    games = Store.open(store)
    for player in players:
        order = games_by(games, player)
        moves = moves_by(games, player, order)
        age = np.zeros(len(games), np.int64)
        age[order] = np.arange(len(order))
        data = moves.dataset()
        np.savez_compressed(folder / f"{player}.npz", rows=data.positions, targets=data.targets, games=age[moves.games])
        print(f"{player}: {len(moves):,} moves of {len(order):,} games")
    if brain is not None:
        said = card(brain)
        made = {**said.details()["settings"]["plan"], "encoding": said.encoding}
        (folder / "base").mkdir(exist_ok=True)
        (folder / "base" / CONFIG).write_text(json.dumps({"config": made}))
        write_network(folder / "base", Expressed(said.details()["layers"], read_tensors(find(brain))))


def measure(
    folder: Path, base: Path, counts: list[int], settings: dict[str, Any], device: str
) -> Iterator[dict[str, Any]]:
    """The gain of each player, for each number of games."""
    made = json.loads((base / CONFIG).read_bytes())["config"]
    plan = warm_start_plan(made, settings, seed=1, start=str((base / "learned.npz").resolve()))
    for path in sorted(folder.glob("*.npz")):
        with np.load(path) as arrays:
            rows, targets, games = arrays["rows"], arrays["targets"], arrays["games"]
        for count in counts:
            parts = of_moves(games, count)
            train, validation, test = (
                Dataset(rows[parts == part], targets[parts == part]) for part in (TRAIN, VALIDATION, TEST)
            )
            with tempfile.TemporaryDirectory(prefix="okapi-") as run:
                report = train_supervised(plan, train, validation, test, Path(run), device=device)
                networks = (read_network(base), read_network(Path(run)))
            before, after = (places(network, test, plan, device) for network in networks)
            told = {"player": path.stem, "games": count, "moves": len(train), "lr": settings["lr"]}
            told |= {"epochs": report.epochs, "best_epoch": report.best_epoch, "seconds": report.seconds}
            yield {**told, **improvement(before, after, games[parts == TEST])}


def of_moves(games: NDArray[np.int64], count: int) -> NDArray[np.uint8]:
    """The part of each move: of the games that are not held out, the newest so many, a tenth of them for validation."""
    every = int(games.max()) + 1
    by_age = parts_by_age(every)
    held = int((by_age == TEST).sum())
    learned = min(count, every - held)
    if learned < count:
        print(f"there are only {learned} games besides the {held} that are held out", file=sys.stderr)
    chosen = max(1, round(0.1 * learned))
    by_age[: every - held] = NONE
    by_age[every - held - learned : every - held] = TRAIN
    by_age[every - held - chosen : every - held] = VALIDATION
    return by_age[games]


@torch.no_grad()
def places(network: Expressed, lessons: Dataset, plan: SupervisedConfig, device: str) -> NDArray[np.int64]:
    """How many moves a network thinks likelier than the one that was played."""
    answer, where = rebuilt(network, find_device(device)), find_device(device)
    positions, targets = lessons.on(where)
    found = []
    for begin in range(0, len(targets), AT_ONCE):
        here = slice(begin, begin + AT_ONCE)
        said = answer(encode(positions[here], plan.encoding))
        found.append((said > said.gather(1, targets[here, None])).sum(dim=1).cpu().numpy())
    return np.concatenate(found)


def line(told: dict[str, Any]) -> str:
    """For people."""
    return (
        f"{told['player']:20} {told['games']:5} games, {told['moves']:6} moves, lr {told['lr']:g}, best epoch "
        f"{told['best_epoch']} of {told['epochs']}, {told['seconds']:.1f} s: "
        f"{told['before']['top_1']:.1%} → {told['after']['top_1']:.1%}, {told['gain']:+.2f} "
        f"({told['low']:+.2f} … {told['high']:+.2f}) on {told['held_out_moves']} moves of {told['held_out_games']} games"
    )


if __name__ == "__main__":
    main()
