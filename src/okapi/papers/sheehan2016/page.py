"""What fills the tables and figures of sheehan2016's paper.toml."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from okapi.formats.html import Figure, Part, Table
from okapi.formats.numbers import counted, number, percent, signed
from okapi.formats.svg import Curve, Grid, Lines, figure
from okapi.papers.experiment import Results
from okapi.papers.page import counts, tally_of
from okapi.papers.sheehan2016.headlines import GAMES, POSITIONS, PUBLISHED, accuracy, find, near, seeds
from okapi.recipes.proportions import Proportion, difference
from okapi.recipes.sheehan2016 import BUCKETS, HOW, TABLE_2

SPLITS: Final = {GAMES: "by game", POSITIONS: "positions at random"}
NUMBERS: Final = [str(bucket) for bucket in range(BUCKETS)]

Data = dict[str, Any]
Cells = tuple[str, ...]
BoardsAndText = list[tuple[str, list[str]]]


# --- The nets ---------------------------------------------------------------------------------------------------------


def table_2(_: Results) -> list[Part]:
    return [
        Table(
            name="Table 2",
            caption="Learning rates; ours to the letter are the same.",
            heads=("net", "initial rate", "step size", "gamma", "momentum"),
            rows=[
                (net, f"{scheme.rate:g}", number(scheme.step), f"{scheme.gamma:g}", f"{scheme.momentum:g}")
                for net, scheme in TABLE_2.items()
            ],
        )
    ]


def nets(data: Data) -> Data:
    splits = [split for split in SPLITS if split in data["splits"]]
    rows = [
        {
            **row,
            "paper": PUBLISHED.table_3.get(row["net"]),
            "right": accuracy(row),
            "within_one": near(row) if "near" in row else "",
            "layers": "–".join(map(str, row["hidden"])),
            "seeds": ", ".join(number(100 * share, 1) for share in seeds(data, row)),
            "note": "cut by time" if row["cut"] else "",
        }
        for split in splits
        for row in [*data["rows"], *_baselines(data, split)]
        if row["split"] == split and row.get("seed", 1) == 1
    ]
    sizes = {split: sum(row["split"] == split for row in rows) for split in splits}
    return {"rows": rows, "bands": [(_band(split, data["splits"][split]), size) for split, size in sizes.items()]}


def _baselines(data: Data, split: str) -> Iterator[Data]:
    """Rows of what needs no network."""
    found = data["splits"][split]
    names = {"majority": "commonest bucket", "material": "material", "differential": "piece differential"}
    for name, share in found["baselines"].items():
        count = found["parts"]["test"]
        same = {"how": "no network", "split": split, "count": count, "accuracy": share, "hidden": []}
        yield {"net": names[name], **same, "cut": False, "train_accuracy": None, "iterations": None}


def sweep_rows(data: Data) -> Data:
    steps = sorted({step for row in data["rows"] for step, _ in row["curve"]})
    shown = [steps[place] for place in sorted({0, len(steps) // 20, len(steps) // 5, len(steps) // 2, len(steps) - 1})]
    rows = [
        (row["net"], _layers(row), number(row["batch"]), *(_at(row, step) for step in shown)) for row in data["rows"]
    ]
    theirs = ", ".join(f"{net} {percent(share, 2)}" for net, share in PUBLISHED.table_3.items())
    return {
        "rows": rows,
        "heads": ("net", "layers", "batch", *(number(step) for step in shown)),
        "words": (1,),
        "published": theirs,
    }


def _layers(row: Data) -> str:
    return "–".join(map(str, row["hidden"])) or "none"


def _at(row: Data, step: int) -> str:
    return next((percent(share) for at, share in row["curve"] if at == step), "–")


def sweep_pictures(data: Data) -> list[str]:
    pictures = []
    for net in PUBLISHED.table_3:
        smallest = min(row["batch"] for row in data["rows"])
        rows = [row for row in data["rows"] if (row["net"], row["batch"]) == (net, smallest)]
        lines = [Curve(_layers(row), [(step, 100 * share) for step, share in row["curve"]]) for row in rows]
        described = "; ".join(f"{line.name} ends with {line.points[-1][1]:.1f} %" for line in lines if line.points)
        pictures.append(figure(Lines(f"{net}: right, per cent", lines, "iterations"), f"{net}: {described}", width=300))
    return pictures


def _band(split: str, about: Data) -> str:
    sizes = f"{counted(about['parts']['train'], 'position')} in training, {number(about['parts']['test'])} in the test"
    return f"{SPLITS[split]}: {sizes}, {percent(about['neighbours']['share'])} of these with a neighbour in training"


def differences(data: Data) -> Iterator[Cells]:
    better = HOW["better"]
    for split in (split for split in SPLITS if split in data["splits"]):
        with_it, without = (find(data, net, better, split) for net in ("Net A", "Net C"))
        if with_it is not None and without is not None:
            gap = difference(accuracy(with_it), accuracy(without))
            yield f"Net A − Net C, split {SPLITS[split]}", number(100 * PUBLISHED.gain, 2), str(gap)
    for net in PUBLISHED.table_3:
        by_game, at_random = (find(data, net, better, split) for split in (GAMES, POSITIONS))
        if by_game is not None and at_random is not None:
            yield f"{net}, split at random − by game", "–", str(difference(accuracy(at_random), accuracy(by_game)))


def _split(data: Data) -> str:
    return GAMES if GAMES in data["splits"] else POSITIONS


def confusion(data: Data) -> list[Part]:
    split = _split(data)
    return [
        Figure(
            name="Confusion",
            caption="Per cent of each true bucket (rows) that was put into each bucket (columns), split "
            f"{SPLITS[split]}; 0 is best for Black, 9 for White; our own network counts from the mover's side.",
            pictures=[
                _confusion_grid(f"{row['net']}, {row['how']}", data["confusion"][row["job"]])
                for row in data["rows"]
                if row["split"] == split and row["job"] in data["confusion"] and row["how"] != HOW["wider"]
            ],
        )
    ]


def _confusion_grid(title: str, matrix: list[list[int]]) -> str:
    shares = [[round(100 * count / max(sum(row), 1)) for count in row] for row in matrix]
    diagonal = "; ".join(f"bucket {place} {row[place]} %" for place, row in enumerate(shares))
    return figure(Grid(title, shares, NUMBERS, NUMBERS, most=60), f"{title}; right: {diagonal}", width=400)


def curves(data: Data) -> list[str]:
    rows = [row for row in data["rows"] if row["split"] == _split(data) and row["seed"] == 1]
    pictures = []
    for how in (HOW["letter"], HOW["patient"], HOW["better"]):
        lines = [
            Curve(row["net"], [(step, 100 * share) for step, share in data["curves"][row["job"]]])
            for row in rows
            if row["how"] == how
        ]
        described = "; ".join(f"{line.name} ends with {line.points[-1][1]:.1f} %" for line in lines if line.points)
        picture = Lines(f"{how}: right, per cent", lines, "iterations", within=(5, 40))
        pictures.append(figure(picture, f"{how}: {described}", width=460))
    return pictures


def certainties(data: Data) -> Data:
    return {"rows": data["rows"], "how": SPLITS[data["split"]]}


# --- Boards -----------------------------------------------------------------------------------------------------------


def _boards_of(place: str) -> Callable[[Data], BoardsAndText]:
    def boards(data: Data) -> BoardsAndText:
        rows = [row for row in data["rows"] if row["figure"] == place]
        return [(row["fen"], _board_text(row, data["edges"], "teacher")) for row in rows]

    return boards


misjudged_boards, calm_boards, answered_boards = map(_boards_of, "568")


def boards_of_the_game(data: Data) -> BoardsAndText:
    return [(row["fen"], _board_text(row, data["edges"], "Okapi")) for row in data["game"]]


def values_of_the_game(data: Data) -> list[Data]:
    theirs = {board.name: board for board in PUBLISHED.figure_5}
    return [{**row, "paper": theirs[row["title"]], "value": _value(row)} for row in data["game"]]


def _board_text(row: Data, edges: Sequence[float], teacher: str) -> list[str]:
    lines = [row["title"], f"differential {signed(row['differential'])}, {teacher} {_value(row)}"]
    share = percent(row["probabilities"][row["answer"]])
    lines.append(f"Net A: bucket {row['answer']} ({_range(row['answer'], edges)}), {share}")
    if "bucket" in row:
        lines.append(f"true bucket {row['bucket']} ({_range(row['bucket'], edges)})")
    return lines


def _value(row: Data) -> str:
    """The teacher's, in pawns for White."""
    if row.get("mate"):
        return f"mate in {row['mate']}" if row["mate"] > 0 else f"mated in {-row['mate']}"
    return signed(row["teacher"] / 100, 2)


