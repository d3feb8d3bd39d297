"""A slow reader of the game store, written from docs/reference/store.md and nothing else, on python-chess's board."""

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import pairwise

import chess

PAWN_SYMBOLS, OTHER_SYMBOLS, KING, CASTLE_KING, CASTLE_QUEEN, NULL = 0, 48, 112, 113, 114, 115
PIECE_CODES, PIECES, STEP_CODES, STEPS = 84, 116, 584, 28
KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)


@dataclass
class PlainGame:
    start: str
    moves: list[str]
    result: str
    hash: int
    tags: list[tuple[str, str]]
    values: list[int | None] = field(default_factory=list)
    clocks: list[int | None] = field(default_factory=list)
    best: list[str] = field(default_factory=list)
    lines: list[list[str]] = field(default_factory=list)


# --- Bytes and bits ---------------------------------------------------------------------------------------------------


class Bytes:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def take(self, count: int) -> bytes:
        assert self.at + count <= len(self.data)
        self.at += count
        return self.data[self.at - count : self.at]

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def rest(self) -> bytes:
        return self.take(len(self.data) - self.at)


class Bits:
    def __init__(self, data: bytes) -> None:
        self.text = "".join(f"{byte:08b}" for byte in data)
        self.at = 0

    def read(self, count: int) -> int:
        self.at += count
        return int(self.text[self.at - count : self.at] or "0", 2)


class Code:
    """A canonical Huffman code."""

    def __init__(self, lengths: list[int]) -> None:
        used = sorted((length, symbol) for symbol, length in enumerate(lengths) if length)
        self.words: dict[str, int] = {}
        if len(used) == 1:
            self.words = {"": used[0][1]}
            return
        code = 0
        for (length, symbol), (longer, _) in pairwise([*used, (0, 0)]):
            self.words[f"{code:0{length}b}"] = symbol
            code = (code + 1) << max(0, longer - length)

    def read(self, bits: Bits) -> int:
        word = ""
        while word not in self.words:
            word += bits.text[bits.at]
            bits.at += 1
        return self.words[word]


class Integers:
    def __init__(self, bits: Bits) -> None:
        self.code = Code([bits.read(4) for _ in range(bits.read(6))])

    def read(self, bits: Bits) -> int:
        width = self.code.read(bits)
        return width if width < 2 else 1 << (width - 1) | bits.read(width - 1)


def column(bits: Bits, count: int) -> list[int]:
    integers = Integers(bits)
    return [integers.read(bits) for _ in range(count)]


def unzigzag(value: int) -> int:
    return value >> 1 if value % 2 == 0 else -(value + 1 >> 1)


# --- Moves ------------------------------------------------------------------------------------------------------------


class Course:
    """What the code of the next piece depends on besides the position."""

    def __init__(self) -> None:
        self.ply = 0
        self.last = self.before_last = 6
        self.captured = False

    def copy(self) -> "Course":
        other = Course()
        other.__dict__.update(self.__dict__)
        return other

    def context(self, board: chess.Board) -> int:
        left = chess.popcount(board.occupied)
        opening = next((phase for phase, end in enumerate((10, 20, 40)) if self.ply < end), None)
        phase = opening if opening is not None else 3 if left > 20 else 4 if left > 12 else 5
        return (phase * 2 + self.captured) * 7 + self.before_last

    def play(self, board: chess.Board, move: chess.Move) -> None:
        self.ply += 1
        self.before_last = self.last
        self.last = KINDS.index(board.piece_type_at(move.from_square) or 0) if move else 6
        self.captured = bool(move) and board.is_capture(move)
        board.push(move)


def seen(square: int, color: chess.Color) -> int:
    return square if color else square ^ 56


def ordered(squares: chess.Bitboard, color: chess.Color) -> list[int]:
    """From a1 on, as the side sees the board."""
    return sorted(chess.SquareSet(squares), key=lambda square: seen(square, color))


