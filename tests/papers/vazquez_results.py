"""Results of vazquez2012 in the shapes that experiments answer, with numbers that nobody measured."""

from typing import Any

from okapi.papers.experiment import ExperimentResult
from okapi.papers.vazquez2012.headlines import PUBLISHED

MOBILE = ("knight", "bishop", "rook", "queen", "mobility")


def rated(name: str, elo: float) -> dict[str, Any]:
    return {
        "name": name,
        "elo": elo,
        "low": elo - 40.4,
        "high": elo + 40.4,
        "games": 240,
        "score": 0.61,
        "opposition": 2000.2,
        "draws": 0.25,
    }


def five() -> dict[str, Any]:
    history = [
        {
            "generation": generation,
            "mean": dict(zip(MOBILE, (450 - generation, 450 - generation, 470, 500 + 3 * generation, 90), strict=True)),
            "deviation": dict.fromkeys(MOBILE, 60.0 - generation),
        }
        for generation in range(0, 51, 10)
    ]
    weights = dict(zip(MOBILE, ([312, 1], [330, 2], [510, 1], [880, 4], [5, 1]), strict=True))
    return {
        "runs": [{"seed": seed, "weights": weights, "seconds": 4.2} for seed in range(3)],
        "history": history,
        "games": {"average": [80, 10, 10], "best": [70, 20, 10]},
        "conditions": "100 games, 4 plies",
    }


def all_data() -> dict[str, dict[str, Any]]:
    weights = {name: after for name, (_, after) in PUBLISHED.table_16.items() if name != "pawn"}
    return {
        "pieces": {
            "runs": [{"seed": seed, "wins": 150 + seed, "draws": 30, "losses": 20 - seed} for seed in range(4)],
            "table11": [[1.1 * cell for cell in row] for row in PUBLISHED.table_11],
            "settings": {"players": 20, "depth": 3, "sigma": 0.05, "scaled": True},
            "notes": ["Mutations were to the letter."],
        },
        "pieces_rating": {
            "rows": [rated("Stockfish 2300", 2300), rated("generation 50", 2150), rated("generation 0", 1700)],
            "tallies": {
                name: {"stockfish-2100": [20, 20, 20], "stockfish-2300": [5, 10, 45]}
                for name in ("generation 0", "generation 50")
            },
            "gain": 450.2,
            "gain_low": 380.0,
            "gain_high": 520.4,
            "conditions": "Stockfish at 6 plies",
        },
        "five": five(),
        "exploration": {
            "runs": [{"seed": 1, "solved": 320, "total": 1000}, {"seed": 2, "solved": 301, "total": 1000}],
            "history": [{"generation": 0, "best": 200, "mean": 180.5}, {"generation": 200, "best": 320, "mean": 318}],
            "weights": weights,
        },
        "exploitation": {
            "weights": {**weights, "pawn_central": 20.0},
            "trained": {"before": 320, "after": 380, "total": 1000},
            "fresh": {"before": 310, "after": 340, "total": 1000},
            "yardsticks": {"material": 0.19, "vazquez-exploitation": 0.301},
        },
        "exploitation_games": {
            "wins": 90,
            "draws": 60,
            "losses": 50,
            "rows": [rated("exploitation", 35), rated("exploration", -35)],
            "conditions": "4 plies",
        },
        "exploration_rating": {
            "rows": [rated("Stockfish 2500", 2500), rated("VP exploitation", 2440), rated("VP0 exploration", 1900)],
            "players": ["VP exploitation", "VP0 exploration"],
            "gains": {
                "exploration": {"elo": 500, "low": 430, "high": 570},
                "exploitation": {"elo": 40, "low": -20, "high": 100},
            },
            "games": {"VP exploitation": [60, 80, 60], "VP0 exploration": [3, 7, 190]},
            "opponent": "Stockfish 2500",
            "conditions": "Stockfish at 6 plies",
        },
        **beyond(),
        **readings(),
    }


def beyond() -> dict[str, dict[str, Any]]:
    learners = ("evolution", "Hooke-Jeeves", "CMA-ES")
    return {
        "beyond": {
            "rows": [
                {
                    "learner": learner,
                    "what": "28 weights",
                    "evaluations": 4000,
                    "seconds": 30.0 + number,
                    "trained": 0.35,
                    "fresh": 0.33,
                    "elo": 100.0 * number,
                    "low": 100.0 * number - 30,
                    "high": 100.0 * number + 30,
                    "games": 400,
                    "elo_per_minute": 200.0 * number,
                }
                for number, learner in enumerate(learners)
            ],
            "conditions": "4 plies",
        },
        "beyond_rating": {
            "rows": [rated("gradient", 2530), rated("evolved", 2440)],
            "players": ["evolved"],
            "conditions": "Stockfish at 6 plies",
        },
        "beyond_pieces": {
            "rows": [
                {"what": "c as a gene", "score": 0.6, "elo": 70.0, "low": 20.0, "high": 120.0},
                {"what": "4-5-1", "score": 0.4, "elo": -70.0, "low": -120.0, "high": -20.0},
                {"what": "4-16-1", "score": 0.51, "elo": 7.0, "low": -40.0, "high": 54.0},
            ],
        },
    }


def readings() -> dict[str, dict[str, Any]]:
    tally = {"run": 1, "wins": 120, "draws": 20, "losses": 60, "score": 0.65}
    names = ("as in the thesis", "n - 1 games", *(f"c {tenth / 10:.1f}" for tenth in range(1, 11) if tenth != 5))
    counts = {"run": 1, "solved": 300, "total": 1000, "fresh": 290, "fresh_total": 1000}
    return {
        "five_rating": {"rows": [rated("stockfish-1600", 1600), rated("average", 1500)], "conditions": "10 games"},
        "printed": {
            "ratings": [
                {"table": "table_10", "name": "A", "thesis": 2178, "elo": 2177.4, "off": -0.6, "plus": 3, "minus": 4}
            ],
            "farthest": {"table_10": 0.6, "table_18": 0.3},
            "solved": [
                {"scale": scale, "exploration": 265, "exploitation": 266, "total": 1000}
                for scale in ("undivided", "softened")
            ],
        },
        "rates": {"rows": [{"rate": rate, "run": 1, "matched": 30.0, "deviation": 2.5} for rate in (0.8, 0.9)]},
        "readings": {"rows": [{"scale": scale, **counts} for scale in ("undivided", "parts", "softened")]},
        "subsets": {
            "rows": [
                {"piece": piece, "features": features, **counts}
                for piece in ("rook", "knight")
                for features in ("mobility+base", "mobility")
            ],
            "generations": 20,
            "positions": 400,
        },
        "piece_readings": {"rows": [{"reading": name, **tally} for name in names], "conditions": "2 plies"},
    }


def result(data: dict[str, Any]) -> ExperimentResult:
    settings = {"size": "tiny", "seed": 1, "games": "masters.pgn 0123456789abcdef"}
    return ExperimentResult(data=data, settings=settings, seconds=12.5, version="0.1.0", machine="2 × processor, Linux")


def all_results() -> dict[str, ExperimentResult]:
    return {name: result(data) for name, data in all_data().items()}
