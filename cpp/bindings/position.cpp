// Position: play() checks and throws, try_play() checks and returns false, play_unchecked() does not check.
#include "bindings.h"
#include "okapi/chess/ending.h"
#include "okapi/chess/perft.h"

namespace okapi::bindings {

namespace {

// The wording of errors is Python's business.
[[noreturn]] void explain(const char* function, const Position& position, nb::handle about) {
    const nb::object module = nb::module_::import_("okapi.core.move_errors");
    const nb::object error = module.attr(function)(nb::cast(position), about);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw nb::python_error();
}

std::optional<Move> parse(const Position& position, std::string_view text) {
    if (const std::optional<Move> move = parse_uci(position, text)) return move;
    return parse_san(position, text);
}

Move read_move(const Position& position, nb::str text) {
    const std::optional<Move> move = parse(position, nb::cast<std::string_view>(text));
    if (!move) explain("unreadable", position, text);
    return *move;
}

std::optional<Move> trusted_move(const Position& position, nb::handle move) {
    if (nb::isinstance<nb::str>(move)) return parse(position, nb::cast<std::string_view>(move));
    const Move candidate = nb::cast<Move>(move);
    return position.is_legal(candidate) ? std::optional(candidate) : std::nullopt;
}

Move undo(Position& position) {
    if (position.plies() == 0) throw nb::index_error("no move to take back");
    const Move move = position.last_move();
    position.last_was_pass() ? position.unpass() : position.undo();
    return move;
}

std::pair<Position, std::vector<Move>> rewound(const Position& position) {
    Position start = position;
    std::vector<Move> moves;
    while (start.plies() > 0) moves.push_back(undo(start));
    return {start, {moves.rbegin(), moves.rend()}};
}

void replay(Position& position, const std::vector<Move>& moves) {
    for (Move move : moves) {
        if (!move.exists()) {
            position.pass();
        } else {
            if (!position.is_legal(move)) throw nb::value_error("the pickled game has an illegal move");
            position.play(move);
        }
    }
}

std::vector<Move> as_vector(const MoveList& moves) { return {moves.begin(), moves.end()}; }

// Counts root move by root move, so that Ctrl-C works in between.
std::vector<std::pair<Move, std::uint64_t>> divide(const Position& position, int depth) {
    if (depth < 1) throw nb::value_error("the depth of a divided perft is 1 or more");
    nb::gil_scoped_release release;
    Position scratch = position;
    std::vector<std::pair<Move, std::uint64_t>> counts;
    for (Move move : legal_moves(position)) {
        scratch.play(move);
        counts.emplace_back(move, perft(scratch, depth - 1));
        scratch.undo();
        check_signals();
    }
    return counts;
}

std::uint64_t count(const Position& position, int depth) {
    if (depth < 0) throw nb::value_error("the depth of a perft is 0 or more");
    if (depth < 5) {
        nb::gil_scoped_release release;
        Position scratch = position;
        return perft(scratch, depth);
    }
    std::uint64_t nodes = 0;
    for (const auto& [move, leaves] : divide(position, depth)) nodes += leaves;
    return nodes;
}

std::optional<std::string_view> ending_name(const Position& position) {
    const std::optional<Ending> end = ending(position);
    return end ? std::optional(name(*end)) : std::nullopt;
}

bool is_over(const Position& position, Ending wanted) { return ending(position) == wanted; }

bool is_draw(const Position& position) {
    const std::optional<Ending> end = ending(position);
    return end && *end != Ending::Checkmate;
}

std::string_view result_name(const Position& position) {
    const std::optional<Ending> end = ending(position);
    return end ? name(result(position, *end)) : "*";
}

std::string drawing(const Position& position) {
    std::string text;
    for (int rank = 7; rank >= 0; --rank) {
        for (int file = 0; file < 8; ++file) {
            const Piece piece = position.at(Square(File(file), Rank(rank)));
            text += file == 0 ? "" : " ";
            text += piece.exists() ? nb::cast<std::string>(nb::str(nb::cast(piece))) : ".";
        }
        text += rank == 0 ? "" : "\n";
    }
    return text;
}

std::vector<std::pair<Square, Piece>> pieces(const Position& position) {
    std::vector<std::pair<Square, Piece>> list;
    for (Square square : squares(position.pieces())) list.emplace_back(square, position.at(square));
    return list;
}

using Class = nb::class_<Position>;

void add_text(Class& c) {
    c.def(
         "__init__",
         [](Position* self, std::optional<std::string_view> fen) {
             new (self) Position(fen ? Position::from_fen(*fen) : Position::start());
         },
         "fen"_a = nb::none(), "The position of a FEN, as from_fen() reads it; without one, the start of the game.")
        .def_static("start", &Position::start, "The position every game of standard chess begins with.")
        .def_static(
            "from_fen", &Position::from_fen, "fen"_a,
            "Read FEN, X-FEN or Shredder-FEN; counters may be missing. InvalidFen names the field that is wrong.")
        .def("fen", &Position::fen, "shredder"_a = false, "Write FEN; castling rights as files if `shredder`.")
        .def("move", &read_move, "text"_a,
             "The legal move that is written so, in SAN or UCI: InvalidMove, IllegalMove.")
        .def(
            "san", [](const Position& p, nb::handle move) { return to_san(p, checked_move(p, move)); }, "move"_a,
            nb::sig("def san(self, move: Move | str) -> str"), "Write a legal move as people do: Nbxd7+.")
        .def(
            "uci",
            [](const Position& p, Move move, std::optional<bool> chess960) {
                return to_uci(move, chess960.value_or(p.is_chess960()));
            },
            "move"_a, "chess960"_a = nb::none(),
            "Write a move as programs do: e2e4; castling as the king taking its rook in Chess960.")
        .def("__str__", &drawing)
        .def("__repr__", [](const Position& p) { return "Position('" + p.fen() + "')"; });
}

void add_looking(Class& c) {
    c.def_prop_ro("turn", &Position::turn, "The side to move.")
        .def(
            "at",
            [](const Position& p, Square square) {
                return p.at(square).exists() ? std::optional(p.at(square)) : std::nullopt;
            },
            "square"_a, "The piece on a square, or None.")
        .def("pieces", &pieces, "All pieces with their squares, from a1 to h8.")
        .def("king", &Position::king, "color"_a)
        .def("can_castle", &Position::can_castle, "color"_a, "wing"_a, "Is the right to castle there still unspent?")
        .def("is_chess960", &Position::is_chess960, "Has it castling rights that standard chess does not know?")
        .def_prop_ro(
            "en_passant",
            [](const Position& p) { return p.en_passant().exists() ? std::optional(p.en_passant()) : std::nullopt; },
            "The square behind a pawn that just moved two squares, if taking it is legal.")
        .def_prop_ro("halfmove_clock", &Position::halfmove_clock, "Plies since the last capture or pawn move.")
        .def_prop_ro("fullmove_number", &Position::fullmove_number)
        .def_prop_ro("key", &Position::key, "The Polyglot key.")
        .def_prop_ro("plies", &Position::plies, "Moves played since the position was set up.")
        .def(
            "history", [](const Position& p) { return rewound(p).second; }, "The moves played since it was set up.")
        .def("origin", [](const Position& p) { return rewound(p).first; }, "The position as it was set up.");
}

void add_moves(Class& c) {
    c.def("legal_moves", [](const Position& p) { return as_vector(legal_moves(p)); })
        .def(
            "is_legal", [](const Position& p, Move move) { return p.is_legal(move); }, "move"_a)
        .def(
            "is_capture", [](const Position& p, nb::handle m) { return p.is_capture(checked_move(p, m)); }, "move"_a,
            nb::sig("def is_capture(self, move: Move | str) -> bool"))
        .def(
            "gives_check", [](const Position& p, nb::handle m) { return p.gives_check(checked_move(p, m)); }, "move"_a,
            nb::sig("def gives_check(self, move: Move | str) -> bool"))
        .def(
            "see", [](const Position& p, nb::handle m) { return p.see(checked_move(p, m)); }, "move"_a,
            nb::sig("def see(self, move: Move | str) -> int"),
            "What the best exchange on the target square, begun by this move, wins in centipawns.")
        .def(
            "play",
            [](Position& p, nb::handle m) {
                const Move move = checked_move(p, m);
                p.play(move);
                return move;
            },
            "move"_a, nb::sig("def play(self, move: Move | str) -> Move"),
            "Play a move, or its text. Checks; IllegalMove lists the legal ones.")
        .def(
            "try_play",
            [](Position& p, nb::handle m) {
                const std::optional<Move> move = trusted_move(p, m);
                if (move) p.play(*move);
                return move.has_value();
            },
            "move"_a, nb::sig("def try_play(self, move: Move | str) -> bool"), "Play a move if it is legal. Was it?")
        .def("play_unchecked", &Position::play, "move"_a,
             "Play a move that legal_moves() gave: no check, no promise about any other.")
        .def(
            "after",
            [](const Position& p, nb::handle m) {
                Position next = p;
                next.play(checked_move(p, m));
                return next;
            },
            "move"_a, nb::sig("def after(self, move: Move | str) -> Position"), "The position a legal move leads to.")
        .def("undo", &undo, "Take the last move back and say which it was.")
        .def(
            "pass_turn",
            [](Position& p) {
                if (p.in_check()) throw nb::value_error("a side in check cannot pass");
                p.pass();
            },
            "The side to move does nothing; undo() takes it back.")
        .def("perft", &count, "depth"_a, "Count the leaves of the tree of legal moves.")
        .def("perft_divide", &divide, "depth"_a, "The same, for each move.");
}

void add_endings(Class& c) {
    c.def("is_check", &Position::in_check)
        .def("is_checkmate", [](const Position& p) { return is_over(p, Ending::Checkmate); })
        .def("is_stalemate", [](const Position& p) { return is_over(p, Ending::Stalemate); })
        .def("is_insufficient_material", &Position::is_insufficient_material,
             "Can neither side ever mate, whatever is played?")
        .def("is_fifty_moves", &Position::is_fifty_moves, "Fifty moves without a capture or pawn move, no mate.")
        .def("repetitions", &Position::earlier_occurrences, "How often this position stood before in the game.")
        .def("is_draw", &is_draw, "Drawn: stalemate, no mating material, fifty moves, or standing for the third time.")
        .def("ending", &ending_name,
             "Why the game is over: checkmate, stalemate, insufficient material, fifty moves, threefold repetition.")
        .def("result", &result_name, "1-0, 0-1, 1/2-1/2, or * while the game goes on.");
}

void add_python(Class& c) {
    c.def(
         "to_chess",
         [](nb::handle self, nb::handle chess960) {
             return nb::module_::import_("okapi.core.interop").attr("to_chess")(self, chess960);
         },
         "chess960"_a = nb::none(), nb::sig("def to_chess(self, chess960: bool | None = None) -> chess.Board"),
         "The same game so far as python-chess has it. It asks whether a game is Chess960; if not told, we look.")
        .def_static(
            "from_chess",
            [](nb::handle board) { return nb::module_::import_("okapi.core.interop").attr("from_chess")(board); },
            "board"_a, nb::sig("def from_chess(board: chess.Board) -> Position"),
            "The game so far of a python-chess board, moves included.")
        .def(
            "_repr_svg_",
            [](nb::handle self) { return nb::module_::import_("okapi.core.interop").attr("to_svg")(self); },
            nb::sig("def _repr_svg_(self) -> str"), "The board as a picture; notebooks show it.")
        .def("copy", [](const Position& p) { return p; })
        .def("__copy__", [](const Position& p) { return p; })
        .def(
            "__deepcopy__", [](const Position& p, nb::handle) { return p; }, "memo"_a)
        .def(
            "__eq__",
            [](const Position& p, nb::handle other) {
                return nb::isinstance<Position>(other) && p.fen(true) == nb::cast<const Position&>(other).fen(true);
            },
            nb::sig("def __eq__(self, arg: object, /) -> bool"), "Same FEN, whatever was played before.")
        .def("__hash__",
             [](const Position&) -> int { throw nb::type_error("positions change, so they have no hash: use .key"); })
        .def("__getstate__",
             [](const Position& p) {
                 const auto [start, moves] = rewound(p);
                 return std::pair(start.fen(true), moves);
             })
        .def("__setstate__", [](Position& self, const std::pair<std::string, std::vector<Move>>& state) {
            Position position = Position::from_fen(state.first);
            replay(position, state.second);
            new (&self) Position(std::move(position));
        });
}

}  // namespace

Move checked_move(const Position& position, nb::handle move) {
    if (nb::isinstance<nb::str>(move)) return read_move(position, nb::borrow<nb::str>(move));
    if (!nb::isinstance<Move>(move)) throw nb::type_error("expected a Move or its text");
    const Move candidate = nb::cast<Move>(move);
    if (!position.is_legal(candidate)) explain("illegal", position, move);
    return candidate;
}

void add_position(nb::module_& m) {
    Class c(m, "Position",
            "Squares, side to move, rights, counters, and the moves that led here.\n\n"
            ">>> position = Position('6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1')\n"
            ">>> position.play('Ra8')\n"
            "<Move a1a8>\n"
            ">>> position.ending(), position.result()\n"
            "('checkmate', '1-0')\n");
    add_text(c);
    add_looking(c);
    add_moves(c);
    add_endings(c);
    add_python(c);
}

}  // namespace okapi::bindings
