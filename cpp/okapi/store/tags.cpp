#include "okapi/store/tags.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>

#include "okapi/store/integers.h"

namespace okapi {

// --- Tokens ---------------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kMostShared = 255;  // bytes that a text takes from the one before

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<int> number(std::string_view digits) {
    int value = 0;
    for (char c : digits) {
        if (!is_digit(c)) return std::nullopt;
        value = value * 10 + (c - '0');
    }
    return value;
}

// Two digits up to `most`, or ?? for 0.
std::optional<int> date_part(std::string_view text, int most) {
    if (text == "??") return 0;
    const std::optional<int> value = number(text);
    return value && *value >= 1 && *value <= most ? value : std::nullopt;
}

std::optional<Token> date(std::string_view text) {
    if (text.size() != 10 || text[4] != '.' || text[7] != '.') return std::nullopt;
    const std::optional<int> year = number(text.substr(0, 4));
    const std::optional<int> month = date_part(text.substr(5, 2), 12), day = date_part(text.substr(8, 2), 31);
    if (!year || !month || !day) return std::nullopt;
    return Token(Token::Kind::Date, std::uint32_t((*year * 13 + *month) * 32 + *day));
}

std::string written(Date date) {
    char text[16];
    const int size = std::snprintf(text, sizeof text, "%04d.%02d.%02d", date.year, date.month, date.day);
    std::string result(text, std::size_t(size));
    if (date.month == 0) result.replace(5, 2, "??");
    if (date.day == 0) result.replace(8, 2, "??");
    return result;
}

}  // namespace

std::optional<Token> Token::of(std::string_view text) {
    if (text.empty() || !is_digit(text[0])) return std::nullopt;
    if (text.size() == 10) return date(text);
    if (text.size() > 9 || (text[0] == '0' && text.size() > 1)) return std::nullopt;
    const std::optional<int> value = number(text);
    return value ? std::optional(Token(Kind::Number, std::uint32_t(*value))) : std::nullopt;
}

// --- The table ------------------------------------------------------------------------------------------------------

std::size_t TagTable::groups() const {
    std::size_t most = 0;
    for (const Name& name : names) most = std::max(most, std::size_t(name.group) + 1);
    return most;
}

Token TagTable::player(std::size_t game, std::uint32_t side) const {
    const Token* token = tokens.data() + begin[game];
    for (std::uint32_t name : shapes[shape_of[game]]) {
        if (names[name].group == 0 && names[name].side == side) return *token;
        ++token;
    }
    return {};
}

namespace {

// What was in a group's column so far: the next tag is likely to say the same as the one before or, where it speaks
// about a player, the same as that player's last one.
class Memory {
public:
    Memory(const TagTable& table, std::uint32_t group) : table_(table), about_players_(group != 0) {}

