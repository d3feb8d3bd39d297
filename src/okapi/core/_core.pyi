"""Rules, evaluators and search, in C++. Use it through okapi.core."""

from collections.abc import Callable, Iterable, Mapping, Sequence
import enum
from typing import Annotated

import chess
import numpy
from numpy.typing import NDArray

version: str = "0.1.0"

class Color(enum.Enum):
    """
    A side.

    >>> Color.WHITE.other
    Color.BLACK
    """

    WHITE = 0

    BLACK = 1

    @property
    def other(self) -> Color:
        """The opponent."""

class Kind(enum.Enum):
    """
    What a piece is, whatever its colour.

    >>> [kind.name for kind in Kind][:3]
    ['PAWN', 'KNIGHT', 'BISHOP']
    """

    PAWN = 0

    KNIGHT = 1

    BISHOP = 2

    ROOK = 3

    QUEEN = 4

    KING = 5

class Wing(enum.Enum):
    """The side of the board one castles to."""

    KING = 0

    QUEEN = 1

class Square:
    """
    One of 64 squares: a1 = 0, b1 = 1, … h8 = 63.

    >>> Square('e4').index, Square.at(63)
    (28, Square('h8'))
    """

    def __init__(self, name: str) -> None:
        """The square of that name, as in Square('e4')."""

    @staticmethod
    def at(index: int) -> Square:
        """The square of that index."""

    @property
    def index(self) -> int:
        """0 to 63, a1 first, then along the rank."""

    @property
    def file(self) -> int:
        """0 to 7 for a to h."""

    @property
    def rank(self) -> int:
        """0 to 7 for 1 to 8."""

    def seen_by(self, side: Color) -> Square:
        """The same square as `side` counts: a1 and a8 change places for Black."""

    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __lt__(self, arg: Square, /) -> bool: ...
    def __str__(self) -> str: ...
    def __repr__(self) -> str: ...
    def __getstate__(self) -> str: ...
    def __setstate__(self, arg: str, /) -> None: ...

class Piece:
    """
    A kind with a colour.

    >>> str(Piece(Color.BLACK, Kind.KNIGHT))
    'n'
    """

    def __init__(self, color: Color, kind: Kind) -> None: ...
    @property
    def color(self) -> Color: ...
    @property
    def kind(self) -> Kind: ...
    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __str__(self) -> str:
        """As in FEN: P to K for White, p to k for Black."""

    def __repr__(self) -> str: ...
    def __getstate__(self) -> tuple[int, int]: ...
    def __setstate__(self, arg: tuple[int, int], /) -> None: ...

