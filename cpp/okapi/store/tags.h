// The tags of a block's games: which tags each game has, in which order, and a column of values for each of them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "okapi/chess/game_record.h"
#include "okapi/utils/bytes.h"

namespace okapi {

// The value of a tag: a number or a date, or else the number of a text in the block's list.
// bits 0-29: what it is, 30-31: its kind.
struct Token {
    enum class Kind : std::uint8_t { Text, Number, Date };

    std::uint32_t bits = 0;

    constexpr Token() = default;
    constexpr Token(Kind kind, std::uint32_t what) : bits(std::uint32_t(kind) << 30 | what) {}
    // Numbers without leading zeros and dates like 1999.01.31, 1999.??.?? that can be written back exactly.
    static std::optional<Token> of(std::string_view text);

    constexpr Kind kind() const { return Kind(bits >> 30); }
    constexpr std::uint32_t what() const { return bits & 0x3FFFFFFF; }
    constexpr bool operator==(const Token&) const = default;
};

// A date's parts, 0 where it says ??; what() of its token is (year * 13 + month) * 32 + day.
struct Date {
    int year, month, day;
    explicit Date(Token token)
        : year(int(token.what() / 32 / 13)), month(int(token.what() / 32 % 13)), day(int(token.what() % 32)) {}
};

inline constexpr std::size_t kMostTags = 255;  // of a game

// All tags of a block, its texts apart.
struct TagTable {
    struct Name {
        std::uint32_t text;
        std::uint32_t group;  // names of one group share a column; group 0 is that of the players' names
        std::uint32_t side;   // 0: of the game, 1: of White, 2: of Black
    };
    std::vector<Name> names{};
    std::vector<std::vector<std::uint32_t>> shapes{};  // the names that a game has, in order
    std::vector<std::uint32_t> shape_of{};             // each game's
    std::vector<std::size_t> begin{};                  // of each game's tokens
    std::vector<Token> tokens{};

    std::size_t groups() const;
    // Who a tag of `side` speaks about; one and the same for games that do not say who played.
    Token player(std::size_t game, std::uint32_t side) const;
    // Calls visit(game, name, token) for all tags of a group, in order.
    template <class Visit> void for_each(std::uint32_t group, Visit visit) {
        for (std::size_t game = 0; game < shape_of.size(); ++game) {
            Token* token = tokens.data() + begin[game];
            for (std::uint32_t name : shapes[shape_of[game]]) {
                if (names[name].group == group) visit(game, names[name], *token);
                ++token;
            }
        }
    }
};

class TagWriter {
public:
    // Throws std::invalid_argument for too many tags.
    void add(const std::vector<GameRecord::Tag>& tags);
    // Everything, as it stands in the block. The writer is empty afterwards.
    Bytes take();

private:
    using Shape = std::vector<std::uint32_t>;  // texts of the names

    // Texts by themselves, found without making strings.
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::uint32_t text(std::string_view value);

    std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> texts_;
    std::vector<GameRecord::Tag> last_;  // of the game before: most tags are the same again
    std::map<Shape, std::uint32_t> shapes_;
    std::vector<std::uint32_t> shape_of_;  // each game's
    std::vector<Token> tokens_;            // of all games, one after the other
};

class TagReader {
public:
    TagReader(ByteSpan bytes, std::size_t games);

    std::vector<GameRecord::Tag> tags(std::size_t game) const;
    // Of the first tag with that name.
    std::optional<Token> find(std::size_t game, std::string_view name) const;
    std::string value(Token token) const;
    // All that are used as names or values.
    std::size_t texts() const { return text_ends_.size(); }
    std::string_view text(std::size_t number) const;

private:
    void read_texts(ByteReader& in);
    std::string all_texts_;
    std::vector<std::size_t> text_ends_;
    TagTable table_;
};

}  // namespace okapi