    Token guess(std::size_t game, std::uint32_t side) const {
        if (about_players_ && side != 0)
            if (const auto known = of_player_.find(table_.player(game, side).bits); known != of_player_.end())
                return known->second;
        return history_.empty() ? Token() : history_.back();
    }
    void note(std::size_t game, std::uint32_t side, Token token) {
        history_.push_back(token);
        if (about_players_ && side != 0) of_player_[table_.player(game, side).bits] = token;
    }
    std::size_t size() const { return history_.size(); }
    Token back(std::uint64_t distance) const { return history_[history_.size() - std::size_t(distance)]; }

private:
    const TagTable& table_;
    const bool about_players_;
    std::vector<Token> history_;
    std::unordered_map<std::uint32_t, Token> of_player_;
};

// Codes of a column: 0 as guessed, 1 new, else one more than how far back it stands. What is new is told as the
// difference to the guess.
void write_group(BitWriter& out, TagTable& table, std::uint32_t group) {
    Memory memory(table, group);
    std::unordered_map<std::uint32_t, std::size_t> seen;
    std::vector<std::uint64_t> codes, fresh;
    table.for_each(group, [&](std::size_t game, const TagTable::Name& name, Token token) {
        const Token guess = memory.guess(game, name.side);
        const std::uint64_t difference = zigzag(std::int64_t(token.bits) - std::int64_t(guess.bits));
        const auto [last, is_new] = seen.try_emplace(token.bits, memory.size());
        const std::uint64_t distance = memory.size() - last->second;
        if (token == guess) {
            codes.push_back(0);
        } else if (is_new || std::bit_width(difference) < std::bit_width(distance)) {
            codes.push_back(1);
            fresh.push_back(difference);
        } else {
            codes.push_back(distance + 1);
        }
        last->second = memory.size();
        memory.note(game, name.side, token);
    });
    write_column(out, codes);
    write_column(out, fresh);
}

void read_group(BitReader& in, TagTable& table, std::uint32_t group, std::size_t texts) {
    std::size_t count = 0;
    table.for_each(group, [&](std::size_t, const TagTable::Name&, Token) { ++count; });
    const std::vector<std::uint64_t> codes = read_column(in, count, count);
    const std::size_t news = std::size_t(std::count(codes.begin(), codes.end(), 1));
    const std::vector<std::uint64_t> fresh = read_column(in, news, std::uint64_t(1) << 33);
    Memory memory(table, group);
    auto code = codes.begin();
    auto next = fresh.begin();
    table.for_each(group, [&](std::size_t game, const TagTable::Name& name, Token& token) {
        if (*code > memory.size() + 1) throw InvalidStore("a tag is said to stand before the first");
        token = *code < 2 ? memory.guess(game, name.side) : memory.back(*code - 1);
        if (*code == 1) token.bits = std::uint32_t(std::int64_t(token.bits) + unzigzag(*next++));
        if (token.kind() == Token::Kind::Text && token.what() >= texts) throw InvalidStore("a tag has no such text");
        if (std::uint32_t(token.kind()) > 2) throw InvalidStore("a tag is of no kind");
        ++code;
        memory.note(game, name.side, token);
    });
}

// White and Black share the players' column, WhiteElo and BlackElo another; all other tags have one of their own.
std::vector<TagTable::Name> grouped(const std::vector<std::string_view>& texts,
                                    const std::vector<std::uint32_t>& names) {
    std::map<std::pair<bool, std::string_view>, std::uint32_t> groups = {{{true, ""}, 0}};
    std::vector<TagTable::Name> result;
    for (std::uint32_t text : names) {
        std::string_view name = texts[text];
        const std::uint32_t side = name.starts_with("White") ? 1 : name.starts_with("Black") ? 2 : 0;
        if (side) name.remove_prefix(5);
        const auto [group, is_new] = groups.try_emplace({side != 0, name}, std::uint32_t(groups.size()));
        result.push_back({text, group->second, side});
    }
    return result;
}

// In the order of the alphabet, each as what it does not share with the one before.
void write_texts(Bytes& out, const std::vector<std::string_view>& texts) {
    append_varint(out, texts.size());
    std::string_view before;
    for (std::string_view text : texts) {
        const std::size_t most = std::min({before.size(), text.size(), kMostShared});
        const auto parting = std::mismatch(text.begin(), text.begin() + std::ptrdiff_t(most), before.begin()).first;
        const std::size_t shared = std::size_t(parting - text.begin());
        append_varint(out, shared);
        append_varint(out, text.size() - shared);
        append(out, bytes_of(text.substr(shared)));
        before = text;
    }
}

template <class Range, class Member> void write_members(BitWriter& out, const Range& range, Member member) {
    std::vector<std::uint64_t> column;
    for (const auto& element : range) column.push_back(member(element));
    write_column(out, column);
}

void write_table(BitWriter& out, TagTable& table) {
    out.write(table.names.size(), 32);
    write_members(out, table.names, [](const auto& name) { return name.text; });
    write_members(out, table.names, [](const auto& name) { return name.group; });
    write_members(out, table.names, [](const auto& name) { return name.side; });
    out.write(table.shapes.size(), 32);
    write_members(out, table.shapes, [](const auto& shape) { return shape.size(); });
    std::vector<std::uint32_t> all;
    for (const auto& shape : table.shapes) all.insert(all.end(), shape.begin(), shape.end());
    write_column(out, std::vector<std::uint64_t>(all.begin(), all.end()));
    write_column(out, std::vector<std::uint64_t>(table.shape_of.begin(), table.shape_of.end()));
    for (std::uint32_t group = 0; group < table.groups(); ++group) write_group(out, table, group);
}

std::size_t read_count(BitReader& in, std::size_t most) {
    const std::uint64_t count = in.read(32);
    if (count > most) throw InvalidStore("there are too many tags");
    return std::size_t(count);
}

void read_names(BitReader& in, TagTable& table, std::size_t texts) {
    const std::size_t count = read_count(in, texts);
    if (count == 0) texts = 1;
    const std::vector<std::uint64_t> text = read_column(in, count, texts - 1), group = read_column(in, count, count),
                                     side = read_column(in, count, 2);
    for (std::size_t i = 0; i < count; ++i)
        table.names.push_back({std::uint32_t(text[i]), std::uint32_t(group[i]), std::uint32_t(side[i])});
}

void read_shapes(BitReader& in, TagTable& table, std::size_t games) {
    const std::size_t count = read_count(in, games);
    const std::vector<std::uint64_t> sizes = read_column(in, count, table.names.empty() ? 0 : kMostTags);
    std::size_t total = 0;
    for (std::uint64_t size : sizes) total += std::size_t(size);
    const std::vector<std::uint64_t> all = read_column(in, total, table.names.empty() ? 0 : table.names.size() - 1);
    auto next = all.begin();
    for (std::uint64_t size : sizes) {
        table.shapes.emplace_back(next, next + std::ptrdiff_t(size));
        next += std::ptrdiff_t(size);
    }
    const std::vector<std::uint64_t> shape_of = read_column(in, games, count == 0 ? 0 : count - 1);
    if (games > 0 && count == 0) throw InvalidStore("games have no tags, not even none");
    table.shape_of.assign(shape_of.begin(), shape_of.end());
}

// Where each game's tokens begin; returns where they end.
std::size_t lay_out(TagTable& table) {
    std::size_t end = 0;
    for (std::uint32_t shape : table.shape_of) {
        table.begin.push_back(end);
        end += table.shapes[shape].size();
    }
    return end;
}

}  // namespace

