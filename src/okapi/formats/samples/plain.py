"""Stockfish's .plain: six lines a sample. Score and result are for the side to move, in the engine's own unit."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from okapi.core.packed import fens
from okapi.core.samples import move_texts
from okapi.formats.samples.lines import Numbered, Options, Parsed, Rows, Skipped, numbered, rows_of
from okapi.formats.samples.text import known_results
from okapi.formats.samples.units import View, from_engine, is_black_to_move, parse_result, to_engine
from okapi.formats.streams import Stream

__all__ = ["PlainFormat"]


class PlainFormat:
    """Blocks of `fen …`, `move e2e4`, `score 35`, `ply 12`, `result -1`, `e`."""

    name = "plain"
    suffixes = (".plain",)

    def looks_like(self, start: bytes) -> bool:
        """The first line is a FEN that says so."""
        return start.startswith(b"fen ")

    def read(self, stream: Stream, name: str, options: Options, skipped: Skipped) -> Iterator[Rows]:
        """Yield the samples of a file."""
        for rows in rows_of(_parse(numbered(stream), options, name, skipped), name, skipped):
            rows["value"] = from_engine(rows["value"], options.scale)
            yield rows

    def write(self, file: BinaryIO, rows: Iterable[Rows], options: Options, skipped: Skipped) -> None:
        """Write samples that have a result; one without a value gets the engine's word for that, 32002."""
        for some in known_results(rows, options, skipped):
            scores = to_engine(some["value"], options.scale).tolist()
            plies = (2 * (some["position"]["fullmove_number"].astype(int) - 1) + some["position"]["turn"]).tolist()
            results = (some["result"] - 1).tolist()
            file.write(
                "".join(
                    f"fen {fen}\nmove {move or '0000'}\nscore {score}\nply {ply}\nresult {result}\ne\n"
                    for fen, move, score, ply, result in zip(
                        fens(some["position"]), move_texts(some), scores, plies, results, strict=True
                    )
                ).encode()
            )


def _parse(lines: Iterator[Numbered], options: Options, name: str, skipped: Skipped) -> Iterator[tuple[int, Parsed]]:
    """What stands before each `e`. The value is the engine's number still."""
    told: dict[str, str] = {}
    begun = 0
    for number, text in lines:
        word, _, rest = text.partition(" ")
        if word == "e":
            try:
                yield begun, _parsed(told, options)
            except (KeyError, ValueError) as error:
                skipped.add(f"{name}, line {begun}", f"no {error}" if isinstance(error, KeyError) else error)
            told = {}
        elif word == "fen" and told:
            skipped.add(f"{name}, line {begun}", "no `e` at its end")
            told, begun = {"fen": rest}, number
        else:
            begun = begun if told else number
            told[word] = rest.strip()
    if told:
        skipped.add(f"{name}, line {begun}", "the file ends inside it")


def _parsed(told: dict[str, str], options: Options) -> Parsed:
    fen = told["fen"]
    black = is_black_to_move(fen)
    view = options.view or View.MOVER
    score = int(told["score"])
    move = told.get("move", "")
    return Parsed(
        fen,
        -score if view is View.WHITE and black else score,
        "" if move in ("0000", "none", "(none)") else move,
        parse_result(told["result"], view=view, black=black, signed=True),
        int(told.get("ply", -1)),
    )
