"""`okapi train move-values`: how much a short search weighs beside a brain's probabilities of moves.

Each legal move of played positions is searched for some nodes. Three factors (okapi.brains.move_values) are fitted to
the moves of the validation tournaments, and tried once on those of the test. The brain gets them in its card.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import card, evaluator, find, predictor
from okapi.brains.files import with_card
from okapi.brains.library import BRAIN
from okapi.brains.move_prediction import Predictor, normalised
from okapi.brains.move_values import LEAST_SHARE, MoveValues, fit
from okapi.core.packed import LegalMoves, legal_moves
from okapi.errors import InvalidText, NotFound
from okapi.files import file_hash, replace_file
from okapi.recipes.arrays import TEST, VALIDATION, read_array, write_array
from okapi.recipes.moves import PlayedMoves, game_library, move_ranks
from okapi.recipes.proportions import Proportion, paired_difference
from okapi.recipes.run import DataUse, RecipeProgress, RecipeResult, RecipeRun
from okapi.recipes.splits import TournamentSplit, split_by_tournament

AT_A_TIME: Final = 500
"""Positions that are searched together, and then kept."""

TOP: Final = (1, 3, 10)


@dataclass(frozen=True, slots=True, eq=False)
class SearchedMoves:
    """Played moves, with the network's probability and the loss of every legal move."""

    played: PlayedMoves
    legal: LegalMoves
    shares: NDArray[np.float64]
    losses: NDArray[np.float64]

    def places(self) -> NDArray[np.int64]:
        """Where the played moves are among the legal ones."""
        return np.flatnonzero(self.legal.bits == self.played.moves[self.legal.rows])

    def ranks(self, logs: NDArray[np.float64]) -> NDArray[np.int64]:
        """The rank of each played move, 0 for the likeliest."""
        return move_ranks(normalised(self.legal, logs), self.played.moves)


def run_recipe(run: RecipeRun) -> RecipeResult:
    """Search, fit, test, and write the brain. What was searched is kept in the folder."""
    config, folder = run.config, run.folder
    settings = config.settings_of("move-values")
    folder.mkdir(parents=True, exist_ok=True)
    library, path = game_library(config), find(settings["brain"])
    shares = TournamentSplit(validation=settings["validation"], test=settings["test"])
    parts = split_by_tournament(library.store, replace(shares, least_elo=settings["elo"], salt=config.seed))
    asked = predictor(settings["brain"], threads=config.executor.workers, values=False)
    values = MoveValues(evaluator(settings["values"]), settings["nodes"])
    about = f"{file_hash(path)[:8]}-{file_hash(find(settings['values']))[:8]}-{settings['nodes']}"
    found: dict[int, SearchedMoves] = {}
    there: dict[int, int] = {}
    for part, what, count in ((VALIDATION, "to fit", "positions"), (TEST, "to test", "tested")):
        every = PlayedMoves.played(library.store, np.flatnonzero(parts == part))
        if not len(every):
            hint = "more games, or larger shares: --change validation=0.2 --change test=0.2"
            raise InvalidText(f"{library.name} has no games in tournaments {what}", hint=hint)
        there[part] = len(every)
        chosen = np.random.default_rng([config.seed, part]).permutation(len(every))[: settings[count]]
        found[part] = _searched(run, every.take(np.sort(chosen)), asked, values, about, what)
    learned = found[VALIDATION]
    power, *weights = fit(learned.shares, learned.losses, learned.legal.starts, learned.places()).tolist()
    values = replace(values, power=power, weights=tuple(weights))
    figures, lines = _tested(found[TEST], values)
    told = {
        **values.as_card(settings["values"]),
        "test": figures,
        "settings": config.about(settings, games=library.name),
    }
    entries = {"values": json.dumps(told), "parent": f"{card(str(path)).name} {file_hash(path)}"}
    replace_file(folder / BRAIN, with_card(path.read_bytes(), entries))
    used = len(learned.played)
    data = DataUse(used=used, found=there[VALIDATION], left_out={"not drawn": there[VALIDATION] - used})
    return RecipeResult(figures=figures, lines=lines, data=data)


def _searched(
    run: RecipeRun, played: PlayedMoves, asked: Predictor, values: MoveValues, about: str, what: str
) -> SearchedMoves:
    """In slices, each of which is made once."""
    threads, slices = run.config.executor.workers, []
    for begin in range(0, len(played), AT_A_TIME):
        some = played.take(np.arange(begin, min(begin + AT_A_TIME, len(played))))
        digest = hashlib.blake2b(some.positions.tobytes() + some.elos.tobytes(), digest_size=6).hexdigest()
        name = f"searched-{about}-{digest}"
        try:
            each = read_array(run.folder, name)
        except NotFound:
            legal = legal_moves(some.positions, threads=threads)
            told = asked.probabilities(some.positions, elo=some.elos).in_order_of(legal)
            each = np.stack([told, values.losses(some.positions, legal, threads=threads)])
            write_array(run.folder, name, each)
        slices.append(each)
        run.watch(RecipeProgress(done=(begin + len(some)) / len(played), text=f"searching legal moves {what}"))
    shares, losses = np.concatenate(slices, axis=1)
    return SearchedMoves(played, legal_moves(played.positions, threads=threads), shares, losses)


def _tested(found: SearchedMoves, values: MoveValues) -> tuple[dict[str, Any], list[str]]:
    """How often the played move is among the first, by the network, by the search and by both; baseline: any move."""
    ways: Mapping[str, NDArray[np.float64]] = {
        "network": np.log(np.maximum(found.shares, LEAST_SHARE)),
        "search": -found.losses,
        "both": values.logs(found.shares, found.losses),
    }
    ranks = {way: found.ranks(logs) for way, logs in ways.items()}
    count, moves = len(found.played), np.diff(found.legal.starts)
    figures: dict[str, Any] = {"tested": count, "any_move": round(float((1 / moves).mean()), 4)}
    lines = [f"{count:,} moves of test tournaments; any legal move would be right in {figures['any_move']:.1%}"]
    for way, ranked in ranks.items():
        right = {top: Proportion(int((ranked < top).sum()), count) for top in TOP}
        figures[way] = {f"top_{top}": round(share.value, 4) for top, share in right.items()}
        lines.append(f"{way}: " + ", ".join(f"top {top} {share}" for top, share in right.items()))
    gain = paired_difference(ranks["both"] == 0, ranks["network"] == 0, found.played.games)
    figures["gain"] = {"points": round(gain.points, 2), "low": round(gain.low, 2), "high": round(gain.high, 2)}
    return figures, [*lines, f"the search adds {gain} points to the first choice"]
