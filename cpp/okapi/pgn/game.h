// One game of PGN, from text that is in memory as a whole.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "okapi/chess/game_record.h"
#include "okapi/chess/replay.h"
#include "okapi/chess/san.h"
#include "okapi/pgn/tokens.h"

namespace okapi {

class PgnGameParser {
public:
    static constexpr std::size_t kMaxTags = 250;
    static constexpr std::size_t kMaxTagBytes = 1 << 15;
    static constexpr std::size_t kMaxPlies = 12000;  // the rules of 50 moves and of repetition end games long before

    PgnGameParser();

    enum class Found { Game, Trouble, Nothing };
    // Reads the first game of [text, end); *end is NUL. `whole`: no part of it stands behind `end`; if not, a game
    // that does not end before `end` is Nothing, and so is text between games.
    Found parse(const char* text, const char* end, bool whole);

    const GameRecord& record() const { return record_; }
    const char* rest() const { return rest_; }  // behind the game
    // Why it is no game, and where.
    const std::string& reason() const { return reason_; }
    const char* trouble() const { return trouble_; }

private:
    void begin();
    Found finish();

    const char* read_head(const char* text);
    const char* read_tag(const char* text);
    void keep_tag(const char* where, std::string_view name, std::string_view value);
    bool begins_game(const char* text) const;
    void set_up(const char* where);

    const char* read_moves(const char* text, const PieceLetters& letters);
    const char* read_move(const char* text, const PieceLetters& letters);
    const char* read_castling(const char* text);
    const char* read_number(const char* text, const PieceLetters& letters);
    const char* read_word(const char* text, const PieceLetters& letters);
    const char* read_comment(const char* text);
    const char* skip_variation(const char* text);
    const char* skip_line(const char* text) const;
    const char* word_end(const char* text) const;
    void play(Move move);
    void play_word(const char* text, std::string_view word, const PieceLetters& letters);
    void play_null_move(const char* text);
    void complain(const char* where, std::string reason);
    void complain_move(const char* where, std::string_view word, const char* why);
    // Another language may make sense of what English does not.
    const char* read_foreign(const char* moves, const char* rest);
    void forget_moves();
    std::optional<Result> final_result() const;

    GameRecord record_;
    std::size_t tags_ = 0;  // of record_.tags, those of this game; the rest is kept for its memory
    std::string fen_, variant_, result_tag_, scratch_;
    Replay standard_;  // the standard start, ready to be copied
    Replay replay_;
    bool standard_start_ = true;
    const char* begin_ = nullptr;
    const char* end_ = nullptr;
    bool whole_ = true;
    bool ended_ = false;                  // by a result, or by the next game
    bool maybe_foreign_ = false;          // trouble with a capital letter
    std::optional<pgn::Outcome> marker_;  // the result behind the moves
    std::string_view last_comment_;
    std::string reason_;
    const char* trouble_ = nullptr;
    const char* rest_ = nullptr;
};

}  // namespace okapi
