"""`okapi train time`: a small network learns when more time changes the move (lai2015, section 7.1.1).

Searches are recorded depth by depth. The network learns how likely it is that four times as much thought changes the
move. What is made of that likelihood is fitted to the same searches, so that as much is thought as the usual rule
thinks, all in all: nodes stand for time, and so it does not matter how fast the machine is.
"""

import json
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from okapi.brains import evaluator, find
from okapi.brains.files import write_brain
from okapi.brains.library import BRAIN
from okapi.core import version
from okapi.core.labelling import ITERATION, ITERATION_FEATURES, record_iterations
from okapi.data.shuffle import hashed
from okapi.errors import NotFound, UsageError
from okapi.recipes.arrays import read_array, write_array
from okapi.recipes.run import RecipeProgress, RecipeResult, RecipeRun
from okapi.recipes.value_networks import positions_of

Floats = NDArray[np.float64]

AT_A_TIME: Final = 200
"""Searches that are recorded together, and then kept."""
LEAST, MOST = 0.3, 2.5
"""Of the usual time: the rule stays within 0.32 and 2.9."""


@dataclass(frozen=True, slots=True)
class TimeResult:
    """How often four times as much thought changed the move; cross-entropy of the network, and of a constant; how often
    the move at which it stops is that of the whole search; the nodes for it, as a share of the usual time."""

    searches: int
    changed: float
    loss: float
    loss_of_none: float
    same: float
    same_usual: float
    nodes: float
    nodes_usual: float


def run_recipe(run: RecipeRun) -> RecipeResult:
    """Record searches, train, fit, and write the brain. Recorded searches are kept in the folder."""
    config, folder = run.config, run.folder
    settings = config.settings_of("time")
    folder.mkdir(parents=True, exist_ok=True)
    moments, games = _recorded(run, settings)
    test = hashed(games, config.seed) % np.uint64(4) == 0  # a quarter of the games
    if test.all() or not test.any():
        raise UsageError("there are too few games to hold some out", hint="--games FILE with more of them")
    network = _learn(*_questions(moments[~test]), settings, config.seed)
    optimum = settings["nodes"] / 8  # the usual time: the rule may ask for more than twice of it
    fitted = _fit(moments[~test], _doubts(network, moments[~test]), optimum)
    found = _judge(moments[test], network, fitted, optimum)
    tensors = {name: weights.detach().numpy() for name, weights in network.state_dict().items()}
    tensors = {name.replace("0.", "hidden.").replace("2.", "output."): values for name, values in tensors.items()}
    tensors["patience"] = np.array([*fitted, LEAST, MOST], np.float32)
    card = {"name": "time", "kind": "time", "encoding": f"moments-{len(ITERATION_FEATURES)}"}
    card |= {"recipe": "okapi train time", "made_with": f"okapi {version}"}
    card |= {"settings": json.dumps(config.about(settings)), "test": json.dumps(asdict(found))}
    write_brain(folder / BRAIN, card, tensors)
    stopped = f"it stops at the final move in {found.same:.1%} after {found.nodes:.2f} of the usual time"
    lines = [
        f"{found.searches:,} searches were held out; a longer search changes {found.changed:.1%} of the moves in them",
        f"cross-entropy {found.loss:.4f}; {found.loss_of_none:.4f} for the base rate",
        f"{stopped}; the rule in {found.same_usual:.1%} after {found.nodes_usual:.2f}",
    ]
    return RecipeResult(figures=asdict(found), lines=lines)


def stops(moments: NDArray[np.void], patience: Floats, optimum: float) -> NDArray[np.intp]:
    """The depth, from 0, after which each search stops: it has thought for its share of the usual time, or ends."""
    over = (moments["depth"] > 0) & (moments["nodes"] >= optimum * patience)
    last = (moments["depth"] > 0).sum(axis=1) - 1
    return np.asarray(np.where(over.any(axis=1), over.argmax(axis=1), last), np.intp)