class Move:
    """
    A move of some position. Positions make them: legal_moves(), move('Nf3').

    >>> from okapi import Position
    >>> move = Position().move('Nf3')
    >>> str(move), move.to_square
    ('g1f3', Square('f3'))
    """

    @staticmethod
    def none() -> Move:
        """No move: a null move in a game, and where nothing is known."""

    @staticmethod
    def from_bits(bits: int) -> Move:
        """The move that has these bits, wherever it may be legal."""

    @property
    def from_square(self) -> Square: ...
    @property
    def to_square(self) -> Square:
        """Where the piece goes; for castling, the rook's square."""

    @property
    def promotion(self) -> Kind | None:
        """What a pawn becomes, or None."""

    @property
    def castles(self) -> bool: ...
    @property
    def takes_en_passant(self) -> bool: ...
    @property
    def bits(self) -> int:
        """The move in 16 bits: how games are packed."""

    def __eq__(self, arg: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __str__(self) -> str:
        """As in UCI."""

    def __repr__(self) -> str: ...
    def __getstate__(self) -> int: ...
    def __setstate__(self, arg: int, /) -> None: ...

class Position:
    """
    Squares, side to move, rights, counters, and the moves that led here.

    >>> position = Position('6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1')
    >>> position.play('Ra8')
    <Move a1a8>
    >>> position.ending(), position.result()
    ('checkmate', '1-0')
    """

    def __init__(self, fen: str | None = None) -> None:
        """
        The position of a FEN, as from_fen() reads it; without one, the start of the game.
        """

    @staticmethod
    def start() -> Position:
        """The position every game of standard chess begins with."""

    @staticmethod
    def from_fen(fen: str) -> Position:
        """
        Read FEN, X-FEN or Shredder-FEN; counters may be missing. InvalidFen names the field that is wrong.
        """

    def fen(self, shredder: bool = False) -> str:
        """Write FEN; castling rights as files if `shredder`."""

    def move(self, text: str) -> Move:
        """
        The legal move that is written so, in SAN or UCI: InvalidMove, IllegalMove.
        """

    def san(self, move: Move | str) -> str:
        """Write a legal move as people do: Nbxd7+."""

    def uci(self, move: Move, chess960: bool | None = None) -> str:
        """
        Write a move as programs do: e2e4; castling as the king taking its rook in Chess960.
        """

    def __str__(self) -> str: ...
    def __repr__(self) -> str: ...
    @property
    def turn(self) -> Color:
        """The side to move."""

    def at(self, square: Square) -> Piece | None:
        """The piece on a square, or None."""

    def pieces(self) -> list[tuple[Square, Piece]]:
        """All pieces with their squares, from a1 to h8."""

    def king(self, color: Color) -> Square: ...
    def can_castle(self, color: Color, wing: Wing) -> bool:
        """Is the right to castle there still unspent?"""

    def is_chess960(self) -> bool:
        """Has it castling rights that standard chess does not know?"""

    @property
    def en_passant(self) -> Square | None:
        """
        The square behind a pawn that just moved two squares, if taking it is legal.
        """

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""

    @property
    def fullmove_number(self) -> int: ...
    @property
    def key(self) -> int:
        """The Polyglot key."""

    @property
    def plies(self) -> int:
        """Moves played since the position was set up."""

    def history(self) -> list[Move]:
        """The moves played since it was set up."""

    def origin(self) -> Position:
        """The position as it was set up."""

    def legal_moves(self) -> list[Move]: ...
    def is_legal(self, move: Move) -> bool: ...
    def is_capture(self, move: Move | str) -> bool: ...
    def gives_check(self, move: Move | str) -> bool: ...
    def see(self, move: Move | str) -> int:
        """
        What the best exchange on the target square, begun by this move, wins in centipawns.
        """

    def play(self, move: Move | str) -> Move:
        """Play a move, or its text. Checks; IllegalMove lists the legal ones."""

    def try_play(self, move: Move | str) -> bool:
        """Play a move if it is legal. Was it?"""

    def play_unchecked(self, move: Move) -> None:
        """
        Play a move that legal_moves() gave: no check, no promise about any other.
        """

    def after(self, move: Move | str) -> Position:
        """The position a legal move leads to."""

    def undo(self) -> Move:
        """Take the last move back and say which it was."""

    def pass_turn(self) -> None:
        """The side to move does nothing; undo() takes it back."""

    def perft(self, depth: int) -> int:
        """Count the leaves of the tree of legal moves."""

    def perft_divide(self, depth: int) -> list[tuple[Move, int]]:
        """The same, for each move."""

    def is_check(self) -> bool: ...
    def is_checkmate(self) -> bool: ...
    def is_stalemate(self) -> bool: ...
    def is_insufficient_material(self) -> bool:
        """Can neither side ever mate, whatever is played?"""

    def is_fifty_moves(self) -> bool:
        """Fifty moves without a capture or pawn move, no mate."""

    def repetitions(self) -> int:
        """How often this position stood before in the game."""

    def is_draw(self) -> bool:
        """
        Drawn: stalemate, no mating material, fifty moves, or standing for the third time.
        """

    def ending(self) -> str | None:
        """
        Why the game is over: checkmate, stalemate, insufficient material, fifty moves, threefold repetition.
        """

    def result(self) -> str:
        """1-0, 0-1, 1/2-1/2, or * while the game goes on."""

    def to_chess(self, chess960: bool | None = None) -> chess.Board:
        """
        The same game so far as python-chess has it. It asks whether a game is Chess960; if not told, we look.
        """

    @staticmethod
    def from_chess(board: chess.Board) -> Position:
        """The game so far of a python-chess board, moves included."""

    def copy(self) -> Position: ...
    def __copy__(self) -> Position: ...
    def __deepcopy__(self, memo: object) -> Position: ...
    def __eq__(self, arg: object, /) -> bool:
        """Same FEN, whatever was played before."""

    def __hash__(self) -> int: ...
    def __getstate__(self) -> tuple[str, list[Move]]: ...
    def __setstate__(self, arg: tuple[str, Sequence[Move]], /) -> None: ...

def expected_score(centipawns: int) -> float:
    """0 to 1. 400 centipawns count like 400 Elo: ten to one."""

def centipawns_of(expected_score: float) -> int:
    """The way back, within ± 20000."""

class RawBrain:
    """Trained weights and their model card. Use okapi.Brain."""

    @staticmethod
    def open(path: str) -> RawBrain:
        """Read a safetensors file. InvalidBrain says what is wrong with it."""

    @staticmethod
    def from_bytes(data: bytes) -> RawBrain: ...
    @staticmethod
    def default() -> RawBrain:
        """The brain that is compiled into the core."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def card(self) -> dict[str, str]: ...

class RangeTally:
    """How often bounds saved an evaluation, and how often they were wrong."""

    def __init__(self) -> None: ...
    @property
    def asked(self) -> int: ...
    @property
    def needed(self) -> int: ...
    @property
    def outside(self) -> int: ...

class Evaluator:
    """
    Evaluates positions: by a brain, or by a function of yours. Not thread-safe.

    >>> from okapi import Position
    >>> Evaluator.from_function(lambda positions: [0.5] * len(positions))([Position()])
    [0.5]
    """

    @staticmethod
    def from_brain(brain: RawBrain) -> Evaluator:
        """The evaluator of a brain; InvalidBrain if this build has none for it."""

    @staticmethod
    def bounded(evaluator: Evaluator, bounds: Evaluator, tally: RangeTally | None = None) -> Evaluator:
        """
        An evaluator that is used only where bounds do not already decide; InvalidBrain where the second has no bounds. A tally counts, and computes every value.
        """

    @staticmethod
    def from_function(function: Callable[[list[Position]], Iterable[float]]) -> Evaluator:
        """
        Call a function: many positions in, the expected score of each one's side to move out, 0 to 1.
        """

    @staticmethod
    def from_packed(function: Callable[[NDArray[numpy.uint8], NDArray[numpy.int32]], object]) -> Evaluator:
        """
        Call a function that gets rows of packed positions and fills an array of centipawns.
        """

    def centipawns(self, position: Position) -> int:
        """For the side to move."""

    def __call__(self, positions: Sequence[Position]) -> list[float]:
        """The expected score of each one's side to move, 0 to 1."""

class MovePrior:
    """
    An opinion about moves before any is tried. Not for several threads at once.
    """

    @staticmethod
    def from_brain(brain: RawBrain) -> MovePrior:
        """InvalidBrain if this brain has none."""

    def probabilities(self, position: Position) -> list[tuple[Move, float]]:
        """How likely each legal move is to be the best."""

def move_priors(
    brain: RawBrain,
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    bits: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu")],
    threads: int,
) -> None:
    """
    Write how likely the legal moves of packed positions are to be the best ones.
    """

MOVE_QUESTIONS: int = 15

def move_columns(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    starts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    moves: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.uint16], dict(shape=(None, 15), order="C", device="cpu")],
    threads: int,
) -> None:
    """
    Write the features of the legal moves of packed positions, as columns of a move network's first layer.
    """