// --- Writing --------------------------------------------------------------------------------------------------------

std::uint32_t TagWriter::text(std::string_view value) {
    if (const auto known = texts_.find(value); known != texts_.end()) return known->second;
    const std::uint32_t number = std::uint32_t(texts_.size());
    texts_.emplace(value, number);
    return number;
}

void TagWriter::add(const std::vector<GameRecord::Tag>& tags) {
    if (tags.size() > kMostTags)
        throw std::invalid_argument("a game has " + std::to_string(tags.size()) + " tags: the store keeps at most " +
                                    std::to_string(kMostTags));
    const std::size_t before = tokens_.size() - last_.size();
    const auto same_name = [](const auto& a, const auto& b) { return a.first == b.first; };
    const bool same_shape =
        !shape_of_.empty() && std::equal(tags.begin(), tags.end(), last_.begin(), last_.end(), same_name);
    if (same_shape) {
        shape_of_.push_back(shape_of_.back());
    } else {
        Shape shape;
        for (const auto& [name, value] : tags) shape.push_back(text(name));
        shape_of_.push_back(shapes_.try_emplace(std::move(shape), std::uint32_t(shapes_.size())).first->second);
    }
    for (std::size_t i = 0; i < tags.size(); ++i) {
        const std::string& value = tags[i].second;
        if (same_shape && value == last_[i].second) {
            tokens_.push_back(tokens_[before + i]);
        } else {
            const std::optional<Token> plain = Token::of(value);
            tokens_.push_back(plain ? *plain : Token(Token::Kind::Text, text(value)));
        }
    }
    last_ = tags;
}

