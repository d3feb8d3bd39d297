// The game store: games in and out one by one, positions, samples and columns by the million.
#include "okapi/store/store.h"

#include <nanobind/ndarray.h>

#include "bindings.h"

namespace okapi::bindings {

namespace {

using Release = nb::call_guard<nb::gil_scoped_release>;
template <class T> using Column = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
template <class T> using Wanted = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T> using Filled = nb::ndarray<std::uint8_t, nb::shape<-1, sizeof(T)>, nb::c_contig, nb::device::cpu>;

template <class T> Column<T> column(std::vector<T> values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* const data = owned->data();
    const std::size_t size = owned->size();
    const nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return Column<T>(data, {size}, owner);
}

// Calls a function of the store without the GIL, and gives its answer as an array.
template <auto function> auto bulk() {
    return [](const Store& store) {
        auto values = [&] {
            nb::gil_scoped_release release;
            return (store.*function)();
        }();
        return column(std::move(values));
    };
}

template <auto function> auto bulk_tag() {
    return [](const Store& store, std::string_view name) {
        auto values = [&] {
            nb::gil_scoped_release release;
            return (store.*function)(name);
        }();
        return column(std::move(values));
    };
}

std::pair<Column<std::int32_t>, std::vector<std::string>> texts(const Store& store, std::string_view name) {
    Store::Texts texts = [&] {
        nb::gil_scoped_release release;
        return store.texts(name);
    }();
    return {column(std::move(texts.index)), std::move(texts.values)};
}

// Fills rows of an array.
template <class T, auto function>
void fill(const Store& store, const Wanted<std::uint32_t>& games, const Wanted<std::uint16_t>& plies,
          const Filled<T>& rows) {
    if (games.size() != plies.size() || games.size() != rows.shape(0))
        throw nb::value_error("games, plies and rows must be equally many");
    if (reinterpret_cast<std::uintptr_t>(rows.data()) % alignof(T) != 0)
        throw nb::value_error("the rows are not aligned");
    nb::gil_scoped_release release;
    (store.*function)({games.data(), games.size()}, {plies.data(), plies.size()},
                      {reinterpret_cast<T*>(rows.data()), rows.shape(0)});
}

std::string_view result_text(const GameRecord& game) { return game.result ? name(*game.result) : "*"; }

std::optional<Result> parse_result(std::string_view text) {
    for (Result result : {Result::BlackWins, Result::Draw, Result::WhiteWins})
        if (name(result) == text) return result;
    if (text == "*") return std::nullopt;
    throw nb::value_error("a result is 1-0, 0-1, 1/2-1/2 or *");
}

void make_game(GameRecord* self, std::vector<GameRecord::Tag> tags, const Position& start, std::vector<Move> moves,
               std::string_view result, std::vector<Centipawns> values, std::vector<Move> best,
               std::vector<std::vector<Move>> lines, std::vector<std::uint32_t> clocks) {
    const std::optional<Result> known = parse_result(result);
    new (self) GameRecord{std::move(tags),   start,           std::move(moves), known,
                          std::move(values), std::move(best), std::move(lines), std::move(clocks)};
}

void add_game(nb::module_& m) {
    nb::class_<GameRecord>(m, "RawGame", "A game as it is read, stored and written. Use okapi.core.Game.")
        .def("__init__", &make_game, nb::kw_only(), "tags"_a, "start"_a, "moves"_a, "result"_a, "values"_a, "best"_a,
             "lines"_a, "clocks"_a)
        .def_ro("tags", &GameRecord::tags)
        .def_ro("start", &GameRecord::start)
        .def_ro("moves", &GameRecord::moves)
        .def_prop_ro("result", &result_text)
        .def_ro("values", &GameRecord::values, "Of each position, in centipawns for the side to move; empty: none.")
        .def_ro("best", &GameRecord::best, "Of each position; empty: none.")
        .def_ro("lines", &GameRecord::lines, "Of each position; empty: none.")
        .def_ro("clocks", &GameRecord::clocks, "Milliseconds left after each move; empty: none.")
        .def_prop_ro(
            "hash", [](const GameRecord& game) { return game_hash(game.start, game.moves); },
            "The same for the same moves from the same start.");
}

void add_store_reader(nb::module_& m) {
    nb::class_<Store>(m, "RawStore", "Reads a game store. Use okapi.data.store.Store.")
        .def(nb::init<const std::string&>(), "path"_a, Release())
        .def("__len__", &Store::size)
        .def("cursor",
             [](const Store& store) {
                 const std::string cursor = store.cursor();
                 return nb::bytes(cursor.data(), cursor.size());
             })
        .def_prop_ro("blocks", [](const Store& store) { return store.map().blocks.size(); })
        .def_prop_ro(
            "tail", [](const Store& store) { return store.map().tail; },
            "Bytes behind the last block: one that was not written to its end.")
        .def("game", &Store::game, "game"_a)
        .def("tag", &Store::tag, "game"_a, "name"_a)
        .def("positions", &fill<PackedPosition, &Store::positions>, "games"_a, "plies"_a, "rows"_a)
        .def("samples", &fill<Sample, &Store::samples>, "games"_a, "plies"_a, "rows"_a)
        .def("hashes", bulk<&Store::hashes>())
        .def("plies", bulk<&Store::all_plies>())
        .def("results", bulk<&Store::results>(), "0 Black won, 1 drawn, 2 White won, -1 unknown.")
        .def("remarks", bulk<&Store::remarks>(), "The sum of 1 for values, 2 clocks, 4 best moves, 8 lines.")
        .def("numbers", bulk_tag<&Store::numbers>(), "name"_a, "A tag of all games as a number; -1: it is none.")
        .def("dates", bulk_tag<&Store::dates>(), "name"_a, "As 20260131, with 00 for ??; -1: it is no date.")
        .def("texts", &texts, "name"_a, "A tag of all games as an index of its values, and those; -1: it is missing.")
        .def("verify", &Store::verify, Release(), "What is wrong with the file, after reading all of it.");
}

void add_store_writer(nb::module_& m) {
    nb::class_<StoreWriter>(m, "RawStoreWriter", "Appends to a game store. Use okapi.data.store.StoreWriter.")
        .def(
            "__init__",
            [](StoreWriter* self, const std::string& path, std::uint32_t games_in_block, bool sync) {
                nb::gil_scoped_release release;
                new (self) StoreWriter(path, {games_in_block, sync});
            },
            "path"_a, nb::kw_only(), "games_in_block"_a = StoreOptions().games_in_block, "sync"_a = false)
        .def("__len__", [](const StoreWriter& writer) { return std::size_t(writer.size()); })
        .def_prop_ro(
            "cursor",
            [](const StoreWriter& writer) { return nb::bytes(writer.cursor().data(), writer.cursor().size()); })
        .def_prop_ro("dropped", &StoreWriter::dropped)
        .def_prop_ro("full", &StoreWriter::full)
        .def("add", &StoreWriter::add, "game"_a)
        .def(
            "flush",
            [](StoreWriter& writer, const nb::bytes& cursor) {
                const std::string_view text(cursor.c_str(), cursor.size());
                nb::gil_scoped_release release;
                writer.flush(text);
            },
            "cursor"_a);
}

}  // namespace

void add_store(nb::module_& m) {
    add_game(m);
    add_store_reader(m);
    add_store_writer(m);
}

}  // namespace okapi::bindings
