"""`okapi brains`: all brains and their model cards, the user's own brains, and brains in other formats."""

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import fill
from typing import Annotated, Any, Final

from rich.markup import escape
from rich.table import Table

from okapi.brains import ModelCard, card, default_name, everything, find
from okapi.brains.halfka import export_network, import_network
from okapi.brains.library import RUN_FILE, default_library, runs_folder
from okapi.brains.onnx import export_onnx
from okapi.brains.summary import summary
from okapi.cli.console import Json, answer, emit, note, out, say, table_of
from okapi.cli.drawing import sparkline
from okapi.cli.parameters import about, out_flag
from okapi.errors import UsageError
from okapi.files import download, replace_file

BrainName = Annotated[str, about("A brain by name, or the path of a file.")]
ExportFile = Annotated[Path, out_flag("--onnx", "--nnue", help="The file to write; its name ends with .onnx or .nnue.")]
INDENT: Final = "    "
MOST_ITEMS, ENDS = 40, 4
"""Of a longer row of numbers, such as a curve, only so many are shown at each end; --json has all."""


def list_(*, json: Json = False) -> None:
    """List your brains and those that come with okapi: name, Elo, size, and what each is.

    An Elo is on the scale of known engines (docs/explanation/league.md) unless it says against whom it was measured.

    For example:
      okapi brains list --json
    """
    default = default_name()
    found = [{**summary(brain), "default": brain.name == default} for brain in everything()]
    if json:
        emit({"brains": found, "folder": str(runs_folder())})
        return
    wide = max(len(brain["name"]) for brain in found)
    width, column = max(wide + 30, out().width), " " * (wide + 2)
    for brain in sorted(found, key=lambda brain: not brain["shipped"]):
        default, moves = brain["default"] and "the default", brain["says"] == "moves" and "predicts moves"
        facts = ", ".join(filter(None, (brain["size_text"], brain["elo_text"], default, moves)))
        line = fill(facts, width, initial_indent=column, subsequent_indent=column)
        out().print(f"[bold]{escape(brain['name'])}[/]{escape(line[len(brain['name']) :])}")
        out().print(fill(brain["sentence"], width, initial_indent=INDENT, subsequent_indent=INDENT), markup=False)
    note(f"Your brains are in {runs_folder()}", "dim")


def add(file: str, /, *, name: str | None = None, json: Json = False) -> None:
    """Copy a brain into the folder of your brains, so that it is found by name everywhere.

    For example:
      okapi brains add ~/Downloads/brain.safetensors --name mine
      okapi brains add https://example.org/strong.safetensors#sha256=9f86d0… --name strong

    Args:
        file: A brain's file, the folder of a run with its checkpoints, or an address with #sha256= and the file's hash.
        name: Its name; that of its run or card if not given.
    """
    library = default_library()
    if file.startswith(("http://", "https://")):
        with TemporaryDirectory() as folder:
            name = library.add(download(file, Path(folder) / "downloaded.safetensors"), name)
    else:
        name = library.add(Path(file).expanduser(), name)
    text = f"{name} is in {library.folder / name}; `okapi play --brain {name}` plays it"
    answer({**summary(card(name)), "path": str(find(name))}, text, json=json)


def import_(file: Path, /, *, name: str | None = None, out: Path | None = None, json: Json = False) -> None:
    """Make a network file of Stockfish 15 (.nnue, by its command export_net) a brain among yours.

    For example:
      okapi brains import stockfish.nnue --name stockfish
      okapi brains import stockfish.nnue --out stockfish.safetensors

    Args:
        name: Its name; that of the file if not given.
        out: Write this file, instead of into the folder of your brains.
    """
    name = name or file.stem
    with TemporaryDirectory() as folder:
        brain = out or Path(folder) / f"{name}.safetensors"
        replace_file(brain, import_network(file.expanduser(), name))
        name = name if out else default_library().add(brain, name)
    place = out or find(name)
    if json:
        emit({**summary(card(str(place))), "path": str(place)})
    else:
        note(f"{name} is in {place}")


def remove(name: str, /, *, yes: Annotated[bool, about("Delete a run, too.")] = False, json: Json = False) -> None:
    """Delete one of your brains; the folder of one that is elsewhere stays, and is only forgotten.

    For example:
      okapi brains remove mine
    """
    library = default_library()
    if not yes and name not in library.index() and (library.folder / name / RUN_FILE).is_file():
        hint = f"`okapi brains remove {name} --yes` deletes them"
        raise UsageError(f"`{name}` is a run with its log and checkpoints", hint=hint)
    stays = library.remove(name)
    text = f"{name} is deleted" if stays is None else f"{name} is forgotten; {stays} stays"
    answer({"name": name, "deleted": stays is None, "folder": stays and str(stays)}, text, json=json)