MATE: int = 32000

MATE_BOUND: int = 31744

BENCH_DEPTH: int = 12

def bench_positions() -> list[str]:
    """The FENs that `bench` searches."""

def heuristics(*, usual: bool = False) -> list[str]:
    """
    The names of the heuristics of the search; or only of those that are on by default.
    """

class RawConstant:
    """A number in the search that games can tune. Use okapi.core.search."""

    @property
    def name(self) -> str: ...
    @property
    def usual(self) -> int: ...
    @property
    def least(self) -> int: ...
    @property
    def most(self) -> int: ...
    @property
    def step(self) -> int: ...

def constants() -> list[RawConstant]:
    """Every number in the search that games can tune."""

def shapes() -> list[str]:
    """The names of the budget rules."""

def check_shape(text: str) -> None:
    """ValueError if this is no budget rule with its settings."""

class RawLine:
    """
    A line as the core has it: values in centipawns, mates as ± 32000 less the plies.
    """

    @property
    def moves(self) -> list[Move]: ...
    @property
    def value(self) -> int: ...
    @property
    def is_exact(self) -> bool: ...
    @property
    def depth(self) -> int: ...
    @property
    def selective_depth(self) -> int: ...

class RawProgress:
    """What a running search reports."""

    @property
    def rank(self) -> int: ...
    @property
    def line(self) -> RawLine: ...
    @property
    def nodes(self) -> int: ...
    @property
    def elapsed_ms(self) -> int: ...
    @property
    def table_permille(self) -> int: ...

class RawDecision:
    """A decision as the core has it."""

    @property
    def move(self) -> Move: ...
    @property
    def value(self) -> int: ...
    @property
    def lines(self) -> list[RawLine]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def elapsed_ms(self) -> int: ...
    @property
    def depth(self) -> int: ...

