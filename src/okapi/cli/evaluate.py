"""`okapi eval`, `okapi moves` and `okapi encode`: a position as a brain sees it, without a search."""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby, islice
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
from numpy.typing import NDArray
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from okapi import brains
from okapi.brains.evaluation import ClassShare, class_shares
from okapi.brains.move_prediction import Predictor, Squares, likeliest_pairs
from okapi.cli.console import BrainOption, Json, answer, emit, out, say, table_of
from okapi.cli.drawing import bar, draw_heat
from okapi.cli.parameters import about
from okapi.cli.progress import fraction_done
from okapi.core import Evaluator, Kind, Position, Value
from okapi.core.packed import pack
from okapi.encodings import ENCODINGS, PIECE_SQUARES, SQUARES, Encoding, find_encoding, move_squares
from okapi.encodings.lai2015 import MODALITIES
from okapi.encodings.lai2015_text import SLOTS, subjects, table_1
from okapi.encodings.layers import ELO_RANGE
from okapi.errors import InvalidFen, InvalidText, UsageError, did_you_mean
from okapi.files import file_errors

Fen = Annotated[str, about("The position; `startpos` for the start of the game.")]
FenFile = Annotated[Path | None, about("A file with one FEN a line, instead.")]

STARTS = ("startpos", "start")


def evaluate(*fen: Fen, file: FenFile = None, brain: BrainOption = None, json: Json = False) -> None:
    """Evaluate a position with a brain, without a search: the expected score of the side to move, 0 lost to 1 won.

    A network with classes of positions also gives the probability of each class.

    For example:
      okapi eval "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1" --brain material
      okapi eval --file positions.fen --json
    """
    if bool(fen) == (file is not None):
        raise UsageError("eval takes a FEN or --file, one of them", hint='okapi eval "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"')
    evaluator = brains.evaluator(brain)
    positions = iter([position_from(" ".join(fen))]) if file is None else positions_of(file)
    for position, shares in _with_classes(brain, positions):
        value = evaluation(evaluator, position)
        if json:
            classes = {"classes": [share.as_json() for share in shares]} if shares else {}
            told = {"value": round(value.expected, 6), "centipawns": value.centipawns, "fen": position.fen()}
            emit({**told, **classes})
        elif file is None:
            say(f"{value.expected:.3f} for {position.turn.name.capitalize()} to move ({value} pawns)")
            for share in shares:
                out().print(f"{_borders(share):>18}  {share.probability:6.1%}  [cyan]{bar(share.probability)}[/]")
        else:
            say(f"{value.expected:.3f}  {value!s:>7}  {position.fen()}")


def _with_classes(
    brain: str | None, positions: Iterator[Position]
) -> Iterator[tuple[Position, tuple[ClassShare, ...]]]:
    """Each position with its classes for the side to move, the worst first; none where a brain has no classes."""
    output = {} if brain is None else brains.card(brain).details().get("output", {})
    if not isinstance(output, dict) or output.get("form") != "classes":
        yield from ((position, ()) for position in positions)
        return
    while some := list(islice(positions, 4096)):
        found = brains.evaluations(brain, pack(some))
        for row, position in enumerate(some):
            yield position, class_shares(found, row, position.turn, position.turn)


def _borders(share: ClassShare) -> str:
    low, high = ("" if edge is None else f"{edge / 100:+.2f}" for edge in (share.low, share.high))
    return f"{low} to {high}" if low and high else f"above {low}" if low else f"below {high}" if high else ""


def evaluation(evaluator: Evaluator, position: Position) -> Value:
    """The value for the side to move; after the end of a game, its result."""
    if position.is_checkmate():
        return Value.from_mate(0, position.turn)
    if position.is_stalemate() or position.is_insufficient_material():
        return Value(0.5, position.turn)
    return Value.from_centipawns(evaluator.centipawns(position), position.turn)


def position_from(text: str) -> Position:
    return Position.start() if text.strip() in STARTS else Position.from_fen(text.strip())


def positions_of(file: Path) -> Iterator[Position]:
    """The positions of a file, one FEN a line; empty lines and comments (#) are skipped."""
    for number, line in fen_lines(file):
        try:
            yield position_from(line)
        except InvalidFen as error:
            raise InvalidText(f"{file.name}, line {number}: {error}", hint=error.hint) from None


def fen_lines(file: Path) -> list[tuple[int, str]]:
    with file_errors(file, "read"):
        lines = file.read_text(encoding="utf-8-sig", errors="replace").splitlines()
    return [(number, line) for number, line in enumerate(lines, start=1) if line.strip() and not line.startswith("#")]


AT_A_TIME: Final = 256
"""Positions that networks evaluate together."""

