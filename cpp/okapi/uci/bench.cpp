#include "okapi/uci/bench.h"

#include <chrono>

#include "okapi/chess/text.h"

namespace okapi {

namespace {

constexpr std::string_view kPositions[] = {
    // Openings and the middlegames they lead to.
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bq1rk1/bpp2ppp/p1np1n2/4p3/4P3/1BPP1N2/PP3PPP/RNBQR1K1 w - - 2 9",       // Italian
    "r1b2rk1/5ppp/p1pb4/1p1n4/3P4/1BP3Pq/PP3P1P/RNBQR1K1 w - - 1 15",           // Marshall attack
    "r2qrbk1/1bpn1p1p/p2p1np1/1p2p3/3PP3/2P2NNP/PPB2PP1/R1BQR1K1 w - - 0 15",   // Breyer
    "r1b1kb1r/ppp2pp1/2p5/4Pn1p/8/2N2N1P/PPP2PP1/R1B2RK1 w - - 0 11",           // Berlin
    "rnb1kb1r/1p3ppp/p2ppn2/6B1/3NPP2/q1N5/P1PQ2PP/1R2KB1R w Kkq - 2 10",       // Najdorf, poisoned pawn
    "2rq1rk1/pp1bppb1/3p1np1/4n2p/3NP2P/1BN1BP2/PPPQ2P1/2KR3R w - - 0 13",      // Dragon
    "r1bqkb1r/5p1p/p1np4/1p1Npp2/4P3/N7/PPP2PPP/R2QKB1R w KQkq - 0 11",         // Sveshnikov
    "rnb1k1r1/ppq1np1Q/4p3/3pP3/3p4/P1P5/2P2PPP/R1B1KBNR w KQq - 0 10",         // Winawer
    "r3kbnr/pp3ppp/2n1p3/2ppPb2/3P4/2N1BN2/PqP1BPPP/R2Q1RK1 w kq - 0 9",        // Caro-Kann
    "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPP2/PPQ1N1PP/R4RK1 b - - 0 11",        // Queen's gambit, exchange
    "r1bqkb1r/3n1ppp/p3pn2/1N2P3/3p4/3B1N2/PP3PPP/R1BQK2R b KQkq - 0 11",       // Meran
    "r2q1rk1/pp2ppbp/6p1/n1p5/2BPP1b1/2P1BP2/P3N1PP/R2Q1RK1 w - - 1 12",        // Grünfeld
    "r1bq1rk1/ppp1n1bp/3p1n2/2PPp1p1/4Pp2/2NN1P2/PP1BB1PP/R2Q1RK1 w - - 0 14",  // King's Indian
    "r1b2rk1/ppq2ppp/2n1pn2/2p5/2BP4/P1P1PN2/5PPP/R1BQ1RK1 w - - 1 11",         // Nimzo-Indian
    "r1bq1rk1/ppnn1pbp/3p2p1/1BpP4/P3PP2/2N2N2/1P4PP/R1BQ1RK1 w - - 5 12",      // Benoni
    "r2q1rk1/3nppbp/3p1np1/2pP4/4P3/2N2NP1/PP3PKP/R1BQ3R w - - 5 12",           // Benko gambit
    "rn1q1rk1/1bp1bppp/p3pn2/1p6/3P4/5NP1/PPQBPPBP/RN3RK1 b - - 3 10",          // Catalan
    "r1bq1rk1/ppp1b1pp/1nn5/4pp2/8/2NPBNP1/PP2PPBP/R2Q1RK1 w - - 0 10",         // English
    "r1bqk2r/ppp1nppp/8/b2Pn1N1/2Bp4/2P5/P4PPP/RNBQ1RK1 w kq - 1 10",           // Evans gambit
    "rnbqk2r/ppp2p1p/3b4/3PN2n/2BP1ppP/8/PPP3P1/RNBQK2R w KQkq - 1 9",          // King's gambit
    "r2qk2r/ppp1bppp/1nn1p3/3PPb2/2P5/2N1BN2/PP4PP/R2QKB1R b KQkq - 0 10",      // Alekhine
    "qnrbkrbn/ppp3pp/3p1p2/4p3/4PP2/3P4/PPP3PP/QNRBKRBN w FCfc - 0 4",          // Chess960
    // Middlegames: quiet, attacking, open.
    "r2q1rk1/pb1nbppp/1p2pn2/2pp4/2PP1B2/2N1PN2/PPQ1BPPP/R4RK1 w - - 0 11",
    "r4rk1/1bq1bppp/p2ppn2/1p4P1/3NPP2/P1NB4/1PP1Q2P/2K1R2R b - - 0 15",
    "2kr3r/ppp2ppp/2nq1n2/3p1b2/3P1B2/2NQ1N2/PPP2PPP/2KR3R w - - 4 10",
    "r1b1r1k1/pp1n1pbp/1qp3p1/3p4/1P1P4/1QN1PN2/P3BPPP/1R3RK1 w - - 0 14",
    "2r2rk1/1p1nbppp/p2qp3/3p4/3P1P2/2NBP1R1/PP1Q2PP/R5K1 w - - 0 18",
    "r3r1k1/pp1b1p1p/2pq2p1/3n2N1/3P3Q/8/PPB2PPP/R3R1K1 w - - 0 1",
    "6k1/p4pbp/1p2q1p1/2p1P3/2Pr1P2/1P2Q1PP/P4RK1/8 b - - 0 1",
    "2r3k1/5ppp/p3p3/1p1qP3/3P4/P4Q2/1P3PPP/2R3K1 w - - 0 1",
    // Endgames.
    "8/5pk1/6p1/R6p/1p5P/5PP1/r4PK1/8 w - - 0 1",
    "8/8/4kp2/p1p2p2/P1P2P1p/3K3P/8/8 w - - 0 1",
    "4k3/pp3ppp/2p5/4P3/2P2P2/1P6/P5PP/4K3 b - - 0 1",
    "8/1p3k2/p1p1bp2/2P3p1/1P1N2P1/P3KP2/8/8 w - - 0 1",
    "6k1/1b3pp1/p3p2p/1p1nP3/3B4/P4P2/1P4PP/3B2K1 w - - 0 1",
    "3r2k1/p4ppp/1p2p3/2n5/8/1PN1P3/P4PPP/3R2K1 b - - 0 1",
    "8/8/2k5/8/2KP4/8/5r2/4R3 w - - 0 1",
    "8/8/5k2/8/3B4/5N2/4K3/8 b - - 0 1",
    // Mate in two.
    "6k1/5ppp/8/8/8/8/1r3PPP/R5K1 w - - 0 1",
};

}  // namespace

std::span<const std::string_view> bench_positions() { return kPositions; }

BenchResult run_bench(Search& search, int depth, const std::function<bool(const BenchStep&)>& after_each) {
    search.set_threads(1);
    search.set_table_mb(16);
    search.set_multipv(1);
    Limits limits;
    limits.depth = depth;

    BenchResult result;
    int number = 0;
    for (const std::string_view fen : kPositions) {
        search.new_game();
        const auto start = std::chrono::steady_clock::now();
        BenchStep step{++number, fen, search.run(Position::from_fen(fen), limits)};
        result.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        result.nodes += step.decision.nodes;
        if (after_each && !after_each(step)) break;
    }
    return result;
}

std::string to_text(const BenchStep& step) {
    return "info string bench " + std::to_string(step.number) + '/' + std::to_string(std::size(kPositions)) + ' ' +
           std::to_string(step.decision.nodes) + ' ' + to_uci(step.decision.move) + ' ' + std::string(step.fen);
}

std::string to_text(const BenchResult& result) {
    return std::to_string(result.nodes) + " nodes " + std::to_string(result.nps()) + " nps";
}

}  // namespace okapi
