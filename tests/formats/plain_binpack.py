"""A reader of .binpack written from docs/reference/samples.md, with python-chess and without hurry: the slow twin."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import chess

KINDS = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)


@dataclass(frozen=True)
class Entry:
    fen: str
    move: str
    score: int
    ply: int
    result: int


def unfolded(number: int) -> int:
    return number // 2 if number % 2 == 0 else -(number + 1) // 2


class Bits:
    def __init__(self, data: bytes) -> None:
        self.text = "".join(f"{byte:08b}" for byte in data)
        self.at = 0

    def read(self, count: int) -> int:
        self.at += count
        return int(self.text[self.at - count : self.at] or "0", 2)

    def choice(self, options: int) -> int:
        return self.read((options - 1).bit_length())

    def score(self) -> int:
        value = shift = 0
        while True:
            more, piece = self.read(1), self.read(4)
            value |= piece << shift
            shift += 4
            if not more:
                return unfolded(value)


def read(data: bytes) -> Iterator[Entry]:
    while data:
        assert data[:4] == b"BINP"
        (size,) = struct.unpack("<I", data[4:8])
        block, data = data[8 : 8 + size], data[8 + size :]
        while block:
            block = yield from chain(block)


def chain(block: bytes) -> Iterator[Entry]:
    board, move, score, ply, result = stem(block[:32])
    (count,) = struct.unpack(">H", block[32:34])
    bits = Bits(block[34:])
    for left in range(count, -1, -1):
        yield Entry(board.fen(en_passant="legal"), board.uci(move), score, ply, result)
        if left:
            board.push(move)
            move = next_move(board, bits)
            score = (bits.score() - score + 0x8000) % 0x10000 - 0x8000
            ply, result = ply + 1, -result
    return block[34 + (bits.at + 7) // 8 :]


def stem(data: bytes) -> tuple[chess.Board, chess.Move, int, int, int]:
    occupied, pieces, move, score, ply_and_result, clock = struct.unpack(">Q16sHHHH", data)
    board = chess.Board(None)
    for number, square in enumerate(chess.scan_forward(occupied)):
        code = pieces[number // 2] >> (4 * (number % 2)) & 15
        if code == 12:
            white = chess.square_rank(square) == 3
            board.set_piece_at(square, chess.Piece(chess.PAWN, white))
            board.ep_square = square - 8 if white else square + 8
        elif code in (13, 14):
            board.set_piece_at(square, chess.Piece(chess.ROOK, code == 13))
            board.castling_rights |= chess.BB_SQUARES[square]
        elif code == 15:
            board.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
            board.turn = chess.BLACK
        else:
            board.set_piece_at(square, chess.Piece(KINDS[code // 2], code % 2 == 0))
    ply = ply_and_result & 0x3FFF
    board.fullmove_number, board.halfmove_clock = ply // 2 + 1, clock
    kind, start, end, promotion = move >> 14, move >> 8 & 63, move >> 2 & 63, move & 3
    if kind == 2:
        end = chess.square(6 if end > start else 2, chess.square_rank(start))
    chosen = chess.Move(start, end, KINDS[1 + promotion] if kind == 1 else None)
    return board, chosen, unfolded(score), ply, unfolded(ply_and_result >> 14)


def next_move(board: chess.Board, bits: Bits) -> chess.Move:
    own = list(chess.scan_forward(board.occupied_co[board.turn]))
    start = own[bits.choice(len(own))]
    kind = board.piece_type_at(start)
    if kind == chess.PAWN:
        forward = 8 if board.turn else -8
        passed = board.ep_square if board.has_legal_en_passant() else None
        targets = [
            square for square in board.attacks(start) if board.color_at(square) == (not board.turn) or square == passed
        ]
        if board.piece_at(start + forward) is None:
            targets.append(start + forward)
            if chess.square_rank(start) == (1 if board.turn else 6) and board.piece_at(start + 2 * forward) is None:
                targets.append(start + 2 * forward)
        targets.sort()
        if chess.square_rank(start) == (6 if board.turn else 1):
            number = bits.choice(4 * len(targets))
            return chess.Move(start, targets[number // 4], KINDS[1 + number % 4])
        return chess.Move(start, targets[bits.choice(len(targets))])
    targets = sorted(square for square in board.attacks(start) if board.color_at(square) != board.turn)
    if kind == chess.KING:
        home = 0 if board.turn else 56
        if board.castling_rights & chess.BB_SQUARES[home]:
            targets.append(home + chess.C1)
        if board.castling_rights & chess.BB_SQUARES[home + 7]:
            targets.append(home + chess.G1)
    return chess.Move(start, targets[bits.choice(len(targets))])
