"""`okapi explain`: what pieces contribute to a brain's value, what its neurons react to, how two brains differ."""

import math
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

from rich.table import Table

from okapi.analysis.attribution import (
    BrainChanges,
    PieceAttribution,
    PositionAttribution,
    attribute_pieces,
    brain_changes,
)
from okapi.analysis.neurons import Neurons, NeuronSurvey
from okapi.brains import card, default_name, evaluator, find
from okapi.brains.library import checkpoints, default_library
from okapi.cli.compare import described, gap_in_words, kind_table, positions_to_evaluate, print_boards
from okapi.cli.console import BrainOption, Json, emit, out, print_table, rounded, table_of
from okapi.cli.drawing import bar, board_style, draw_map, draw_numbers, print_board
from okapi.cli.evaluate import Fen, position_from
from okapi.cli.options import Count, CountOrZero, SourceFile, about
from okapi.cli.progress import fraction_done
from okapi.core import Color, Kind, Position
from okapi.core.packed import unpack
from okapi.errors import UsageError

WARMEST = 0.5
"""A piece that contributes so much more than its kind usually does, as a fraction of that, is fully red."""


def pieces(*fen: Fen, brain: BrainOption = None, against: str | None = None, json: Json = False) -> None:
    """Show what each piece contributes to the brain's value: the value that its side loses without it.

    The brain evaluates the position again without the piece. A piece is red where it contributes more than the usual
    proportions 1 3 3 5 9 would give it, and blue where it contributes less. Kings stay.

    For example:
      okapi explain pieces r4rk1/1bq2ppp/p2bpn2/1p6/3BP3/P1NQ4/1PP1BPPP/R4RK1 w - - 0 15 --brain giraffe
      okapi explain pieces startpos --brain now.safetensors --against before.safetensors

    Args:
        against: Another brain: show how much more each piece contributes with the first brain than with this one.
    """
    if not fen:
        raise UsageError("explain pieces takes a position", hint="okapi explain pieces startpos")
    position = position_from(" ".join(fen))
    found = attribute_pieces(evaluator(brain), position)
    other = None if against is None else attribute_pieces(evaluator(against), position)
    if json:
        against_it = {} if other is None else {"against": _pieces_described(position, other)}
        emit(_pieces_described(position, found) | against_it)
        return
    name = card(brain or default_name()).name
    if other is None:
        _print_pieces(position, name, found)
    else:
        _print_differences(position, [name, card(str(against)).name], found, other)


def _pieces_described(position: Position, found: PositionAttribution) -> dict[str, Any]:
    told = {"fen": position.fen(), "centipawns": found.centipawns}
    totals = {side.name.lower(): found.total(side) for side in Color}
    pieces = []
    for worth in found.pieces:
        known = {"centipawns": worth.centipawns, "usual": round(found.usual(worth.piece.kind))}
        pieces.append({"square": str(worth.square), "piece": str(worth.piece), **known})
    return {**told, **totals, "pieces": pieces}


def _print_pieces(position: Position, name: str, found: PositionAttribution) -> None:
    console = out()
    console.print(f"{name} gives White {found.centipawns / 100:+.2f}; what each piece is worth to its side\n")
    texts = {worth.square: _pawns(worth.centipawns) for worth in found.pieces}
    beyond = {worth.square: _beyond(worth, found) for worth in found.pieces}
    warmth = {square: part / WARMEST for square, part in beyond.items()}
    console.print(draw_numbers(position, texts, warmth, board_style()))
    totals = [f"{side.name.capitalize()}'s pieces are worth {found.total(side) / 100:.2f}" for side in Color]
    console.print(f"\n{', '.join(totals)}; a pawn usually {found.usual(Kind.PAWN) / 100:.2f}", markup=False)
    ranked = sorted((worth for worth in found.pieces if worth.centipawns is not None), key=lambda w: -beyond[w.square])
    for what, worth in (("most", ranked[0]), ("least", ranked[-1])) if len(ranked) > 1 else ():
        piece = f"{worth.piece.color.name.capitalize()}'s {worth.piece.kind.name.lower()} on {worth.square}"
        usual = f"usually {found.usual(worth.piece.kind) / 100:.2f}"
        console.print(f"worth {what} for its kind: {piece} ({_pawns(worth.centipawns)}, {usual})", markup=False)
    if any(worth.centipawns is None for worth in found.pieces):
        console.print("–  cannot be taken off: the king behind it could be captured", markup=False, style="dim")


def _print_differences(
    position: Position, names: list[str], found: PositionAttribution, other: PositionAttribution
) -> None:
    out().print(
        f"{names[0]} gives White {found.centipawns / 100:+.2f}, {names[1]} {other.centipawns / 100:+.2f}; "
        f"how much more each piece is worth to {names[0]}\n",
        markup=False,
    )
    more = {
        one.square: one.centipawns - two.centipawns
        for one, two in zip(found.pieces, other.pieces, strict=True)
        if one.centipawns is not None and two.centipawns is not None
    }
    most = max(map(abs, more.values()), default=0) or 1
    texts = {square: f"{by / 100:+.2f}" for square, by in more.items()}
    warmth = {square: by / most for square, by in more.items()}
    out().print(draw_numbers(position, texts, warmth, board_style()))