class RawSearch:
    """A search with everything it owns. Use okapi.core.Search."""

    def __init__(self, evaluator: Evaluator, table_mb: int, threads: int) -> None: ...
    def run(
        self,
        position: Position,
        *,
        depth: int,
        nodes: int,
        movetime_ms: int,
        mate: int,
        infinite: bool,
        white: tuple[int, int] | None,
        black: tuple[int, int] | None,
        moves_to_go: int,
        overhead_ms: int,
        only: Sequence[Move],
        on_progress: Callable[[RawProgress], object] | None,
    ) -> RawDecision:
        """
        Search within these limits; 0 means no limit of that kind. Other Python threads run meanwhile.
        """

    def set_heuristics(self, without: Sequence[str], extras: Sequence[str]) -> None:
        """Use the default heuristics without the first, and with the second."""

    def set_constants(self, changes: Mapping[str, int]) -> None:
        """Use the default constants with these changes."""

    def set_shape(self, shape: str, moves: MovePrior | None) -> None:
        """Set the budget rule, and the move network if there is one."""

    def set_time_network(self, time_network: TimeNetwork) -> None:
        """Let a network manage the time."""

    def set_multipv(self, lines: int) -> None: ...
    def new_game(self) -> None:
        """Clear the table and the histories."""

    def stop(self) -> None:
        """From any thread: stop the search."""

class SearchTree:
    """
    The nodes of one iteration, parents before children; quiescence is left out. One row a node, the root first.
    """

    @property
    def parent(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """The row above; -1 for the root."""

    @property
    def move(self) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]:
        """That led here, as Move.bits; 0 for the root."""

    @property
    def ply(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """Moves from the root."""

    @property
    def left(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """Plies of budget left; at the root, all of it."""

    @property
    def value(self) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """
        In centipawns for the side that made the move; for the side to move at the root. Often only a bound.
        """

    @property
    def kind(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """See okapi.core.search_tree."""

    @property
    def probability(self) -> Annotated[NDArray[numpy.float64], dict(shape=(None,))]:
        """
        The probability of each line by the budget. With the rule `depth`, as if there were always 32 moves.
        """

def trace_tree(
    evaluator: Evaluator,
    position: Position,
    *,
    shape: str,
    nodes: int,
    most: int,
    moves: MovePrior | None,
    without: Sequence[str],
    extras: Sequence[str],
) -> SearchTree:
    """The last iteration that a search of so many nodes finishes."""

class RawMatchPlayer:
    """One side of a match. Use okapi.core.MatchPlayer."""

    def __init__(
        self,
        evaluator: Evaluator,
        *,
        depth: int,
        nodes: int,
        movetime_ms: int,
        overhead_ms: int,
        table_mb: int,
        without: Sequence[str],
        extras: Sequence[str],
        shape: str,
        moves: MovePrior | None,
        constants: Mapping[str, int],
    ) -> None: ...

class RawAdjudication:
    """What ends a game that the rules let go on."""

    def __init__(
        self,
        *,
        resign_score: int | None,
        resign_moves: int,
        draw_score: int | None,
        draw_moves: int,
        draw_after: int,
        tablebases: bool,
        max_plies: int,
    ) -> None: ...

class RawMoveRecord:
    """The search result of one move: a value in centipawns, as in RawLine."""

    @property
    def move(self) -> Move: ...
    @property
    def value(self) -> int: ...
    @property
    def depth(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...
    @property
    def line(self) -> list[Move]: ...

class RawMatchGame:
    """A finished game of a match."""

    @property
    def number(self) -> int: ...
    @property
    def first(self) -> Color:
        """The first player's side."""

    @property
    def result(self) -> str: ...
    @property
    def ending(self) -> str: ...
    @property
    def moves(self) -> list[Move]: ...
    @property
    def nodes(self) -> tuple[int, int]:
        """What the first and the second player searched."""

    @property
    def records(self) -> list[RawMoveRecord]: ...
    def record(self, start: Position, tags: Sequence[tuple[str, str]]) -> RawGame:
        """The game as it is stored, with values and lines."""

class RawMatch:
    """Games between two searches. Use okapi.core.InProcessMatch."""

    def __init__(
        self,
        first: RawMatchPlayer,
        second: RawMatchPlayer,
        pairings: Sequence[tuple[Position, Color]],
        *,
        adjudication: RawAdjudication,
        keep_lines: bool,
        threads: int,
        in_order: bool,
    ) -> None: ...
    def next(self) -> RawMatchGame | None:
        """Wait for the next finished game; None when there is none left."""

    def stop(self) -> None:
        """From any thread: leave all games that are not over."""

class RawGame:
    """A game as it is read, stored and written. Use okapi.core.Game."""

    def __init__(
        self,
        *,
        tags: Sequence[tuple[str, str]],
        start: Position,
        moves: Sequence[Move],
        result: str,
        values: Sequence[int],
        best: Sequence[Move],
        lines: Sequence[Sequence[Move]],
        clocks: Sequence[int],
    ) -> None: ...
    @property
    def tags(self) -> list[tuple[str, str]]: ...
    @property
    def start(self) -> Position: ...
    @property
    def moves(self) -> list[Move]: ...
    @property
    def result(self) -> str: ...
    @property
    def values(self) -> list[int]:
        """Of each position, in centipawns for the side to move; empty: none."""

    @property
    def best(self) -> list[Move]:
        """Of each position; empty: none."""

    @property
    def lines(self) -> list[list[Move]]:
        """Of each position; empty: none."""

    @property
    def clocks(self) -> list[int]:
        """Milliseconds left after each move; empty: none."""

    @property
    def hash(self) -> int:
        """The same for the same moves from the same start."""

class RawStore:
    """Reads a game store. Use okapi.data.store.Store."""

    def __init__(self, path: str) -> None: ...
    def __len__(self) -> int: ...
    def cursor(self) -> bytes: ...
    @property
    def blocks(self) -> int: ...
    @property
    def tail(self) -> int:
        """Bytes behind the last block: one that was not written to its end."""

    def game(self, game: int) -> RawGame: ...
    def tag(self, game: int, name: str) -> str | None: ...
    def positions(
        self,
        games: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        plies: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)],
        rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order="C", device="cpu")],
    ) -> None: ...
    def samples(
        self,
        games: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        plies: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)],
        rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 48), order="C", device="cpu")],
    ) -> None: ...
    def hashes(self) -> Annotated[NDArray[numpy.uint64], dict(shape=(None,))]: ...
    def plies(self) -> Annotated[NDArray[numpy.uint16], dict(shape=(None,))]: ...
    def results(self) -> Annotated[NDArray[numpy.int8], dict(shape=(None,))]:
        """0 Black won, 1 drawn, 2 White won, -1 unknown."""

    def remarks(self) -> Annotated[NDArray[numpy.uint8], dict(shape=(None,))]:
        """The sum of 1 for values, 2 clocks, 4 best moves, 8 lines."""

    def numbers(self, name: str) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """A tag of all games as a number; -1: it is none."""

    def dates(self, name: str) -> Annotated[NDArray[numpy.int32], dict(shape=(None,))]:
        """As 20260131, with 00 for ??; -1: it is no date."""

    def texts(self, name: str) -> tuple[Annotated[NDArray[numpy.int32], dict(shape=(None,))], list[str]]:
        """
        A tag of all games as an index of its values, and those; -1: it is missing.
        """

    def verify(self) -> list[str]:
        """What is wrong with the file, after reading all of it."""

