// Playing weaker on purpose.
#include "okapi/uci/handicap.h"

#include "bindings.h"

namespace okapi::bindings {

namespace {

handicap::Level level(int elo) {
    if (elo < handicap::kLowest || elo > handicap::kHighest)
        throw nb::value_error(("a rating is " + std::to_string(handicap::kLowest) + " to " +
                               std::to_string(handicap::kHighest) + ", not " + std::to_string(elo))
                                  .c_str());
    return handicap::level(elo);
}

std::size_t choose(const handicap::Level& level, const Position& position, const std::vector<Line>& lines,
                   std::uint64_t seed) {
    if (lines.empty()) throw nb::value_error("no lines to choose from");
    return handicap::choose(position, lines, level, seed);
}

}  // namespace

void add_handicap(nb::module_& m) {
    m.attr("LOWEST_ELO") = handicap::kLowest;
    m.attr("HIGHEST_ELO") = handicap::kHighest;
    m.def("mate_in_one", &handicap::mate_in_one, "position"_a, "A move that mates at once, or None.");
    nb::class_<handicap::Level>(m, "Handicap", "How a player of some rating thinks, and what it overlooks.")
        .def(
            "__init__", [](handicap::Level* self, int elo) { new (self) handicap::Level(level(elo)); }, "elo"_a)
        .def_ro("nodes", &handicap::Level::nodes)
        .def_ro("lines", &handicap::Level::lines)
        .def_ro("temperature", &handicap::Level::temperature)
        .def_ro("visible_loss", &handicap::Level::visible_loss)
        .def_ro("visible_mate", &handicap::Level::visible_mate)
        .def("choose", &choose, "position"_a, "lines"_a, "seed"_a,
             "Which of the lines, best first, such a player plays. The same seed gives the same choice.");
}

}  // namespace okapi::bindings
