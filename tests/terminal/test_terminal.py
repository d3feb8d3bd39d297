"""The terminal game: what a person types, and what a person sees."""

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from okapi import Color, Decision, Limits, Position, Value
from okapi.players import AlphaBeta, Random
from okapi.terminal import BoardStyle, TerminalSession, captured, draw_bar, draw_board, watch

PLAIN = BoardStyle(color=False, unicode=True)


class First:
    """Plays the first legal move: nothing is easier to foresee."""

    def choose(self, position: Position, limits: Limits) -> Decision:
        move = position.legal_moves()[0]
        return Decision(move, Value(0.5, position.turn), (move,), 1)


def typed(*lines: str, **options: object) -> tuple[TerminalSession, str]:
    """A session in which a person types these lines and then leaves."""
    waiting: Iterator[str] = iter(lines)

    def ask(prompt: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    console = Console(file=io.StringIO(), width=100, color_system=None)
    session = TerminalSession(First(), Limits(nodes=100), console=console, ask=ask, **options)  # type: ignore[arg-type]
    session.run()
    assert isinstance(console.file, io.StringIO)
    return session, console.file.getvalue()


def test_a_move_is_answered() -> None:
    session, shown = typed("e4")

    assert 2 == session.position.plies
    assert "Okapi plays" in shown and "Good bye." in shown


@pytest.mark.parametrize("text", ["Ke3", "hello", "e9", "O-O-O-O"])
def test_what_is_no_move_changes_nothing(text: str) -> None:
    session, shown = typed(text)

    assert 0 == session.position.plies
    assert text in shown


def test_undo_goes_back_to_the_persons_choice() -> None:
    session, _ = typed("e4", "d4", "undo")

    assert 2 == session.position.plies
    assert session.position.turn is Color.WHITE


def test_there_may_be_nothing_to_undo() -> None:
    _, shown = typed("undo")

    assert "nothing to take back" in shown


def test_hint() -> None:
    _, shown = typed("hint", start=Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), adviser=AlphaBeta())

    assert "Ra8#" in shown


def test_help_lists_every_command() -> None:
    commands = ("help", "hint", "undo", "moves", "flip", "fen", "save", "new", "resign", "quit")
    _, shown = typed("help")

    assert all(word in shown for word in commands)


def test_flip_moves_fen() -> None:
    session, shown = typed("flip", "moves", "fen")

    assert session.flipped
    assert "Nf3" in shown and Position.start().fen() in shown


def test_resigning_loses_and_can_be_taken_back() -> None:
    session, shown = typed("resign")
    assert "0-1: White resigned" in shown
    assert "0-1" == session.game().result

    session, _ = typed("resign", "undo", "e4")
    assert 2 == session.position.plies


def test_new_changes_sides() -> None:
    session, shown = typed("e4", "new")

    assert session.side is Color.BLACK
    assert 1 == session.position.plies  # the player has begun
    assert "You are Black now." in shown


def test_playing_black() -> None:
    session, _ = typed(side=Color.BLACK)

    assert session.flipped and 1 == session.position.plies


def test_the_end_of_the_game_is_told() -> None:
    session, shown = typed("Ra8#", "Kf8", start=Position.from_fen("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"))

    assert "1-0: checkmate" in shown and "the game is over" in shown
    assert session.is_over()


def test_save_and_the_pgn_option(tmp_path: Path) -> None:
    typed("e4", f"save {tmp_path / 'a.pgn'}", "save", "save /no/such/folder/x.pgn", pgn=tmp_path / "b.pgn")

    assert "1. e4" in (tmp_path / "a.pgn").read_text()
    assert (tmp_path / "a.pgn").read_text() == (tmp_path / "b.pgn").read_text()


def test_ctrl_c_is_a_way_to_leave() -> None:
    def ask(prompt: str) -> str:
        raise KeyboardInterrupt

    console = Console(file=io.StringIO(), color_system=None)
    TerminalSession(First(), Limits(nodes=1), console=console, ask=ask).run()

    assert isinstance(console.file, io.StringIO) and "Good bye." in console.file.getvalue()


class TestDrawing:
    def test_the_board_without_colours(self) -> None:
        position = Position.start()
        move = position.play("e4")

        rows = draw_board(position, PLAIN, last=move).plain.splitlines()

        assert " 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ " == rows[0]
        assert "[♙]" in rows[4] and "[ ]" in rows[6]
        assert "a  b  c  d  e  f  g  h" in rows[8]

    def test_flipped(self) -> None:
        rows = draw_board(Position.start(), PLAIN, flipped=True).plain.splitlines()

        assert rows[0].startswith(" 1  ♖  ♘  ♗  ♔") and "h  g  f" in rows[8]

    def test_letters_where_there_is_no_unicode(self) -> None:
        rows = draw_board(Position.start(), BoardStyle(color=False, unicode=False)).plain

        assert rows.isascii() and " r  n  b  q  k " in rows

    def test_large(self) -> None:
        rows = draw_board(Position.start(), BoardStyle(large=True)).plain.splitlines()

        assert 25 == len(rows)

    def test_colours_and_check(self) -> None:
        board = draw_board(Position.from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1"), BoardStyle())

        assert any("#b4483c" in str(span.style) for span in board.spans)

    @pytest.mark.parametrize(("expected", "bar"), [(0.0, "░░░░"), (0.5, "██░░"), (1.0, "████")])
    def test_the_bar(self, expected: float, bar: str) -> None:
        assert f"{bar} {expected:.2f}" == draw_bar(expected, PLAIN, width=4).plain

    def test_captured_pieces(self) -> None:
        now = Position.from_fen("rnb1kbnr/pppppp1p/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")

        assert "♛♟ +10" == captured(Position.start(), now, Color.WHITE, PLAIN)
        assert "" == captured(Position.start(), now, Color.BLACK, PLAIN)


def test_watching_a_game() -> None:
    console = Console(file=io.StringIO(), color_system=None, width=100)

    game = watch(Random(3), Limits(), console=console, plies=21)

    assert isinstance(console.file, io.StringIO)
    shown = console.file.getvalue()
    assert 21 == len(game.moves)
    assert "stopped after 21 plies" in shown and "[Result" in shown


def test_watching_from_another_position() -> None:
    console = Console(file=io.StringIO(), color_system=None, width=100)
    start = Position.from_fen("4k3/8/8/8/8/8/8/R3K3 b Q - 0 7")

    game = watch(Random(3), Limits(), console=console, start=start, plies=3)

    assert start == game.start and 3 == len(game.moves)