Bytes TagWriter::take() {
    // Texts are numbered as they come; the block numbers them as it lists them.
    std::vector<std::string_view> texts;
    for (const auto& [value, number] : texts_) texts.push_back(value);
    std::sort(texts.begin(), texts.end());
    std::vector<std::uint32_t> listed(texts.size());
    for (std::uint32_t i = 0; i < texts.size(); ++i) listed[texts_.find(texts[i])->second] = i;

    TagTable table;
    table.shape_of = std::move(shape_of_);
    table.shapes.resize(shapes_.size());
    std::vector<std::uint32_t> names;
    std::unordered_map<std::uint32_t, std::uint32_t> name_of;
    std::vector<const Shape*> shapes(shapes_.size());
    for (const auto& [shape, number] : shapes_) shapes[number] = &shape;
    for (std::size_t i = 0; i < shapes.size(); ++i)
        for (std::uint32_t text : *shapes[i]) {
            const auto [name, is_new] = name_of.try_emplace(listed[text], std::uint32_t(names.size()));
            if (is_new) names.push_back(name->first);
            table.shapes[i].push_back(name->second);
        }
    table.names = grouped(texts, names);
    table.tokens = std::move(tokens_);
    for (Token& token : table.tokens)
        if (token.kind() == Token::Kind::Text) token = Token(Token::Kind::Text, listed[token.what()]);
    lay_out(table);

    Bytes bytes;
    write_texts(bytes, texts);
    BitWriter bits;
    write_table(bits, table);
    append(bytes, bits.take());
    *this = TagWriter();
    return bytes;
}

// --- Reading --------------------------------------------------------------------------------------------------------

TagReader::TagReader(ByteSpan bytes, std::size_t games) {
    ByteReader in(bytes);
    read_texts(in);
    BitReader bits(in.take(in.left()));
    read_names(bits, table_, texts());
    read_shapes(bits, table_, games);
    table_.tokens.resize(lay_out(table_));
    for (std::uint32_t group = 0; group < table_.groups(); ++group) read_group(bits, table_, group, texts());
}

void TagReader::read_texts(ByteReader& in) {
    const std::uint64_t count = in.varint();
    if (count > in.left()) throw InvalidStore("there are more texts than bytes");
    std::size_t before = 0;  // where the text before begins
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t shared = in.varint();
        const std::size_t begin = all_texts_.size();
        if (shared > std::min(begin - before, kMostShared)) throw InvalidStore("a text shares more than there is");
        const ByteSpan rest = in.take(in.varint());
        all_texts_.append(std::string(all_texts_, before, std::size_t(shared)));
        all_texts_.append(reinterpret_cast<const char*>(rest.data()), rest.size());
        text_ends_.push_back(all_texts_.size());
        before = begin;
    }
}

std::string_view TagReader::text(std::size_t number) const {
    const std::size_t begin = number == 0 ? 0 : text_ends_[number - 1];
    return std::string_view(all_texts_).substr(begin, text_ends_[number] - begin);
}

std::string TagReader::value(Token token) const {
    switch (token.kind()) {
        case Token::Kind::Number:
            return std::to_string(token.what());
        case Token::Kind::Date:
            return written(Date(token));
        default:
            return std::string(text(token.what()));
    }
}

std::vector<GameRecord::Tag> TagReader::tags(std::size_t game) const {
    std::vector<GameRecord::Tag> tags;
    const Token* token = table_.tokens.data() + table_.begin[game];
    for (std::uint32_t name : table_.shapes[table_.shape_of[game]])
        tags.emplace_back(text(table_.names[name].text), value(*token++));
    return tags;
}

std::optional<Token> TagReader::find(std::size_t game, std::string_view name) const {
    const Token* token = table_.tokens.data() + table_.begin[game];
    for (std::uint32_t index : table_.shapes[table_.shape_of[game]]) {
        if (text(table_.names[index].text) == name) return *token;
        ++token;
    }
    return std::nullopt;
}

}  // namespace okapi