class RawStoreWriter:
    """Appends to a game store. Use okapi.data.store.StoreWriter."""

    def __init__(self, path: str, *, games_in_block: int = 16384, sync: bool = False) -> None: ...
    def __len__(self) -> int: ...
    @property
    def cursor(self) -> bytes: ...
    @property
    def dropped(self) -> int: ...
    @property
    def full(self) -> bool: ...
    def add(self, game: RawGame) -> None: ...
    def flush(self, cursor: bytes) -> None: ...

class RawFilter:
    """Which games somebody wants. Use okapi.data.game_filter.GameFilter."""

    def __init__(
        self,
        *,
        min_elo: int | None,
        max_elo: int | None,
        since: int | None,
        until: int | None,
        min_seconds: float | None,
        max_seconds: float | None,
        min_plies: int,
        max_plies: int,
        results: int,
        player: str,
    ) -> None: ...
    def admits(self, game: RawGame) -> bool: ...

class RawPgnReader:
    """PGN bytes in, games out. Use okapi.data.pgn.read_games."""

    def __init__(self) -> None: ...
    def feed(self, data: bytes) -> None: ...
    def finish(self) -> None:
        """Nothing more will come."""

    def read(self) -> tuple[list[RawGame], list[tuple[int, int, str]]]:
        """
        The games of what was fed, and for each that cannot be read line, offset and reason.
        """

def pgn_text(game: RawGame) -> str:
    """The game as PGN, with an empty line behind it."""

