"""Positions as Python sees them: the three doors, text, endings, copies."""

import copy
import pickle

import pytest

from okapi import Color, Kind, Move, Piece, Position, Square
from okapi.core import Wing
from okapi.errors import GameIsOver, IllegalMove, InvalidFen, InvalidMove, OkapiError

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATED = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"


class TestDoors:
    def test_play_takes_moves_and_text(self) -> None:
        position = Position.start()

        position.play(position.legal_moves()[0])
        position.play("e5")
        position.play("g1f3")

        assert 3 == position.plies

    def test_play_says_what_would_be_legal(self) -> None:
        with pytest.raises(IllegalMove) as caught:
            Position.start().play("Ke3")

        assert 20 == len(caught.value.legal)
        assert "Nf3" in caught.value.hint
        assert "Ke3 is not legal in rnbq" in str(caught.value)

    def test_play_refuses_a_move_of_another_position(self) -> None:
        move = Position.from_fen(KIWIPETE).move("O-O")

        with pytest.raises(IllegalMove, match="e1g1"):
            Position.start().play(move)

    def test_play_says_when_text_is_no_move(self) -> None:
        for text in ("", "hello", "e9", "Zf3", "e4e5e6", "\N{SNOWMAN}"):
            with pytest.raises(InvalidMove, match="is not a move"):
                Position.start().play(text)

    def test_play_says_when_text_fits_several_moves(self) -> None:
        with pytest.raises(IllegalMove, match="fits several") as caught:
            Position.from_fen("4k3/8/8/8/8/8/4K3/R6R w - - 0 1").play("Rd1")

        assert {"Rad1", "Rhd1"} == set(caught.value.legal)

    def test_play_says_when_the_game_is_over(self) -> None:
        with pytest.raises(GameIsOver, match="checkmate"):
            Position.from_fen(MATED).play("Kf8")

    def test_play_refuses_what_is_neither(self) -> None:
        with pytest.raises(TypeError):
            Position.start().play(5)  # type: ignore[arg-type]

    def test_a_refused_move_changes_nothing(self) -> None:
        position = Position.start()
        with pytest.raises(OkapiError):
            position.play("e5")

        assert position == Position.start()

    def test_try_play_answers(self) -> None:
        position = Position.start()

        assert position.try_play("e4")
        assert not position.try_play("e4")
        assert not position.try_play("nonsense")
        assert 1 == position.plies

    def test_play_unchecked_plays(self) -> None:
        position = Position.start()

        position.play_unchecked(position.move("e4"))

        assert position == Position.start().after("e4")

    def test_after_leaves_the_position_alone(self) -> None:
        position = Position.start()

        assert position.after("e4") != position
        assert 0 == position.plies

    def test_undo_goes_back(self) -> None:
        position = Position.from_fen(KIWIPETE)
        for move in position.legal_moves():
            position.play(move)
            assert move == position.undo()

        assert KIWIPETE == position.fen()
        with pytest.raises(IndexError):
            position.undo()

    def test_passing_can_be_taken_back(self) -> None:
        position = Position.start()
        position.pass_turn()

        assert position.turn is Color.BLACK
        position.undo()
        assert position == Position.start()

    def test_nobody_passes_in_check(self) -> None:
        with pytest.raises(ValueError, match="in check"):
            Position.from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").pass_turn()


class TestText:
    @pytest.mark.parametrize(
        ("fen", "uci", "san"),
        [
            (KIWIPETE, "e1g1", "O-O"),
            (KIWIPETE, "e1c1", "O-O-O"),
            (KIWIPETE, "e5d7", "Nxd7"),
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
            ("1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8n", "axb8=N"),
            ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "Ra8#"),
            ("1k6/8/8/8/Q2r4/8/8/Q2Q3K w - - 0 1", "a1d4", "Qa1xd4"),
        ],
    )
    def test_san_and_uci(self, fen: str, uci: str, san: str) -> None:
        position = Position.from_fen(fen)

        assert san == position.san(uci)
        assert uci == position.uci(position.move(san))

    @pytest.mark.parametrize("text", ["O-O", "0-0", "O-O!?", "e1g1", "e1h1"])
    def test_castling_is_understood_however_it_is_written(self, text: str) -> None:
        assert Position.from_fen(KIWIPETE).move(text).castles

    @pytest.mark.parametrize("text", ["e8=Q", "e8Q", "e8=Q+", "e8=q", "e7e8q", "e8=Q!!"])
    def test_promotion_is_understood_however_it_is_written(self, text: str) -> None:
        move = Position.from_fen("8/4P3/8/8/8/k7/8/4K3 w - - 0 1").move(text)

        assert move.promotion is Kind.QUEEN

    def test_a_promotion_that_is_not_written_is_not_guessed(self) -> None:
        with pytest.raises(IllegalMove):
            Position.from_fen("8/4P3/8/8/8/k7/8/4K3 w - - 0 1").play("e7e8")

    def test_castling_in_chess960_is_the_king_taking_its_rook(self) -> None:
        position = Position.from_fen("4k3/8/8/8/8/8/8/1R1K4 w B - 0 1")

        assert "d1b1" == position.uci(position.move("O-O-O"))
        assert "d1c1" == position.uci(position.move("O-O-O"), chess960=False)

    def test_str_is_a_picture(self) -> None:
        assert ["r n b q k b n r", "p p p p p p p p", ". . . . . . . ."] == str(Position.start()).splitlines()[:3]

    def test_repr_can_be_evaluated(self) -> None:
        assert Position.from_fen(KIWIPETE) == eval(repr(Position.from_fen(KIWIPETE)))


