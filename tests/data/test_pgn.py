"""Imports lose nothing, add nothing twice, say what is wrong, and do not mind being killed."""

import bz2
import gzip
import io
import json
import lzma
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from pgn_text import pgn_games, pgn_text

from okapi.cli import main
from okapi.core import Position
from okapi.core._core import RawImporter, surname, time_control_seconds
from okapi.core.packed import NO_VALUE
from okapi.data.game_filter import GameFilter
from okapi.data.pgn import GameImport, ImportResult, export_games, import_games, read_games
from okapi.data.store import Store
from okapi.errors import InvalidPgn, NotFound, UsageError


def zipped(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("readme.txt", "1. e4 *")
        archive.writestr("a.pgn", data)
    return file.getvalue()


COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
    "zip": zipped,
}


def figures(imported: ImportResult) -> tuple[int, int, int, int]:
    return imported.games, imported.skipped, imported.duplicates, imported.filtered


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    path.write_bytes(pgn_text(300))
    return path


@pytest.mark.parametrize("kind", COMPRESS)
def test_any_compression_gives_the_same_store(tmp_path: Path, games: Path, kind: str) -> None:
    packed = tmp_path / "packed"
    packed.write_bytes(COMPRESS[kind](games.read_bytes()))

    assert (300, 0, 0, 0) == figures(import_games([packed], tmp_path / "a.okapi"))
    assert 300 == len(Store.open(tmp_path / "a.okapi"))


def test_what_was_exported_imports_the_same(tmp_path: Path, games: Path) -> None:
    import_games([games], tmp_path / "a.okapi")
    assert 300 == export_games(tmp_path / "a.okapi", tmp_path / "b.pgn.gz")
    import_games([tmp_path / "b.pgn.gz"], tmp_path / "b.okapi")
    first, second = Store.open(tmp_path / "a.okapi"), Store.open(tmp_path / "b.okapi")

    assert len(first) == len(second)
    for number in range(len(first)):
        one, two = first.record(number), second.record(number)
        assert (one.tags, one.moves, one.result, one.values, one.clocks) == (
            two.tags,
            two.moves,
            two.result,
            two.values,
            two.clocks,
        )


def test_the_same_games_are_not_added_again(tmp_path: Path, games: Path) -> None:
    store = tmp_path / "a.okapi"
    import_games([games], store)
    before = store.read_bytes()
    again = import_games([games, games], store)

    assert (0, 0, 600, 0) == figures(again)
    assert 300 == again.total
    assert before == store.read_bytes()


def test_games_of_others_with_the_same_moves_are_added(tmp_path: Path) -> None:
    def game(white: str, black: str) -> str:
        return f'[White "{white}"]\n[Black "{black}"]\n\n1. e4 e5 1/2-1/2\n\n'

    texts = [
        game("Kasparov, Garry", "Karpov, Anatoly"),
        game("Kasparov,G", "Karpov"),  # again
        game("Garry Kasparov", "A. Karpov"),  # again
        game("Kasparov", "Short"),
        game("Karpov", "Kasparov"),
        '[White "a"]\n[Result "1-0"]\n\n1-0\n\n',
        '[White "a"]\n[Result "1-0"]\n\n1-0\n\n',  # again
        '[White "a"]\n[Result "0-1"]\n\n0-1\n\n',
    ]
    (tmp_path / "a.pgn").write_text("".join(texts), encoding="utf-8")

    assert (5, 0, 3, 0) == figures(import_games([tmp_path / "a.pgn"], tmp_path / "a.okapi"))
    assert (0, 0, 8, 0) == figures(import_games([tmp_path / "a.pgn"], tmp_path / "a.okapi"))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Kasparov, Garry", "kasparov"),
        ("KASPAROV,G", "kasparov"),
        ("Garry Kasparov", "kasparov"),
        ("Kasparov G.", "kasparov"),
        ("Van Wely,L", "wely"),
        ("Loek van Wely", "wely"),
        ("Müller, Karsten", "muller"),
        ("Dvořák", "dvorak"),
        ("Vachier-Lagrave, M", "vachierlagrave"),
        ("?", ""),
        ("", ""),
        ("黒", "黒"),
    ],
)
def test_one_player_in_many_spellings(name: str, expected: str) -> None:
    assert expected == surname(name)