def surname(name: str) -> str:
    """What two spellings of one player's name have in common."""

def date_number(text: str) -> int | None:
    """2024.06.30 as 20240630; None without a year."""

def time_control_seconds(text: str) -> float | None:
    """
    Seconds for 40 moves under a TimeControl such as 300+3; None if it says nothing.
    """

class RawImportCounts:
    """How many games met which fate."""

    def __init__(self) -> None: ...
    @property
    def games(self) -> int: ...
    @games.setter
    def games(self, arg: int, /) -> None: ...
    @property
    def skipped(self) -> int: ...
    @skipped.setter
    def skipped(self, arg: int, /) -> None: ...
    @property
    def duplicates(self) -> int: ...
    @duplicates.setter
    def duplicates(self, arg: int, /) -> None: ...
    @property
    def filtered(self) -> int: ...
    @filtered.setter
    def filtered(self, arg: int, /) -> None: ...
    @property
    def plies(self) -> int: ...
    @plies.setter
    def plies(self, arg: int, /) -> None: ...

class RawImporter:
    """PGN into a store. Use okapi.data.pgn.import_games."""

    def __init__(self, store: str, wanted: RawFilter, *, games_in_block: int) -> None: ...
    def begin(self, offset: int, line: int) -> None: ...
    def feed(self, data: bytes) -> None: ...
    def finish(self) -> None: ...
    def run(self) -> bool:
        """Work until a block has to be flushed, or until all is read: False."""

    def flush(self, cursor: str) -> None: ...
    def take_complaints(self) -> list[tuple[int, int, str]]: ...
    @property
    def cursor(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def offset(self) -> int: ...
    @property
    def line(self) -> int: ...
    @property
    def counts(self) -> RawImportCounts: ...
    @counts.setter
    def counts(self, arg: RawImportCounts, /) -> None: ...

class RawExporter:
    """A store as PGN. Use okapi.data.pgn.export_games."""

    def __init__(self, store: str, wanted: RawFilter, numbers: Sequence[int] | None) -> None: ...
    def next(self, size: int) -> bytes:
        """About so many bytes of PGN; empty when that was all."""

    @property
    def store_size(self) -> int:
        """Games in the store."""

    @property
    def size(self) -> int: ...
    @property
    def done(self) -> int: ...
    @property
    def written(self) -> int: ...

def pack_positions(
    positions: Sequence[Position],
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order="C", device="cpu")],
) -> None:
    """Write positions into rows of 32 bytes."""

def pack_fens(
    fens: Sequence[str], rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order="C", device="cpu")]
) -> None:
    """
    Read FENs into rows of 32 bytes. InvalidFen says the number of one that is wrong.
    """

def unpack_position(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
) -> Position:
    """The position of the first row. Throws InvalidPosition."""

def random_positions(
    starts: Sequence[Position],
    seed: int,
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order="C", device="cpu")],
) -> None:
    """Fill rows with positions of random games."""

def packed_fens(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
) -> list[str]:
    """The FEN of each row."""

def position_layout() -> list[tuple[str, int]]:
    """The fields of a packed position with their offsets; last, its size."""

def sample_layout() -> list[tuple[str, int]]:
    """The same of a sample."""

MOST_LEGAL_MOVES: int = 256

def legal_move_lists(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    counts: Annotated[NDArray[numpy.int64], dict(shape=(None,), order="C", device="cpu")],
    lists: Annotated[NDArray[numpy.uint16], dict(shape=(None, 256), order="C", device="cpu")],
    threads: int,
) -> None:
    """
    Write how many legal moves each packed position has, and the Move.bits of each.
    """

