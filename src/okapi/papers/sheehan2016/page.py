"""What fills the tables and figures of sheehan2016's paper.toml, in the order of its sections."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from okapi.formats.html import Part, Table
from okapi.formats.numbers import counted, number, percent, signed
from okapi.formats.svg import Curve, Grid, Lines, figure
from okapi.papers.experiment import Results
from okapi.papers.headlines import preferred, share_of
from okapi.papers.page import counts, tally_of
from okapi.papers.sheehan2016.headlines import PUBLISHED, layers, near, seeds
from okapi.recipes.proportions import Proportion, difference
from okapi.recipes.sheehan2016 import BUCKETS, HOW, TABLE_2

SPLITS: Final = {"games": "by game", "positions": "positions at random"}
NUMBERS: Final = [str(bucket) for bucket in range(BUCKETS)]

Data = dict[str, Any]
Cells = tuple[str, ...]
BoardsAndText = list[tuple[str, list[str]]]


def table_2(_: Results) -> list[Part]:
    caption = "Learning rates; ours to the letter are the same."
    heads = ("net", "initial rate", "step size", "gamma", "momentum")
    rows = [(net, f"{s.rate:g}", number(s.step), f"{s.gamma:g}", f"{s.momentum:g}") for net, s in TABLE_2.items()]
    return [Table(name="Table 2", caption=caption, heads=heads, rows=rows)]


def nets(data: Data) -> Data:
    splits = [split for split in SPLITS if split in data["splits"]]
    rows = [
        {
            **row,
            "paper": PUBLISHED.table_3.get(row["net"]),
            "right": share_of(row),
            "within_one": near(row) if "near" in row else "",
            "layers": "–".join(map(str, row["hidden"])),
            "seeds": ", ".join(
                number(100 * each["accuracy"], 1) for each in seeds(data, row["net"], row["how"], split)
            ),
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
    same = {"how": "no network", "split": split, "count": found["parts"]["test"], "hidden": [], "cut": False}
    names = {"majority": "commonest bucket", "material": "material", "differential": "piece differential"}
    for name, share in found["baselines"].items():
        yield {**same, "net": names[name], "accuracy": share, "train_accuracy": None, "iterations": None}


def sweep_rows(data: Data) -> Data:
    steps = sorted({step for row in data["rows"] for step, _ in row["curve"]})
    shown = [steps[place] for place in sorted({0, len(steps) // 20, len(steps) // 5, len(steps) // 2, len(steps) - 1})]
    rows = []
    for row in data["rows"]:
        shares = dict(row["curve"])
        rows.append((row["net"], layers(row), number(row["batch"]), *(percent(shares.get(step)) for step in shown)))
    theirs = ", ".join(f"{net} {percent(share, 2)}" for net, share in PUBLISHED.table_3.items())
    return {"rows": rows, "heads": ("net", "layers", "batch", *map(number, shown)), "words": (1,), "published": theirs}


def sweep_pictures(data: Data) -> Iterator[str]:
    smallest = min(row["batch"] for row in data["rows"])
    for net in PUBLISHED.table_3:
        rows = [row for row in data["rows"] if (row["net"], row["batch"]) == (net, smallest)]
        yield _right(net, {layers(row): row["curve"] for row in rows}, 300)


def _right(title: str, curves: Mapping[str, Sequence[tuple[float, float]]], width: int, **how: Any) -> str:
    """Accuracies by iterations."""
    lines = [Curve(name, [(step, 100 * share) for step, share in curve]) for name, curve in curves.items()]
    described = "; ".join(f"{line.name} ends with {line.points[-1][1]:.1f} %" for line in lines if line.points)
    chart = Lines(f"{title}: right, per cent", lines, "iterations", **how)
    return figure(chart, f"{title}: {described}", width=width)


def _band(split: str, about: Data) -> str:
    sizes = f"{counted(about['parts']['train'], 'position')} in training, {number(about['parts']['test'])} in the test"
    return f"{SPLITS[split]}: {sizes}, {percent(about['neighbours']['share'])} of these with a neighbour in training"


def differences(data: Data) -> Iterator[Cells]:
    theirs = number(100 * PUBLISHED.gain, 2)
    for what, published, *both in (
        *((f"Net A − Net C, split {SPLITS[split]}", theirs, ("Net A", split), ("Net C", split)) for split in SPLITS),
        *((f"{net}, split at random − by game", "–", (net, "positions"), (net, "games")) for net in PUBLISHED.table_3),
    ):
        first, second = (seeds(data, net, HOW["better"], split) for net, split in both)
        if first and second:
            yield what, published, str(difference(share_of(first[0]), share_of(second[0])))


def confusion(data: Data) -> Data:
    split, pictures = preferred(data["splits"]), []
    for row in data["rows"]:
        if row["split"] == split and row["job"] in data["confusion"] and row["how"] != HOW["wider"]:
            title, matrix = f"{row['net']}, {row['how']}", data["confusion"][row["job"]]
            shares = [[round(100 * count / max(sum(true), 1)) for count in true] for true in matrix]
            diagonal = "; ".join(f"bucket {place} {true[place]} %" for place, true in enumerate(shares))
            grid = Grid(title, shares, NUMBERS, NUMBERS, most=60)
            pictures.append(figure(grid, f"{title}; right: {diagonal}", width=400))
    return {"pictures": pictures, "how": SPLITS[split]}


def curves(data: Data) -> Iterator[str]:
    rows = [row for row in data["rows"] if row["split"] == preferred(data["splits"]) and row["seed"] == 1]
    for how in (HOW["letter"], HOW["patient"], HOW["better"]):
        found = {row["net"]: data["curves"][row["job"]] for row in rows if row["how"] == how}
        yield _right(how, found, 460, within=(5, 40))


def certainties(data: Data) -> Data:
    return {"rows": data["rows"], "how": SPLITS[data["split"]]}


def _boards(rows: str, teacher: str, place: str | None, data: Data) -> BoardsAndText:
    shown = [row for row in data[rows] if row.get("figure") == place]
    return [(row["fen"], _board_text(row, data["edges"], teacher)) for row in shown]


misjudged_boards, calm_boards, answered_boards = (partial(_boards, "rows", "teacher", place) for place in "568")
boards_of_the_game = partial(_boards, "game", "Okapi", None)


def values_of_the_game(data: Data) -> list[Data]:
    theirs = {board.name: board for board in PUBLISHED.figure_5}
    return [{**row, "paper": theirs[row["title"]], "value": _value(row)} for row in data["game"]]


def _board_text(row: Data, edges: Sequence[float], teacher: str) -> list[str]:
    share = percent(row["probabilities"][row["answer"]])
    lines = [
        row["title"],
        f"differential {signed(row['differential'])}, {teacher} {_value(row)}",
        f"Net A: bucket {row['answer']} ({_range(row['answer'], edges)}), {share}",
    ]
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
    ends = ["−∞", *(signed(edge / 100, 2) for edge in edges), "∞"]
    return f"{ends[bucket]} … {ends[bucket + 1]}"


def residual_networks(data: Data) -> Iterator[Data]:
    for split, words in SPLITS.items():
        for row in seeds(data, "Ours", HOW["own"], split)[:1]:
            yield {"split": words, "accuracy": share_of(row), "near": near(row)}


def deep_pink_numbers(data: Data) -> Data:
    ranked = Proportion(round(data["ranked"] * data["tested"]), data["tested"])
    rows = [
        ("played position above the random one", str(ranked)),
        ("bucket equal to the teacher's", str(share_of(data["buckets"]))),
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
    elo, low, high = (signed(data["games"][end]) for end in ("elo", "low", "high"))
    gain = elo if data["games"]["elo"] is None else f"{elo} ({low} … {high})"
    return [("won–drawn–lost", counts(tally_of(data["games"]))), ("Elo (95 %)", gain)]
