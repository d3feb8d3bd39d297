"""The page of sabatelli2018: its tables, figures and future work with published and measured numbers."""

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Final

from okapi.formats.html import Figure, Part, Table
from okapi.formats.numbers import interval, number, percent, signed
from okapi.formats.svg import Line, Lines, figure
from okapi.papers.page import Column, PageSection, PaperPage, Shown, TableOf, decimals, percents
from okapi.papers.sabatelli2018.headlines import (
    CLASSIFIED,
    HEADLINES,
    NETWORKS,
    ON_DATASET_4,
    PUBLISHED,
    SOLVED,
    Data,
    centipawns,
    job_name,
    modern_name,
    published,
    right,
    with_both_inputs,
    with_both_networks,
)
from okapi.recipes.proportions import Z, difference
from okapi.recipes.sabatelli2018 import CLIP, INPUTS, REGRESSION

BEST: Final = published("mlp", "bitmap", REGRESSION).test
MEAN: Final = sum(choice.delta for choice in PUBLISHED.table_4) / len(PUBLISHED.table_4)
TITLES: Final = {"mlp": "the perceptrons", "cnn": "the convolutional networks"}
CLASSES: Final = {1: "3 classes", 2: "15 classes", 3: "20 classes"}
SPLITS: Final = ("positions", "games")
NETWORK: Final = ("", 1)


# --- Datasets 1 to 3: classes -----------------------------------------------------------------------------------------


def _labels(data: Data) -> Iterable[Data]:
    """A row for each split of a result."""
    splits = {data["split"]: data} if "split" in data else {split: data[split] for split in SPLITS if split in data}
    for split, row in splits.items():
        about, neighbours = row["data"], row["neighbours"]["share"]
        yield {"split": split, **about, **row["parts"], "random_share": about["random"] / about["positions"],
               "neighbours": neighbours}  # fmt: skip


def _labels_table(name: str) -> TableOf:
    return TableOf(
        name=name,
        caption="Positions in each part. A neighbour is a training position one move away.",
        rows=_labels,
        columns=(
            Column("split by", "split"),
            Column("labels", "labels", words=True),
            Column("training", "train", number),
            Column("validation", "validation", number),
            Column("test", "test", number),
            Column("after a random move", "random_share", percents(0)),
            Column("test positions with a neighbour", "neighbours", percent),
        ),
    )


def _accuracies(data: Data) -> Iterator[Part]:
    jobs = data["lessons"]
    for name, network in zip(("Table 1", "Table 2"), NETWORKS, strict=True):
        rows = []
        for dataset in CLASSIFIED:
            for input_ in INPUTS:
                theirs, ours = published(network, input_, dataset), jobs.get(job_name(network, input_, dataset))
                cells = ("–",) * 4 if ours is None else _accuracy_cells(ours)
                rows.append((f"{dataset}, {input_}", f"{theirs.validation:.2f} %", f"{theirs.test:.2f} %", *cells))
        yield Table(
            name=name,
            caption=f"Accuracy of {TITLES[network]}, with an interval of 95 %; ours split by {data['split']}.",
            heads=("dataset", "validation", "test", "validation", "test", "off by one at most", "best epoch"),
            groups=(NETWORK, ("paper", 2), ("ours", 4)),
            rows=rows,
            bands=[(CLASSES[dataset], len(INPUTS)) for dataset in CLASSIFIED],
        )


def _accuracy_cells(job: Data) -> tuple[str, ...]:
    epochs = f"{job['best_epoch']} of {job['epochs']}"
    return percent(right(job, "validation").value), str(right(job)), percent(job["test"]["near"]), epochs


def _claims(data: Data) -> Iterator[Data]:
    """The paper's claims, tested on each pair of networks; the intervals are wider than those of paired tests."""
    for what, pairs in (("perceptron − CNN", with_both_networks), ("bitmap − algebraic", with_both_inputs)):
        for same, dataset, first, second in pairs(data["lessons"]):
            if dataset in CLASSIFIED:
                gap = difference(right(first), right(second))
                yield {"what": f"{what}, dataset {dataset}, {same}", "gap": str(gap), "verdict": gap.verdict}


def _modern(data: Data) -> Iterator[Data]:
    for network in NETWORKS if data.get("today") else ():
        for dataset in CLASSIFIED:
            for input_ in INPUTS:
                paper = right(data["lessons"][job_name(network, input_, dataset)])
                now = right(data["today"][modern_name(network, input_, dataset)])
                name = f"{network}, {input_}, {dataset}"
                yield {"name": name, "paper": paper, "now": now, "gap": difference(now, paper)}