class TestLooking:
    def test_pieces(self) -> None:
        position = Position.start()

        assert 32 == len(position.pieces())
        assert Piece(Color.BLACK, Kind.QUEEN) == position.at(Square("d8"))
        assert position.at(Square("e4")) is None
        assert Square("e1") == position.king(Color.WHITE)

    def test_rights_and_counters(self) -> None:
        position = Position.from_fen("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 7 30")

        assert position.can_castle(Color.WHITE, Wing.KING)
        assert not position.can_castle(Color.WHITE, Wing.QUEEN)
        assert (7, 30) == (position.halfmove_clock, position.fullmove_number)
        assert position.turn is Color.BLACK

    def test_exchange(self) -> None:
        assert 100 == Position.from_fen("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1").see("Rxe5")

    def test_the_key_is_polyglots(self) -> None:
        """The first entry of the table in the format's own description."""
        assert 0x463B96181691FC9C == Position.start().key

    def test_history_and_origin(self) -> None:
        position = Position.from_fen(KIWIPETE)
        moves = [position.play("O-O"), position.play("O-O-O")]

        assert moves == position.history()
        assert KIWIPETE == position.origin().fen()


class TestEndings:
    @pytest.mark.parametrize(
        ("fen", "ending", "result"),
        [
            (MATED, "checkmate", "1-0"),
            (STALEMATE, "stalemate", "1/2-1/2"),
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", "insufficient material", "1/2-1/2"),
            ("8/8/4k3/8/8/3K4/8/R7 w - - 100 90", "fifty moves", "1/2-1/2"),
            ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 90", "checkmate", "1-0"),
            (KIWIPETE, None, "*"),
        ],
    )
    def test_why_and_how(self, fen: str, ending: str | None, result: str) -> None:
        position = Position.from_fen(fen)

        assert (ending, result) == (position.ending(), position.result())
        assert position.is_draw() == (result == "1/2-1/2")

    def test_the_third_time_is_a_draw(self) -> None:
        position = Position.start()
        for text in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
            assert position.ending() is None
            position.play(text)

        assert "threefold repetition" == position.ending()
        assert 2 == position.repetitions()

    def test_no_move_is_legal_when_it_is_over(self) -> None:
        assert [] == Position.from_fen(MATED).legal_moves() == Position.from_fen(STALEMATE).legal_moves()


class TestCopies:
    def test_copies_are_independent(self) -> None:
        position = Position.start()
        for twin in (position.copy(), copy.copy(position), copy.deepcopy(position)):
            twin.play("e4")

        assert 0 == position.plies

    def test_pickling_keeps_the_game(self) -> None:
        position = Position.from_fen("4k3/8/8/8/8/8/8/1R1K4 w B - 3 9")
        position.play("O-O-O")
        position.play("Ke7")

        again = pickle.loads(pickle.dumps(position))

        assert (position, position.history()) == (again, again.history())

    def test_a_pickle_with_an_illegal_move_is_refused(self) -> None:
        class Forged:
            def __reduce__(self) -> tuple[object, ...]:
                return (
                    Position.__new__,
                    (Position,),
                    (Position.start().fen(), Position.from_fen(KIWIPETE).legal_moves()),
                )

        with pytest.raises(ValueError, match="illegal move"):
            pickle.loads(pickle.dumps(Forged()))

    def test_small_things_pickle_and_hash(self) -> None:
        things = [Square("e4"), Piece(Color.WHITE, Kind.KING), Position.start().move("e4"), Color.WHITE, Kind.ROOK]

        assert things == pickle.loads(pickle.dumps(things))
        assert len(things) == len(set(things))

    def test_positions_have_no_hash(self) -> None:
        with pytest.raises(TypeError, match="key"):
            hash(Position.start())


class TestSquares:
    @pytest.mark.parametrize("name", ["", "e", "e9", "i1", "e44", "E4"])
    def test_nonsense_is_refused(self, name: str) -> None:
        with pytest.raises(ValueError, match="a1 to h8"):
            Square(name)

    def test_all_sixty_four(self) -> None:
        assert [str(Square.at(i)) for i in (0, 1, 8, 63)] == ["a1", "b1", "a2", "h8"]
        assert all(Square.at(i) == Square(str(Square.at(i))) for i in range(64))
        with pytest.raises(ValueError, match="0 to 63"):
            Square.at(64)

    def test_black_counts_from_the_other_side(self) -> None:
        assert Square("e5") == Square("e4").seen_by(Color.BLACK)
        assert Square("e4") == Square("e4").seen_by(Color.WHITE)


def test_moves_know_what_they_are() -> None:
    move: Move = Position.from_fen("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").move("exd6")

    assert move.takes_en_passant and not move.castles and move.promotion is None
    assert (Square("e5"), Square("d6")) == (move.from_square, move.to_square)
    assert "e5d6" == str(move)


class TestMaking:
    def test_a_position_is_made_of_a_fen_or_of_nothing(self) -> None:
        fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"

        assert Position.from_fen(fen) == Position(fen) == Position(fen=fen)
        assert Position.start() == Position()
        assert Position(fen) == eval(repr(Position(fen)))

    def test_a_wrong_fen_is_refused_with_its_field(self) -> None:
        with pytest.raises(InvalidFen, match="piece placement"):
            Position("nonsense")

    def test_notebooks_get_a_picture_with_every_piece_and_the_last_move(self) -> None:
        position = Position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
        position.play("e4")
        picture = position._repr_svg_()

        assert picture.startswith("<svg") and picture.rstrip().endswith("</svg>")
        assert 3 == picture.count("<use ")
        assert 2 == picture.count("lastmove")
