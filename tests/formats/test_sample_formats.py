"""Whose values, in which unit, and what happens to bad lines: the same questions to every format."""

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from plain_binpack import read as read_slowly

from okapi.core import Position
from okapi.core.packed import NO_GAME, NO_VALUE, SAMPLE, fens, pack
from okapi.core.samples import Columns, as_samples, move_texts, write_binpack
from okapi.errors import InvalidText, UsageError
from okapi.formats.samples import FORMATS, SampleOptions, SampleView, SkippedSamples, format_of
from okapi.formats.streams import open_stream

WINNING = "4k3/8/8/8/8/8/3QP3/4K3 w - - 0 40"
"""White to move is winning."""
LOSING = "4k3/8/8/8/8/8/3QP3/4K3 b - - 1 40"
"""Black to move is losing."""

WRITABLE = [name for name in FORMATS if name != "puzzles" and (name != "parquet" or find_spec("pyarrow"))]
KEEPS = {
    "epd": {"value", "move", "result", "nodes", "depth"},
    "text": {"value", "result"},
    "brackets": {"result"},
    "tsv": {"value", "move", "result", "nodes", "depth"},
    "csv": {"value", "move", "result", "nodes", "depth"},
    "parquet": {"value", "move", "result", "nodes", "depth"},
    "plain": {"value", "move", "result"},
    "binpack": {"value", "move", "result"},
}
"""What a format can say, beside the position."""


def read(
    path: Path, name: str | None = None, options: SampleOptions | None = None, skipped: SkippedSamples | None = None
) -> np.ndarray:
    reader = format_of(path) if name is None else FORMATS[name]
    with open_stream(path) as stream:
        parts = list(reader.read(stream, path.name, options or SampleOptions(), skipped or SkippedSamples()))
    return np.concatenate(parts) if parts else np.zeros(0, SAMPLE)


def read_text(tmp_path: Path, text: str, name: str, options: SampleOptions | None = None) -> np.ndarray:
    path = tmp_path / f"file.{name}"
    path.write_text(text, encoding="utf-8")
    return read(path, name, options)


def write(path: Path, name: str, rows: np.ndarray, options: SampleOptions | None = None) -> SkippedSamples:
    skipped = SkippedSamples()
    with path.open("wb") as file:
        FORMATS[name].write(file, [rows], options or SampleOptions(), skipped)
    return skipped


STARTS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/1ppp1ppp/8/8/8/8/PPPP1PP1/R3K2R b Kq - 3 20",
)
"""Castling, en passant and promotions come up soon from these."""


def random_games(games: int, seed: int) -> Iterator[tuple[Position, str]]:
    random = np.random.default_rng(seed)
    for game in range(games):
        position = Position.from_fen(STARTS[game % len(STARTS)])
        for _ in range(60):
            moves = position.legal_moves()
            if not moves:
                break
            move = moves[random.integers(len(moves))]
            yield position.copy(), str(move)
            position.play(move)


def some_samples(games: int = 4, seed: int = 5) -> np.ndarray:
    """Samples of random games, with everything that can be known about them."""
    random = np.random.default_rng(seed)
    played = list(random_games(games, seed))
    rows = np.zeros(len(played), Columns(depth=True).dtype)
    rows["position"] = pack(position for position, _ in played)
    rows["move"] = [position.move(move).bits for position, move in played]
    rows["value"] = random.integers(-2000, 2000, len(rows))
    rows["value"][::17] = 32000 - random.integers(1, 60, len(rows[::17]))
    rows["value"][5::17] = random.integers(0, 60, len(rows[5::17])) - 32000
    white = random.integers(0, 3)
    rows["result"] = np.where(rows["position"]["turn"] == 0, white, 2 - white)
    rows["ply"] = 2 * (rows["position"]["fullmove_number"] - 1) + rows["position"]["turn"]
    rows["game"] = NO_GAME
    rows["nodes"] = random.integers(1, 10**6, len(rows))
    rows["depth"] = random.integers(1, 30, len(rows))
    return rows


@pytest.mark.parametrize("name", WRITABLE)
def test_what_a_format_can_say_comes_back(tmp_path: Path, name: str) -> None:
    rows = some_samples()
    path = tmp_path / f"a.{name}"
    assert 0 == write(path, name, rows).count

    back = read(path, name)

    assert len(rows) == len(back)
    assert np.array_equal(rows["position"], back["position"])
    assert np.array_equal(rows["ply"], back["ply"])
    for field in KEEPS[name]:
        assert rows[field].tolist() == back[field].tolist(), field


