"""Features of moves in torch, for move networks.

`giraffe-moves-15` is the thesis' (lai2015, section 6.1): piece, squares, promotion and rank, as numbers;
`giraffe-moves-20` has captures, checks, exchanges and the number of moves besides. Our own,
`okapi-moves`, has fifteen categorical features: each has a column for every value, and a move is fifteen columns. They
describe what happens on the squares of a move: who attacks them, what is captured, what is threatened from there, what
is left undefended. Legal moves come from the core; C++ has the twin, cpp/okapi/eval/giraffe/move_features.
"""

from dataclasses import dataclass, replace
from math import prod
from typing import Final

import numpy as np
import torch
from torch import Tensor

from okapi.core import Move
from okapi.core.packed import POSITION, unpack
from okapi.core.packed import legal_moves as core_legal_moves
from okapi.encodings.boards import EMPTY
from okapi.models.torch_boards import (
    BELOW,
    BISHOP,
    DIAGONAL,
    GIRAFFE_VALUES,
    JUMPS,
    KING,
    KNIGHT,
    OFF,
    PAWN,
    QUEEN,
    RAYS,
    ROOK,
    STRAIGHT,
    AttackTensors,
    Views,
    attackers,
    first_true,
    nested_table,
    plain_codes,
    raw_codes_of_mover,
    table,
    views,
)

NORMAL, PROMOTION, EN_PASSANT, CASTLING = range(4)
"""Types of moves, in the two highest bits of Move.bits."""

FORWARD: Final = slice(4, 6)
"""The directions in which White's pawns capture."""

C1, D1, F1, G1 = 2, 3, 5, 6
"""Where king and rook go when they castle."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardTensors:
    """Positions from the mover's side, and what stands around each square."""

    packed: Tensor
    """n x 32 bytes."""
    codes: Tensor
    """n x 64; the mover's pieces are the even ones."""
    black: Tensor
    """n: whether Black is to move, so that the board was turned."""
    seen: Views


@dataclass(frozen=True, slots=True, eq=False)
class Moves:
    rows: Tensor
    """The index of each move's board, ascending."""
    origin: Tensor
    target: Tensor
    """Where the piece goes; of castling, where the king does."""
    types: Tensor
    promotion: Tensor
    """The kind that a pawn becomes; 0 where none does."""
    kinds: Tensor
    rook: Tensor
    """The square of the rook of castling, else OFF."""
    checks: Tensor

    def take(self, which: Tensor) -> "Moves":
        return Moves(*(getattr(self, name)[which] for name in self.__slots__))

    def bits(self, black: Tensor) -> Tensor:
        """Move.bits on the real board; `black` is that of Boards."""
        turn = torch.where(black[self.rows], 56, 0)
        to = torch.where(self.types == CASTLING, self.rook, self.target)
        into = (self.promotion - 1).clamp(min=0)
        return (self.origin ^ turn) | (to ^ turn) << 6 | into << 12 | self.types << 14


def boards(packed: Tensor) -> BoardTensors:
    codes = plain_codes(raw_codes_of_mover(packed))
    return BoardTensors(packed, codes, packed[:, 24] == 1, views(codes))


def legal_moves(on: BoardTensors) -> Moves:
    legal = core_legal_moves(on.packed.cpu().contiguous().numpy().view(POSITION)[:, 0], threads=torch.get_num_threads())
    rows, bits = (torch.from_numpy(found.astype(np.int64)).to(on.codes.device) for found in (legal.rows, legal.bits))
    turn = torch.where(on.black[rows], 56, 0)
    origin, target, types = (bits & 63) ^ turn, (bits >> 6 & 63) ^ turn, bits >> 14
    castles = types == CASTLING
    moves = Moves(
        rows=rows,
        origin=origin,
        target=torch.where(castles, torch.where(target > origin, G1, C1), target),
        types=types,
        promotion=torch.where(types == PROMOTION, (bits >> 12 & 3) + 1, 0),
        kinds=on.codes[rows, origin] >> 1,
        rook=torch.where(castles, target, OFF),
        checks=castles,
    )
    enemy_king = first_true(on.codes == 2 * KING + 1)[rows]
    return replace(moves, checks=attacked(after(on, moves), enemy_king, 0))