def rename(name: str, new: str, /, *, json: Json = False) -> None:
    """Give one of your brains, with its run, another name.

    For example:
      okapi brains rename mine first-try
    """
    default_library().rename(name, new)
    answer({"name": new, "was": name, "path": str(find(new))}, f"{name} is {new}", json=json)


def show(name: BrainName, /, *, json: Json = False) -> None:
    """Print the card of a brain: what it is, where it comes from, what it learned from.

    For example:
      okapi brains show material
    """
    found = card(name)
    details = found.details()
    if json:
        emit({**details, "name": found.name, "size": found.size, "weights": found.weights, "path": str(found.path)})
        return
    out().print(f"[bold]{found.name}[/]  {escape(found.kind)}, {found.weights:,} weights, {found.size:,} bytes\n")
    out().print(_facts(found, details), soft_wrap=False)
    if isinstance(layers := details.get("layers"), list):
        say("", layer_table(layers, found))
    if isinstance(networks := details.get("networks"), dict):
        say("", networks_table(networks, found))


def export(name: BrainName, /, *, to: ExportFile, json: Json = False) -> None:
    """Write a brain as an ONNX model, or as a network file of Stockfish, for other programs.

    An ONNX model reads arrays of the brain's encoding (`okapi encode`) as `input`, and its `output` is the last layer
    of the network; `okapi brains show` says what its numbers mean. Perceptrons and convolutional networks can be
    exported so; as .nnue, brains that were imported from one: the bytes are the same.

    For example:
      okapi brains export okapi-resnet --out okapi-resnet.onnx
      okapi brains export stockfish --out stockfish.nnue
    """
    exported = {".onnx": export_onnx, ".nnue": export_network}.get(to.suffix)
    if exported is None:
        raise UsageError(f"the name `{to.name}` does not say what to write", hint="names end with .onnx or .nnue")
    content, encoding = exported(find(name)), card(name).encoding
    replace_file(to, content)
    told = {"file": str(to), "format": to.suffix[1:], "size": len(content), "encoding": encoding}
    answer(told, f"{to}: {len(content):,} bytes, reads {encoding}", json=json)


def _facts(found: ModelCard, details: dict[str, Any]) -> Table:
    """What a card says, line by line; layers and networks have a table of their own, with their tensors."""
    is_network = isinstance(details.get("layers"), list) or isinstance(details.get("networks"), dict)
    told_elsewhere = ("okapi", "name", "kind", *(("layers", "networks", "output") if is_network else ()))
    table = Table(box=None, show_header=False, pad_edge=False)
    table.add_column(style="cyan", no_wrap=True)
    table.add_column(overflow="fold")
    for key, value in details.items():
        if key == "curve" and (grown := curves(value)):
            table.add_row(key, "\n".join(f"{name}  {text}" for name, text in grown.items()))
        elif key not in told_elsewhere:
            table.add_row(key, _readable(value))
    if is_network and isinstance(details.get("output"), dict):
        table.add_row("answers", output_in_words(details["output"]))
    if not is_network:
        table.add_row("tensors", ", ".join(f"{n} {'x'.join(map(str, shape))}" for n, shape in found.tensors.items()))
    table.add_row("file", str(found.path))
    return table


def _readable(value: Any) -> str:
    match value:
        case dict():
            return "\n".join(f"{key}: {_readable(item)}" for key, item in value.items())
        case list() if len(value) > MOST_ITEMS and all(isinstance(item, int | float) for item in value):
            return f"{_readable(value[:ENDS])}, … {_readable(value[-ENDS:])} ({len(value)} numbers)"
        case list():
            return ", ".join(_readable(item) for item in value)
        case _:
            return str(value)


ANSWERS: Final = {
    "moves": "the move: a probability for each pair of squares",
    "squares": "the move: a probability for each square, first of the piece and then of where it goes",
}
"""Of networks that predict moves."""

SIDES: Final = {"mover": "the side to move", "white": "White"}


def layer_table(layers: Sequence[Mapping[str, Any]], card: ModelCard) -> Table:
    """A row for each layer: what it does, from how many numbers or planes to how many, and its weights."""
    rows = []
    for layer in layers:
        names = _names(layer)
        shapes = [card.tensors.get(f"{name}.weight", ()) for name in names]
        parts = (card.tensors.get(f"{name}.{part}", (0,)) for name in names for part in ("weight", "bias"))
        weights = sum(map(math.prod, parts))
        sizes = f"{shapes[0][1]:,} → {shapes[0][0]:,}" if shapes and len(shapes[0]) > 1 else ""
        rows.append((_what(layer, shapes), sizes, str(layer.get("activation", "")), weights or None))
    return table_of({"layer": "", "from → to": "", "activation": "", "weights": ","}, rows)


