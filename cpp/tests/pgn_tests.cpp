// PGN in every dialect, in and out again; an error in a game is reported and does not affect others.
#include "check.h"
#include "okapi/chess/text.h"
#include "okapi/pgn/reader.h"
#include "okapi/pgn/writer.h"
#include "pgn_games.h"

using namespace okapi;
using namespace okapi::tests;

namespace {

// The moves in UCI with blanks between, or the complaint.
std::string moves(std::string_view text) {
    const Read read = read_pgn(text);
    if (!read.complaints.empty()) return read.complaints[0].reason;
    if (read.games.size() != 1) return std::to_string(read.games.size()) + " games";
    std::string moves;
    for (Move move : read.games[0].moves) moves += (moves.empty() ? "" : " ") + to_uci(move);
    return moves;
}

std::string complaint(std::string_view text) {
    const Read read = read_pgn(text);
    return read.complaints.empty() ? "" : read.complaints[0].reason;
}

std::string result(std::string_view text) {
    const Read read = read_pgn(text);
    if (read.games.size() != 1) return "no game";
    return read.games[0].result ? std::string(name(*read.games[0].result)) : "*";
}

std::string tag(const GameRecord& game, std::string_view name) {
    for (const auto& [key, value] : game.tags)
        if (key == name) return value;
    return "none";
}

std::string tag(std::string_view text, std::string_view name) {
    const Read read = read_pgn(text);
    return read.games.empty() ? "no game" : tag(read.games[0], name);
}

GameRecord only_game(std::string_view text) {
    const Read read = read_pgn(text);
    CHECK_EQUAL(1u, read.games.size());
    return read.games.empty() ? GameRecord{} : read.games[0];
}

constexpr const char* kItalian = "e2e4 e7e5 g1f3 b8c6 f1c4";
constexpr const char* kPromotion = "[FEN \"8/P6k/8/3pP3/8/8/8/4K3 w - d6 0 1\"]\n";

}  // namespace

TEST(moves_are_read_in_any_spelling) {
    for (const char* text : {"1. e4 e5 2. Nf3 Nc6 3. Bc4 *",
                             "1.e4 e5 2.Nf3 Nc6 3.Bc4",
                             "e4 e5 Nf3 Nc6 Bc4",
                             "1 e4 e5 2 Nf3 Nc6 3 Bc4",
                             "1. e4 1... e5 2. Nf3 2... Nc6 3. Bc4",
                             "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 3. Bf1-c4",
                             "1. e2e4 e7e5 2. g1f3 b8c6 3. f1c4",
                             "1. Pe4 Pe5 2. Ngf3 Nbc6 3. Bfc4",
                             "1. e4 e5 2. nf3 nc6 3. bc4",
                             "1. e4! e5?! 2. Nf3!! $1 $12 Nc6 $146 3. Bc4+-",
                             "1. e4 {x} e5 {[%cal e2e4]} 2. Nf3 ; Nc6?\n Nc6 3. Bc4",
                             "1. e4 (1. d4 d5 (1... f5 {)} 2. g3) 2. c4) e5 2. Nf3 Nc6 (2... d6 ; ) \n) 3. Bc4",
                             "1. e4 e5 2. ♘f3 ♞c6 3. ♗c4",
                             "1. e4 e5 2. Sf3 Sc6 3. Lc4",
                             "1. e4 e5 2. Cf3 Cc6 3. Fc4",
                             "1. e4 e5 2. Cf3 Cc6 3. Ac4",
                             "1. e4 e5 2. Кf3 Кc6 3. Сc4",
                             "1. e4 e5\t2.Nf3\r\nNc6\r\n% 4. nothing\r\n3.Bc4",
                             "1... e4 e5 ... Nf3 N Nc6 = 3. Bc4 mate",
                             "1. e4∞ e5± 2. Nf3+/- ± Nc6 3. Bc4⩲"})
        CHECK_EQUAL(std::string(kItalian), moves(std::string("[White \"x\"]\n[Result \"*\"]\n\n") + text + "\n"));
}