@pytest.mark.parametrize("name", WRITABLE)
def test_a_file_is_told_by_its_contents(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.dat"
    write(path, name, some_samples(1))

    assert ("text" if name == "brackets" else name) == format_of(path).name


SIGNS = {
    "epd": f'{WINNING[:-5]} ce 900; c9 "1-0";\n{LOSING[:-5]} ce -900; c9 "1-0";\n',
    "text": f"{WINNING} | 900 | 1.0\n{LOSING} | 900 | 1.0\n",
    "brackets": f"{WINNING} [1.0] 900\n{LOSING} [1.0] 900\n",
    "tsv": f"fen\tcentipawns_mover\tresult\n{WINNING}\t900\t1-0\n{LOSING}\t-900\t1-0\n",
    "csv": f"fen,eval_white,result_white\n{WINNING},900,1.0\n{LOSING},900,1.0\n",
    "plain": f"fen {WINNING}\nmove d2d7\nscore 900\nply 78\nresult 1\ne\n"
    f"fen {LOSING}\nmove e8f7\nscore -900\nply 79\nresult -1\ne\n",
}
"""White is winning and wins, whoever is to move; each format tells it in its own way."""


@pytest.mark.parametrize("name", [*SIGNS, "binpack"])
def test_white_to_move_is_winning_and_black_to_move_is_losing(tmp_path: Path, name: str) -> None:
    if name == "binpack":
        told = read_text(tmp_path, SIGNS["plain"], "plain")
        write(tmp_path / "file.binpack", name, told)
        rows = read(tmp_path / "file.binpack")
    else:
        rows = read_text(tmp_path, SIGNS[name], name)

    assert [900, -900] == rows["value"].tolist()
    assert [2, 0] == rows["result"].tolist()


@pytest.mark.parametrize("name", [name for name in SIGNS if name != "brackets"])
def test_what_is_written_has_the_signs_of_the_format(tmp_path: Path, name: str) -> None:
    rows = read_text(tmp_path, SIGNS["plain"], "plain")
    path = tmp_path / f"out.{name}"
    write(path, name, rows)
    text = path.read_text()

    wanted = {"epd": "ce -900;", "text": "| 900 | 1.0", "tsv": "\t-900\t", "csv": ",-900,", "plain": "score -900"}
    second = text[text.index(LOSING[:20], text.index(LOSING[:20]) + 1) :]
    assert wanted[name] in second


@pytest.mark.parametrize("name", ["text", "tsv", "csv"])
def test_a_view_that_is_given_wins(tmp_path: Path, name: str) -> None:
    text = {
        "text": f"{LOSING} | -900 | 0.0\n",
        "tsv": f"fen\tcp\tresult\n{LOSING}\t-900\t0.0\n",
        "csv": f"fen,score_white,result_white\n{LOSING},-900,0.0\n",
    }[name]
    rows = read_text(tmp_path, text, name, SampleOptions(view=SampleView.MOVER))

    assert (-900, 0) == (rows[0]["value"], rows[0]["result"])


def test_a_table_that_does_not_say_whose_values_it_holds_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="not whose value"):
        read_text(tmp_path, f"fen\tcentipawns\n{WINNING}\t900\n", "tsv")


def test_results_of_a_table_are_signed_or_points_or_refused(tmp_path: Path) -> None:
    table = "fen,score_stm,result_stm,ply\n{0},5,{1},3\n{0},5,{2},4\n"

    assert [1, 0] == read_text(tmp_path, table.format(LOSING, 0, -1), "csv")["result"].tolist()
    assert [0, 1] == read_text(tmp_path, table.format(LOSING, "0.0", 0.5), "csv")["result"].tolist()
    with pytest.raises(UsageError, match="can mean"):
        read_text(tmp_path, table.format(LOSING, 0, 1), "csv")
    assert [1, 2] == read_text(tmp_path, table.format(LOSING, 0, 1), "csv", SampleOptions(signed=True))[
        "result"
    ].tolist()
    assert [0, 2] == read_text(tmp_path, table.format(LOSING, 0, 1), "csv", SampleOptions(signed=False))[
        "result"
    ].tolist()


@pytest.mark.parametrize("header", ["eval_white", "eval_white_cp", "Score_White", "cp_white", "centipawns_white"])
def test_the_header_says_whose_values_they_are(tmp_path: Path, header: str) -> None:
    assert -900 == read_text(tmp_path, f"FEN,{header}\n{LOSING},900\n", "csv")[0]["value"]
    assert (
        900 == read_text(tmp_path, f"FEN,{header.lower().replace('white', 'stm')}\n{LOSING},900\n", "csv")[0]["value"]
    )