def output_in_words(output: Mapping[str, Any]) -> str:
    """What the last numbers mean.

    >>> output_in_words({"form": "number", "view": "mover", "low": -1500, "high": 1500})
    'a number from -15.00 to +15.00 pawns, for the side to move'
    """
    side = SIDES.get(str(output.get("view")), "?")
    match output:
        case {"form": "classes", "values": [*values], "edges": [*edges]}:
            borders, worth = " ".join(map(_pawns, edges)), " ".join(f"{value:.2f}" for value in values)
            return f"{len(values)} classes, for {side}, with borders at {borders} pawns, worth {worth} of a point"
        case {"form": "number", "low": low, "high": high}:
            return f"a number from {_pawns(low)} to {_pawns(high)} pawns, for {side}"
        case {"form": "moves" | "squares" as form, "promotions": [_, _, _, _] as shares}:
            kinds = zip(("queen", "rook", "bishop", "knight"), shares, strict=True)
            return f"{ANSWERS[form]}; pawns become {', '.join(f'{kind} {share:.1%}' for kind, share in kinds)}"
        case {"form": "moves" | "squares" as form}:
            return ANSWERS[form]
        case {"form": "tanh"}:
            return f"from -1 to 1: twice the expected score, less 1, for {side}"
        case {"form": "score"}:
            return f"the expected score, for {side}"
        case _:
            return ", ".join(f"{key} {value}" for key, value in output.items())


def networks_table(networks: Mapping[str, Any], card: ModelCard) -> Table:
    """A row for each of several networks: what it reads, its layers in short, and its weights."""
    rows = []
    for name, network in networks.items():
        own = {key: shape for key, shape in card.tensors.items() if key.startswith(f"{name}/")}
        layers = _in_short(name, network.get("layers"), own)
        rows.append((name, str(network.get("encoding", "?")), layers, sum(map(math.prod, own.values()))))
    return table_of({"network": "", "reads": "", "layers": "", "weights": ","}, rows)


def _in_short(name: str, layers: Any, shapes: Mapping[str, Sequence[int]]) -> str:
    """Layers that do the same one after the other, with their outputs: `convolve 64-96-256, dense 1024-64`."""
    told = []
    for layer in layers if isinstance(layers, list) else ():
        own = [shapes.get(f"{name}/{part}.weight") for part in _names(layer)]
        told += [(str(layer.get("do")), str(shape[0])) for shape in filter(None, own)][:1]
    alike = groupby(told, key=lambda layer: layer[0])
    return ", ".join(f"{do} {'-'.join(outputs for _, outputs in each)}" for do, each in alike)


def curves(curve: Any) -> dict[str, str]:
    """Each number of a learning curve, or of a record for each epoch: small bars, and where it began and ended.

    >>> curves([{"epoch": 1, "loss": 2.0}, {"epoch": 2, "loss": 1.0}])
    {'loss': '█▁ 2 → 1 (2 numbers)'}
    """
    if isinstance(curve, list) and all(isinstance(point, dict) for point in curve):
        names = dict.fromkeys(name for point in curve for name in point if name != "epoch")
        curve = {name: [point.get(name) for point in curve] for name in names}
    rows = curve.items() if isinstance(curve, dict) else ()
    found = {name: [float(n) for n in row if isinstance(n, int | float)] for name, row in rows if isinstance(row, list)}
    return {
        str(name): f"{sparkline(numbers)} {numbers[0]:.4g} → {numbers[-1]:.4g} ({len(numbers)} numbers)"
        for name, numbers in found.items()
        if numbers
    }


def _what(layer: Mapping[str, Any], shapes: Sequence[Sequence[int]]) -> str:
    kernel = f" {'×'.join(map(str, shapes[0][2:]))}" if shapes and len(shapes[0]) > 2 else ""
    squeeze = f", squeeze {shapes[2][0]}" if layer.get("squeeze") and len(shapes) > 2 and shapes[2] else ""
    name = str(layer.get("name", ""))
    called = f" {name}" if name and not name.isdecimal() else ""  # others are only counted
    return f"{layer.get('do', '?')}{called}{kernel}{squeeze}"


def _names(layer: Mapping[str, Any]) -> list[str]:
    """Of its tensors, without `.weight` and `.bias`."""
    listed = [*layer.get("names", ()), *(layer.get("squeeze") or ())]
    return [str(name) for name in ([layer["name"]] if "name" in layer else listed)]


def _pawns(centipawns: float) -> str:
    return f"{centipawns / 100:+.2f}"
