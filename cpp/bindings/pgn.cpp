// Games as they are read, stored and written: records, PGN in and out, and the work of import and export.
#include <nanobind/stl/tuple.h>

#include "bindings.h"
#include "okapi/pgn/reader.h"
#include "okapi/pgn/writer.h"
#include "okapi/store/exporter.h"
#include "okapi/store/filter.h"
#include "okapi/store/importer.h"
#include "okapi/store/names.h"

namespace okapi::bindings {

namespace {

using Release = nb::call_guard<nb::gil_scoped_release>;

std::string_view view(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

template <class Reader> void feed(Reader& reader, const nb::bytes& bytes) {
    const std::string_view text = view(bytes);
    nb::gil_scoped_release release;
    reader.feed(text);
}

using Place = std::tuple<std::uint64_t, std::uint64_t, std::string>;
Place place(const Complaint& complaint) { return {complaint.line, complaint.offset, complaint.reason}; }

// The games of what was fed, and the complaints, in their order.
std::pair<std::vector<GameRecord>, std::vector<Place>> read_all(PgnReader& reader) {
    nb::gil_scoped_release release;
    std::vector<GameRecord> games;
    std::vector<Place> complaints;
    for (PgnReader::Found found; (found = reader.next()) != PgnReader::Found::Nothing;)
        if (found == PgnReader::Found::Game)
            games.push_back(reader.game());
        else
            complaints.push_back(place(reader.complaint()));
    return {std::move(games), std::move(complaints)};
}

std::vector<Place> take_complaints(Importer& importer) {
    std::vector<Place> taken;
    for (const Complaint& complaint : importer.complaints) taken.push_back(place(complaint));
    importer.complaints.clear();
    return taken;
}

void add_filter(nb::module_& m) {
    nb::class_<GameFilter>(m, "RawFilter", "Which games somebody wants. Use okapi.data.game_filter.GameFilter.")
        .def(nb::init<std::optional<int>, std::optional<int>, std::optional<int>, std::optional<int>,
                      std::optional<double>, std::optional<double>, std::size_t, std::size_t, std::uint8_t,
                      std::string>(),
             nb::kw_only(), "min_elo"_a.none(), "max_elo"_a.none(), "since"_a.none(), "until"_a.none(),
             "min_seconds"_a.none(), "max_seconds"_a.none(), "min_plies"_a, "max_plies"_a, "results"_a, "player"_a)
        .def("admits", &GameFilter::admits, "game"_a);
}

void add_pgn_reader(nb::module_& m) {
    nb::class_<PgnReader>(m, "RawPgnReader", "PGN bytes in, games out. Use okapi.data.pgn.read_games.")
        .def(nb::init<>())
        .def("feed", &feed<PgnReader>, "data"_a)
        .def("finish", &PgnReader::finish, "Nothing more will come.")
        .def("read", &read_all, "The games of what was fed, and for each that cannot be read line, offset and reason.");
    m.def(
        "pgn_text",
        [](const GameRecord& game) {
            std::string text;
            write_pgn(game, text);
            return text;
        },
        "game"_a, "The game as PGN, with an empty line behind it.");
    m.def("surname", &surname, "name"_a, "What two spellings of one player's name have in common.");
    m.def("date_number", &read_date, "text"_a, "2024.06.30 as 20240630; None without a year.");
    m.def("time_control_seconds", &read_time_control, "text"_a,
          "Seconds for 40 moves under a TimeControl such as 300+3; None if it says nothing.");
}

void add_importer(nb::module_& m) {
    nb::class_<ImportCounts>(m, "RawImportCounts", "How many games met which fate.")
        .def(nb::init<>())
        .def_rw("games", &ImportCounts::games)
        .def_rw("skipped", &ImportCounts::skipped)
        .def_rw("duplicates", &ImportCounts::duplicates)
        .def_rw("filtered", &ImportCounts::filtered)
        .def_rw("plies", &ImportCounts::plies);
    nb::class_<Importer>(m, "RawImporter", "PGN into a store. Use okapi.data.pgn.import_games.")
        .def(
            "__init__",
            [](Importer* self, const std::string& store, const GameFilter& filter, std::uint32_t games_in_block) {
                StoreOptions options;
                options.games_in_block = games_in_block;
                nb::gil_scoped_release release;
                new (self) Importer(store, filter, options);
            },
            "store"_a, "wanted"_a, nb::kw_only(), "games_in_block"_a)
        .def("begin", &Importer::begin, "offset"_a, "line"_a)
        .def("feed", &feed<Importer>, "data"_a)
        .def("finish", &Importer::finish)
        .def("run", &Importer::run, Release(), "Work until a block has to be flushed, or until all is read: False.")
        .def("flush", &Importer::flush, Release(), "cursor"_a)
        .def("take_complaints", &take_complaints)
        .def_prop_ro("cursor", &Importer::cursor)
        .def_prop_ro("size", &Importer::size)
        .def_prop_ro("offset", &Importer::offset)
        .def_prop_ro("line", &Importer::line)
        .def_rw("counts", &Importer::counts);
}

void add_exporter(nb::module_& m) {
    nb::class_<Exporter>(m, "RawExporter", "A store as PGN. Use okapi.data.pgn.export_games.")
        .def(nb::init<const std::string&, const GameFilter&, std::optional<std::vector<std::uint64_t>>>(), "store"_a,
             "wanted"_a, "numbers"_a.none())
        .def(
            "next",
            [](Exporter& exporter, std::size_t bytes) {
                const std::string* text = nullptr;
                {
                    nb::gil_scoped_release release;
                    text = &exporter.next(bytes);
                }
                return nb::bytes(text->data(), text->size());
            },
            "size"_a, "About so many bytes of PGN; empty when that was all.")
        .def_prop_ro("store_size", &Exporter::store_size, "Games in the store.")
        .def_prop_ro("size", &Exporter::size)
        .def_prop_ro("done", &Exporter::done)
        .def_prop_ro("written", &Exporter::written);
}

}  // namespace

void add_pgn(nb::module_& m) {
    add_filter(m);
    add_pgn_reader(m);
    add_importer(m);
    add_exporter(m);
}

}  // namespace okapi::bindings
