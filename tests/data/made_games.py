"""Games that the project makes by itself, with everything that a store can keep about a game."""

from random import Random
from typing import Any

from okapi.core import Move, Position
from okapi.core._core import RawGame
from okapi.core.packed import NO_VALUE

STARTS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "bqnrkrnb/pppppppp/8/8/8/8/PPPPPPPP/BQNRKRNB w KQkq - 0 1",
    "nrkbbrqn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRQN w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 20",
    "8/PPPPPPPP/8/2k5/5K2/8/pppppppp/8 b - - 12 70",
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
)
ODD_TEXTS = ("", "007", "0", "1999.13.01", "2024.02.??", "99999999999", 'Ünï\n"quoted" \\ 棋', "?", "x" * 300)
NO_CLOCK = 0xFFFFFFFF


def made_moves(position: Position, random: Random, plies: int, *, nulls: bool = False) -> list[Move]:
    """Random moves from a position; it is moved on."""
    moves: list[Move] = []
    while len(moves) < plies and (legal := position.legal_moves()):
        if nulls and not position.is_check() and random.random() < 0.05:
            moves.append(Move.none())
            position.pass_turn()
        else:
            moves.append(random.choice(legal))
            position.play(moves[-1])
    return moves


def made_game(seed: int, plies: int | None = None) -> RawGame:
    """A game with tags, values, best moves, lines and clocks, or some of them."""
    random = Random(seed)
    start = Position.from_fen(random.choice(STARTS) if random.random() < 0.5 else STARTS[0])
    moves = made_moves(start.copy(), random, random.randrange(100) if plies is None else plies, nulls=seed % 3 == 0)
    game: dict[str, Any] = {"values": [], "best": [], "lines": [], "clocks": []}
    if random.random() < 0.3:
        game["values"] = [random.choice([NO_VALUE, 31997, *range(-90, 90)]) for _ in range(len(moves) + 1)]
    if random.random() < 0.3:
        unit = random.choice([1, 10, 1000])
        game["clocks"] = [random.choice([NO_CLOCK, random.randrange(600) * unit]) for _ in moves]
    if random.random() < 0.3:
        position = start.copy()
        for move in [*moves, None]:
            line = made_moves(position.copy(), random, random.randrange(4))
            game["lines"].append(line)
            game["best"].append(random.choice([Move.none(), *line[:1], *([move] if move else [])]))
            if move == Move.none():
                position.pass_turn()
            elif move:
                position.play(move)
    tags = [(f"Tag{random.randrange(5)}", random.choice(ODD_TEXTS)) for _ in range(random.randrange(4))]
    if random.random() < 0.8:
        players = random.sample(["Anna", "Bo", "Čeněk", "Dua"], 2)
        tags += [("White", players[0]), ("WhiteElo", str(2000 + 10 * random.randrange(9))), ("Black", players[1])]
        tags += [("BlackElo", "?"), ("Date", f"{random.randrange(1850, 2030)}.{random.randrange(1, 13):02}.??")]
        random.shuffle(tags)
    result = random.choice(["1-0", "0-1", "1/2-1/2", "*"])
    return RawGame(tags=tags, start=start, moves=moves, result=result, **game)


def contents(game: RawGame) -> tuple[Any, ...]:
    """Everything about a game, to be compared."""
    start = game.start.fen(shredder=True)
    return game.tags, start, game.moves, game.result, game.values, game.best, game.lines, game.clocks