def _beyond(worth: PieceAttribution, found: PositionAttribution) -> float:
    usual = found.usual(worth.piece.kind)
    return 0.0 if worth.centipawns is None or usual <= 0 else worth.centipawns / usual - 1.0


def _pawns(centipawns: int | None) -> str:
    return "–" if centipawns is None else f"{centipawns / 100:.2f}"


BAR = 16
MAPS_A_ROW = 3
STRONGEST = 8
"""Pieces on squares with the largest weights of a neuron."""


def neurons(
    brain: Annotated[str, about("A brain of the kind nnue: its name, or the path of a file.")],
    number: Annotated[tuple[int, ...], about("Neurons to show in detail.")] = (),
    /,
    *,
    positions: SourceFile = None,
    most: Annotated[Count, about("Positions to measure neurons on.")] = 4_000,
    top: Annotated[Count, about("Neurons to list.")] = 16,
    boards: Annotated[CountOrZero, about("Positions to show for each neuron in detail.")] = 3,
    json: Json = False,
) -> None:
    """List the neurons of a brain, those with the most influence first; or show the weights of some of them.

    Influence is how many centipawns the contribution of a neuron varies by over positions. A neuron reads the board
    from one side, mirrored so that the king of this side is on files a to d; its maps are the weights of each piece
    on each square, and the boards are the positions with its largest activations.

    For example:
      okapi explain neurons champion.safetensors 17 203
      okapi explain neurons champion.safetensors 17 --positions games.okapi --most 20000 --boards 6
    """
    layer = Neurons.open(find(brain))
    for one in number:
        layer.check(one)
    survey = NeuronSurvey.of(layer, positions_to_evaluate(positions, most))
    if json:
        old = {"awake": "active", "full": "saturated", "favour": "mean_contribution"}
        facts = [asdict(fact) | {key: getattr(fact, now) for key, now in old.items()} for fact in survey.neurons]
        close = [_neuron_described(layer, survey, one, boards) for one in number]
        emit({"neurons": facts, "positions": len(survey.rows), "close": close})
        return
    if not number:
        out().print(f"{len(layer)} neurons, measured on {len(survey.rows):,} positions\n", markup=False)
        print_table(_neuron_table(survey, layer, top))
    for one in number:
        _print_neuron(layer, survey, one, boards)


def _neuron_table(survey: NeuronSurvey, layer: Neurons, top: int) -> Table:
    columns = {"neuron": "d", "influence": ".1f", "": "s", "active": ".0%", "saturated": ".0%", "centipawns": "+.0f"}
    columns["largest weights"] = ""
    largest = survey.neurons[0].influence or 1.0
    rows = []
    for fact in survey.neurons[:top]:
        length, shares = bar(fact.influence / largest, BAR), (fact.active, fact.saturated)
        strongest = _strongest(layer, survey, fact.number, 2)
        rows.append((fact.number, fact.influence, length, *shares, fact.mean_contribution, strongest))
    table = table_of(columns, rows)
    table.columns[2].style, table.columns[2].justify = "cyan", "left"
    return table


def _strongest(layer: Neurons, survey: NeuronSurvey, number: int, most: int) -> str:
    return ", ".join(f"{what} {weight:+.2f}" for what, weight in layer.strongest(number, most, survey.seen))


def _print_neuron(layer: Neurons, survey: NeuronSurvey, number: int, boards: int) -> None:
    console, look = out(), board_style()
    place, fact = next((place, fact) for place, fact in enumerate(survey.neurons, 1) if fact.number == number)
    console.print(f"[bold]Neuron {number}[/]: influence {fact.influence:.1f} centipawns, {place} of {len(layer)}")
    console.print(
        f"active in {fact.active:.0%} of all views, saturated in {fact.saturated:.0%}; "
        f"when active it contributes {fact.mean_contribution:+.0f} centipawns to its side\n",
        markup=False,
    )
    weights = _weights(layer, number)
    most = max(abs(weight) for row in weights.values() for weight in row if not math.isnan(weight))
    console.print(f"its weights, in ninths of {most:.2f}; own side below, own king on a to d\n", markup=False)
    maps = [draw_map(piece, row, most, look) for piece, row in weights.items()]
    for start in range(0, len(maps), MAPS_A_ROW):
        row = Table.grid(padding=(0, 1))
        row.add_row(*maps[start : start + MAPS_A_ROW])
        console.print(row, soft_wrap=False)
        console.print()
    console.print(f"largest weights: {_strongest(layer, survey, number, STRONGEST)}\n", markup=False)
    for active in survey.most_active(number, boards):
        position = unpack(survey.rows["position"][active.row])
        side = active.side.name.capitalize()
        words = f"activation {active.activation:.2f}\nfor {side}\n\n{position.turn.name.capitalize()} to move"
        print_board(position, words, flipped=active.side is Color.BLACK)