def test_plies_number_the_games(tmp_path: Path) -> None:
    lines = "".join(f"{WINNING},5,{ply}\n" for ply in (3, 4, 5, 2, 3, 9))

    assert [0, 0, 0, 1, 1, 2] == read_text(tmp_path, f"fen,score_stm,ply\n{lines}", "csv")["game"].tolist()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("+36", 36),
        ("-112", -112),
        ("#4", 31996),
        ("#-2", -31998),
        ("-M3", -31997),
        ("31991", 31991),
        ("32002", NO_VALUE),
        ("99999", NO_VALUE),
        ("30500", 30000),
        ("12.6", 13),
        ("#0", NO_VALUE),
        ("-0", 0),
    ],
)
def test_values_as_people_write_them(tmp_path: Path, text: str, value: int) -> None:
    assert value == read_text(tmp_path, f"fen,cp_mover\n{WINNING},{text}\n", "csv")[0]["value"]
    if value != NO_VALUE:
        assert -value == read_text(tmp_path, f"fen,cp_white\n{LOSING},{text}\n", "csv")[0]["value"]


def test_units_are_turned_into_centipawns_but_mates_are_not(tmp_path: Path) -> None:
    text = "".join(f"fen {WINNING}\nmove d2d7\nscore {score}\nply 78\nresult 1\ne\n" for score in (208, 31995, 31996))

    assert [100, 31997, 31998] == read_text(tmp_path, text, "plain", SampleOptions(scale=100 / 208))["value"].tolist()


def test_the_mates_of_the_epd_standard_count_half_moves(tmp_path: Path) -> None:
    text = f"{WINNING[:-5]} ce 32766;\n{LOSING[:-5]} ce -32765;\n{WINNING[:-5]} dm 4;\n"

    assert [31999, -31999, 31996] == read_text(tmp_path, text, "epd")["value"].tolist()


def test_epd_reads_what_others_write(tmp_path: Path) -> None:
    text = (
        "# a comment\n\n"
        '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01; one";\n'
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3 7 acd 12; acn 5000; ce 22; bm e4 d4; c9 "1/2-1/2"\n'
        "4k3/8/8/8/8/8/4P3/4K3 b - -\n"
    )
    rows = read_text(tmp_path, text, "epd")

    assert ["d6d1", "e2e4", ""] == move_texts(rows)
    assert [0, 12, 0] == rows["depth"].tolist() and [0, 5000, 0] == rows["nodes"].tolist()
    assert [NO_VALUE, 22, NO_VALUE] == rows["value"].tolist() and [-1, 1, -1] == rows["result"].tolist()
    assert " w KQkq - 3 7" in fens(rows["position"])[1]


def test_bad_lines_are_skipped_with_file_line_and_reason(tmp_path: Path) -> None:
    good = f"{WINNING} | 900 | 1.0\n"
    bad = [
        "no fen at all | 5 | 1.0",
        f"{WINNING} | much | 1.0",
        f"{WINNING} | 5 | 0.7",
        "8/8/8/8/8/8/8/8 w - - 0 1 | 0 | 0.5",
    ]
    path = tmp_path / "bad.txt"
    path.write_bytes((good + "\n".join(bad) + "\n" + good).encode() + b"\xff\xfe\x00\n" + good.encode())
    skipped = SkippedSamples()

    rows = read(path, "text", skipped=skipped)

    assert 3 == len(rows)
    assert 5 == skipped.count
    for line in (2, 3, 4, 5, 7):
        assert any(told.startswith(f"bad.txt, line {line}: ") for told in skipped.told), skipped.told


def test_illegal_moves_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(
        f"fen\tcp_stm\tbest\n{WINNING}\t5\td2d7\n{WINNING}\t5\td2d9\n{WINNING}\t5\te8e7\n{WINNING}\t5\tQd7+\n"
    )
    skipped = SkippedSamples()

    assert 2 == len(read(path, "tsv", skipped=skipped))
    assert ["a.tsv, line 3", "a.tsv, line 4"] == [told.split(":")[0] for told in skipped.told]


def test_broken_plain_files_lose_only_what_is_broken(tmp_path: Path) -> None:
    whole = f"fen {WINNING}\nmove d2d7\nscore 900\nply 78\nresult 1\ne\n"
    path = tmp_path / "a.plain"
    path.write_text(whole + whole.replace("e\n", "", 1) + whole.replace("score 900\n", "") + whole + whole[:60])
    skipped = SkippedSamples()

    assert 2 <= len(read(path, skipped=skipped))
    assert 2 <= skipped.count


