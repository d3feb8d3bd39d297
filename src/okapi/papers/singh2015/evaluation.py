"""Figures 3.11 to 3.16: V, its correlation with material, and a map of its last hidden layer."""

from collections.abc import Mapping
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
from numpy.typing import NDArray

from okapi.analysis.embedding_map import make_embedding_map
from okapi.brains.embedding_map import EmbeddingMap
from okapi.brains.evaluation import Convolutional
from okapi.core import Color, Evaluator, Kind, Limits, Position, RawBrain, Search
from okapi.core.packed import NO_SQUARE, POSITION, fens, pack, unpack
from okapi.encodings.boards import code, seen_by_mover
from okapi.papers.experiment import ExperimentContext, ExperimentSkipped
from okapi.papers.singh2015.headlines import PUBLISHED
from okapi.papers.singh2015.positions import EVALUATED, Case
from okapi.papers.singh2015.training import EvaluationSet, trained_networks


def values(brain: Path, positions: NDArray[np.void], *, threads: int = 1) -> NDArray[np.float64]:
    """V of packed positions, for the side to move: what the network itself answers, between -1 and 1."""
    return Convolutional.open(brain, threads=threads).answers(positions)[:, 0].astype(np.float64)


def after_each_move(brain: Path, position: Position) -> list[dict[str, Any]]:
    """Every move with V of the board after it for the mover, best first; as in the thesis, illegal ones as well."""
    board = position.to_chess()
    moves, behind = list(board.pseudo_legal_moves), []
    for move in moves:
        after = board.copy(stack=False)
        after.push(move)
        legal = board.is_legal(move)
        behind.append(pack([position.after(position.move(move.uci()))]) if legal else packed_board(after))
    rows = []
    for move, v in zip(moves, -values(brain, np.concatenate(behind)), strict=True):
        legal, uci = board.is_legal(move), move.uci()
        san = board.san(move) if legal else f"{uci[:2]}–{uci[2:]}"
        rows.append({"move": uci, "san": san, "value": round(float(v), 6), "legal": legal})
    return sorted(rows, key=lambda row: -row["value"])


def packed_board(board: chess.Board) -> NDArray[np.void]:
    """A board without castling and en passant as an array of one, also where a king could be taken."""
    pieces = sorted(board.piece_map().items())
    codes = [code(Color.WHITE if piece.color else Color.BLACK, Kind(piece.piece_type - 1)) for _, piece in pieces]
    codes += [0] * (32 - len(codes))
    row = np.zeros(1, POSITION)
    row["occupied"] = sum(1 << square for square, _ in pieces)
    row["pieces"] = [low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True)]
    row["turn"] = (Color.WHITE if board.turn else Color.BLACK).value
    row["en_passant"] = NO_SQUARE
    row["halfmove_clock"], row["fullmove_number"] = board.halfmove_clock, board.fullmove_number
    return row


DRAWS: Final = 1000  # how often games are drawn again


def material(positions: NDArray[np.void]) -> NDArray[np.int64]:
    """The mover's pieces less the opponent's, as Table 3.6 counts them.

    >>> from okapi.core.packed import pack_fens
    >>> material(pack_fens(["4k3/8/8/8/8/8/4P3/Q3K3 w - - 0 1", "4k3/8/8/8/8/8/4P3/Q3K3 b - - 0 1"])).tolist()
    [10, -10]
    """
    worth = np.zeros(16, np.int64)
    for kind, points in PUBLISHED.table_3_6.items():
        worth[code(Color.WHITE, Kind[kind.upper()])] = points
        worth[code(Color.BLACK, Kind[kind.upper()])] = -points
    return np.asarray(worth[seen_by_mover(positions)].sum(axis=1))