def position_keys(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Write the Polyglot key of each row."""

def position_traits(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    moves: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu", writable=False)],
    traits: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """Write the traits of each row with the move chosen in it, 0 for none."""

def successors_in(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)], set: KeySet
) -> bytes:
    """
    Rows and keys, as pairs of u64, of the positions in a set that one legal move leads to.
    """

class KeySet:
    """A set of 64-bit keys, 12 to 24 bytes each."""

    def __init__(self, expected: int = 0) -> None: ...
    def __len__(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def add(
        self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
        """Add keys; of each, whether it is new."""

    def contains(
        self, keys: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)]
    ) -> Annotated[NDArray[numpy.bool_], dict(shape=(None,))]:
        """Of each key, whether it is in the set."""

NO_SUCH_MOVE: int = 65535

def pack_lines(
    fens: Sequence[str],
    texts: Sequence[str],
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order="C", device="cpu")],
) -> list[int]:
    """
    Read FENs into rows, and of each the move that a text, UCI or SAN, means: its bits, 0 for an empty text, NO_SUCH_MOVE for a wrong one.
    """

def move_texts(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    moves: Annotated[NDArray[numpy.uint16], dict(shape=(None,), device="cpu", writable=False)],
    san: bool,
) -> list[str]:
    """Moves as UCI or SAN; nothing for none or an illegal one."""

def quiet(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    moves: Annotated[NDArray[numpy.uint16], dict(shape=(None,), device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Write of each row whether nobody is in check and the move, 0 for none, neither takes nor promotes.
    """

def read_binpack(block: bytes, first_game: int) -> tuple[bytes, int, str, int]:
    """
    Samples of a block as bytes, its chains, why reading ended early if it did, and where.
    """

def write_binpack(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 48), order="C", device="cpu", writable=False)],
) -> tuple[bytes, list[int]]:
    """Blocks, and the numbers of samples that they cannot hold."""

class EngineFailure(enum.Enum):
    """Why another program could not be asked any further."""

    NONE = 0

    CLOSED = 1

    TIMEOUT = 2

    ILLEGAL_MOVE = 3

class RawLabelRun:
    """How far a run of labelling went. Use okapi.core.labelling."""

    @property
    def answered(self) -> int: ...
    @property
    def failure(self) -> EngineFailure: ...
    @property
    def message(self) -> bytes: ...

def label_positions(
    streams: Sequence[int],
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    *,
    go: str,
    chess960: bool,
    forget: bool,
    ahead: int,
    timeout: float,
    labels: Annotated[NDArray[numpy.uint8], dict(shape=(None, 16), order="C", device="cpu")],
    lines: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, 4), order="C", device="cpu")],
) -> RawLabelRun:
    """Put positions to the program behind three pipes; write its answers."""

def play_random_moves(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order="C", device="cpu")],
    choices: Annotated[NDArray[numpy.uint64], dict(shape=(None,), order="C", device="cpu", writable=False)],
    moved: Annotated[NDArray[numpy.bool_], dict(shape=(None,), order="C", device="cpu")],
) -> None:
    """
    Play one legal move in each row: number choices[n], modulo their count.
    """

def encode_positions(name: str, rows: numpy.ndarray, out: numpy.ndarray, threads: int) -> None:
    """Write packed positions into an array of uint8, int8 or float32."""

class RawPieceSquare:
    """Which piece stands where. Use okapi.encodings.PieceSquare."""

    def __init__(self, mirror: bool, buckets: Sequence[int]) -> None: ...
    @property
    def features(self) -> int: ...
    def encode(self, rows: numpy.ndarray, out: numpy.ndarray, threads: int) -> None: ...
    def indices(self, rows: numpy.ndarray, out: numpy.ndarray, threads: int) -> None: ...

def choose_moves(
    evaluators: Sequence[Evaluator],
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    chosen: Annotated[NDArray[numpy.uint16], dict(shape=(None, None), order="C", device="cpu")],
    *,
    depth: int,
    without: Sequence[str],
    threads: int,
) -> None:
    """
    Write Move.bits of what each evaluator chooses in each packed position.
    """

def evaluate_positions(
    evaluators: Sequence[Evaluator],
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.int32], dict(shape=(None, None), order="C", device="cpu")],
    threads: int,
) -> None:
    """
    Write what each evaluator thinks of each packed position: centipawns for the side to move.
    """

def count_outputs(evaluator: Evaluator) -> int:
    """Of a network that the core thinks with; 0 of others."""

def network_answers(
    evaluator: Evaluator,
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu")],
    threads: int,
) -> None:
    """Write what a network itself says about each packed position."""

def position_factors(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    out: Annotated[NDArray[numpy.int32], dict(shape=(None, 35), order="C", device="cpu")],
    threads: int,
) -> None:
    """
    Write the factors of each packed position: the side to move's less the other's.
    """

def factor_names() -> list[str]:
    """What linear brains weigh, in the order of their tensors."""

def play_tdleaf_games(
    evaluator: Evaluator,
    starts: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    plies: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, 80), order="C", device="cpu")],
    *,
    nodes: int,
    seed: int,
    random_moves: int,
    without: Sequence[str],
    threads: int,
) -> None:
    """
    Play a game from each start; write what each search found and the end of its line.
    """

