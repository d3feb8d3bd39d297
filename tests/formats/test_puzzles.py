"""Lichess puzzles: the position that is to be solved, and its solution."""

from pathlib import Path

from okapi.core.packed import fens
from okapi.core.samples import move_texts
from okapi.formats.samples import SampleOptions, SkippedSamples, format_of
from okapi.formats.streams import open_stream

PUZZLES = """\
PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags
0001,rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR w KQkq - 0 3,h2h3 d8h4,600,80,95,7,mate mateIn1 short,url,
0002,rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR w KQkq - 0 3,h2h3,600,80,95,7,mate,url,
0003,rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR w KQkq - 0 3,h2h5 d8h4,600,80,95,7,mate,url,
"""


def test_a_puzzle_begins_after_the_opponents_move(tmp_path: Path) -> None:
    path = tmp_path / "puzzles.csv"
    path.write_text(PUZZLES)
    skipped = SkippedSamples()

    with open_stream(path) as stream:
        (rows,) = format_of(path).read(stream, path.name, SampleOptions(), skipped)

    assert ["rnbqkbnr/pppp1ppp/8/4p3/6P1/5P1P/PPPPP3/RNBQKBNR b KQkq - 0 3"] == fens(rows["position"])
    assert ["d8h4"] == move_texts(rows)
    assert ["puzzles.csv, line 3", "puzzles.csv, line 4"] == [told.split(":")[0] for told in skipped.told]
