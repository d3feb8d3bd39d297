"""`okapi moves`: what a brain that predicts moves would play, or a person of the rating that it is told."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from cyclopts import Parameter
from rich.table import Table

from okapi import brains
from okapi.cli.bars import bar
from okapi.cli.console import BrainOption, Json, emit, out, watch
from okapi.cli.evaluate import fen_lines, position_from, positions_of
from okapi.cli.heat import draw_heat
from okapi.core import Position
from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.cli.predictions import Prediction

__all__ = ["moves"]

ELOS: Final = range(100, 4001)
"""Ratings that a person could have."""
SHOWN: Final = 10
IN_A_LINE: Final = 3
"""Moves of one position, and of each in a file, where nobody says how many."""
EVERY: Final = 256
"""Positions between two looks at the bar."""


def moves(
    *fen: Annotated[str, Parameter(help="The position; `startpos` for the start of the game.")],
    file: Annotated[Path | None, Parameter(help="A file with one FEN a line, instead.")] = None,
    brain: BrainOption = None,
    elo: Annotated[int | None, Parameter(help="The rating of the player whose move is predicted.")] = None,
    top: Annotated[int | None, Parameter(help="Tell only so many moves.")] = None,
    unmasked: Annotated[bool, Parameter(help="As the networks say it, with moves that are illegal.")] = False,
    squares: Annotated[bool, Parameter(help="With --json: the probability of every square, too.")] = False,
    threads: Annotated[int, Parameter(help="Threads that the networks may use.")] = 1,
    json: Json = False,
) -> None:
    """Predict the next move: legal moves, likeliest first, each with its probability.

    A brain that can be told a rating says what a player of that rating would choose.

    For example:
      okapi moves startpos
      okapi moves "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4" --elo 2100 --top 5
      okapi moves startpos --brain mine.safetensors --unmasked
      okapi moves --file positions.fen --json
    """
    if bool(fen) == (file is not None):
        raise UsageError("moves takes a FEN or --file, one of them", hint="okapi moves startpos")
    if squares and not json:
        raise UsageError("--squares is for --json", hint="without it, the board shows them")
    _check_numbers(elo=elo, top=top, threads=threads)
    positions = iter([position_from(" ".join(fen))]) if file is None else _with_progress(file)
    asked = brains.predictor(brain or brains.HUMAN, threads=threads)
    if elo is not None and "elo" not in asked.dials:
        raise UsageError(
            f"brain `{asked.card.name}` cannot be told a rating",
            hint="leave --elo out, or choose a brain that reads `+elo`: `okapi brains show` tells",
        )
    from okapi.cli.predictions import Question  # here, because --help does without numpy

    question = Question(
        elo=elo, top=top if json else None, unmasked=unmasked, squares=squares or (unmasked and not json)
    )
    console = out()
    for prediction in question.put(asked, positions):
        if json:
            emit({**prediction.as_json(), "elo": elo})
        elif file is None:
            console.print(f"{asked.card.name}{f', told a rating of {elo}' if elo else ''}", style="bold")
            _show(prediction, top or SHOWN)
        else:
            likeliest = prediction.moves[: top or IN_A_LINE]
            listed = (f"{prediction.written(move):7} {share:4.0%}" for move, share in likeliest)
            console.print("  ".join([*listed, prediction.position.fen()]), markup=False)


def _check_numbers(*, elo: int | None, top: int | None, threads: int) -> None:
    if elo is not None and elo not in ELOS:
        raise UsageError(f"--elo is {elo}", hint=f"ratings go from {ELOS[0]} to {ELOS[-1]}")
    for name, number in (("--top", top), ("--threads", threads)):
        if number is not None and number < 1:
            raise UsageError(f"{name} is {number}", hint="expected 1 or more")


def _with_progress(file: Path) -> Iterator[Position]:
    """The positions of a file, with a bar on stderr, unless the answers themselves go by on the terminal."""
    if sys.stdout.isatty():
        yield from positions_of(file)
        return
    total = len(fen_lines(file))
    with watch("positions") as tell:
        for done, position in enumerate(positions_of(file), start=1):
            yield position
            if done % EVERY == 0:
                tell(done / total)


def _show(prediction: "Prediction", most: int) -> None:
    """For people: where the piece comes from as a board, and the moves as bars."""
    position, console = prediction.position, out()
    if not position.legal_moves():
        console.print("No move is legal here: the game is over.")
        return
    console.print(f"{position.turn.name.capitalize()} to move: where from, in percent\n")
    console.print(draw_heat(position, prediction.origin()))
    table = Table(box=None, show_header=False, pad_edge=False)
    shown = prediction.moves[:most]
    for move, share in shown:
        length = bar(share / shown[0][1]) if share else ""
        style = "red" if move in prediction.illegal else "cyan"
        table.add_row(prediction.written(move), f"{share:6.1%}", f"[{style}]{length}[/]")
    console.print()
    console.print(table)
    if prediction.illegal_share is not None:
        console.print(
            f"\n{prediction.illegal_share:.2%} of the probability is given to what is illegal, as the moves with ?"
        )