class Moves:
    """The codes of a block's moves."""

    def __init__(self, bits: Bits) -> None:
        count = bits.read(16)
        gaps, used = column(bits, count), column(bits, count)
        lengths = [0] * (PIECE_CODES * PIECES + STEP_CODES * STEPS)
        at = -1
        for gap, length in zip(gaps, used, strict=True):
            at += gap + 1
            lengths[at] = length
        split = PIECE_CODES * PIECES
        self.pieces = [Code(lengths[i : i + PIECES]) for i in range(0, split, PIECES)]
        self.steps = [Code(lengths[i : i + STEPS]) for i in range(split, len(lengths), STEPS)]

    def read(self, bits: Bits, board: chess.Board, course: Course) -> chess.Move:
        piece = self.pieces[course.context(board)].read(bits)
        us = board.turn
        if piece == NULL:
            return chess.Move.null()
        if piece in (CASTLE_KING, CASTLE_QUEEN):
            king = board.king(us)
            assert king is not None
            rooks = ordered(board.castling_rights & chess.BB_RANKS[chess.square_rank(king)], True)
            wing = [rook for rook in rooks if (rook > king) == (piece == CASTLE_KING)]
            return chess.Move(king, wing[0])
        if piece < OTHER_SYMBOLS:
            return self._pawn_move(bits, board, piece)
        kind = KINDS[1 + (piece - OTHER_SYMBOLS) // 16]
        from_square = ordered(board.pieces_mask(kind, us), us)[(piece - OTHER_SYMBOLS) % 16]
        reach = board.attacks_mask(from_square) & ~board.occupied_co[us]
        captures = ordered(reach & board.occupied, us)
        steps = captures + ordered(reach & ~board.occupied, us)
        context = 24 + ((KINDS.index(kind) - 1) * 28 + len(steps)) * 4 + min(3, len(captures))
        return chess.Move(from_square, steps[self.steps[context].read(bits)])

    def _pawn_move(self, bits: Bits, board: chess.Board, piece: int) -> chess.Move:
        us = board.turn
        on_file = ordered(board.pieces_mask(chess.PAWN, us) & chess.BB_FILES[piece % 8], us)
        from_square = on_file[piece // 8]
        up = 8 if us else -8
        file = piece % 8
        ahead = from_square + up
        enemies = chess.SquareSet(board.occupied_co[not us])
        rank = chess.square_rank(seen(from_square, us))
        context = 8 * (0 if rank == 1 else 2 if rank == 6 else 1)
        context += board.piece_at(ahead) is None
        context += 2 * (file > 0 and ahead - 1 in enemies) + 4 * (file < 7 and ahead + 1 in enemies)
        step = self.steps[context].read(bits)
        to_square = (ahead, ahead + up, ahead - 1, ahead + 1)[step % 4]
        promotion = KINDS[1 + step // 4] if rank == 6 else None
        return chess.Move(from_square, to_square, promotion)


# --- Blocks -----------------------------------------------------------------------------------------------------------

PIECE_LETTERS = "PpNnBbRrQqKk"


def read_start(packed: bytes) -> chess.Board:
    occupied = int.from_bytes(packed[:8], "little")
    codes = [packed[8 + n // 2] >> n % 2 * 4 & 15 for n in range(chess.popcount(occupied))]
    board = chess.Board(None, chess960=True)
    for square, code in zip(chess.SquareSet(occupied), codes, strict=True):
        if code >= 12:
            board.castling_rights |= chess.BB_SQUARES[square]
            code = 6 + code - 12
        board.set_piece_at(square, chess.Piece.from_symbol(PIECE_LETTERS[code]))
    board.turn = packed[24] == 0
    board.ep_square = packed[25] if packed[25] < 64 else None
    board.halfmove_clock = int.from_bytes(packed[26:28], "little")
    board.fullmove_number = int.from_bytes(packed[28:30], "little")
    return board


def read_tags(data: bytes, games: int) -> list[list[tuple[str, str]]]:
    block = Bytes(data)
    texts: list[bytes] = []
    for _ in range(block.varint()):
        shared = block.varint()
        texts.append((texts[-1][:shared] if texts else b"") + block.take(block.varint()))
    bits = Bits(block.rest())
    count = bits.read(32)
    names = list(zip(column(bits, count), column(bits, count), column(bits, count), strict=True))
    sizes = column(bits, bits.read(32))
    entries = iter(column(bits, sum(sizes)))
    shapes = [[next(entries) for _ in range(size)] for size in sizes]
    shape_of = column(bits, games)
    tokens: list[dict[int, int]] = [{} for _ in range(games)]  # by place in the shape
    for group in range(1 + max((name[1] for name in names), default=-1)):
        places = [
            (game, place)
            for game in range(games)
            for place, name in enumerate(shapes[shape_of[game]])
            if names[name][1] == group
        ]
        codes = column(bits, len(places))
        fresh = iter(column(bits, codes.count(1)))
        history: list[int] = []
        of_player: dict[int, int] = {}
        for (game, place), code in zip(places, codes, strict=True):
            shape = shapes[shape_of[game]]
            side = names[shape[place]][2]
            guess = history[-1] if history else 0
            player = 0
            if group != 0 and side != 0:
                players = [tokens[game][i] for i, name in enumerate(shape) if names[name][1:] == (0, side)]
                player = players[0] if players else 0
                guess = of_player.get(player, guess)
            token = guess if code == 0 else guess + unzigzag(next(fresh)) if code == 1 else history[-(code - 1)]
            history.append(token)
            of_player[player] = token
            tokens[game][place] = token
    return [
        [
            (texts[names[name][0]].decode(), token_text(tokens[game][place], texts))
            for place, name in enumerate(shapes[shape_of[game]])
        ]
        for game in range(games)
    ]


def token_text(token: int, texts: list[bytes]) -> str:
    kind, what = token >> 30, token & 0x3FFFFFFF
    if kind == 0:
        return texts[what].decode()
    if kind == 1:
        return str(what)
    year, month, day = what // 32 // 13, what // 32 % 13, what % 32
    return f"{year:04}.{f'{month:02}' if month else '??'}.{f'{day:02}' if day else '??'}"


def read_block(data: bytes, games: int) -> list[PlainGame]:
    block = Bytes(data)
    block.take(block.varint())  # the cursor
    starts = [read_start(block.take(32)) for _ in range(block.varint())]
    hashes = [int.from_bytes(block.take(8), "little") for _ in range(games)]
    bits = Bits(block.take(block.varint()))
    moves = Moves(bits)
    value_code, clock_code, line_code = Integers(bits), Integers(bits), Integers(bits)
    results, start_of, plies, remarks, sizes = (column(bits, games) for _ in range(5))
    tags = read_tags(block.take(block.varint()), games)
    bits = Bits(block.rest())
    read = []
    begin = 0
    for i in range(games):
        assert bits.at == begin
        board = starts[start_of[i] - 1].copy() if start_of[i] else chess.Board(chess960=True)
        start = board.copy()
        played = read_moves(moves, bits, board, Course(), plies[i])
        result = ("*", "0-1", "1/2-1/2", "1-0")[results[i]]
        game = PlainGame(start.fen(en_passant="legal"), [m.uci() for m in played], result, hashes[i], tags[i])
        if remarks[i] & 1:
            game.values = read_values(value_code, bits, plies[i] + 1)
        if remarks[i] & 2:
            game.clocks = read_clocks(clock_code, bits, plies[i])
        if remarks[i] & 4:
            game.best = read_best(moves, bits, start, played)
        if remarks[i] & 8:
            game.lines = read_lines(moves, line_code, bits, start, played)
        begin += sizes[i]
        read.append(game)
    return read


def read_moves(moves: Moves, bits: Bits, board: chess.Board, course: Course, count: int) -> list[chess.Move]:
    read = []
    for _ in range(count):
        read.append(moves.read(bits, board, course))
        course.play(board, read[-1])
    return read


def read_values(code: Integers, bits: Bits, count: int) -> list[int | None]:
    values: list[int | None] = []
    guess = 0
    for _ in range(count):
        number = code.read(bits)
        value = guess + unzigzag(number - 1) if number else None
        values.append(value)
        guess = -(guess if value is None else value)
    return values


def read_clocks(code: Integers, bits: Bits, count: int) -> list[int | None]:
    unit = 10 ** bits.read(2)
    clocks: list[int | None] = []
    last: dict[int, int] = defaultdict(int)
    for ply in range(count):
        number = code.read(bits)
        if number:
            last[ply % 2] -= unzigzag(number - 1) * unit
        clocks.append(last[ply % 2] if number else None)
    return clocks


def read_best(moves: Moves, bits: Bits, start: chess.Board, played: list[chess.Move]) -> list[str]:
    board, course = start.copy(), Course()
    best = []
    for move in [*played, None]:
        if bits.read(1) == 0:
            assert move is not None
            best.append(move.uci())
        else:
            best.append(moves.read(bits, board, course).uci() if bits.read(1) else "0000")
        if move is not None:
            course.play(board, move)
    return best


def read_lines(
    moves: Moves, code: Integers, bits: Bits, start: chess.Board, played: list[chess.Move]
) -> list[list[str]]:
    board, course = start.copy(), Course()
    lines = []
    for move in [*played, None]:
        line = read_moves(moves, bits, board.copy(), course.copy(), code.read(bits))
        lines.append([m.uci() for m in line])
        if move is not None:
            course.play(board, move)
    return lines


def read_store(data: bytes) -> list[PlainGame]:
    assert data[:16] == b"\x8fOKAPI\r\n" + (1).to_bytes(4, "little") + bytes(4)
    at = 16
    games: list[PlainGame] = []
    while at < len(data):
        assert data[at : at + 4] == b"\x8fBLK"
        count = int.from_bytes(data[at + 4 : at + 8], "little")
        size = int.from_bytes(data[at + 8 : at + 16], "little")
        assert int.from_bytes(data[at + 16 : at + 24], "little") == len(games)
        games += read_block(data[at + 40 : at + 40 + size], count)
        at += 40 + size
    return games
