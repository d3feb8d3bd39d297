// The small nouns: Color, Kind, Wing, Square, Piece, Move.
#include <nanobind/operators.h>

#include "bindings.h"

namespace okapi::bindings {

namespace {

std::string symbol(Piece piece) {
    const char letter = "PNBRQK"[index(piece.kind())];
    return {piece.color() == Color::White ? letter : char(letter - 'A' + 'a')};
}

Square square_from(std::string_view text) {
    const std::optional<Square> square = parse_square(text);
    if (!square) throw nb::value_error(("'" + std::string(text) + "' is not a square: expected a1 to h8").c_str());
    return *square;
}

void add_enums(nb::module_& m) {
    nb::enum_<Color>(m, "Color", "A side.\n\n>>> Color.WHITE.other\nColor.BLACK\n")
        .value("WHITE", Color::White)
        .value("BLACK", Color::Black)
        .def_prop_ro("other", [](Color color) { return ~color; }, "The opponent.");
    nb::enum_<Kind>(m, "Kind",
                    "What a piece is, whatever its colour.\n\n"
                    ">>> [kind.name for kind in Kind][:3]\n"
                    "['PAWN', 'KNIGHT', 'BISHOP']\n")
        .value("PAWN", Kind::Pawn)
        .value("KNIGHT", Kind::Knight)
        .value("BISHOP", Kind::Bishop)
        .value("ROOK", Kind::Rook)
        .value("QUEEN", Kind::Queen)
        .value("KING", Kind::King);
    nb::enum_<Wing>(m, "Wing", "The side of the board one castles to.")
        .value("KING", Wing::King)
        .value("QUEEN", Wing::Queen);
}

void add_square(nb::module_& m) {
    nb::class_<Square>(m, "Square",
                       "One of 64 squares: a1 = 0, b1 = 1, … h8 = 63.\n\n"
                       ">>> Square('e4').index, Square.at(63)\n"
                       "(28, Square('h8'))\n")
        .def(
            "__init__", [](Square* self, std::string_view name) { new (self) Square(square_from(name)); }, "name"_a,
            "The square of that name, as in Square('e4').")
        .def_static(
            "at",
            [](int index) {
                if (index < 0 || index > 63) throw nb::value_error("a square's index is 0 to 63");
                return Square(index);
            },
            "index"_a, "The square of that index.")
        .def_prop_ro(
            "index", [](Square square) { return int(square.index); }, "0 to 63, a1 first, then along the rank.")
        .def_prop_ro(
            "file", [](Square square) { return int(square.file()); }, "0 to 7 for a to h.")
        .def_prop_ro(
            "rank", [](Square square) { return int(square.rank()); }, "0 to 7 for 1 to 8.")
        .def("seen_by", &Square::seen_by, "side"_a,
             "The same square as `side` counts: a1 and a8 change places for Black.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
        .def("__hash__", [](Square square) { return int(square.index); })
        .def("__lt__", [](Square a, Square b) { return a.index < b.index; })
        .def("__str__", [](Square square) { return name(square); })
        .def("__repr__", [](Square square) { return "Square('" + name(square) + "')"; })
        .def("__getstate__", [](Square square) { return name(square); })
        .def("__setstate__", [](Square& self, std::string_view text) { new (&self) Square(square_from(text)); });
}

void add_piece(nb::module_& m) {
    nb::class_<Piece>(m, "Piece",
                      "A kind with a colour.\n\n"
                      ">>> str(Piece(Color.BLACK, Kind.KNIGHT))\n"
                      "'n'\n")
        .def(nb::init<Color, Kind>(), "color"_a, "kind"_a)
        .def_prop_ro("color", &Piece::color)
        .def_prop_ro("kind", &Piece::kind)
        .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
        .def("__hash__", [](Piece piece) { return int(piece.code); })
        .def(
            "__str__", [](Piece piece) { return symbol(piece); }, "As in FEN: P to K for White, p to k for Black.")
        .def("__repr__",
             [](nb::handle self) { return nb::str("Piece({!r}, {!r})").format(self.attr("color"), self.attr("kind")); })
        .def("__getstate__", [](Piece piece) { return std::pair(int(piece.color()), int(piece.kind())); })
        .def("__setstate__", [](Piece& self, std::pair<int, int> state) {
            new (&self) Piece(Color(state.first & 1), Kind(std::min(state.second & 7, 5)));
        });
}

void add_move(nb::module_& m) {
    nb::class_<Move>(m, "Move",
                     "A move of some position. Positions make them: legal_moves(), move('Nf3').\n\n"
                     ">>> from okapi import Position\n"
                     ">>> move = Position().move('Nf3')\n"
                     ">>> str(move), move.to_square\n"
                     "('g1f3', Square('f3'))\n")
        .def_static("none", &Move::none, "No move: a null move in a game, and where nothing is known.")
        .def_static(
            "from_bits", [](std::uint16_t bits) { return Move(bits); }, "bits"_a,
            "The move that has these bits, wherever it may be legal.")
        .def_prop_ro("from_square", &Move::from)
        .def_prop_ro("to_square", &Move::to, "Where the piece goes; for castling, the rook's square.")
        .def_prop_ro(
            "promotion", [](Move move) { return move.promotes() ? std::optional(move.promotion()) : std::nullopt; },
            "What a pawn becomes, or None.")
        .def_prop_ro("castles", &Move::castles)
        .def_prop_ro("takes_en_passant", [](Move move) { return move.type() == MoveType::EnPassant; })
        .def_prop_ro(
            "bits", [](Move move) { return int(move.bits); }, "The move in 16 bits: how games are packed.")
        .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"))
        .def("__hash__", [](Move move) { return int(move.bits); })
        .def(
            "__str__", [](Move move) { return to_uci(move); }, "As in UCI.")
        .def("__repr__", [](Move move) { return "<Move " + to_uci(move) + ">"; })
        .def("__getstate__", [](Move move) { return int(move.bits); })
        .def("__setstate__", [](Move& self, int bits) { new (&self) Move(std::uint16_t(bits)); });
}

}  // namespace

void add_types(nb::module_& m) {
    add_enums(m);
    add_square(m);
    add_piece(m);
    add_move(m);
}

}  // namespace okapi::bindings