TEST(promotions_and_en_passant_are_read_in_any_spelling) {
    for (const char* text : {"a8=Q", "a8Q", "a8(Q)", "a8/Q", "a8=q", "a7a8q", "a7-a8=Q+", "a8=Q!"})
        CHECK_EQUAL(std::string("a7a8q"), moves(std::string(kPromotion) + "1. " + text + " 1-0"));
    for (const char* text :
         {"exd6", "exd6ep", "exd6e.p.", "exd6 e.p.", "ed6", "e5d6", "e5xd6", "eXd6", "e:d6", "exd6+"})
        CHECK_EQUAL(std::string("e5d6"), moves(std::string(kPromotion) + "1. " + text + " 1-0"));
    CHECK_EQUAL(std::string("1. a8 is not legal"), moves(std::string(kPromotion) + "1. a8 1-0"));
}

TEST(castling_is_read_in_any_spelling) {
    const std::string start = "[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\"]\n";
    for (const char* text :
         {"O-O O-O-O", "0-0 0-0-0", "o-o o-o-o", "OO OOO", "e1g1 e8c8", "Ke1-g1 Kc8", "O-O! O-O-O+?"})
        if (std::string(text) != "Ke1-g1 Kc8")
            CHECK_EQUAL(std::string("e1g1 e8c8"), moves(start + text + " *"));
        else
            CHECK_EQUAL(std::string("1... Kc8 is not legal"), moves(start + text + " *"));
}

TEST(chess960_castles_with_the_right_rook) {
    for (const char* rights : {"KQkq", "GBgb"}) {
        const std::string fen = std::string("1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w ") + rights + " - 0 1";
        const GameRecord game = only_game("[Variant \"fischerandom\"]\n[FEN \"" + fen + "\"]\n\n1. O-O O-O-O *");
        CHECK_EQUAL(2u, game.moves.size());
        CHECK(game.moves.size() == 2 && game.moves[0].castles() && game.moves[1].castles());
    }
    CHECK_EQUAL(std::string("Chess960"),
                tag("[FEN \"1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GB - 0 1\"]\n\n1. O-O *", "Variant"));
}

TEST(an_empty_variant_is_filled_in_once) {
    const std::string fen = "[FEN \"1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w GB - 0 1\"]\n";
    const GameRecord game = only_game("[Variant \"\"]\n" + fen + "\n1. O-O *");
    CHECK_EQUAL(1u, game.tags.size());
    CHECK_EQUAL(std::string("Chess960"), tag(game, "Variant"));
    CHECK_EQUAL(std::string("the variant Atomic is not read"),
                complaint("[Variant \"\"]\n[Variant \"Atomic\"]\n\n1. e4"));
}

TEST(null_moves_are_kept) {
    for (const char* null : {"--", "Z0", "null", "@@@@", "0000", "pass"})
        CHECK_EQUAL(std::string("e2e4 0000 d2d4"), moves(std::string("1. e4 ") + null + " 2. d4 *"));
    CHECK_EQUAL(std::string("1... -- is not legal in check"),
                moves("[FEN \"4k3/8/8/8/8/8/8/R3K3 w - - 0 1\"]\n\n1. Ra8+ -- *"));
}

TEST(results_are_found_wherever_they_stand) {
    CHECK_EQUAL(std::string("1-0"), result("1. e4 1-0"));
    CHECK_EQUAL(std::string("0-1"), result("1. e4 0:1"));
    for (const char* draw : {"1/2-1/2", "1/2", "½-½", "\xBD-\xBD", "½"})
        CHECK_EQUAL(std::string("1/2-1/2"), result(std::string("1. e4 ") + draw));
    CHECK_EQUAL(std::string("*"), result("1. e4 *"));
    CHECK_EQUAL(std::string("*"), result("1. e4"));
    CHECK_EQUAL(std::string("1-0"), result("[Result \"1-0\"]\n\n1. e4"));
    CHECK_EQUAL(std::string("1-0"), result("[Result \"1-0\"]\n\n1. e4 *"));
    CHECK_EQUAL(std::string("1-0"), result("[Result \"1-0\"]\n\n1. e4 0-1"));  // the tag counts
    CHECK_EQUAL(std::string("0-1"), result("[Result \"*\"]\n\n1. e4 0-1"));
    CHECK_EQUAL(std::string("1-0"), result("[White \"a\"]\n\n1. e4 {Black resigns}\n"));
    CHECK_EQUAL(std::string("0-1"), result("[White \"a\"]\n\n1. e4 {White forfeits on time}\n"));
    CHECK_EQUAL(std::string("1/2-1/2"), result("[White \"a\"]\n\n1. e4 {Game drawn by mutual agreement}\n"));
    CHECK_EQUAL(std::string("1-0"), result("[Result \"1-0\"]\n\n"));
}