def _curves(data: Data) -> Iterator[Part]:
    for dataset in CLASSIFIED:
        lines = [
            Line(f"{network.upper()} {input_}", [(at["epoch"], 100 * at["validation_accuracy"]) for at in job["curve"]])
            for network in NETWORKS
            for input_ in INPUTS
            if (job := data["lessons"].get(job_name(network, input_, dataset))) is not None
        ]
        described = "; ".join(f"{line.name} ends at {number(line.points[-1][1], 1)} %" for line in lines)
        title = f"dataset {dataset}, by game"
        yield Figure(
            name=f"Figure {dataset}",
            caption="Accuracy after each epoch, per cent. The paper draws the test set; these are the validation "
            "positions, because the test set is used once. The paper's curves are pictures and cannot be copied here.",
            pictures=[figure(Lines(title, lines, "epoch"), f"{title}: {described}")],
        )


def _splits(data: Data) -> Iterator[Data]:
    for network in NETWORKS:
        for dataset in CLASSIFIED:
            for input_ in INPUTS:
                both = [data[split]["lessons"].get(job_name(network, input_, dataset)) for split in SPLITS]
                if all(both):
                    at_random, by_game = (right(job) for job in both)
                    gap, theirs = difference(at_random, by_game), published(network, input_, dataset).test
                    missing = theirs - 100 * by_game.value
                    yield {
                        "name": f"{network}, {input_}, {dataset}",
                        "paper": f"{theirs:.2f} %",
                        "at_random": at_random,
                        "by_game": by_game,
                        "gap": gap,
                        "share": gap.points / missing if missing > 0 else None,
                    }


# --- Dataset 4: a number ----------------------------------------------------------------------------------------------


def _errors(data: Data) -> Iterator[Data]:
    for network in NETWORKS:
        for input_ in INPUTS:
            theirs = published(network, input_, REGRESSION)
            ours = data["lessons"].get(job_name(network, input_, REGRESSION))
            yield {"name": f"{network}, {input_}", "paper": theirs, "ours": ours}
    for name in ON_DATASET_4:
        yield {"name": f"ours: {name}", "paper": None, "ours": data["players"][name]}


def _published_error(part: str) -> Callable[[Data], str]:
    return lambda row: "–" if row["paper"] is None else f"{row['paper'][part]:.4f}"


def _measured_error(cell: Callable[[Data], str]) -> Callable[[Data], str]:
    return lambda row: "–" if row["ours"] is None else cell(row["ours"])


def _with_bound(test: Data) -> str:
    return f"{test['mse']:.4f}" + (f" ± {Z * test['mse_error']:.4f}" if "mse_error" in test else "")


def _error_ratios(data: Data) -> Iterator[Data]:
    for what, pairs in (("perceptron / CNN", with_both_networks), ("bitmap / algebraic", with_both_inputs)):
        for same, dataset, first, second in pairs(data["lessons"]):
            if dataset == REGRESSION:
                one, other = first["test"], second["test"]
                unsure = Z * math.hypot(one.get("mse_error", 0.0), other.get("mse_error", 0.0))
                gap = other["mse"] - one["mse"]
                yield {
                    "what": f"{what}, {same}",
                    "ratio": one["mse"] / max(other["mse"], 1e-12),
                    "verdict": "confirmed" if gap > unsure else "refuted" if gap < -unsure else "undecided",
                }


def _split_errors(data: Data) -> Iterator[Data]:
    for name, at_random in data["positions"]["lessons"].items():
        by_game = data.get("games", {}).get("lessons", {}).get(name)
        if by_game is not None and "mse" in at_random["test"]:
            first, second = at_random["test"]["mse"], by_game["test"]["mse"]
            more = 100 * (second / max(first, 1e-12) - 1)
            yield {"name": name, "at_random": first, "by_game": second, "more": more}


def _normalisations(data: Data) -> str:
    return (
        f"Mean squared errors of {data['network']} on {number(data['positions'])} test positions, and of a constant "
        f"answer, by way of normalising; {percent(data['mates'])} of the values are mates, and the largest other one "
        f"is {number(data['largest'] / 100)} pawns. The paper's error is {BEST:.4f}. Centipawns of the expected score "
        "are those around 0."
    )


def _nearest(data: Data) -> list[Data]:
    """The normalisations, the one first whose error is nearest to the paper's."""
    return sorted(data["rows"], key=lambda row: abs(math.log(max(row["network"], 1e-9) / BEST)))


# --- Games ------------------------------------------------------------------------------------------------------------