def after(on: BoardTensors, moves: Moves) -> Tensor:
    """The boards after the moves, from the side that moved: k x 65 bytes."""
    board = torch.nn.functional.pad(on.codes.to(torch.uint8), (0, 1), value=EMPTY)[moves.rows]
    piece = torch.where(moves.types == PROMOTION, moves.promotion, moves.kinds) * 2

    def put(squares: Tensor, codes: Tensor | int) -> None:
        values = codes.to(torch.uint8) if isinstance(codes, Tensor) else torch.full_like(board[:, 0], codes)
        board.scatter_(1, squares[:, None], values[:, None])

    castling = moves.types == CASTLING
    beside = torch.where(moves.rook > moves.origin, F1, D1)
    put(moves.origin, EMPTY)
    put(torch.where(castling, moves.rook, OFF), EMPTY)
    put(torch.where(moves.types == EN_PASSANT, moves.target - 8, OFF), EMPTY)
    put(torch.where(castling, beside, OFF), 2 * ROOK)
    put(moves.target, piece)
    board[:, OFF] = EMPTY
    return board


def attacked(board: Tensor, square: Tensor, color: int) -> Tensor:
    """Whether that side attacks one square of each board: n x 65 bytes, the last of them EMPTY."""
    rays = board.gather(1, nested_table(RAYS, board.device)[square]).view(-1, 8, 7)
    first = rays.gather(2, first_true(rays != EMPTY)[..., None])[..., 0]
    leaps = board.gather(1, nested_table(JUMPS, board.device)[square])

    def any_of(codes: Tensor, *kinds: int) -> Tensor:
        return torch.stack([(codes == 2 * kind + color).any(dim=1) for kind in kinds]).any(dim=0)

    return (
        any_of(first[:, STRAIGHT], ROOK, QUEEN)
        | any_of(first[:, DIAGONAL], BISHOP, QUEEN)
        | any_of(leaps, KNIGHT)
        | any_of(rays[:, :, 0], KING)
        | any_of(rays[:, BELOW[color], 0], PAWN)
    )


QUESTIONS: Final = {
    "from": (6, 64),  # kind, square
    "to": (6, 64),  # kind, square
    "takes": (6, 7),  # kind, what it takes
    "target": (6, 7, 3),  # kind, the enemy's least attacker there, other friends there
    "origin": (6, 7, 2),  # kind, the enemy's least attacker here, any friend here
    "exchange": (7, 4, 3),  # what it takes, enemies there, other friends there
    "promotion": (5,),  # none, knight, bishop, rook, queen
    "check": (6, 2, 2),  # kind, does it give check, is the mover in check
    "attacks": (6, 6),  # kind, the best enemy it attacks from there: none, pawn … queen
    "threatens": (6, 6),  # the same among those that are dearer than itself or that nobody defends
    "leaves": (6, 6),  # kind, the best friend under attack that only it defended
    "mobility": (6, 8),  # kind, half the number of squares it attacks from there
    "danger": (6, 2, 2),  # the mover's best piece in danger, is that what moves, does it take anything
    "pawn": (17,),  # of a pawn: is it passed there, on which rank; else the last one
    "king": (6, 8),  # kind, steps from there to the enemy's king
}
"""The features and the number of values of each; a feature of several parts has a number for each part.

Squares and ranks are the mover's. Kinds are those of the piece before the move, except for what it does from its new
square: there a promoted pawn has its new kind. Among kinds, 6 stands for no piece.
"""


SIZES: Final = {name: prod(answers) for name, answers in QUESTIONS.items()}
COLUMNS: Final = sum(SIZES.values())


