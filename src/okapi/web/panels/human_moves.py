"""Human moves: what a player of a rating would play, square by square; and where a game lies on a map of positions."""

from collections import defaultdict
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray

from okapi.brains import HUMAN, find_embedding_map, predictor
from okapi.brains.embedding_map import EmbeddingMap
from okapi.brains.move_prediction import Squares
from okapi.core import Game, Move, Position, Square
from okapi.core.packed import pack
from okapi.encodings.layers import ELO_RANGE
from okapi.errors import NotFound
from okapi.web.game_tree import main_line, read_text
from okapi.web.jobs import Steps
from okapi.web.messages import Between, BrainName, Fen, Many, MoveText, Number, PgnText
from okapi.web.panel import Answer, JobPanel, action, job
from okapi.web.views import landing, named_move, played_view, position_view, read_move

LEAST: Final = 0.0005  # shares below this are not shown
MOST_DOTS: Final = 6000  # dots of a map that a page draws
SIDE: Final = 1000  # maps are squares of so many units
HumanElo = Annotated[int, Between(*ELO_RANGE)] | None
Walk = Annotated[tuple[MoveText, ...], Many(600)]  # drawn on the map; no game between masters was as long
Likely = list[tuple[Move, float]]


def prediction_view(position: Position, squares: Squares, moves: Likely) -> dict[str, Any]:
    """What a brain says of one position: two pairs of heat maps, and the legal moves, likeliest first.

    `masked` counts legal moves only, `said` is what the networks say, `astray` how much of that is no legal move.
    """
    origin, target = squares.origin[0], squares.target[0]
    own = sorted(square.index for square, piece in position.pieces() if piece.color is position.turn)
    kept = {(move.from_square.index, landing(move).index) for move, _ in moves}
    targets = {str(Square.at(start)): _heat(target[start]) for start in own}
    return {
        "masked": _masked(moves),
        "said": {"origin": _heat(origin), "targets": targets},
        "astray": round(max(0.0, 1.0 - float(sum(origin[start] * target[start][end] for start, end in kept))), 4),
        "moves": [
            {**named_move(position, move), "squares": list(_squares(move)), "share": round(float(share), 4)}
            for move, share in moves
        ],
    }


def _masked(moves: Likely) -> dict[str, Any]:
    """Shares of pieces and, for each of them, of the squares it may go to, as the legal moves have them."""
    origin: dict[str, float] = defaultdict(float)
    targets: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for move, share in moves:
        start, end = _squares(move)
        origin[start] += share
        targets[start][end] += share
    for start, ends in targets.items():
        targets[start] = {end: round(share / max(origin[start], 1e-12), 4) for end, share in ends.items()}
    return {"origin": {start: round(share, 4) for start, share in origin.items()}, "targets": targets}


def _squares(move: Move) -> tuple[str, str]:
    return str(move.from_square), str(landing(move))


def _heat(shares: NDArray[np.float32]) -> dict[str, float]:
    return {str(Square.at(int(at))): round(float(shares[at]), 4) for at in np.flatnonzero(shares >= LEAST)}


def _placed(atlas: EmbeddingMap, points: NDArray[np.float32]) -> list[list[int]]:
    """In units of the map that the page draws, upwards as in a plot, the same along both sides."""
    low, high = atlas.points.min(axis=0), atlas.points.max(axis=0)
    span = max(float((high - low).max()), 1e-9)
    spare = (1 - (high - low) / span) / 2
    scaled = np.clip((points - low) / span + spare, 0, 1)
    scaled[:, 1] = 1 - scaled[:, 1]
    found: list[list[int]] = np.rint(SIDE * scaled).astype(int).tolist()
    return found


class HumanMoves(JobPanel):
    """Networks answer in a thread; a newer question of a kind ends an older one."""

    @job("listed")
    def listed(self) -> Steps:
        """Brains that predict moves, and those that have an atlas, come as news."""
        yield None
        names = self.state.all_brains()
        predicting = [name for name in names if self.state.predicts_moves(name)]
        predicting.sort(key=lambda name: name != HUMAN)
        charted = [name for name in names if name not in predicting and find_embedding_map(self.state.source(name))]
        yield {"brains": predicting, "atlases": charted, "elo": list(ELO_RANGE)}

    @action
    def open(self, text: PgnText) -> Answer:
        return main_line(read_text(text))

    @action
    def move(self, fen: Fen, move: MoveText) -> Answer:
        position = Position.from_fen(fen)
        return {"move": played_view(position, read_move(position, move))}

    @action
    def predict(self, fen: Fen, brain: BrainName | None = None, elo: HumanElo = None, number: Number = 0) -> Answer:
        """The legal moves at once; what players of this rating would choose, by this brain if there is one, as news."""
        position = Position.from_fen(fen)
        if brain is not None:
            steps = self._predict(position, self.state.predicting(brain), {"fen": fen, "brain": brain, "elo": elo})
            self.run_steps(steps, "predicted", number=number)
        return {"position": position_view(position)}

    @job("atlas")
    def atlas(self, brain: BrainName) -> Steps:
        """The points of a map, thinned out evenly, and the value of each, from 0 to 100."""
        path = self._atlas_of(brain)
        yield None
        with self.state.cached(EmbeddingMap.open, path) as atlas:
            some = np.linspace(0, len(atlas.points) - 1, min(len(atlas.points), MOST_DOTS)).astype(int)
            values = np.rint(100 * atlas.values[some]).astype(int).tolist()  # for the side to move
            yield {"brain": brain, "points": _placed(atlas, atlas.points[some]), "values": values}

    @job("traced", "number")
    def trace(self, brain: BrainName, start: Fen, moves: Walk = (), number: Number = 0) -> Steps:
        path = self._atlas_of(brain)
        game = Game.of(list(moves), Position.from_fen(start))
        yield None
        passed = [position.copy() for position, _ in game.positions()]
        with self.state.cached(EmbeddingMap.open, path) as atlas:
            yield {"brain": brain, "points": _placed(atlas, atlas.place(pack([*passed, game.last])))}

    def _predict(self, position: Position, path: Path, question: dict[str, Any]) -> Steps:
        with self.state.cached(predictor, path) as asked:
            elo = question["elo"] if "elo" in asked.inputs else None
            squares = asked.squares(pack([position]), elo=elo)
            (moves,) = asked.moves(pack([position]), elo=elo)
            inputs = sorted(asked.inputs)
        yield {**question, "inputs": inputs, **prediction_view(position, squares, moves)}

    def _atlas_of(self, brain: str) -> Path:
        if (path := find_embedding_map(self.state.source(brain))) is None:
            raise NotFound(f"`{brain[:40]}` has no atlas", hint="choose one that is offered")
        return path