TEST(tags_are_forgiven_much) {
    CHECK_EQUAL(std::string("a \"b\" \\c"), tag("[White \"a \\\"b\\\" \\\\c\"]\n1. e4", "White"));
    CHECK_EQUAL(std::string("the \"big\" one"), tag("[White \"the \"big\" one\"]\n1. e4", "White"));
    for (const char* text :
         {"[White \"abc\n", "[White \"abc]\n", "[White abc]\n", "[white \"abc\"]\n", "[WHITE \t\"abc\" ]\n",
          "\xEF\xBB\xBF[White \"abc\"]\n", "[White\"abc\"]\r", "[White \"abc\"] [Black \"y\"]",
          "[White \"abc\"]\n[White \"def\"]\n", "[White \"?\"]\n[White \"abc\"]\n", "[White \"a\001bc\"]\n"})
        CHECK_EQUAL(std::string("abc"), tag(std::string(text) + "1. e4 *", "White"));
    CHECK_EQUAL(std::string("Müller"), tag("[White \"M\xFCller\"]\n1. e4", "White"));
    CHECK_EQUAL(std::string("Müller"), tag("[White \"Müller\"]\n1. e4", "White"));
    CHECK_EQUAL(std::string("Šarić"), tag("[White \"\x8A"
                                          "ari\xC4\x87\"]\n1. e4",
                                          "White")
                                              .substr(0, 2) +
                                          "arić");
    const GameRecord game = only_game("[Site \"x\"]\n[Odd \"y\"]\n\n[Event \"z\"]\n[SetUp \"0\"]\n1. e4 *");
    CHECK_EQUAL(1u, game.tags.size());
}

TEST(values_and_clocks_are_kept) {
    const GameRecord game = only_game(
        "1. e4 { [%eval 0.31,20] [%clk 0:05:00] } e5 {[%clk 0:04:58.5][%eval -1.5]} 2. Nf3 {[%eval #3]} Nc6 {[%eval "
        "#-2]} "
        "3. Bc4 {[%emt 0:00:01]} *");
    CHECK(game.values == (std::vector<Centipawns>{kNoValue, -31, -150, 3 - kMateValue, 2 - kMateValue, kNoValue}));
    CHECK(game.clocks == (std::vector<std::uint32_t>{300'000, 298'500, kNoClock, kNoClock, kNoClock}));
    CHECK(only_game("{[%eval 0.2]} 1. e4 *").values.size() == 0);  // text before a game without tags is no part of it
    CHECK(only_game("[White \"a\"]\n{[%eval 0.2]} 1. e4 *").values == (std::vector<Centipawns>{20, kNoValue}));
    CHECK_EQUAL(31000, only_game("1. e4 {[%eval -99999.5]} *").values[1]);
}

TEST(starts_are_set_up) {
    const GameRecord game =
        only_game("[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 5 40\"]\n[SetUp \"1\"]\n\n40... Kd7 41. e4 *");
    CHECK_EQUAL(std::string("4k3/8/8/8/8/8/4P3/4K3 b - - 5 40"), game.start.fen());
    CHECK_EQUAL(2u, game.moves.size());
    CHECK_EQUAL(0u, game.tags.size());
}

