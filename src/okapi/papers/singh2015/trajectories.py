"""Figure 3.16: test boards as V sees them, and the way of a game among them."""

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains.embedding_map import EmbeddingMap
from okapi.core.packed import fens
from okapi.papers.experiment import ExperimentContext
from okapi.papers.singh2015.exam import Exam
from okapi.papers.singh2015.judging import values
from okapi.papers.singh2015.school import schooled
from okapi.recipes.atlas import make_atlas
from okapi.recipes.config import Size

__all__ = ["chosen_game", "told", "trajectories"]

BOARDS: Final[dict[Size, int]] = {"tiny": 60, "quick": 1_000, "full": 10_000}
"""On the map; the thesis has 10,000."""

WALKED: Final = 500
"""Decided games that are looked at for the one that is drawn."""
SHORTEST: Final = 40
"""Plies of the game that is drawn, at least, where there is one."""
LAST: Final = 6
"""Boards at the end of a game that say where it ended: three of the winner's, three of the loser's."""
DRAWN: Final = 3_000
"""Points that a page can carry."""


def trajectories(lab: ExperimentContext) -> dict[str, Any]:
    """The map, and a winner's and a loser's way over it."""
    settings = lab.chosen("trajectories", {"boards": BOARDS[lab.size], "perplexity": 30.0, "rounds": 750})
    school = schooled(lab)
    if not school.outcome:
        return {"skipped": "no V was taught yet"}
    gamma = min(school.outcome)
    lab.tell(f"trajectories: a map of {settings['boards']:,} boards")
    found = told(school.outcome[gamma], school.exam, **settings, seed=lab.seed, threads=lab.executor.workers)
    return {"gamma": gamma, **found}


def told(
    brain: Path, exam: Exam, *, boards: int, perplexity: float, rounds: int, seed: int = 1, threads: int = 1
) -> dict[str, Any]:
    """For results."""
    some = exam.some(boards, seed)
    atlas = make_atlas(brain, some.positions, perplexity=perplexity, rounds=rounds, seed=seed, threads=threads)
    walks = _decided(exam, seed)
    winners, losers = (_ends(brain, walks, outcome) for outcome in (2, 0))
    shared = sorted(set(winners) & set(losers))
    game = walks.take(walks.games == chosen_game(walks, winners, losers))
    drawn = slice(0, DRAWN)
    return {
        "boards": len(some),
        "points": np.round(atlas.points[drawn], 2).tolist(),
        "values": np.round(atlas.values[drawn], 3).tolist(),
        "winner": _path(atlas, brain, game.take(game.outcomes == 2)),
        "loser": _path(atlas, brain, game.take(game.outcomes == 0)),
        "start": fens(game.positions[:1])[0],
        "end": fens(game.positions[-1:])[0],
        "plies": len(game),
        "games": len(shared),
        "above": sum(winners[number] > losers[number] for number in shared),
        "alike": round(_alike(atlas), 4),
    }


def chosen_game(walks: Exam, winners: dict[int, float], losers: dict[int, float]) -> int:
    """Of decided games that are long enough, the one that ends with the winner and the loser farthest apart by V."""
    lengths = {int(game): int(count) for game, count in zip(*np.unique(walks.games, return_counts=True), strict=True)}
    both = [game for game in lengths if game in winners and game in losers]
    long = [game for game in both if lengths[game] >= SHORTEST]
    return max(long or both, key=lambda game: winners[game] - losers[game])


def _decided(exam: Exam, seed: int) -> Exam:
    """Boards of some games that somebody won, each game whole."""
    games = np.unique(exam.games[(exam.outcomes == 2) | (exam.outcomes == 0)])
    return exam.take(np.isin(exam.games, np.random.default_rng(seed).permutation(games)[:WALKED]))


def _ends(brain: Path, walks: Exam, outcome: int) -> dict[int, float]:
    """By games: V of the last boards that the winner, or the loser, had to move on; the mean of a few."""
    last = {int(game): int(ply) for game, ply in zip(walks.games, walks.plies, strict=True)}
    near = np.array([last[int(game)] for game in walks.games]) - walks.plies < LAST
    there = walks.take(near & (walks.outcomes == outcome))
    said = values(brain, there.positions)
    return {int(game): float(said[there.games == game].mean()) for game in np.unique(there.games)}


def _path(atlas: EmbeddingMap, brain: Path, seen: Exam) -> list[list[float]]:
    """Ply, place on the map, and V of each board that a side had to move on."""
    places, said = atlas.place(seen.positions), values(brain, seen.positions)
    return [
        [int(ply), round(float(x), 2), round(float(y), 2), round(float(v), 4)]
        for ply, (x, y), v in zip(seen.plies, places, said, strict=True)
    ]


def _alike(atlas: EmbeddingMap) -> float:
    """How much nearer in V neighbours on the map are than any two boards: 1 is the same V, 0 is no nearer at all."""
    away: NDArray[np.float32] = ((atlas.points[:DRAWN, None] - atlas.points[None, :DRAWN]) ** 2).sum(axis=2)
    np.fill_diagonal(away, np.inf)
    shown = atlas.values[:DRAWN]
    near = np.abs(shown - shown[away.argmin(axis=1)]).mean()
    return 1 - float(near / (np.abs(shown[:, None] - shown).mean() or 1))