def _weights(layer: Neurons, number: int) -> dict[str, list[float]]:
    """The weights of a neuron for each piece, from a1 to h8; NaN where that cannot stand."""
    weights = layer.weights(number)
    pieces = [(side, whose, kind) for side, whose in enumerate(("own", "enemy")) for kind in Kind]
    return {f"{whose} {kind.name.lower()}": weights[side, kind.value].tolist() for side, whose, kind in pieces}


def _neuron_described(layer: Neurons, survey: NeuronSurvey, number: int, boards: int) -> dict[str, Any]:
    weights = {
        piece: [None if math.isnan(weight) else round(weight, 4) for weight in row]
        for piece, row in _weights(layer, number).items()
    }
    most_active = []
    for active in survey.most_active(number, boards):
        known = {"side": active.side.name.lower(), "activation": round(active.activation, 3)}
        most_active.append({"fen": unpack(survey.rows["position"][active.row]).fen(), **known})
    return {"number": number, "weights": weights, "most_active": most_active}


def changes(
    before: Annotated[str, about("The older brain: its name, or a file; or a run, by name or folder.")],
    now: Annotated[str | None, about("The newer one; of a run, its last two generations are taken.")] = None,
    /,
    *,
    positions: SourceFile = None,
    most: Annotated[Count, about("Positions to evaluate.")] = 4_000,
    removed: Annotated[Count, about("Positions whose pieces are removed.", name=("--removed", "--worths"))] = 1_000,
    top: Annotated[CountOrZero, about("Pieces on squares to list, those whose contribution changed most.")] = 12,
    worst: Annotated[CountOrZero, about("Boards to show, those where the values differ most.")] = 3,
    json: Json = False,
) -> None:
    """Show what changed from one brain to the next: values, what pieces contribute, and on which squares.

    Both evaluate the same positions without a search, and again without each piece in turn.

    For example:
      okapi explain changes vazquez-five okapi-28
      okapi explain changes mine
    """
    if now is None:
        before, now = _last_generations(default_library().folders().get(before, Path(before)))
    if find(before) == find(now):
        raise UsageError(f"`{before}` and `{now}` are the same brain", hint="name two brains")
    rows = positions_to_evaluate(positions, most)
    with fraction_done("removing pieces") as heard:
        found = brain_changes(before, now, rows, worst=worst, attributed=removed, on_progress=heard)
    if json:
        kinds = [(kind.name.lower(), round(old, 1), round(new, 1)) for kind, old, new in found.kinds()]
        pieces = [{"kind": kind, "before": old, "now": new} for kind, old, new in kinds]
        squares = [rounded(change, 1) | {"kind": change.kind.name.lower()} for change in found.squares(top)]
        emit({**described(found.compared), "pieces": pieces, "squares": squares})
    else:
        _print_changes(found, top)


def _last_generations(run: Path) -> tuple[str, str]:
    brains = sorted(run.glob("[0-9]*/brain.safetensors"), key=lambda path: int(path.parent.name))
    brains = brains or [checkpoint.path for checkpoint in checkpoints(run)]
    if len(brains) < 2:
        hint = "name two brains, or a run of `okapi train`"
        raise UsageError(f"`{run}` is no run with two generations or checkpoints", hint=hint)
    return str(brains[-2]), str(brains[-1])


def _print_changes(found: BrainChanges, top: int) -> None:
    console, compared = out(), found.compared
    now, before = (each.name for each in compared.evaluators)
    console.print(f"from {before} to {now}, on {len(compared.rows):,} positions\n", markup=False)
    console.print(gap_in_words(now, before, compared.pairs[0].whole), markup=False)
    console.print()
    print_table(kind_table(compared))
    console.print("\n[bold]What pieces contribute[/], in pawns\n")
    kinds = ((kind.name.lower(), old / 100, new / 100, (new - old) / 100) for kind, old, new in found.kinds())
    print_table(table_of({"piece": "", "before": ".2f", "now": ".2f", "change": "+.2f"}, kinds))
    console.print("\n[bold]Where that changed most[/], beyond its kind's change; squares as the owner counts them\n")
    columns = {"piece on": "", "before": ".2f", "now": ".2f", "beyond its kind": "+.2f", "seen": "d"}
    rows = []
    for change in found.squares(top):
        pawns = (change.before / 100, change.now / 100, change.beyond / 100)
        rows.append((f"{change.kind.name.lower()} {change.square}", *pawns, change.seen))
    print_table(table_of(columns, rows))
    title = f"[bold]Where {now} and {before} are furthest apart[/]; values of the side to move"
    print_boards(compared, compared.worst, title)