def _kaufman(data: Data) -> Iterator[Part]:
    theirs = (
        "the paper's MLP of 2018",
        "depth 1",
        str(SOLVED),
        "–",
        str(len(PUBLISHED.losing)),
        str(PUBLISHED.balanced),
        number(MEAN, 2),
    )
    yield Table(
        name="The Kaufman test in numbers",
        caption="Moves that Table 4 calls best; those that the suite itself calls best, or does not forbid; moves into "
        "a lost position; moves that lose at most 1.5 pawns; and the mean loss. The judge: "
        f"{data['judge'] or 'none was there'}. The full search has {number(data['search_nodes'])} nodes.",
        heads=("network", "plays", "solved", "by the suite", "losing", "balanced", "mean Δ"),
        rows=[theirs, *map(_kaufman_row, data["rows"])],
        words=(1,),
    )
    first = data["rows"][0]["name"]
    shown = [row for row in data["rows"] if row["name"] == first]
    by_number = [{answer["number"]: answer for answer in row["answers"]} for row in shown]
    yield Table(
        name="Table 4",
        caption=f"Each position, in the paper's order: the best move, the move of their network and its loss; the "
        f"moves of {first} here. Row 18 of the paper fits no position of the suite that another row does not have.",
        heads=("", "best", "played", "Δ", *(head for row in shown for head in (row["way"], "Δ"))),
        groups=(("", 2), ("paper", 2), ("ours", 2 * len(shown))),
        rows=[
            (
                str(choice.row),
                choice.best,
                choice.played,
                number(choice.delta, 1),
                *(cell for answers in by_number for cell in _answer_cells(answers.get(choice.place))),
            )
            for choice in PUBLISHED.table_4
        ],
        words=(1, 2, *range(4, 4 + 2 * len(shown), 2)),
    )


def _kaufman_row(row: Data) -> tuple[str, ...]:
    mean = None if row["mean_delta"] is None else row["mean_delta"] / 100
    counts = (row["solved"], row["solved_own"], row["losing"], row["balanced"])
    return row["name"], row["way"], *map(number, counts), number(mean, 2)


def _answer_cells(answer: Data | None) -> tuple[str, str]:
    if answer is None:
        return "–", "–"
    return answer["played"], number(None if answer["delta"] is None else answer["delta"] / 100, 1)


def _opponents(met: Data) -> str:
    return ", ".join(f"{name} {percent(score, 0)} of {games}" for name, (games, score) in met.items())


def _gains(data: Data) -> Iterator[Data]:
    for name in dict.fromkeys(row["name"] for row in data["rows"]):
        rated = [(row["way"], row["elo"]) for row in data["rows"] if row["name"] == name and row["elo"] is not None]
        for (before, first), (after, second) in pairwise(rated):
            yield {"name": name, "from": before, "to": after, "gain": second - first}


# --- The page ---------------------------------------------------------------------------------------------------------