DIGITS: Final = 6
MOST_PAIRS: Final = 100
"""Of all 4096 pairs of squares, listed by default where illegal moves are not masked."""


@dataclass(frozen=True, slots=True)
class PredictedMoves:
    position: Position
    moves: list[tuple[str, float]]
    """In UCI, likeliest first, with their probabilities."""
    illegal: tuple[str, ...] = ()
    """Those that are illegal, where illegal moves are not masked."""
    illegal_share: float | None = None
    """The probability of all illegal moves together; None where they are masked."""
    squares: Squares | None = None
    """Of this position alone, if asked for."""

    def as_json(self) -> dict[str, Any]:
        said: dict[str, Any] = {"moves": self.moves, "fen": self.position.fen()}
        if self.illegal_share is not None:
            said |= {"illegal": self.illegal, "illegal_share": round(self.illegal_share, DIGITS)}
        if self.squares is not None:
            own = [square.index for square, piece in self.position.pieces() if piece.color is self.position.turn]
            said["from"] = _named(self.squares.origin[0])
            said["to"] = {SQUARES[square]: _named(self.squares.target[0, square]) for square in own}
        return said

    def origin(self) -> list[float]:
        """How likely the piece that moves comes from each square, a1 first: by all moves, or as the networks say."""
        if self.squares is not None:
            return [float(share) for share in self.squares.origin[0]]
        shares = dict.fromkeys(SQUARES, 0.0)
        for move, share in self.moves:
            shares[move[:2]] += share
        return list(shares.values())

    def written(self, move: str) -> str:
        return f"{move}?" if move in self.illegal else self.position.san(self.position.move(move))


def predict(
    asked: Predictor, positions: Iterator[Position], elo: int | None, top: int | None, *, unmasked: bool, squares: bool
) -> Iterator[PredictedMoves]:
    """The prediction for each position, with only `top` moves."""
    while some := list(islice(positions, AT_A_TIME)):
        packed = pack(some)
        said = asked.squares(packed, elo=elo) if squares or unmasked else None
        if unmasked and said:
            found = _pairs(some, packed, said, top)
        else:
            legal = zip(some, asked.moves(packed, elo=elo), strict=True)
            found = (
                PredictedMoves(p, [(p.uci(move), round(share, DIGITS)) for move, share in m[:top]]) for p, m in legal
            )
        for row, prediction in enumerate(found):
            here = Squares(said.origin[row : row + 1], said.target[row : row + 1]) if squares and said else None
            yield replace(prediction, squares=here)