TEST(several_games_may_share_a_line_or_have_text_between_them) {
    CHECK_EQUAL(3u, read_pgn("1. e4 1-0 1. d4 0-1 1. c4 *").games.size());
    CHECK_EQUAL(2u, read_pgn("[Event \"a\"] 1. e4 1-0 [Event \"b\"] 1. d4 *").games.size());
    CHECK_EQUAL(2u,
                read_pgn("From: me\n\nHere are a4 games:\n\n[Event \"a\"]\n\n1. e4 1-0\n\nand another!\n1.5 hours\n\n"
                         "[Event \"b\"]\n\n1. d4 *\nbye (for now)\n")
                    .games.size());
    CHECK_EQUAL(2u, read_pgn("[Event \"a\"]\n\n1. e4 e5\n[Event \"b\"]\n1. d4 d5").games.size());
    CHECK_EQUAL(2u, read_pgn("e4 e5 1-0\nd4 d5 1-0").games.size());
    CHECK(read_pgn("There is no game here.\n\n12 monkeys (1995)\n").complaints.empty());
    CHECK_EQUAL(0u, read_pgn("").games.size());
}

TEST(what_is_wrong_is_said_with_its_place) {
    const Read read =
        read_pgn("[Event \"a\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. e4\ne5 2. Ke3 *\n\n[Event \"c\"]\n\n1. d4 *\n");
    CHECK_EQUAL(2u, read.games.size());
    CHECK_EQUAL(1u, read.complaints.size());
    CHECK_EQUAL(std::string("2. Ke3 is not legal"), read.complaints[0].reason);
    CHECK_EQUAL(8u, read.complaints[0].line);
    CHECK_EQUAL(52u, read.complaints[0].offset);
    CHECK_EQUAL(std::string("2. Nd2 is ambiguous"),
                complaint("[FEN \"4k3/8/8/8/8/5N2/8/1N2K3 b - - 0 1\"]\n\n1... Kd7 2. Nd2"));
    CHECK_EQUAL(std::string("1. Hello, is no move"), complaint("[Event \"a\"]\n\nHello, world"));
    CHECK_EQUAL(std::string("a comment is never closed"), complaint("[Event \"a\"]\n\n1. e4 { e5"));
    CHECK_EQUAL(std::string("a variation is never closed"), complaint("[Event \"a\"]\n\n1. e4 (1. d4 {)} "));
    CHECK_EQUAL(std::string("the variant Atomic is not read"), complaint("[Variant \"Atomic\"]\n\n1. e4"));
    CHECK_EQUAL(std::string("tags, but no moves and no result"), complaint("[Event \"a\"]\n"));
    CHECK(complaint("[FEN \"nonsense\"]\n\n1. e4").find("FEN is wrong") != std::string::npos);
}

TEST(what_is_never_closed_ends_where_the_next_game_begins) {
    const std::string next =
        "\n\n[Event \"next\"]\n[White \"w\"]\n\n1. d4 {ok} d5 (1... f5) 2. c4 *\n\n[Site \"x\"]\n\n1. c4 *\n";
    for (const char* broken : {"[Event \"a\"]\n\n1. e4 {", "[Event \"a\"]\n\n1. e4 (((", "[Event \"a", "[Event \"a\"]",
                               "[Ev", "1. e4 ; e5", "[Event \"a\"]\n\n1. e4 ({ ) ", "{", "(", "%", "1.",
                               "[Event \"a\"]\n\n1. e4 e5 {[%clk 0:01]", "[Site \"a\"]", "[Event \"a\"]\n\n1. Sf3 Nc6",
                               "[Event \"a\"]\n\n1. e4 <", "[Event \"a\"]\n\n1. e4 e5 2. Bc4 Bc5 1-0 2. Nf3"}) {
        const Read read = read_pgn(broken + next);
        CHECK(read.games.size() >= 2);
        const std::size_t n = read.games.size();
        CHECK_EQUAL(std::string("next"), tag(read.games[n - 2], "Event"));
        CHECK_EQUAL(3u, read.games[n - 2].moves.size());
        CHECK_EQUAL(std::string("x"), tag(read.games[n - 1], "Site"));
    }
}

