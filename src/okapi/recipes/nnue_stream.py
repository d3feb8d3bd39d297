"""
`okapi train nnue-stream`: an NNUE learns the static evaluation of Stockfish 15's network, on positions made meanwhile.

--labels is the teacher, a network file (.nnue); --games has the games near which positions are made; --brain is what
searches ask. The run has `training` (network, curves, report) and `brain.safetensors`. The card names the teacher.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from okapi import brains
from okapi.data.runs import Run
from okapi.data.store import Store
from okapi.errors import InvalidSamples, UsageError
from okapi.recipes.moves import PlayedMoves, game_library
from okapi.recipes.run import RecipeResult, RecipeRun
from okapi.training.nnue import NnueConfig
from okapi.training.nnue_export import export_brain
from okapi.training.shards import PackingConfig, Shard, validation_mask
from okapi.training.stream import COMPARED_FILE, FITTED_FILE, StreamConfig, train_on_stream


def run_recipe(run: RecipeRun) -> RecipeResult:
    """Train the network and export its brain, or resume: UsageError without --labels and --games."""
    teacher, folder, training = run.config.labels, run.folder, run.folder / "training"
    if teacher is None or not teacher.is_file():
        raise UsageError("this recipe learns from a network of Stockfish 15", hint="--labels FILE.nnue")
    settings = run.config.settings_of(run.name, {**NnueConfig().as_json(), **StreamConfig().as_json()})
    network = NnueConfig.from_settings(settings, seed=run.config.seed)
    stream = StreamConfig.from_settings(settings, seed=run.config.seed)
    library = game_library(run.config)
    title = "An NNUE that learns from a network of Stockfish 15"
    about = {"recipe": run.name, **run.config.about(settings, games=library.name)}
    with Run.start(folder, "train", title=title, settings=about):
        games = game_positions(library.store, settings["first_ply"])
        run.say(f"{len(games[0]):,} positions of games, {len(games[1]):,} for validation")
        source = f"positions near those of {len(library.store):,} games, labelled by {teacher.name}"
        how: dict[str, Any] = {"device": run.device, "watch": run.show_epoch, "stop": run.stop}
        how |= {"threads": run.config.executor.workers, "about": {"parts": [{"source": source}]}}
        how["warm_start"] = Path(settings["warm_start"]) if settings["warm_start"] else None
        evaluator = brains.evaluator(settings["brain"])
        report = train_on_stream(network, stream, teacher, games, evaluator, training, **how)
        told = f"the network {teacher.name} of Stockfish 15, by its static evaluation"
        sample, fit = (Shard.read(training / file) for file in (COMPARED_FILE, FITTED_FILE))
        card = {"recipe": run.name, "teacher": told}
        export_brain(training, run.brain, name=folder.name, sample=sample, fit=fit, card=card)
    samples = report.train["eaten"]
    lines = [f"{samples:,} samples, validation loss {report.validation['loss']:.6f}", f"brain: {run.brain}"]
    return RecipeResult(figures={"validation": dict(report.validation), "samples": samples}, lines=lines)


def game_positions(store: Store, first_ply: int) -> tuple[NDArray[np.void], NDArray[np.void]]:
    """POSITIONs of games in which a move was played, for training and, from one game in a hundred, for validation."""
    games = np.flatnonzero(store.columns().plies > first_ply)
    held = validation_mask(games, PackingConfig())
    if not held.any() or held.all():
        held = np.arange(len(games)) % 10 == 0
    found = []
    for part in (games[~held], games[held]):
        taken = [
            played.positions[played.plies >= first_ply]
            for at in range(0, len(part), 10_000)
            for played in [PlayedMoves.played(store, part[at : at + 10_000])]
        ]
        if not taken:
            told = f"these are too few games of more than {first_ply} plies"
            raise InvalidSamples(told, hint="some hundreds will do")
        found.append(np.concatenate(taken))
    return found[0], found[1]