def _recorded(run: RecipeRun, settings: dict[str, Any]) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Searches in slices, each of which is made once; and the game of each."""
    config, folder = run.config, run.folder
    positions, games = positions_of(config, settings["positions"])
    judge = evaluator(settings["brain"])
    about = f"{find(settings['brain']).stem}-{settings['nodes']}-{len(positions)}-{config.seed}"
    slices = []
    for begin in range(0, len(positions), AT_A_TIME):
        name = f"moments-{about}-{begin}"
        try:
            found = read_array(folder, name).view(ITERATION)
        except NotFound:
            some = positions[begin : begin + AT_A_TIME]
            found = record_iterations(judge, some, nodes=settings["nodes"], threads=config.executor.workers)
            write_array(folder, name, found.view(np.uint8))
        slices.append(found)
        run.watch(RecipeProgress(done=(begin + len(found)) / len(positions), text="recording searches"))
    moments = np.concatenate(slices)
    searched = moments["depth"][:, 0] > 0
    return moments[searched], games[searched]


def _questions(moments: NDArray[np.void]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """What is seen of each moment behind which enough was recorded, and whether the move changed within that."""
    known = moments["depth"] > 0
    last = moments["nodes"].max(axis=1, keepdims=True)
    wanted = 4 * moments["nodes"].astype(np.float64)  # does so many times as much thought change the move?
    asked = known & (wanted <= last)
    later = (moments["nodes"][:, np.newaxis, :] >= wanted[:, :, np.newaxis]).argmax(axis=2)
    then = np.take_along_axis(moments["best"], later, axis=1)
    return moments["features"][asked], (then != moments["best"])[asked].astype(np.float32)


def _learn(seen: NDArray[Any], changes: NDArray[Any], settings: dict[str, Any], seed: int) -> nn.Sequential:
    torch.manual_seed(seed)
    hidden = settings["hidden"]
    network = nn.Sequential(nn.Linear(len(ITERATION_FEATURES), hidden), nn.ReLU(), nn.Linear(hidden, 1))
    inputs, targets = torch.from_numpy(seen.copy()), torch.from_numpy(changes)
    optimiser = torch.optim.Adam(network.parameters(), lr=0.01)
    for _ in range(settings["steps"]):
        optimiser.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(network(inputs)[:, 0], targets)
        loss.backward()
        optimiser.step()
    return network


@torch.no_grad()
def _doubts(network: nn.Sequential, moments: NDArray[np.void]) -> Floats:
    """How likely the move is to change, at each moment."""
    said = network(torch.from_numpy(moments["features"].copy()))[:, :, 0]
    return np.asarray(torch.sigmoid(said).double().numpy())


def _patience(doubts: Floats, scale: float, power: float) -> Floats:
    """As cpp/okapi/search/time_manager.h has it."""
    return np.asarray((scale * doubts**power).clip(LEAST, MOST))


def _fit(moments: NDArray[np.void], doubts: Floats, optimum: float) -> tuple[float, float]:
    """Scale and power with which most moves are those of the whole search, for as many nodes as the rule uses."""
    budget = _outcome(moments, moments["usual"].astype(np.float64), optimum)[1]
    tried = []
    for power in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0):
        low, high = 0.01, 100.0
        for _ in range(40):
            scale = (low * high) ** 0.5
            above = _outcome(moments, _patience(doubts, scale, power), optimum)[1] > budget
            low, high = (scale, high) if above else (low, scale)
        tried.append((_outcome(moments, _patience(doubts, low, power), optimum)[0], -power, low))
    _, power, scale = max(tried)
    return scale, -power


def _outcome(moments: NDArray[np.void], patience: Floats, optimum: float) -> tuple[float, float]:
    """How often the move is that of the whole search, and the nodes for it."""
    places = stops(moments, patience, optimum)[:, np.newaxis]
    last = (moments["depth"] > 0).sum(axis=1)[:, np.newaxis] - 1
    chosen, final = (np.take_along_axis(moments["best"], where, axis=1) for where in (places, last))
    nodes = np.take_along_axis(moments["nodes"], places, axis=1)
    return float((chosen == final).mean()), float(nodes.mean())


def _judge(
    moments: NDArray[np.void], network: nn.Sequential, fitted: tuple[float, float], optimum: float
) -> TimeResult:
    seen, changes = _questions(moments)
    with torch.no_grad():
        logits = network(torch.from_numpy(seen.copy()))[:, 0]
        loss = float(nn.functional.binary_cross_entropy_with_logits(logits, torch.from_numpy(changes)))
    share = float(changes.mean())
    same, nodes = _outcome(moments, _patience(_doubts(network, moments), *fitted), optimum)
    same_usual, nodes_usual = _outcome(moments, moments["usual"].astype(np.float64), optimum)
    entropy = -sum(p * np.log(p) for p in (share, 1 - share) if p > 0)
    numbers = (share, loss, float(entropy), same, same_usual, nodes / optimum, nodes_usual / optimum)
    return TimeResult(len(moments), *(round(number, 4) for number in numbers))