def test_a_binpack_goes_on_behind_a_broken_block(tmp_path: Path) -> None:
    rows = some_samples(2)
    path = tmp_path / "a.binpack"
    write(path, "binpack", rows)
    block = path.read_bytes()
    path.write_bytes(block[:10] + b"\xff" + block[11:] + block)  # more than 32 pieces
    skipped = SkippedSamples()

    assert len(rows) == len(read(path, skipped=skipped))
    assert ["a.binpack, byte 8"] == [told.split(":")[0] for told in skipped.told]
    path.write_bytes(block + b"rubbish")
    assert len(rows) == len(read(path, skipped=skipped))


def test_a_slow_twin_reads_the_same_binpack(tmp_path: Path) -> None:
    rows = as_samples(some_samples(12, seed=11))
    data, refused = write_binpack(rows)
    entries = list(read_slowly(data))

    assert not refused
    assert fens(rows["position"]) == [entry.fen for entry in entries]
    assert move_texts(rows) == [entry.move for entry in entries]
    assert rows["value"].tolist() == [entry.score for entry in entries]
    assert (rows["result"] - 1).tolist() == [entry.result for entry in entries]
    assert rows["ply"].tolist() == [entry.ply for entry in entries]


@pytest.mark.parametrize("name", ["text", "brackets", "plain", "binpack"])
def test_a_result_that_is_not_known_is_never_made_up(tmp_path: Path, name: str) -> None:
    rows = some_samples(1)
    rows["result"][3:7] = -1
    path = tmp_path / "a"
    assert 4 == write(path, name, rows).count
    assert len(rows) - 4 == len(read(path, name))
    assert 0 == write(path, name, rows, SampleOptions(unknown_as_draw=True)).count
    assert [1] * 4 == read(path, name)["result"][3:7].tolist()


@pytest.mark.parametrize("name", ["epd", "tsv", "csv", "plain", "binpack"])
def test_a_value_that_is_not_known_is_never_made_up(tmp_path: Path, name: str) -> None:
    rows = some_samples(1)
    rows["value"][3:7] = NO_VALUE
    path = tmp_path / "a"
    assert 0 == write(path, name, rows).count
    assert [NO_VALUE] * 4 == read(path, name)["value"][3:7].tolist()


@pytest.mark.parametrize("name", WRITABLE)
def test_mutated_files_lose_lines_but_never_crash(tmp_path: Path, name: str) -> None:
    """Whatever is read from them is a position with a legal move or none."""
    random = np.random.default_rng(3)
    path = tmp_path / "a"
    write(path, name, some_samples(1))
    whole = bytearray(path.read_bytes())
    for _ in range(60):
        broken = whole.copy()
        for place in random.integers(0, len(broken), random.integers(1, 20)):
            broken[place] = random.choice([0, 10, 34, 44, 45, 9, 57, 124, 255, broken[place] ^ 1])
        path.write_bytes(broken[: random.integers(1, len(broken) + 1)] if random.random() < 0.3 else broken)
        try:
            rows = read(path, name)
        except (InvalidText, UsageError):
            continue  # a header that is none
        assert len(rows) == len(fens(rows["position"]))
        assert (rows["move"] != 0).sum() == len([text for text in move_texts(rows) if text])


def test_a_line_without_end_does_not_fill_the_memory(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(f"{WINNING} | 5 | 1.0\n".encode() + b"x" * 500_000 + f"\n{WINNING} | 5 | 1.0\n".encode())
    skipped = SkippedSamples()

    assert 2 == len(read(path, "text", skipped=skipped))
    assert max(map(len, skipped.told)) < 1000


def test_files_that_are_nothing_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.dat"
    path.write_bytes(b"\x00\x01 not a sample in sight")

    with pytest.raises(InvalidText, match="no file of samples"):
        format_of(path)


def test_a_damaged_parquet_file_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install okapi-chess[parquet]")
    (tmp_path / "bad.parquet").write_bytes(b"PAR1" + bytes(40) + b"PAR1")
    with pytest.raises(InvalidText, match="no Parquet file"):
        read(tmp_path / "bad.parquet")


def test_without_pyarrow_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match="pyarrow") as refused:
        write(tmp_path / "a.parquet", "parquet", np.zeros(0, SAMPLE))
    assert "okapi-chess[parquet]" in refused.value.hint