def columns(on: BoardTensors, moves: Moves) -> Tensor:
    """The columns of each move, one for each feature: int16, k x 15."""
    friends, enemies = (attackers(on.seen, color) for color in (0, 1))
    rows, origin, target, kind = moves.rows, moves.origin, moves.target, moves.kinds
    takes = _taken(on, moves)
    # A king that castles and a pawn that advances do not attack their target square.
    looks = (moves.types != CASTLING) & ((kind != PAWN) | (takes < 6))
    others = friends.count[rows, target] - looks.int()
    king = first_true(on.codes == 2 * KING)
    in_check = enemies.count.gather(1, king[:, None])[:, 0] > 0
    attacked, threatened, squares = _from_there(on, moves, enemies)
    danger, endangered = _danger(on, friends, enemies)
    answers: dict[str, tuple[Tensor, ...]] = {
        "from": (kind, origin),
        "to": (kind, target),
        "takes": (kind, takes),
        "target": (kind, enemies.least[rows, target], others.clamp(0, 2)),
        "origin": (kind, enemies.least[rows, origin], friends.count[rows, origin] > 0),
        "exchange": (takes, enemies.count[rows, target].clamp(max=3), others.clamp(0, 2)),
        "promotion": (moves.promotion,),
        "check": (kind, moves.checks, in_check[rows]),
        "attacks": (kind, attacked),
        "threatens": (kind, threatened),
        "leaves": (kind, _left(on, moves, friends, enemies)),
        "mobility": (kind, squares.clamp(max=14) >> 1),
        "danger": (danger[rows], endangered[rows, origin], takes < 6),
        "pawn": (_pawn(on, moves),),
        "king": (kind, _steps(target, first_true(on.codes == 2 * KING + 1)[rows])),
    }
    found, first = [], 0
    for name, sizes in QUESTIONS.items():
        number = torch.zeros_like(origin)
        for answer, size in zip(answers[name], sizes, strict=True):
            number = number * size + answer
        found.append(number + first)
        first += SIZES[name]
    return torch.stack(found, dim=1).to(torch.int16)


def plain_features(moves: Moves, turned: Tensor) -> Tensor:
    """The thesis' features without the last, the rank: k x 14. `turned`, n: whether squares are to be flipped back."""
    turn = torch.where(turned[moves.rows], 56, 0)
    origin, target = moves.origin ^ turn, moves.target ^ turn
    kinds = moves.kinds[:, None] == torch.arange(6, device=turn.device)
    into = moves.promotion[:, None] == torch.arange(1, 5, device=turn.device)
    where = torch.stack([origin & 7, origin >> 3, target & 7, target >> 3], dim=1) / 7
    return torch.cat([kinds.float(), where, into.float()], dim=1)


MANY_MOVES: Final = 64


def exchange_features(on: BoardTensors, moves: Moves) -> Tensor:
    """What `giraffe-moves-20` has besides: k x 5.

    Is it a capture, a check, does the exchange on its square win, does it lose, and how many legal moves there are.
    """
    told = on.packed.cpu().contiguous().numpy().view(POSITION)[:, 0]
    counts = torch.bincount(moves.rows, minlength=len(told))
    bits, begin = moves.bits(on.black).tolist(), 0
    won = []
    for row, count in zip(told, counts.tolist(), strict=True):
        board = unpack(row)
        won += [board.see(Move.from_bits(each)) for each in bits[begin : begin + count]]
        begin += count
    exchanges = torch.tensor(won, device=on.codes.device)
    columns = (_taken(on, moves) < 6, moves.checks, exchanges > 0, exchanges < 0)
    return torch.stack([*(each.float() for each in columns), counts[moves.rows] / MANY_MOVES], dim=1)


def _taken(on: BoardTensors, moves: Moves) -> Tensor:
    there = on.codes[moves.rows, moves.target] >> 1  # EMPTY becomes 6
    there = torch.where(moves.types == CASTLING, 6, there)
    return torch.where(moves.types == EN_PASSANT, PAWN, there)


def _from_there(on: BoardTensors, moves: Moves, enemies: AttackTensors) -> tuple[Tensor, Tensor, Tensor]:
    """From its new square: the best enemy it attacks, the best it threatens, and how many squares it attacks.

    The best are numbers of kinds from 1 on, without the king; 0 where there is none.
    """
    kind = torch.where(moves.promotion > 0, moves.promotion, moves.kinds)
    board = torch.nn.functional.pad(on.codes.to(torch.uint8), (0, 1), value=EMPTY)[moves.rows]
    board.scatter_(1, moves.origin[:, None], EMPTY)
    rays = nested_table(RAYS[:64], board.device)[moves.target].view(-1, 8, 7)
    seen = board.gather(1, rays.flatten(start_dim=1)).view(-1, 8, 7)
    stops = seen != EMPTY
    first = first_true(stops)
    most = _reach(kind)  # k 8
    steps = torch.minimum(torch.where(stops.any(dim=2), first + 1, 7), most)
    on_ray = (torch.arange(7, device=board.device) < steps[..., None]) & (rays != OFF)
    near = torch.where(first < most, rays.gather(2, first[..., None])[..., 0], OFF)
    leaps = nested_table(JUMPS[:64], board.device)[moves.target].masked_fill((kind != KNIGHT)[:, None], OFF)
    squares = torch.cat([near, leaps], dim=1)  # k 16
    codes = board.gather(1, squares).long()
    enemy = (codes & 1 == 1) & (codes != 2 * KING + 1)
    worth = table((*GIRAFFE_VALUES, 0), board.device, torch.int64)
    defended = torch.nn.functional.pad(enemies.count, (0, 1))[moves.rows].gather(1, squares) > 0
    loses = enemy & (~defended | (worth[codes >> 1] > worth[kind][:, None]))
    count = on_ray.sum(dim=(1, 2)) + (leaps != OFF).sum(dim=1)
    return _best(codes, enemy), _best(codes, loses), count


