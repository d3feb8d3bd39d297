"""Results of sabatelli2018 in the shapes that experiments answer, with numbers that nobody measured."""

from typing import Any

from okapi.papers.experiment import ExperimentResult
from okapi.papers.sabatelli2018.headlines import NETWORKS, job_name
from okapi.recipes.sabatelli2018 import INPUTS, PLAYERS

ACCURACY = {("mlp", "bitmap"): 0.72, ("mlp", "algebraic"): 0.70, ("cnn", "bitmap"): 0.69, ("cnn", "algebraic"): 0.705}


def job_row(dataset: int, accuracy: float, count: int = 10_000) -> dict[str, Any]:
    if dataset == 4:
        found: dict[str, Any] = {
            "count": count,
            "loss": 0.012,
            "mse": 0.02 - accuracy / 60,
            "mae": 0.06,
            "mse_error": 2e-4,
        }
        curve = [{"epoch": epoch, "validation_mse": 0.01} for epoch in (1, 2)]
    else:
        found = {"count": count, "loss": 0.7, "accuracy": accuracy, "near": accuracy + 0.2}
        curve = [{"epoch": epoch, "validation_accuracy": accuracy - 0.1 / epoch} for epoch in (1, 2)]
    about = {"epochs": 7, "best_epoch": 2, "seconds": 12.0, "samples_per_second": 1e5, "device": "cpu", "busy": None}
    return {"train": found, "validation": found, "test": found, **about, "curve": curve}


def job_rows(gain: float = 0.0) -> dict[str, Any]:
    return {
        job_name(network, input_, dataset): job_row(dataset, ACCURACY[network, input_] - 0.1 * dataset + gain)
        for network in NETWORKS
        for input_ in INPUTS
        for dataset in (1, 2, 3, 4)
    }


BASELINES = {
    **{str(dataset): {"majority": 0.5, "material": 0.52, "differential": 0.6} for dataset in (1, 2, 3)},
    "4": {"majority": 0.012, "material": 0.011, "differential": 0.0098},
}


def about(near: float) -> dict[str, Any]:
    return {
        "data": {"labels": "labels.tsv 0123", "positions": 12_000, "random": 6000, "games": 300, "found": None},
        "parts": {"train": 9600, "validation": 1200, "test": 1200},
        "neighbours": {"test": 1200, "near": round(1200 * near), "share": near},
    }


def answers(solved: int) -> list[dict[str, Any]]:
    return [
        {
            "number": number,
            "best": "e4",
            "played": "e4" if number <= solved else "a3",
            "solved": number <= solved,
            "solved_own": number <= solved + 3,
            "delta": 0 if number <= solved else 40 * number,
            "value": 10 if number <= solved else -40 * number,
        }
        for number in range(1, 26)
    ]


def kaufman_row(name: str, way: str, solved: int) -> dict[str, Any]:
    counts = {"solved": solved, "solved_own": solved + 3, "losing": 3, "balanced": 17, "mean_delta": 84.2}
    return {"name": name, "way": way, **counts, "answers": answers(solved)}


def rating_row(name: str, way: str, elo: float | None) -> dict[str, Any]:
    met = {"stockfish-2100": [20, 0.55]}
    bounds = {"elo": elo, "low": None if elo is None else elo - 50, "high": 2000.0 if elo is None else elo + 50}
    return {"name": name, "way": way, **bounds, "games": 40, "score": 0.55, "met": met}


def all_data() -> dict[str, dict[str, Any]]:
    rows = [
        {"name": "cut off at ±15 pawns", "network": 0.0081, "constant": 0.0122, "range_cp": 3000.0},
        {"name": "cut off at ±50 pawns", "network": 0.0017, "constant": 0.0012, "range_cp": 10_000.0},
    ]
    return {
        "tables": {
            "jobs": job_rows(),
            "seeds": {"mlp-bitmap-4-seed-2": job_row(4, 0.73)},
            "baselines": BASELINES,
            "players": {name: job_row(4, 0.75) for name in PLAYERS},
            "brains": {"the paper's MLP": "brains/mlp-bitmap-4.safetensors"},
            "jobs_folder": "jobs/tables",
            "split": "games",
            **about(0.02),
        },
        "splits": {
            "positions": {"jobs": job_rows(0.15), "baselines": BASELINES, **about(0.97)},
            "games": {"jobs": job_rows(), "baselines": BASELINES, **about(0.03)},
        },
        "images": {"jobs": {"mlp-planes-1": job_row(1, 0.7), "cnn-planes-4": job_row(4, 0.7)}, "split": "games"},
        "where": {
            "rows": [
                {
                    "job": "mlp-bitmap-1",
                    "phases": {"opening": [90, 100], "middle game": [600, 1000], "endgame": [350, 500]},
                    "distances": [[2, 80, 100], [3, 60, 100], [12, 5, 10]],
                }
            ],
            "count": 1600,
        },
        "normalisation": {
            "rows": rows,
            "positions": 2000,
            "mates": 0.015,
            "largest": 4750.0,
            "network": "the paper's MLP",
        },
        "kaufman": {
            "rows": [
                kaufman_row(name, way, solved)
                for name in ("the paper's MLP", "the paper's MLP, seed 2", "player-score")
                for way, solved in (("depth 1", 5), ("with quiescence", 8), ("with search", 15))
            ],
            "judge": "Stockfish, 20 s a move",
            "search_nodes": 400_000,
            "positions": 25,
        },
        "weaker": {
            "rows": [
                {"name": name, "way": way, "opponent": "people rated 2000, no search", "wins": 20, "draws": 10}
                | {"losses": 70, "elo": -191.0, "low": -270.0, "high": -120.0}
                for name in ("the paper's MLP", "player-score")
                for way in ("depth 1", "with quiescence")
            ],
            "conditions": "100 games each",
        },
        "strength": {
            "rows": [
                rating_row(name, way, elo)
                for name in ("the paper's MLP", "player-score")
                for way, elo in (("depth 1", None), ("with quiescence", 1850.0), ("with search", 2310.0))
            ],
            "conditions": "10+0.1, at most 2 games at a time",
            "rungs": 12,
        },
    }


def result(data: dict[str, Any]) -> ExperimentResult:
    settings = {"size": "full", "seed": 1, "games": None, "labels": "labels.tsv 0123", "changes": {}}
    return ExperimentResult(data=data, settings=settings, seconds=60.0, version="0.1.0", machine="2 × processor, Linux")


def all_results() -> dict[str, ExperimentResult]:
    return {name: result(data) for name, data in all_data().items()}