def test_a_bad_game_is_told_with_its_place_and_harms_nobody(tmp_path: Path) -> None:
    texts = list(pgn_games(20))
    texts.insert(5, '[Event "bad"]\n\n1. e4 e5\n2. Ke3 *\n\n')
    texts.insert(9, '[Event "open"]\n\n1. e4 {\n\n')
    (tmp_path / "a.pgn").write_text("".join(texts), encoding="utf-8")
    found = import_games([tmp_path / "a.pgn"], tmp_path / "a.okapi", report=tmp_path / "bad.txt")
    line = "".join(texts[:5]).count("\n") + 4

    assert (20, 2, 0, 0) == figures(found)
    assert f"{tmp_path}/a.pgn:{line}: 2. Ke3 is not legal" == str(found.problems[0])
    assert [str(problem) for problem in found.problems] == (tmp_path / "bad.txt").read_text().splitlines()


@pytest.mark.parametrize(
    ("wanted", "count"),
    [
        (GameFilter(min_elo=2000), "elo"),
        (GameFilter(max_elo=2000), "elo"),
        (GameFilter(since="1980", until="1989"), "decade"),
        (GameFilter(until="1980-06"), "date"),
        (GameFilter(result=("1-0", "0-1")), "result"),
        (GameFilter(time_control="blitz"), "time"),
        (GameFilter(time_control="1000-2000"), "time"),
        (GameFilter(min_plies=10, max_plies=20), "plies"),
        (GameFilter(player="dvorak"), "player"),
        (GameFilter(player="GARCÍA, a"), "player"),
    ],
)
def test_filters_let_through_what_they_say(tmp_path: Path, games: Path, wanted: GameFilter, count: str) -> None:
    found = import_games([games], tmp_path / "a.okapi", wanted)
    expected = [game for game in read_games(games) if admits(wanted, game.tags, game.result, len(game.moves))]

    assert (len(expected), 0, 0, 300 - len(expected)) == figures(found), count
    assert 0 < len(expected) < 300


def admits(wanted: GameFilter, tags: dict[str, str], result: str, plies: int) -> bool:
    """The slow twin of the filter, for the tags of the fixture."""
    elos = [int(tags["WhiteElo"]), int(tags["BlackElo"])]
    date = tags["Date"].replace("??", "01").replace(".", "-")
    seconds = {"60+0": 60, "300+3": 420, "900+10": 1300, "5400+30": 6600}.get(tags["TimeControl"])
    ranges = {"blitz": range(180, 480), "1000-2000": range(1000, 2000)}
    names = f"{tags['White']}|{tags['Black']}"
    return (
        (wanted.min_elo is None or min(elos) >= wanted.min_elo)
        and (wanted.max_elo is None or max(elos) <= wanted.max_elo)
        and (wanted.since is None or date >= wanted.since)
        and (wanted.until is None or date[: len(wanted.until)] <= wanted.until)
        and (not wanted.result or result in wanted.result)
        and (wanted.time_control is None or seconds in ranges[wanted.time_control])
        and wanted.min_plies <= plies <= (wanted.max_plies or 9999)
        and (wanted.player in (None, "dvorak") or "García, A" in names)
        and (wanted.player != "dvorak" or "Dvořák" in names)
    )


@pytest.mark.parametrize(
    ("text", "seconds"), [("300+3", 420), ("600", 600), ("40/7200:3600", 10800), ("1/86400", 3456000), ("-", None)]
)
def test_time_controls_as_seconds(text: str, seconds: float | None) -> None:
    assert seconds == time_control_seconds(text)