def correlation(first: NDArray[Any], second: NDArray[Any], games: NDArray[Any], *, seed: int = 1) -> dict[str, Any]:
    """Pearson's coefficient of two numbers of boards, by games, and its 95 % interval; None where one never changes."""
    x, y = (np.asarray(numbers, np.float64) for numbers in (first, second))
    _, game = np.unique(games, return_inverse=True)
    count = int(game.max()) + 1
    x, y = x - x.mean(), y - y.mean()
    sums = np.stack([np.bincount(game, weights, count) for weights in (np.ones_like(x), x, y, x * x, y * y, x * y)])
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), DRAWS)
    again = _pearson(np.asarray(sums @ drawn.T, np.float64))
    known = again[np.isfinite(again)]
    low, high = np.quantile(known, (0.025, 0.975)) if count > 1 and len(known) else (np.nan, np.nan)
    numbers = {"value": _pearson(sums.sum(axis=1)), "low": low, "high": high}
    rounded = {key: round(float(number), 4) if np.isfinite(number) else None for key, number in numbers.items()}
    return {**rounded, "boards": len(x), "games": count}


def _pearson(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """From n, Σx, Σy, Σx², Σy² and Σxy along the first axis."""
    n, x, y, xx, yy, xy = sums
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((n * xy - x * y) / np.sqrt((n * xx - x * x) * (n * yy - y * y)))


DEPTH, LONGEST = 4, 200  # of the search that plays on; and the plies that it plays at most
DOTS, BEST = 800, 3  # boards in the scatter plot, and best moves of a board
NEAR: Final = ((1, 10), (11, 20), (21, 40), (41, 80), (81, 1000))  # plies to the end of a game, from and to
MOST_DISTANCE: Final = 30


class EvaluatedBoards:
    """Test boards with V, material, and the end of their games."""

    def __init__(self, tests: EvaluationSet, brain: Path, threads: int = 1) -> None:
        self.tests = tests
        self.value = values(brain, tests.positions, threads=threads)
        self.material = material(tests.positions)
        _, self.game = np.unique(tests.games, return_inverse=True)
        count = int(self.game.max()) + 1 if len(tests) else 0
        last = np.zeros(count, np.int64)
        np.maximum.at(last, self.game, tests.plies)
        self.left: NDArray[np.int64] = last[self.game] + 1 - tests.plies
        """Plies until the game was over."""
        self.final: list[int] = np.flatnonzero(self.left == 1).tolist()
        """The numbers of the last boards of games."""
        mates = np.zeros(count, np.bool_)
        for number in self.final:
            mates[self.game[number]] = self.ended(number).ending() == "checkmate"
        self.mated: NDArray[np.bool_] = mates[self.game]
        """Whether its game ended in checkmate."""
        self.drawn = tests.outcomes == 1

    def numbers(self, which: Any = slice(None)) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """V, material and game of all boards, or of some."""
        return self.value[which], self.material[which], self.game[which]

    def ended(self, number: int) -> Position:
        """The final position of the game whose last board has this number."""
        position = unpack(self.tests.positions[number])
        played = int(self.tests.moves[number])
        return position.after(next(move for move in position.legal_moves() if move.bits == played))


def evaluation(context: ExperimentContext) -> dict[str, Any]:
    """The best boards after three positions, and the correlation of V and material."""
    chosen = context.read_settings("singh2015", "evaluation")
    trained = trained_networks(context)
    return evaluated(trained.outcome, trained.tests, **chosen, seed=context.seed, threads=context.executor.workers)


def evaluated(
    brains: Mapping[float, Path], tests: EvaluationSet, *, games: int, played_out: int, seed: int = 1, threads: int = 1
) -> dict[str, Any]:
    """For results; `brains` are V by discount, and the smallest discount is examined in detail."""
    if not brains:
        raise ExperimentSkipped("no V was trained yet")
    chosen = np.random.default_rng(seed).permutation(np.unique(tests.games))[:games]
    some = tests.take(np.isin(tests.games, chosen))
    by_gamma = {gamma: EvaluatedBoards(some, brain, threads) for gamma, brain in sorted(brains.items())}
    gamma, detailed = next(iter(by_gamma.items()))
    dots = np.random.default_rng(seed).permutation(len(some))[:DOTS]
    count = len(np.unique(some.games))
    return {
        "gamma": gamma,
        "best": [
            {"key": case.key, "gamma": each, **_best(brain, case)}
            for case, (each, brain) in product(EVALUATED, sorted(brains.items()))
        ],
        "correlations": {str(each): correlation(*boards.numbers()) for each, boards in by_gamma.items()},
        "reasons": reasons(detailed, brains[gamma], played_out, seed, threads),
        "by_distance": {str(each): _by_distance(boards) for each, boards in by_gamma.items()},
        "dots": [[int(detailed.material[number]), round(float(detailed.value[number]), 4)] for number in dots],
        "examples": examples(detailed),
        "games": count,
        "plies": round(len(some) / count, 1),
    }


def reasons(boards: EvaluatedBoards, brain: Path, played_out: int, seed: int, threads: int) -> list[dict[str, Any]]:
    """The correlation on parts of the boards, each with how far apart the sides are in material there."""
    some = {
        "all test boards": np.ones(len(boards.value), np.bool_),
        **{f"{low} to {high} plies from the end": (low <= boards.left) & (boards.left <= high) for low, high in NEAR},
        "games that ended in mate": boards.mated,
        "games that were resigned": ~boards.mated & ~boards.drawn,
        "drawn games": boards.drawn,
        "a pawn or less apart": np.abs(boards.material) <= 1,
        "three pawns or more apart": np.abs(boards.material) >= 3,
    }
    rows = [_row(name, *boards.numbers(which)) for name, which in some.items() if which.any()]
    positions, game = play_out(boards, played_out, seed)
    if len(positions):
        on = values(brain, positions, threads=threads), material(positions), game
        before = boards.numbers(np.isin(boards.game, game))
        rows.append(_row("resigned games, played on to mate by Okapi", *on))
        rows.append(_row("the same games, as they were played", *before))
        rows.append(_row("the same games, with both", *map(np.concatenate, zip(before, on, strict=True))))
    return rows


def play_out(boards: EvaluatedBoards, games: int, seed: int) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Boards of resigned games as Okapi goes on with them, for both sides; and which game each belongs to."""
    resigned = [number for number in boards.final if not (boards.mated | boards.drawn)[number]]
    search = Search(Evaluator.from_brain(RawBrain.default()))
    positions, game = [], []
    for number in np.random.default_rng(seed).permutation(resigned)[:games]:
        position = boards.ended(number)
        for _ in range(LONGEST):
            if position.ending() is not None:
                break
            positions.append(position.copy())
            game.append(int(boards.game[number]))
            position.play(search.run(position, Limits(depth=DEPTH)).move)
    return pack(positions), np.array(game, np.int64)


def examples(boards: EvaluatedBoards) -> list[dict[str, Any]]:
    alike, apart = boards.material == 0, np.where(boards.material > 0, -1, 1) * boards.value
    found = {
        "highest V": boards.value,
        "lowest V": -boards.value,
        "most material": boards.material + 1e-3 * boards.value,
        "highest V with equal material": np.where(alike, boards.value, -np.inf),
        "V and material with opposite signs": np.where(alike, -np.inf, apart),
    }
    rows = []
    for title, scores in found.items():
        number, value = int(scores.argmax()), round(float(boards.value[scores.argmax()]), 4)
        fen, apart_by = fens(boards.tests.positions[[number]])[0], int(boards.material[number])
        ended = {"outcome": int(boards.tests.outcomes[number]), "left": int(boards.left[number])}
        rows.append({"title": title, "fen": fen, "value": value, "material": apart_by, **ended})
    return rows


def _best(brain: Path, case: Case) -> dict[str, Any]:
    rows = after_each_move(brain, case.position)
    rank = 1 + [row["move"] for row in rows].index(case.move)
    return {"rank": rank, "moves": len(rows), "rows": rows[:BEST], "wanted": rows[rank - 1]}


def _row(name: str, value: NDArray[Any], apart: NDArray[Any], game: NDArray[Any]) -> dict[str, Any]:
    spread = {"spread": round(float(apart.std()), 2), "five": round(float((np.abs(apart) >= 5).mean()), 4)}
    return {"boards_of": name, **correlation(value, apart, game), **spread}


def _by_distance(boards: EvaluatedBoards) -> list[list[float]]:
    """The winner's mean V, by plies to the end of the game."""
    decided = ~boards.drawn & (boards.tests.outcomes >= 0)
    winners = np.where(boards.tests.outcomes == 2, 1, -1) * boards.value
    near = {left: decided & (boards.left == left) for left in range(1, MOST_DISTANCE + 1)}
    return [[left, round(float(winners[here].mean()), 5)] for left, here in near.items() if here.any()]


WALKED: Final = 500  # decided games from which one is chosen for the figure
SHORTEST: Final = 40  # least plies of the chosen game, where there is one
LAST: Final = 6
"""Boards at the end of a game that say where it ended: three of the winner's, three of the loser's."""
DRAWN: Final = 3_000  # points on the page, at most


def trajectories(context: ExperimentContext) -> dict[str, Any]:
    """The map, and a winner's and a loser's way over it."""
    settings = context.read_settings("singh2015", "trajectories")
    trained = trained_networks(context)
    if not trained.outcome:
        raise ExperimentSkipped("no V was trained yet")
    if find_spec("sklearn") is None:
        raise ExperimentSkipped("t-SNE needs scikit-learn: pip install okapi-chess[analysis]")
    gamma = min(trained.outcome)
    context.tell(f"trajectories: a map of {settings['boards']:,} boards")
    how = {**settings, "seed": context.seed, "threads": context.executor.workers}
    return {"gamma": gamma, **mapped(trained.outcome[gamma], trained.tests, **how)}


def mapped(
    brain: Path, tests: EvaluationSet, *, boards: int, perplexity: float, rounds: int, seed: int = 1, threads: int = 1
) -> dict[str, Any]:
    some = tests.some(boards, seed)
    atlas = make_embedding_map(brain, some.positions, perplexity=perplexity, rounds=rounds, seed=seed, threads=threads)
    decided = np.unique(tests.games[(tests.outcomes == 2) | (tests.outcomes == 0)])
    walks = tests.take(np.isin(tests.games, np.random.default_rng(seed).permutation(decided)[:WALKED]))
    winners, losers = (_ends(brain, walks, outcome) for outcome in (2, 0))
    apart = {game: winners[game] - losers[game] for game in sorted(set(winners) & set(losers))}
    # Of decided games that are long enough, the one that ends with the winner and the loser farthest apart by V.
    long = [game for game in apart if (walks.games == game).sum() >= SHORTEST]
    game = walks.take(walks.games == max(long or apart, key=lambda game: apart[game]))
    return {
        "boards": len(some),
        "points": np.round(atlas.points[:DRAWN], 2).tolist(),
        "values": np.round(atlas.values[:DRAWN], 3).tolist(),
        **{who: _path(atlas, brain, game.take(game.outcomes == won)) for who, won in (("winner", 2), ("loser", 0))},
        "start": fens(game.positions[:1])[0],
        "end": fens(game.positions[-1:])[0],
        "plies": len(game),
        "games": len(apart),
        "above": sum(gap > 0 for gap in apart.values()),
        "alike": round(_alike(atlas), 4),
    }


def _ends(brain: Path, walks: EvaluationSet, outcome: int) -> dict[int, float]:
    """By games: V of the last boards that the winner, or the loser, had to move on; the mean of a few."""
    last = {int(game): int(ply) for game, ply in zip(walks.games, walks.plies, strict=True)}
    near = np.array([last[int(game)] for game in walks.games]) - walks.plies < LAST
    there = walks.take(near & (walks.outcomes == outcome))
    found = values(brain, there.positions)
    return {int(game): float(found[there.games == game].mean()) for game in np.unique(there.games)}


def _path(atlas: EmbeddingMap, brain: Path, seen: EvaluationSet) -> list[list[float]]:
    """Ply, place on the map, and V of each board that a side had to move on."""
    places, found = atlas.place(seen.positions), values(brain, seen.positions)
    steps = zip(seen.plies.tolist(), places.tolist(), found.tolist(), strict=True)
    return [[ply, round(x, 2), round(y, 2), round(v, 4)] for ply, (x, y), v in steps]


def _alike(atlas: EmbeddingMap) -> float:
    """How much nearer in V neighbours on the map are than any two boards: 1 is the same V, 0 is no nearer at all."""
    away: NDArray[np.float32] = ((atlas.points[:DRAWN, None] - atlas.points[None, :DRAWN]) ** 2).sum(axis=2)
    np.fill_diagonal(away, np.inf)
    shown = atlas.values[:DRAWN]
    near = np.abs(shown - shown[away.argmin(axis=1)]).mean()
    return 1 - float(near / (np.abs(shown[:, None] - shown).mean() or 1))