def _reach(kind: Tensor) -> Tensor:
    """How many steps a piece attacks in each direction on an empty board: k x 8."""
    straight = torch.arange(8, device=kind.device) < DIAGONAL.start
    forward = torch.zeros_like(straight)
    forward[FORWARD] = True
    kind = kind[:, None]
    slides = (kind == QUEEN) | ((kind == ROOK) & straight) | ((kind == BISHOP) & ~straight)
    near = (kind == KING) | ((kind == PAWN) & forward)
    return torch.where(slides, 7, torch.where(near, 1, 0))


def _best(codes: Tensor, which: Tensor) -> Tensor:
    """The highest kind, plus one, of those codes; 0 where there is none."""
    return ((codes >> 1) + 1).masked_fill(~which, 0).amax(dim=1)


def _left(on: BoardTensors, moves: Moves, friends: AttackTensors, enemies: AttackTensors) -> Tensor:
    """The best friend under attack that only the moving piece defended, where it was: a kind plus one, or 0."""
    rows, origin = moves.rows, moves.origin
    reach, most = on.seen.reach[rows, origin], _reach(moves.kinds)
    rays = nested_table(RAYS[:64], rows.device)[origin].view(-1, 8, 7)
    near = torch.where(reach <= most, rays.gather(2, reach.clamp(min=1)[..., None] - 1)[..., 0], OFF)
    leaps = nested_table(JUMPS[:64], rows.device)[origin].masked_fill((moves.kinds != KNIGHT)[:, None], OFF)
    squares = torch.cat([near, leaps], dim=1)
    alone = (enemies.count > 0) & (friends.count == 1) & (on.codes & 1 == 0) & (on.codes < 2 * KING)
    codes = torch.nn.functional.pad(torch.where(alone, on.codes, -1), (0, 1), value=-1)[rows].gather(1, squares)
    return _best(codes, codes >= 0)


def _danger(on: BoardTensors, friends: AttackTensors, enemies: AttackTensors) -> tuple[Tensor, Tensor]:
    """The mover's best piece in danger, a kind plus one or 0: n; and which pieces are: n x 64.

    In danger is what is attacked and either defended by nobody or dearer than an attacker. Kings are not counted.
    """
    worth = table((*GIRAFFE_VALUES, 0), on.codes.device, torch.int64)
    dearer = worth[enemies.least] < worth[on.codes >> 1]
    own = (on.codes & 1 == 0) & (on.codes < 2 * KING)
    endangered = own & (enemies.count > 0) & ((friends.count == 0) | dearer)
    return _best(on.codes, endangered), endangered


def _pawn(on: BoardTensors, moves: Moves) -> Tensor:
    """8 · passed + rank, of a pawn on its new square; 16 of other pieces. Passed: no enemy pawn can stop or take it."""
    pawns = (on.codes == 1).view(-1, 8, 8)
    ranks = torch.arange(8, device=pawns.device)
    highest = torch.where(pawns, ranks[:, None], -1).amax(dim=1)  # n 8
    beside = torch.nn.functional.pad(highest, (1, 1), value=-1)
    blocks = torch.stack([beside[:, :8], highest, beside[:, 2:]]).amax(dim=0)
    rank = moves.target >> 3
    passed = blocks[moves.rows, moves.target & 7] <= rank
    return torch.where(moves.kinds == PAWN, 8 * passed + rank, 16)


def _steps(one: Tensor, other: Tensor) -> Tensor:
    """How many steps a king would take."""
    return torch.maximum(((one & 7) - (other & 7)).abs(), ((one >> 3) - (other >> 3)).abs())