@pytest.mark.parametrize(
    "wanted", [{"since": "yesterday"}, {"result": ("2-0",)}, {"time_control": "fast"}, {"time_control": "-"}]
)
def test_filters_that_cannot_be_are_refused(wanted: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        GameFilter(**wanted).raw()  # type: ignore[arg-type]


def test_nothing_to_read_is_an_error_and_leaves_no_store(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("Dear diary,\n")
    for file, error in ((tmp_path / "a.pgn", InvalidPgn), (tmp_path / "no.pgn", NotFound), (tmp_path, NotFound)):
        with pytest.raises(error):
            import_games([file], tmp_path / "a.okapi")
    assert not (tmp_path / "a.okapi").exists()


def test_an_archive_that_is_cut_off_gives_what_it_has(tmp_path: Path, games: Path) -> None:
    packed = gzip.compress(games.read_bytes())
    (tmp_path / "cut.pgn.gz").write_bytes(packed[: len(packed) // 2])
    found = import_games([tmp_path / "cut.pgn.gz", games], tmp_path / "a.okapi")

    assert 300 == found.games
    assert found.duplicates > 50
    assert "cut off" in found.problems[-1].reason


# --- Going on -------------------------------------------------------------------------------------------------------


class Stopped(Exception):
    """As if somebody had pulled the plug."""


@pytest.mark.parametrize("stop", [0, 1, 2, 3, 4])
def test_an_interrupted_import_goes_on_to_the_same_bytes(tmp_path: Path, stop: int) -> None:
    files = [tmp_path / "a.pgn", tmp_path / "b.pgn"]
    files[0].write_bytes(pgn_text(150) + b'[Event "bad"]\n\n1. e5 *\n\n')
    files[1].write_bytes(b'[Event "bad"]\n\n1. e5 *\n\n' + pgn_text(250))

    def run(store: str, blocks: int | None) -> ImportResult:
        with GameImport(files, tmp_path / store, report=tmp_path / f"{store}.txt", games_in_block=64) as job:
            if blocks is not None:
                job._raw = Fragile(job._raw, blocks)  # type: ignore[assignment]
            return job.run()

    whole = run("whole.okapi", None)
    with pytest.raises(Stopped):
        run("part.okapi", stop)
    resumed = run("part.okapi", None)

    assert figures(whole) == figures(resumed) == (250, 2, 150, 0)
    assert (whole.bytes, whole.plies, whole.total) == (resumed.bytes, resumed.plies, resumed.total)
    assert (tmp_path / "whole.okapi").read_bytes() == (tmp_path / "part.okapi").read_bytes()
    assert (tmp_path / "whole.okapi.txt").read_bytes() == (tmp_path / "part.okapi.txt").read_bytes()
    assert resumed.resumed == (stop > 0)


class Fragile:
    """An importer that dies after so many blocks."""

    def __init__(self, raw: RawImporter, blocks: int) -> None:
        self.__dict__.update(raw=raw, left=blocks)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["raw"], name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["raw"], name, value)

    def flush(self, cursor: str) -> None:
        if self.left == 0:
            raise Stopped
        self.__dict__["left"] -= 1
        self.raw.flush(cursor)


def test_figures_that_nobody_heard_are_told_again(tmp_path: Path, games: Path) -> None:
    def dies_untold() -> None:
        with GameImport([games], tmp_path / "a.okapi") as job:
            job.run()
            raise Stopped

    with pytest.raises(Stopped):
        dies_untold()
    with GameImport([games], tmp_path / "a.okapi") as job:
        assert (300, 0, 0, 0) == figures(job.run())
    with GameImport([games], tmp_path / "a.okapi") as job:
        assert (0, 0, 300, 0) == figures(job.run())


def test_killed_from_outside(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(pgn_text(1500))
    command = [sys.executable, "-c", SLOW_IMPORT, str(tmp_path / "a.pgn"), str(tmp_path / "a.okapi")]
    for _ in range(2):
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            assert process.stdout is not None
            process.stdout.readline()  # it works
            time.sleep(0.05)
            process.kill()
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    import_games([tmp_path / "a.pgn"], tmp_path / "b.okapi")

    assert b"1500 games" in done.stdout
    assert [game.tags for game in Store.open(tmp_path / "b.okapi")] == [
        game.tags for game in Store.open(tmp_path / "a.okapi")
    ]


SLOW_IMPORT = """
import sys, time
from pathlib import Path
from okapi.data.pgn import GameImport

with GameImport([Path(sys.argv[1])], Path(sys.argv[2]), games_in_block=100) as job:
    save = job._save_skipped
    def slowly():
        save()
        print("a block", flush=True)
        time.sleep(0.02)
    job._save_skipped = slowly
    print(job.run().games, "games")
"""


# --- The commands ---------------------------------------------------------------------------------------------------


def test_the_commands(tmp_path: Path, games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "a.okapi")
    assert 0 == main(["games", "import", str(games), "--to", store, "--min-elo", "1800", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told["games"] + told["filtered"] == 300
    assert {"skipped", "duplicates", "seconds", "plies", "bytes", "problems", "store", "total"} <= set(told)
    assert told["problems"] == told["complaints"]  # the old key

    assert 0 == main(["games", "import", str(games), "--to", store])
    assert f"{told['games']:,} were there already" in capsys.readouterr().out
    assert 0 == main(["games", "export", store, "--to", str(tmp_path / "b.pgn"), "--game", "3", "--json"])
    assert 1 == json.loads(capsys.readouterr().out)["games"]
    assert Store.open(store)[3] == next(read_games(tmp_path / "b.pgn"))
    assert 2 == main(["games", "export", store, "--game", "300"])
    assert 2 == main(["games", "export", store, "--json"])
    assert 3 == main(["games", "import", str(tmp_path / "no.pgn"), "--to", store])
    assert 3 == main(["games", "export", str(tmp_path / "no.okapi")])
    assert 3 == main(["games", "import", str(games), "--to", str(games)])
    assert games.read_bytes() == pgn_text(300)


def test_games_may_come_through_a_pipe(tmp_path: Path, games: Path) -> None:
    command = f"{sys.executable} -m okapi games import - --to {tmp_path}/a.okapi --json < {games}"
    told = json.loads(subprocess.run(command, shell=True, check=True, stdout=subprocess.PIPE).stdout)

    assert 300 == told["games"]


def test_reading_games_in_python(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_text("1. e4 {[%eval 0.3]} e5 1-0\n\n1. e5 *\n\n1. d4 {[%clk 0:01:00]} *\n")
    reasons: list[str] = []
    games = list(read_games(tmp_path / "a.pgn", lambda skipped: reasons.append(skipped.reason)))

    assert ["1-0", "*"] == [game.result for game in games]
    assert ["1. e5 is not legal"] == reasons
    assert games[0].decisions[1] is not None and 30 == -games[0].decisions[1].value.centipawns
    assert (60_000,) == games[1].clocks


def test_a_store_becomes_a_parquet_table(tmp_path: Path, games: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    import_games([games], tmp_path / "a.okapi")
    assert 300 == export_games(tmp_path / "a.okapi", tmp_path / "a.parquet")
    store = Store.open(tmp_path / "a.okapi")
    rows = parquet.read_table(tmp_path / "a.parquet").to_pylist()
    for record, row in zip((store.record(number) for number in range(len(store))), rows, strict=True):
        tags, position = dict(record.tags), Position.from_fen(row["start"])
        assert [tags.get("White"), record.result, len(record.moves)] == [row["white"], row["result"], row["plies"]]
        assert record.moves == [position.play(text) for text in row["moves"].split()]
        assert [None if value == NO_VALUE else value for value in record.values] == (row["values"] or [])
    assert [] == list(tmp_path.glob(".*.part"))