TEST(games_come_back_as_they_were_written_whatever_the_pieces) {
    Random random(1);
    std::vector<GameRecord> games;
    std::string text;
    for (int i = 0; i < 400; ++i) {
        games.push_back(random_game(random, i));
        write_pgn(games.back(), text);
    }
    for (std::size_t piece : {std::size_t(1), std::size_t(7), std::size_t(1000), text.size()}) {
        const Read read = read_pgn(text, piece);
        CHECK_EQUAL(games.size(), read.games.size());
        CHECK_EQUAL(0u, read.complaints.size());
        for (std::size_t i = 0; i < std::min(games.size(), read.games.size()); ++i)
            CHECK(same(games[i], read.games[i]));
    }
}

TEST(lines_are_wrapped_and_san_is_that_of_position) {
    Random random(2);
    for (int i = 0; i < 100; ++i) {
        GameRecord game = random_game(random, i);
        if (std::count(game.moves.begin(), game.moves.end(), Move::none())) continue;
        game.values.clear();
        game.clocks.clear();
        std::string text, expected;
        write_pgn(game, text);
        for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) CHECK(text.find('\n', at) - at <= 80);
        Position position = game.start;
        bool first = true;
        for (Move move : game.moves) {
            const bool white = position.turn() == Color::White;
            if (white || first) expected += std::to_string(position.fullmove_number()) + (white ? ". " : "... ");
            expected += to_san(position, move) + ' ';
            position.play(move);
            first = false;
        }
        std::string words = text.substr(text.find("\n\n") + 2);
        std::replace(words.begin(), words.end(), '\n', ' ');
        CHECK_EQUAL(expected, words.substr(0, expected.size()));
    }
}

TEST(a_reader_goes_on_where_another_stopped) {
    Random random(3);
    std::string text = "1. e4 1-0 1. d4 0-1 junk\n";
    for (int i = 0; i < 50; ++i) write_pgn(random_game(random, i), text);
    text += "1. e4 e5 1. Nonsense 1. c4 *";
    PgnReader reader;
    reader.feed(text);
    reader.finish();
    std::vector<std::uint64_t> lines;
    const Read all = read_pgn(text);
    for (std::size_t given = 1; reader.next() != PgnReader::Found::Nothing; ++given) {
        PgnReader later(reader.offset(), reader.line());
        later.feed(std::string_view(text).substr(std::size_t(reader.offset())));
        later.finish();
        std::size_t left = 0;
        while (later.next() != PgnReader::Found::Nothing) ++left;
        CHECK_EQUAL(all.games.size() + all.complaints.size() - given, left);
        lines.push_back(later.line());
    }
    for (std::uint64_t line : lines) CHECK_EQUAL(lines[0], line);
}

TEST(nothing_makes_the_reader_grow) {
    const std::string piece(1 << 20, 'x');
    PgnReader reader;
    for (int i = 0; i < 40; ++i) {
        reader.feed(piece);
        CHECK(reader.next() == PgnReader::Found::Nothing);
    }
    reader.feed("\n\n[Event \"a\"]\n\n1. e4 *\n");
    reader.finish();
    CHECK(reader.next() == PgnReader::Found::Complaint);
    CHECK_EQUAL(1u, reader.complaint().line);
    CHECK(reader.next() == PgnReader::Found::Game);
    // Millions of games without tags are no giant.
    std::string games;
    while (games.size() < (1 << 20)) games += "1. e4 e5 2. Nf3 Nc6 1-0\n";
    PgnReader patient;
    std::size_t found = 0;
    for (int i = 0; i < 20; ++i) {
        patient.feed(games);
        while (patient.next() == PgnReader::Found::Game) ++found;
    }
    patient.finish();
    while (patient.next() == PgnReader::Found::Game) ++found;
    CHECK_EQUAL(20 * std::size_t(std::count(games.begin(), games.end(), '\n')), found);
}

int main() { return okapi::tests::run(); }
