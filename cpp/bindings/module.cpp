// The module okapi.core._core: the only C++ that knows Python.
#include "bindings.h"

NB_MODULE(_core, m) {
    m.doc() = "Rules, evaluators and search, in C++. Use it through okapi.core.";
    nb::set_leak_warnings(false);  // what still lives when Python ends is no news to a user
    m.attr("version") = OKAPI_VERSION;
    okapi::bindings::add_errors(m);
    okapi::bindings::add_types(m);
    okapi::bindings::add_position(m);
    okapi::bindings::add_evaluators(m);
    okapi::bindings::add_priors(m);
    okapi::bindings::add_search(m);
    okapi::bindings::add_trees(m);
    okapi::bindings::add_match(m);
    okapi::bindings::add_store(m);
    okapi::bindings::add_pgn(m);
    okapi::bindings::add_packed(m);
    okapi::bindings::add_legal(m);
    okapi::bindings::add_keys(m);
    okapi::bindings::add_samples(m);
    okapi::bindings::add_labelling(m);
    okapi::bindings::add_encodings(m);
    okapi::bindings::add_evaluation(m);
    okapi::bindings::add_tdleaf(m);
    okapi::bindings::add_walks(m);
    okapi::bindings::add_generation(m);
    okapi::bindings::add_time_network(m);
    okapi::bindings::add_networks(m);
    okapi::bindings::add_handicap(m);
    okapi::bindings::add_tablebase(m);
}