def _range(bucket: int, edges: Sequence[float]) -> str:
    """A bucket in pawns."""
    low = f"{signed(edges[bucket - 1] / 100, 2)}" if bucket else "−∞"
    high = f"{signed(edges[bucket] / 100, 2)}" if bucket < len(edges) else "∞"
    return f"{low} … {high}"


# --- Beyond the paper -------------------------------------------------------------------------------------------------


def residual_networks(data: Data) -> Iterator[Data]:
    for split, words in SPLITS.items():
        row = find(data, "Ours", HOW["own"], split)
        if row is not None:
            yield {"split": words, "accuracy": accuracy(row), "near": near(row)}


def deep_pink_numbers(data: Data) -> Data:
    ranked = Proportion(round(data["ranked"] * data["tested"]), data["tested"])
    rows = [
        ("played position above the random one", str(ranked)),
        ("bucket equal to the teacher's", str(accuracy(data["buckets"]))),
        ("the same, or the one beside it", str(near(data["buckets"]))),
        *((f"games against {name}, won–drawn–lost", counts(tally_of(met))) for name, met in data["games"].items()),
    ]
    return {
        "rows": rows,
        "count": counted(data["triplets"], "triplet"),
        "layers": data["hidden"].replace(",", "–"),
        "passes": counted(data["epochs"], "epoch"),
    }


def reinforced_numbers(data: Data) -> list[Cells]:
    met = data["games"]
    gain = "–" if met["elo"] is None else f"{signed(met['elo'])} ({signed(met['low'])} … {signed(met['high'])})"
    return [("won–drawn–lost", counts(tally_of(met))), ("Elo (95 %)", gain)]