def _pairs(
    positions: list[Position], packed: NDArray[np.void], said: Squares, top: int | None
) -> Iterator[PredictedMoves]:
    """Of all pairs of squares the likeliest; of four promotions, the queen."""
    found = likeliest_pairs(packed, said, min(top or MOST_PAIRS, 64 * 64 - 1))
    for row, position in enumerate(positions):
        moves = [move for move in position.legal_moves() if move.promotion in (None, Kind.QUEEN)]
        origin, target = move_squares([move.bits for move in moves])
        names = dict(zip((64 * origin + target).tolist(), map(position.uci, moves), strict=True))
        listed = [
            (names.get(pair, SQUARES[pair // 64] + SQUARES[pair % 64]), round(share, DIGITS))
            for pair, share in zip(found.pairs[row].tolist(), found.probabilities[row].tolist(), strict=True)
        ]
        illegal = tuple(move for (move, _), legal in zip(listed, found.legal[row], strict=True) if not legal)
        yield PredictedMoves(position, listed, illegal, float(found.illegal_share[row]))


def _named(shares: NDArray[np.float32]) -> dict[str, float]:
    return {name: round(share, DIGITS) for name, share in zip(SQUARES, shares.tolist(), strict=True)}


SHOWN: Final = 10
IN_A_LINE: Final = 3
"""Moves that are shown of one position, and of each in a file, by default."""
EVERY: Final = 256
ELO_HELP: Final = "The rating of the player whose move is predicted, 2000 to 2900."


def moves(
    *fen: Fen,
    file: FenFile = None,
    brain: BrainOption = None,
    elo: Annotated[int | None, about(ELO_HELP)] = None,
    top: Annotated[int | None, about("Show only so many moves.")] = None,
    unmasked: Annotated[bool, about("Do not mask illegal moves.")] = False,
    squares: Annotated[bool, about("With --json: the probability of every square, too.")] = False,
    no_search: Annotated[bool, about("Leave out what a short search says of the moves; see the brain's card.")] = False,
    threads: Annotated[int, about("Threads that the networks may use.")] = 1,
    json: Json = False,
) -> None:
    """Predict the next move: legal moves, likeliest first, each with its probability.

    A brain with a rating as input predicts the moves of a player of that rating.

    For example:
      okapi moves "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 4 4" --elo 2100 --top 5
      okapi moves --file positions.fen --json
    """
    if bool(fen) == (file is not None):
        raise UsageError("moves takes a FEN or --file, one of them", hint="okapi moves startpos")
    if squares and not json:
        raise UsageError("--squares is for --json", hint="without it, the board shows them")
    lowest, highest = ELO_RANGE
    if elo is not None and not lowest <= elo <= highest:
        hint = f"choose {lowest} to {highest}"
        raise UsageError(f"--elo is {elo}: no brain has seen games of such players", hint=hint)
    for option, number in (("--top", top), ("--threads", threads)):
        if number is not None and number < 1:
            raise UsageError(f"{option} is {number}", hint="expected 1 or more")
    positions = iter([position_from(" ".join(fen))]) if file is None else _with_progress(file)
    asked = brains.predictor(brain or brains.HUMAN, threads=threads, values=not no_search)
    if elo is not None and "elo" not in asked.inputs:
        hint = "leave --elo out, or choose a brain that reads `+elo`: see `okapi brains show`"
        raise UsageError(f"brain `{asked.card.name}` has no rating as input", hint=hint)
    shown = squares or (unmasked and not json)
    for prediction in predict(asked, positions, elo, top if json else None, unmasked=unmasked, squares=shown):
        if json:
            emit({**prediction.as_json(), "elo": elo})
        elif file is None:
            say(Text(f"{asked.card.name}{f', rating {elo}' if elo else ''}", "bold"))
            _show(prediction, top or SHOWN)
        else:
            likeliest = prediction.moves[: top or IN_A_LINE]
            listed = (f"{prediction.written(move):7} {share:4.0%}" for move, share in likeliest)
            say("  ".join([*listed, prediction.position.fen()]))


def _with_progress(file: Path) -> Iterator[Position]:
    """The positions of a file, with a bar on stderr, unless the answers themselves go by on the terminal."""
    if sys.stdout.isatty():
        yield from positions_of(file)
        return
    total = len(fen_lines(file))
    with fraction_done("positions") as tell:
        for done, position in enumerate(positions_of(file), start=1):
            yield position
            if done % EVERY == 0:
                tell(done / total)


def _show(prediction: PredictedMoves, most: int) -> None:
    """For people: where the piece comes from as a board, and the moves as bars."""
    position = prediction.position
    if not position.legal_moves():
        say("No move is legal here: the game is over.")
        return
    heat = draw_heat(position, prediction.origin())
    say(f"{position.turn.name.capitalize()} to move: where from, in percent\n", heat, "")
    table = Table(box=None, show_header=False, pad_edge=False)
    shown = prediction.moves[:most]
    for move, share in shown:
        length = bar(share / shown[0][1]) if share else ""
        style = "red" if move in prediction.illegal else "cyan"
        table.add_row(prediction.written(move), f"{share:6.1%}", f"[{style}]{length}[/]")
    out().print(table)
    if prediction.illegal_share is not None:
        say(f"\n{prediction.illegal_share:.2%} of the probability is on illegal moves, marked with ?")


def encode(
    *fen: Fen,
    name: Annotated[str | None, about("Name of an encoding; `okapi encode --list`.", name="--as")] = None,
    words: Annotated[bool, about("Sentences instead of numbers, for giraffe-363.")] = False,
    list_all: Annotated[bool, about("List the encodings instead.", name="--list")] = False,
    json: Json = False,
) -> None:
    """Show the array that an encoding makes of a position: planes as boards, features as tables.

    For example:
      okapi encode startpos --as giraffe-363 --words
      okapi encode --list
    """
    if list_all:
        known, keys = ENCODINGS.values(), ("name", "shape", "source", "summary")
        listed = [{key: getattr(found, key) for key in keys} for found in known]
        rows = ((e.name, "x".join(map(str, e.shape)), e.dtype.name, f"{e.summary} ({e.source})") for e in known)
        table = table_of(dict.fromkeys(("name", "shape", "numbers", "what it is"), ""), rows)
        answer({"encodings": listed}, table, json=json)
        return
    if not fen or name is None:
        raise UsageError("encode takes a FEN and --as NAME", hint=did_you_mean("", ENCODINGS))
    encoding, position = find_encoding(name), position_from(" ".join(fen))
    if words:
        _tell_sentences(encoding, position, json=json)
    elif json:
        values = encoding.encode(position)
        emit({"encoding": encoding.name, "shape": encoding.shape, "values": values.tolist(), "fen": position.fen()})
    else:
        say(f"{encoding.name} ({encoding.source}): {encoding.summary}\n")
        out().print(picture(encoding, position), soft_wrap=False)


def _tell_sentences(encoding: Encoding, position: Position, *, json: bool) -> None:
    """Giraffe's features in words, a sentence for each piece and square."""
    if encoding.shape != (363,):
        raise UsageError(f"{encoding.name} has no sentences", hint="--words goes with --as giraffe-363")
    told = subjects(encoding.encode(position))
    if json:
        emit({"encoding": encoding.name, "subjects": [asdict(subject) for subject in told], "fen": position.fen()})
        return
    say(f"{encoding.name} ({encoding.source}): {encoding.summary}")
    for modality, group in groupby(told, key=lambda subject: subject.modality):
        say(Text(f"\n{modality}-centric", "italic"), *(subject.sentence for subject in group))


DIRECTIONS = ("East", "West", "North", "South", "North-East", "North-West", "South-East", "South-West")


def picture(encoding: Encoding, position: Position) -> RenderableType:
    if encoding.name in PIECE_SQUARES:
        return active_features(encoding.name, position)
    values = encoding.encode(position)
    match encoding.shape:
        case (363,):
            return giraffe(encoding, values)
        case (_, 8, 8):
            return boards(values, encoding.parts)
        case (768,):
            return boards(values.reshape(12, 8, 8), ENCODINGS["bitmap-12x8x8"].parts)
        case _:
            squares = board(values[:64].reshape(8, 8), "squares a1 to h8, rank 8 on top", cell=2)
            others = zip(encoding.parts[64:], values[64:].tolist(), strict=True)
            return Group(squares, *(f"{name}: {value:+d}\n" for name, value in others))


def boards(planes: NDArray[Any], names: Sequence[str]) -> Columns:
    """As many beside each other as fit."""
    cell = max(len(_number(value)) for value in np.unique(planes).tolist())
    return Columns([board(plane, name, cell) for plane, name in zip(planes, names, strict=True)], (0, 3), equal=True)


def board(values: NDArray[Any], title: str, cell: int) -> str:
    """Eight ranks of numbers, the last on top, under a title; a dot for 0."""
    ranks = (" ".join(_number(value).rjust(cell) for value in rank) for rank in values[::-1].tolist())
    return "\n".join((title, *ranks, ""))


def _number(value: float) -> str:
    return f"{value:g}" if value else "·"


def giraffe(encoding: Encoding, values: NDArray[np.float32]) -> RenderableType:
    """The thesis' Table 1, and after it what that leaves out: mobility, attack and defend maps."""
    numbers = dict(zip(encoding.parts, values.tolist(), strict=True))
    facts = Table("feature", "value", box=None, pad_edge=False, header_style="bold", title="position-centric")
    for name, value in table_1(values).items():
        if not name.startswith(SLOTS):
            facts.add_row(name, value)
    white, black = values[MODALITIES["squares"]].reshape(64, 2).T
    percent = np.round(100 * np.stack([white, black])).reshape(2, 8, 8)
    maps = boards(percent, ("White's control, %", "Black's control, %"))
    return Group(facts, "", slots(numbers, table_1(values)), "", Text("square-centric", style="italic"), maps)


def slots(numbers: dict[str, float], facts: dict[str, str]) -> Table:
    """The piece list, one slot a line."""
    headings = ("slot", "square", "E", "W", "N", "S", "NE", "NW", "SE", "SW", "safe", "White %", "Black %")
    table = Table(*headings, box=None, pad_edge=False, header_style="bold", title="piece-centric")
    for slot in SLOTS:
        if facts[f"{slot} Exists"] == "No":
            table.add_row(slot, "–", style="dim")
            continue
        reach = (_count(numbers.get(f"{slot} {direction}"), 7) for direction in DIRECTIONS)
        safe = _count(numbers.get(f"{slot} Safe Moves"), 16)
        control = (_count(numbers[f"{slot} {side} Control"], 100) for side in ("White", "Black"))
        table.add_row(slot, facts[f"{slot} Position"], *reach, safe, *control)
    return table


def active_features(name: str, position: Position) -> Table:
    piece_square = PIECE_SQUARES[name]
    table = Table("piece", "mover's", "", "opponent's", "", box=None, pad_edge=False, header_style="bold")
    views = piece_square.indices(pack([position]))[0].T
    for (square, piece), view in zip(position.pieces(), views.tolist(), strict=False):
        described = (text for index in view for text in (str(index), piece_square.describe(index)))
        table.add_row(f"{piece} {square}", *described)
    return table


def _count(value: float | None, unit: int) -> str:
    return "" if value is None else str(round(value * unit))