PAGE: Final = PaperPage(
    paper="sabatelli2018",
    title="sabatelli2018: networks that predict Stockfish's evaluation",
    subtitle="M. Sabatelli, F. Bidoia, V. Codreanu, M. Wiering, Learning to Evaluate Chess Positions with Deep Neural "
    "Networks and Limited Lookahead, 2018.",
    headlines=HEADLINES,
    unknown="The paper does not state how dataset 4 was normalised, nor how positions were split.",
    sections=(
        PageSection(
            "Datasets 1 to 3: classes",
            "Classes of a position's value for the side to move: winning, drawn or losing (dataset 1); the same with "
            "seven degrees of winning and losing (2); and with six of drawing, too (3).",
            Shown(
                "tables",
                "Tables 1 and 2",
                _labels_table("Labelled positions"),
                _accuracies,
                TableOf(
                    name="Networks and inputs compared",
                    caption="The paper claims that the perceptron is better than the convolutional network, and bitmap "
                    "input better than algebraic. Differences of the test accuracy in points.",
                    rows=_claims,
                    columns=(
                        Column("difference", "what"),
                        Column("points", "gap"),
                        Column("the claim is", "verdict", words=True),
                    ),
                ),
                TableOf(
                    name="Another way of training",
                    caption="The same networks with the same dropout, on the same split: trained as section 3.2 "
                    "states, and with AdamW, a learning rate that falls to zero, minibatches of 1024 and mirrored "
                    "positions.",
                    rows=_modern,
                    columns=(
                        Column("network", "name"),
                        Column("as in the paper", "paper"),
                        Column("today's methods", "now"),
                        Column("points", "gap"),
                    ),
                ),
                _curves,
            ),
            Shown(
                "splits",
                "The split",
                TableOf(
                    name="The split",
                    caption="The same networks on all positions of each game, split at random, as in the paper, and by "
                    "game, with as many positions in each part. The last column is the share of the distance between "
                    "the accuracy by game and the paper's that the split explains.",
                    rows=_splits,
                    columns=(
                        Column("network", "name"),
                        Column("paper", "paper"),
                        Column("at random", "at_random"),
                        Column("by game", "by_game"),
                        Column("points", "gap"),
                        Column("explained", "share", percents(0)),
                    ),
                ),
                _labels_table("Positions of the split"),
            ),
        ),
        PageSection(
            "Dataset 4: a number",
            f"The network predicts the value itself, as a number from 0 to 1. Here 0 and 1 are {CLIP // 100} pawns "
            "down and up; larger values are clipped.",
            Shown(
                "tables",
                "Table 3",
                TableOf(
                    name="Table 3",
                    caption="Mean squared errors, ours with an interval of 95 %; the root of it and the mean absolute "
                    f"error in centipawns. The paper takes its {BEST:.4f} for {math.sqrt(BEST):.2f} centipawns; it is "
                    f"{percent(math.sqrt(BEST), 0)} of the range.",
                    rows=_errors,
                    groups=(NETWORK, ("paper", 2), ("ours", 4)),
                    columns=(
                        Column("network", "name"),
                        Column("validation", _published_error("validation")),
                        Column("test", _published_error("test")),
                        Column("validation", _measured_error(lambda job: f"{job['validation']['mse']:.4f}")),
                        Column("test", _measured_error(lambda job: _with_bound(job["test"]))),
                        Column("root, cp", _measured_error(lambda job: number(centipawns(job["test"]["mse"])))),
                        Column("absolute, cp", _measured_error(lambda job: number(2 * CLIP * job["test"]["mae"]))),
                    ),
                ),
                TableOf(
                    name="Errors compared",
                    caption="Ratios of mean squared errors. The paper claims that all are below 100 %.",
                    rows=_error_ratios,
                    columns=(
                        Column("ratio", "what"),
                        Column("ours", "ratio", percents(0)),
                        Column("the claim is", "verdict", words=True),
                    ),
                ),
            ),
            Shown(
                "splits",
                "The split and dataset 4",
                TableOf(
                    name="The split and dataset 4",
                    caption="Mean squared errors on all positions of each game.",
                    rows=_split_errors,
                    columns=(
                        Column("network", "name"),
                        Column("at random", "at_random", decimals(4)),
                        Column("by game", "by_game", decimals(4)),
                        Column("difference, %", "more", signed),
                        Column("at random, cp", lambda row: centipawns(row["at_random"]), number),
                        Column("by game, cp", lambda row: centipawns(row["by_game"]), number),
                    ),
                ),
            ),
            Shown(
                "normalisation",
                "The normalisation",
                TableOf(
                    name="The normalisation",
                    caption=_normalisations,
                    rows=_nearest,
                    columns=(
                        Column("0 to 1 is", "name"),
                        Column("network", "network", decimals(4)),
                        Column("constant answer", "constant", decimals(4)),
                        Column("root, cp", lambda row: math.sqrt(row["network"]) * row["range_cp"], number),
                        Column(f"{BEST:.4f} would be, cp", lambda row: math.sqrt(BEST) * row["range_cp"], number),
                    ),
                ),
            ),
        ),
        PageSection(
            "The Kaufman test",
            "25 positions with a best move. The network searches one ply, and an engine measures how much worse its "
            "move is than the best one. Then the same network with quiescence, and with a full search.",
            Shown("kaufman", "Table 4", _kaufman),
        ),
        PageSection(
            "The network in games",
            f"The paper's network reached about {PUBLISHED.rating} on a chess server, in 30 games against players of "
            f"{PUBLISHED.opponents[0]} to {PUBLISHED.opponents[1]}, at one ply; quiescence was its future work. Here "
            "it plays engines with nominal ratings, which is another scale: gains can be compared, levels hardly.",
            Shown(
                "strength",
                "Ratings",
                TableOf(
                    name="Ratings",
                    caption="Ratings on the ladder (okapi rate --ladder). {conditions}.",
                    columns=(
                        Column("network", "name"),
                        Column("plays", "way", words=True),
                        Column("Elo", "elo", number),
                        Column("95 %", ("low", "high"), interval),
                        Column("games", "games", number),
                        Column("score", "score", percents(0)),
                        Column("against", "met", _opponents, words=True),
                    ),
                ),
                TableOf(
                    name="Gains by deeper search",
                    caption="Differences between the ratings of one network.",
                    rows=_gains,
                    columns=(
                        Column("network", "name"),
                        Column("from", "from", words=True),
                        Column("to", "to", words=True),
                        Column("Elo", "gain", signed),
                    ),
                ),
            ),
        ),
    ),
)
