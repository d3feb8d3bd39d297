"""`okapi inside neurons`: which neurons of an NNUE brain have most to say, and what they like."""

import math
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.console import Console
from rich.table import Table

from okapi.brains import find
from okapi.cli.bars import bar
from okapi.cli.brains_compare import positions_to_judge
from okapi.cli.console import Json, emit, out
from okapi.cli.numbered import draw_map
from okapi.core import Color, Kind
from okapi.terminal.board import Look, draw_board

if TYPE_CHECKING:
    from okapi.analysis.explain.neurons import NeuronActivation, Neurons, NeuronSurvey

__all__ = ["neurons"]

BAR = 16
MAPS_A_ROW = 3
STRONGEST = 8
"""Pieces on squares that are named for a neuron."""

USUAL_MOST = 4_000
"""Positions that neurons are asked about, where nobody says how many."""


def neurons(
    brain: Annotated[str, Parameter(help="A brain of the kind nnue: its name, or the path of a file.")],
    number: Annotated[tuple[int, ...], Parameter(help="Neurons to look at closely.")] = (),
    /,
    *,
    positions: Path | None = None,
    most: Annotated[int, Parameter(validator=Number(gte=1))] = USUAL_MOST,
    top: Annotated[int, Parameter(validator=Number(gte=1))] = 16,
    boards: Annotated[int, Parameter(validator=Number(gte=0))] = 3,
    json: Json = False,
) -> None:
    """List the neurons of a brain, those with the most influence first; or show what some of them like.

    Influence is by how many centipawns what a neuron says differs from position to position. A neuron sees the board
    as one side does, turned so that this side's king stands on a to d; its maps say what it adds for each piece on
    each square, and the boards are the positions that excite it most.

    Examples:
      okapi inside neurons champion.safetensors
      okapi inside neurons champion.safetensors 17 203
      okapi inside neurons champion.safetensors 17 --positions games.okapi --most 20000 --boards 6

    Parameters
    ----------
    positions
        Games or samples of any format; without it, positions of games that Okapi plays itself.
    most
        Positions to ask neurons about.
    top
        Neurons to list.
    boards
        Positions to show for each neuron that is looked at closely.
    """
    from okapi.analysis.explain.neurons import Neurons, NeuronSurvey

    mind = Neurons.open(find(brain))
    for one in number:
        mind.check(one)
    survey = NeuronSurvey.of(mind, positions_to_judge(positions, most))
    if json:
        facts = [asdict(fact) for fact in survey.neurons]
        close = [_neuron_described(mind, survey, one, boards) for one in number]
        emit({"neurons": facts, "positions": len(survey.rows), "close": close})
        return
    console = out()
    if not number:
        console.print(f"{len(mind)} neurons, asked about {len(survey.rows):,} positions\n", markup=False)
        console.print(_neuron_table(survey, mind, top), soft_wrap=False)
    for one in number:
        _print_neuron(console, mind, survey, one, boards)


def _neuron_table(survey: "NeuronSurvey", mind: "Neurons", top: int) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("neuron", "influence"):
        table.add_column(heading, justify="right")
    table.add_column("", style="cyan", no_wrap=True, min_width=BAR)
    for heading in ("awake", "full", "says"):
        table.add_column(heading, justify="right")
    table.add_column("moved most by", overflow="fold")
    largest = survey.neurons[0].influence or 1.0
    for fact in survey.neurons[:top]:
        strongest = ", ".join(f"{what} {weight:+.2f}" for what, weight in mind.strongest(fact.number, 2, survey.seen))
        table.add_row(
            str(fact.number),
            f"{fact.influence:.1f}",
            bar(fact.influence / largest, BAR),
            f"{fact.awake:.0%}",
            f"{fact.full:.0%}",
            f"{fact.favour:+.0f}",
            strongest,
        )
    return table


def _print_neuron(console: Console, mind: "Neurons", survey: "NeuronSurvey", number: int, boards: int) -> None:
    look = replace(Look.of(console), large=False)
    place, fact = next((place, fact) for place, fact in enumerate(survey.neurons, 1) if fact.number == number)
    console.print(f"[bold]Neuron {number}[/]: influence {fact.influence:.1f} centipawns, {place} of {len(mind)}")
    console.print(
        f"awake in {fact.awake:.0%} of all views, as loud as can be in {fact.full:.0%}; "
        f"there it says {fact.favour:+.0f} centipawns for the side that sees it\n",
        markup=False,
    )
    likes = mind.likes(number)
    most = float(max(abs(weight) for weight in likes.ravel().tolist() if not math.isnan(weight)))
    console.print(f"its weights, in ninths of {most:.2f}; own side below, own king on a to d\n", markup=False)
    maps = [
        draw_map(f"{whose} {kind.name.lower()}", likes[side, kind.value].tolist(), most, look)
        for side, whose in enumerate(("own", "enemy"))
        for kind in Kind
    ]
    for start in range(0, len(maps), MAPS_A_ROW):
        row = Table.grid(padding=(0, 1))
        row.add_row(*maps[start : start + MAPS_A_ROW])
        console.print(row, soft_wrap=False)
        console.print()
    named = ", ".join(f"{what} {weight:+.2f}" for what, weight in mind.strongest(number, STRONGEST, survey.seen))
    console.print(f"moved most by {named}\n", markup=False)
    for excited in survey.exciting(number, boards):
        _print_excited(console, survey, excited, look)


def _print_excited(console: Console, survey: "NeuronSurvey", excited: "NeuronActivation", look: Look) -> None:
    from okapi.core.packed import unpack

    position = unpack(survey.rows["position"][excited.row])
    side = excited.side.name.capitalize()
    words = f"adds up {excited.loudness:.2f}\nwith {side}'s eyes\n\n{position.turn.name.capitalize()} to move"
    side_by_side = Table.grid(padding=(0, 3))
    side_by_side.add_row(draw_board(position, look, flipped=excited.side is Color.BLACK), words)
    console.print(side_by_side, soft_wrap=False)
    console.print(position.fen() + "\n", markup=False, style="dim")


def _neuron_described(mind: "Neurons", survey: "NeuronSurvey", number: int, boards: int) -> dict[str, Any]:
    from okapi.core.packed import unpack

    likes = mind.likes(number)
    return {
        "number": number,
        "likes": {
            f"{whose} {kind.name.lower()}": [
                None if math.isnan(weight) else round(weight, 4) for weight in likes[side, kind.value].tolist()
            ]
            for side, whose in enumerate(("own", "enemy"))
            for kind in Kind
        },
        "exciting": [
            {
                "fen": unpack(survey.rows["position"][excited.row]).fen(),
                "side": excited.side.name.lower(),
                "loudness": round(excited.loudness, 3),
            }
            for excited in survey.exciting(number, boards)
        ],
    }
