// Evaluators over many positions at once. okapi.core.evaluation makes the arrays.
#include <algorithm>

#include "okapi/eval/brain.h"
#include "okapi/eval/linear/more_factors.h"
#include "okapi/eval/mlp/mlp.h"
#include "okapi/selfplay/labelling.h"
#include "okapi/utils/parallel.h"
#include "packed.h"
#include "python_evaluator.h"

namespace okapi::bindings {

namespace {

using Choices = nb::ndarray<std::uint16_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Opinions = nb::ndarray<std::int32_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Answers = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FactorRows = nb::ndarray<std::int32_t, nb::shape<-1, kAllFactors>, nb::c_contig, nb::device::cpu>;

// Positions in one batch of an evaluator.
constexpr std::size_t kAtOnce = 256;

void choose_moves(const std::vector<const Evaluator*>& evaluators, const Rows& rows, const Choices& chosen, int depth,
                  const std::vector<std::string>& without, int threads) {
    if (chosen.shape(0) != evaluators.size() || chosen.shape(1) != rows.shape(0))
        throw nb::value_error("the array to write to has another shape");
    static_assert(sizeof(Move) == sizeof(std::uint16_t));
    const std::span<Move> moves(reinterpret_cast<Move*>(chosen.data()), chosen.size());
    const ChoiceOptions options{depth, heuristics(without), threads};
    with_functions(evaluators, [&] {
        nb::gil_scoped_release release;
        okapi::choose_moves(evaluators, packed_rows(rows), options, moves);
    });
}

void evaluate_positions(const std::vector<const Evaluator*>& evaluators, const Rows& rows, const Opinions& out,
                        int threads) {
    const std::size_t count = rows.shape(0);
    if (out.shape(0) != evaluators.size() || out.shape(1) != count)
        throw nb::value_error("the array to write to has another shape");
    with_functions(evaluators, [&] {
        nb::gil_scoped_release release;
        parallel_ranges(count, threads, [&](std::size_t begin, std::size_t end) {
            std::vector<std::unique_ptr<Evaluator>> judges;
            for (const Evaluator* evaluator : evaluators) judges.push_back(evaluator->clone());
            for (std::size_t n = begin; n < end; n += kAtOnce) {
                std::vector<Position> some;
                for (std::size_t i = n; i < std::min(n + kAtOnce, end); ++i)
                    some.push_back(unpack(packed_rows(rows), i));
                for (std::size_t i = 0; i < judges.size(); ++i)
                    std::ranges::copy(judges[i]->values(some), out.data() + i * count + n);
            }
        });
    });
}

// Of an evaluator for which count_outputs() is not 0.
void network_answers(const Evaluator& evaluator, const Rows& rows, const Answers& out, int threads) {
    const auto& network = dynamic_cast<const Mlp&>(evaluator);
    const std::size_t outputs = network.outputs();
    if (out.shape(0) != rows.shape(0) || out.shape(1) != outputs)
        throw nb::value_error("the array to write to has another shape");
    nb::gil_scoped_release release;
    parallel_ranges(rows.shape(0), threads, [&](std::size_t begin, std::size_t end) {
        Mlp clone(network);
        for (std::size_t n = begin; n < end; ++n) {
            const Position position = unpack(packed_rows(rows), n);
            clone.reset(position);
            std::ranges::copy(clone.answer(position.turn()), out.data() + n * outputs);
        }
    });
}

int count_outputs(const Evaluator& evaluator) {
    const auto* network = dynamic_cast<const Mlp*>(&evaluator);
    return network ? int(network->outputs()) : 0;
}

void position_factors(const Rows& rows, const FactorRows& out, int threads) {
    if (out.shape(0) != rows.shape(0)) throw nb::value_error("the array to write to has another shape");
    nb::gil_scoped_release release;
    parallel_ranges(rows.shape(0), threads, [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            const Position position = unpack(packed_rows(rows), n);
            const AllFactors ours = all_factors(position, position.turn());
            const AllFactors theirs = all_factors(position, ~position.turn());
            for (std::size_t i = 0; i < kAllFactors; ++i) out.data()[n * kAllFactors + i] = ours[i] - theirs[i];
        }
    });
}

std::vector<std::string_view> factor_names() {
    std::vector<std::string_view> names(kFactorNames.begin(), kFactorNames.end());
    names.insert(names.end(), kMoreFactorNames.begin(), kMoreFactorNames.end());
    return names;
}

}  // namespace

void add_evaluation(nb::module_& m) {
    m.def("choose_moves", &choose_moves, "evaluators"_a, "rows"_a, "chosen"_a, nb::kw_only(), "depth"_a, "without"_a,
          "threads"_a, "Write Move.bits of what each evaluator chooses in each packed position.");
    m.def("evaluate_positions", &evaluate_positions, "evaluators"_a, "rows"_a, "out"_a, "threads"_a,
          "Write what each evaluator thinks of each packed position: centipawns for the side to move.");
    m.def("count_outputs", &count_outputs, "evaluator"_a, "Of a network that the core thinks with; 0 of others.");
    m.def("network_answers", &network_answers, "evaluator"_a, "rows"_a, "out"_a, "threads"_a,
          "Write what a network itself says about each packed position.");
    m.def("position_factors", &position_factors, "rows"_a, "out"_a, "threads"_a,
          "Write the factors of each packed position: the side to move's less the other's.");
    m.def("factor_names", &factor_names, "What linear brains weigh, in the order of their tensors.");
}

}  // namespace okapi::bindings