def best_moves(
    evaluator: Evaluator,
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    moves: Annotated[NDArray[numpy.uint16], dict(shape=(None,), order="C", device="cpu")],
    values: Annotated[NDArray[numpy.int32], dict(shape=(None,), order="C", device="cpu")],
    *,
    nodes: int,
    threads: int,
) -> None:
    """
    Write Move.bits of what a search finds best in each packed position, and its value.
    """

def inner_nodes(
    evaluator: Evaluator,
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    drawn: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, 32), order="C", device="cpu")],
    counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order="C", device="cpu")],
    *,
    nodes: int,
    seed: int,
    threads: int,
) -> None:
    """
    Write positions drawn among those that a search of each packed position looked into, and how many.
    """

def ply_layout() -> list[tuple[str, int]]:
    """
    The fields of a ply that was studied, with their offsets; last, its size.
    """

def random_walks(
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    found: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order="C", device="cpu")],
    *,
    plies: int,
    seed: int,
    threads: int,
) -> None:
    """Fill an array with quiet positions on random walks from random rows."""

def evaluated_positions(
    evaluator: Evaluator,
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    found: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), order="C", device="cpu")],
    *,
    nodes: int,
    one_in: int,
    seed: int,
    threads: int,
) -> None:
    """
    Fill an array with positions for which searches of random rows asked the evaluator.
    """

def play_generation(
    evaluator: Evaluator,
    *,
    first: int,
    games: int,
    nodes: int,
    random_plies: int,
    balanced: int,
    adjudication: RawAdjudication,
    seed: int,
    threads: int,
) -> bytes:
    """
    Play games of an evaluator against itself: samples as bytes, game after game.
    """

def record_iterations(
    evaluator: Evaluator,
    rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 32), device="cpu", writable=False)],
    iterations: Annotated[NDArray[numpy.uint8], dict(shape=(None, None, 48), order="C", device="cpu")],
    *,
    nodes: int,
    threads: int,
) -> None:
    """Search each packed position; write what was known after each depth."""

def iteration_layout() -> list[tuple[str, int]]:
    """Name, offset and size of each field of a stats, for a test."""

class TimeNetwork:
    """A network that allots time."""

    def __init__(self, brain: RawBrain) -> None:
        """InvalidBrain where the brain does something else."""

    def doubts(self, features: Sequence[Sequence[float]]) -> list[float]:
        """
        The probability that the best move changes, by the features of each iteration.
        """

class ConvolutionalNetwork:
    """Use okapi.core.networks.Network."""

    def __init__(self, shape: Sequence[int]) -> None: ...
    def dense(
        self,
        weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        activation: int,
    ) -> None:
        """Add a dense layer."""

    def convolve(
        self,
        weights: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        bias: Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        activation: int,
    ) -> None:
        """Add kernels that look at every square."""

    def residual(
        self,
        first: tuple[
            Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
            Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ],
        second: tuple[
            Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
            Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ],
        squeeze: Sequence[
            tuple[
                Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
                Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
            ]
        ],
        activation: int,
    ) -> None:
        """Add two convolutions whose answer is added."""

    def flatten(self) -> None:
        """See planes as one row of numbers."""

    def from_to(
        self,
        queries: tuple[
            Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
            Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ],
        keys: tuple[
            Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
            Annotated[NDArray[numpy.float32], dict(shape=(None,), order="C", device="cpu", writable=False)],
        ],
    ) -> None:
        """Answer a number for every two squares."""

    def answer(
        self,
        rows: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu", writable=False)],
        out: Annotated[NDArray[numpy.float32], dict(shape=(None, None), order="C", device="cpu")],
        threads: int,
    ) -> None:
        """Write what it says about each row."""

LOWEST_ELO: int = 800

HIGHEST_ELO: int = 3200

def mate_in_one(position: Position) -> Move | None:
    """A move that mates at once, or None."""

class Handicap:
    """How a player of some rating thinks, and what it overlooks."""

    def __init__(self, elo: int) -> None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def lines(self) -> int: ...
    @property
    def temperature(self) -> float: ...
    @property
    def visible_loss(self) -> int: ...
    @property
    def visible_mate(self) -> int: ...
    def choose(self, position: Position, lines: Sequence[RawLine], seed: int) -> int:
        """
        Which of the lines, best first, such a player plays. The same seed gives the same choice.
        """

def tablebase_available() -> bool:
    """Was the core built with the Fathom library?"""

def tablebase_load(path: str) -> int:
    """
    Read the tables below `path`; the number of pieces they cover. Not while a search runs.
    """

def tablebase_root(position: Position) -> list[tuple[Move, int, int]]:
    """
    Each legal move with its verdict (-2 lost to 2 won) and distance; empty where the tables do not reach.
    """
