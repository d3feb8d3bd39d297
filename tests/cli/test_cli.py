"""Every command: what it prints, its JSON, its exit code, and what it says when it is used wrongly."""

import gzip
import io
import json
import lzma
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from okapi.cli import main
from okapi.cli.app import COMMANDS, command_names
from okapi.cli.console import Exit
from okapi.data.pgn import import_games
from okapi.data.store import StoreWriter
from okapi.formats.streams import create_stream

Capture = pytest.CaptureFixture[str]

DOCS = Path(__file__).parents[2] / "docs" / "reference" / "cli.md"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
GAME = '[White "Anna"]\n[Black "Bert"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n'


def okapi(line: str) -> int:
    """Run a command line in this process."""
    return main(shlex.split(line))


def data(capsys: Capture) -> Any:
    """The one object on stdout."""
    (line,) = capsys.readouterr().out.splitlines()
    return json.loads(line)


class TestPerft:
    def test_counts(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("perft 4")
        assert "197,281 nodes" in capsys.readouterr().out

    def test_json(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"perft 2 --fen '{BACK_RANK}' --json")
        answer = data(capsys)
        assert answer["nodes"] > 0 and answer["seconds"] >= 0

    def test_divide(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("perft 3 --divide --json")
        answer = data(capsys)
        assert (20, answer["nodes"]) == (len(answer["divide"]), sum(answer["divide"].values()))

    def test_divide_in_chess960(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("perft 1 --divide --json --chess960 --fen '4k3/8/8/8/8/8/8/4K2R w K - 0 1'")
        assert "e1h1" in data(capsys)["divide"]


class TestBench:
    def test_prints_what_test_farms_read(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("bench --depth 3")
        assert re.search(r"^\d+ nodes \d+ nps$", capsys.readouterr().out, re.MULTILINE)

    def test_is_deterministic(self, capsys: Capture) -> None:
        counts = []
        for _ in range(2):
            assert Exit.DONE == okapi("bench --depth 5 --json")
            counts.append(data(capsys)["nodes"])
        assert counts[0] == counts[1]

    def test_brain_and_threads(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("bench --depth 3 --brain material --threads 2 --json")
        answer = data(capsys)
        assert ("material", 2) == (answer["brain"], answer["threads"])
        assert answer["nps"] > 0


class TestEval:
    def test_json(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("eval '4k3/8/8/8/8/8/4P3/4K3 b - - 0 1' --brain material --json")
        answer = data(capsys)
        assert -100 == answer["centipawns"] and answer["value"] < 0.5

    def test_a_fen_needs_no_quotes(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"eval {START} --json")
        assert START == data(capsys)["fen"]

    def test_text(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("eval startpos --brain material")
        assert "0.500 for White to move" in capsys.readouterr().out

    def test_mate_is_known(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("eval 'R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1' --json")
        assert 0.0 == data(capsys)["value"]

    def test_a_file_gives_one_object_a_line(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "some.fen"
        file.write_text(f"# two\n{START}\n\n{BACK_RANK}\n")
        assert Exit.DONE == okapi(f"eval --file {file} --json")
        answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [START, BACK_RANK] == [answer["fen"] for answer in answers]

    def test_a_file_says_which_line_is_wrong(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "some.fen"
        file.write_text(f"{START}\nnonsense\n")
        assert Exit.INPUT == okapi(f"eval --file {file} --json")
        captured = capsys.readouterr()
        _, error = captured.out.splitlines()
        assert 3 == json.loads(error)["exit"]
        assert "some.fen, line 2" in captured.err


class TestAnalyse:
    def test_json(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi(f"analyse '{BACK_RANK}' --depth 4 --multipv 2 --json")
        answer = data(capsys)
        best = answer["lines"][0]
        assert ("a1a8", "Ra8#", 1, 1.0, ["a1a8"]) == (
            best["move"],
            best["san"],
            best["mate"],
            best["value"],
            best["pv"],
        )
        assert "centipawns" in answer["lines"][1] and answer["nodes"] > 0

    def test_text(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("analyse startpos --nodes 2000")
        out = capsys.readouterr().out
        assert "White to move" in out and "1. " in out and "nodes in" in out

    def test_black_to_move_is_numbered_so(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("analyse 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1' --depth 3")
        assert "1... " in capsys.readouterr().out

    @pytest.mark.parametrize("player", ["alphabeta:material", "greedy", "random:1"])
    def test_other_players(self, capsys: Capture, player: str) -> None:
        assert Exit.DONE == okapi(f"analyse startpos --nodes 500 --player {player} --json")
        assert 1 == len(data(capsys)["lines"])

    def test_a_game_with_its_mistakes(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "game.pgn"
        file.write_text(GAME)
        assert Exit.DONE == okapi(f"analyse {file} --depth 5 --json")
        (game,) = data(capsys)["games"]
        marks = {move["san"]: move["mark"] for move in game["moves"]}
        assert "??" == marks["Nf6"] and "" == marks["Qxf7#"]
        assert game["summary"]["black"]["blunders"] >= 1
        assert game["summary"]["white"]["accuracy"] > game["summary"]["black"]["accuracy"]

    def test_a_game_as_text(self, capsys: Capture, tmp_path: Path) -> None:
        file, marked = tmp_path / "game.pgn", tmp_path / "marked.pgn"
        file.write_text(GAME)
        assert Exit.DONE == okapi(f"analyse {file} --depth 5 --pgn {marked}")
        out = capsys.readouterr().out
        assert "Anna – Bert" in out and "3... Nf6??" in out and "accuracy" in out
        assert "Nf6 $4 {" in marked.read_text()

    def test_a_game_says_why(self, capsys: Capture, tmp_path: Path) -> None:
        file, html = tmp_path / "game.pgn", tmp_path / "report.html"
        file.write_text(GAME)
        assert Exit.DONE == okapi(f"analyse {file} --depth 5 --html {html}")
        out = capsys.readouterr().out
        assert "3... Nf6?? allows mate: Qxf7#." in out and "C23 Bishop's Opening" in out and "100 %" in out
        assert "by Okapi" in out and "with the brain" in out
        assert "Anna" in html.read_text()

    def test_a_page_that_cannot_be_written(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "game.pgn"
        file.write_text(GAME)
        assert Exit.INPUT == okapi(f"analyse {file} --depth 1 --html {tmp_path / 'no' / 'where.html'}")
        assert "cannot be written" in capsys.readouterr().err

    def test_threats(self, capsys: Capture) -> None:
        fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3"
        assert Exit.DONE == okapi(f"analyse '{fen}' --depth 4 --threats --json")
        assert "threatens mate: Qxf7#" == data(capsys)["threat"]["sentence"]
        assert Exit.DONE == okapi("analyse startpos --depth 4 --threats")
        assert "Black threatens nothing" in capsys.readouterr().out

    def test_a_file_that_is_not_there(self, capsys: Capture) -> None:
        assert Exit.INPUT == okapi("analyse missing.pgn")
        assert "error: no file at `missing.pgn`" in capsys.readouterr().err

    @pytest.mark.parametrize("name", ["game.pgn.gz", "game.pgn.bz2", "game.pgn.xz", "game.pgn.zst", "game.okapi"])
    def test_compressed_games_and_stores(self, capsys: Capture, tmp_path: Path, name: str) -> None:
        plain, file = tmp_path / "plain.pgn", tmp_path / name
        plain.write_text(GAME)
        if name.endswith(".okapi"):
            import_games([plain], file)
        else:
            with create_stream(file) as stream:
                stream.write(GAME.encode())
        assert Exit.DONE == okapi(f"analyse {file} --depth 2 --json")
        (game,) = data(capsys)["games"]
        assert ("Anna", "Bert", "Qxf7#") == (game["white"], game["black"], game["moves"][-1]["san"])

    @pytest.mark.parametrize(
        ("name", "content", "message"),
        [
            ("empty.pgn", b"", "there is no game in empty.pgn"),
            ("empty", b"", "there is no game in empty"),
            ("empty.pgn.gz", gzip.compress(b""), "there is no game in empty.pgn.gz"),
            ("noise.pgn", bytes(range(256)) * 20, "noise.pgn is not a PGN file"),
            ("brackets", b"1. e5 ) {a} ) {b}", "game 1 of brackets"),
            ("prose.txt", b"Dear reader, this is a letter.", "prose.txt"),
            ("wide.pgn", GAME.encode("utf-16"), "wide.pgn is not a PGN file"),
            ("null.pgn", b"1. e4 -- 2. d4 *", "game 1 of null.pgn has a null move"),
            ("cut.pgn.gz", gzip.compress(GAME.encode())[:-20], "cut.pgn.gz is damaged or cut off"),
            ("cut.pgn.xz", lzma.compress(GAME.encode())[:-30], "cut.pgn.xz is damaged or cut off"),
            ("begun.gz", gzip.compress(GAME.encode())[:4], "begun.gz is damaged or cut off"),
            ("cut.okapi", b"\x8fOKAPI\r\n", "cut.okapi is no game store"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",  # bytes of gzip hold the time
    )
    def test_a_file_without_games_is_refused(
        self, capsys: Capture, tmp_path: Path, name: str, content: bytes, message: str
    ) -> None:
        (tmp_path / name).write_bytes(content)
        assert Exit.INPUT == okapi(f"analyse {tmp_path / name} --depth 1")
        err = capsys.readouterr().err
        assert err.startswith("error: ") and message in err and "hint: " in err

    def test_stores_without_games_or_with_null_moves_are_refused(self, capsys: Capture, tmp_path: Path) -> None:
        file = tmp_path / "games.okapi"
        with StoreWriter.open(file) as writer:
            writer.flush()
        assert Exit.INPUT == okapi(f"analyse {file}")
        assert "there is no game in games.okapi" in capsys.readouterr().err
        (tmp_path / "null.pgn").write_text("1. e4 -- 2. d4 *")
        import_games([tmp_path / "null.pgn"], file)
        assert Exit.INPUT == okapi(f"analyse {file}")
        assert "game 0 of games.okapi has a null move" in capsys.readouterr().err

    @pytest.mark.parametrize("name", ["missing.pgn.gz", "missing.okapi", "missing.txt"])
    def test_names_of_files_are_not_read_as_fens(self, capsys: Capture, name: str) -> None:
        assert Exit.INPUT == okapi(f"analyse {name}")
        err = capsys.readouterr().err
        assert f"error: no file at `{name}`" in err and "hint: give a FEN in quotes, or the path" in err

    def test_a_folder_is_refused(self, capsys: Capture, tmp_path: Path) -> None:
        assert Exit.INPUT == okapi(f"analyse {tmp_path}")
        err = capsys.readouterr().err
        assert "cannot be read" in err and "hint: give a FEN in quotes, or the path" in err

    def test_words_that_are_too_long_for_a_file_are_no_fen(self, capsys: Capture) -> None:
        assert Exit.INPUT == okapi(f"analyse {'x' * 5000}")
        assert "the piece placement of the FEN" in capsys.readouterr().err

    def test_a_finished_game_is_wrong_input(self, capsys: Capture) -> None:
        assert Exit.INPUT == okapi("analyse 'R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1'")
        assert "checkmate" in capsys.readouterr().err


class TestBrains:
    def test_list(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("brains list --json")
        brains = data(capsys)["brains"]
        assert {"name", "kind", "size"} <= set(brains[0])
        assert 1 == sum(brain["default"] for brain in brains)

    def test_list_as_text(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("brains list")
        assert "the default" in capsys.readouterr().out

    def test_show(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("brains show material --json")
        answer = data(capsys)
        assert ("material", "material", 5) == (answer["name"], answer["kind"], answer["weights"])

    def test_show_as_text(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("brains show vazquez-five")
        assert "linear-5" in capsys.readouterr().out

    def test_a_long_row_of_numbers_is_shortened(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("brains show vazquez-pieces-results")
        assert "(501 numbers)" in capsys.readouterr().out


class TestPlay:
    def test_without_a_terminal_it_plays_against_itself(
        self, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO())
        file = tmp_path / "game.pgn"
        assert Exit.DONE == okapi(f"play --nodes 500 --pgn {file}")
        out = capsys.readouterr().out
        assert '[White "Okapi"]' in out and "1. " in out
        assert "Okapi against itself" in file.read_text()

    def test_moves_from_a_pipe_if_that_is_asked_for(self, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(sys, "stdin", io.StringIO("e4\nquit\n"))
        assert Exit.DONE == okapi("play --terminal --nodes 500")
        assert "Okapi plays" in capsys.readouterr().out

    def test_watch(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("play --watch --player random --seed 2")
        assert '[White "random"]' in capsys.readouterr().out


class TestUci:
    def ask(self, arguments: str, lines: str) -> str:
        command = [sys.executable, "-m", "okapi", "uci", *shlex.split(arguments)]
        return subprocess.run(command, input=lines, capture_output=True, text=True, check=True, timeout=30).stdout

    def test_the_native_program(self) -> None:
        said = self.ask("", "uci\nposition startpos\ngo depth 3\n")
        assert "uciok" in said and "bestmove " in said

    @pytest.mark.parametrize("arguments", ["--brain material", "alphabeta:material,elo=1500,threads=2,hash=4"])
    def test_the_native_program_with_options(self, arguments: str) -> None:
        said = self.ask(arguments, "uci\nisready\ngo depth 3\nquit\n")
        assert "readyok" in said and "ERROR" not in said

    def test_another_player(self) -> None:
        said = self.ask("greedy:vazquez-five", "uci\nisready\nposition startpos moves e2e4\ngo movetime 50\nquit\n")
        assert "greedy:vazquez-five" in said and re.search(r"bestmove [a-h][1-8]", said)


class TestWrongUse:
    @pytest.mark.parametrize(
        ("line", "code", "message", "hint"),
        [
            ("perfft 3", Exit.USAGE, 'Unknown command "perfft"', 'did you mean "perft"?'),
            ("perft 3 --fenn x", Exit.USAGE, "has no option --fenn", "did you mean --fen?"),
            ("perft", Exit.USAGE, "needs DEPTH", "okapi perft 6"),
            ("perft x", Exit.USAGE, "unable to convert", "okapi perft --help"),
            ("perft -1", Exit.USAGE, "", ""),
            ("perft 3 4", Exit.USAGE, "takes no `4`", "okapi perft --help"),
            ("brains lst", Exit.USAGE, 'Unknown command "lst"', 'did you mean "list"?'),
            ("bench --threads 0", Exit.USAGE, "", ""),
            ("play --side green", Exit.USAGE, "green", ""),
            ("play --elo 5", Exit.USAGE, "is not available", "800 to 3200"),
            ("play --elo 1500 --player random", Exit.USAGE, "random has no rating to set", "weaker player"),
            ("eval", Exit.USAGE, "eval takes a FEN or --file", ""),
            ("analyse", Exit.USAGE, "analyse takes a FEN or a PGN file", ""),
            ("analyse game.pgn --threats", Exit.USAGE, "--threats is for a position", "--threats"),
            ("analyse startpos --html page.html", Exit.USAGE, "are for games", "--out"),
            ("analyse startpos --player alphabeat", Exit.INPUT, "no player `alphabeat`", "did you mean `alphabeta`?"),
            ("analyse startpos --movetime 0", Exit.USAGE, "", ""),
            ("eval nonsense", Exit.INPUT, "the piece placement of the FEN", "expected a piece"),
            ("perft 2 --fen nonsense", Exit.INPUT, "the piece placement", "expected"),
            ("eval startpos --brain materiel", Exit.INPUT, "no brain named `materiel`", "did you mean `material`?"),
            ("brains show materiel", Exit.INPUT, "no brain named", "did you mean `material`?"),
            ("eval --file /no/such/file", Exit.INPUT, "cannot be read", ""),
            ("bench --brain pyproject.toml", Exit.INPUT, "", ""),
            ("analyse startpos --player uci:no-such-engine", Exit.INPUT, "cannot be started", "engine"),
        ],
    )
    def test_says_what_is_wrong_and_what_to_do(
        self, capsys: Capture, line: str, code: Exit, message: str, hint: str
    ) -> None:
        assert code == okapi(line)
        captured = capsys.readouterr()
        assert "" == captured.out
        assert captured.err.startswith("error: ") and message in captured.err
        assert not hint or hint in captured.err.partition("hint: ")[2]

    @pytest.mark.skipif(os.name == "nt", reason="signals are a POSIX thing")
    def test_ctrl_c_has_its_own_code(self) -> None:
        command = [sys.executable, "-m", "okapi", "bench", "--depth", "40"]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
            time.sleep(3)  # enough for Python to begin, also on a busy machine
            running.send_signal(signal.SIGINT)
            _, err = running.communicate(timeout=10)
        assert Exit.INTERRUPTED == running.returncode
        assert "interrupted" in err and "Traceback" not in err

    def test_a_reader_who_leaves_is_no_error(self) -> None:
        command = f"{shlex.quote(sys.executable)} -m okapi perft 3 --divide | head -1"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
        assert "" == done.stderr


class TestHelp:
    @pytest.mark.parametrize("command", command_names())
    def test_every_command_explains_itself_with_examples(self, capsys: Capture, command: str) -> None:
        assert Exit.DONE == okapi(f"{command} --help")
        out = capsys.readouterr().out
        assert re.search("xamples?:", out) and f"okapi {command}" in out

    def test_every_option_is_explained(self, capsys: Capture) -> None:
        for command in command_names():
            okapi(f"{command} --help")
            for line in capsys.readouterr().out.splitlines():
                match = re.match(r"│ (?:\*\s+)?(--[a-z0-9]+(?: [A-Z|]+)?)(.*)│", line)
                assert match is None or match[2].strip(), f"{command} {line}"

    def test_version(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("--version")
        assert re.fullmatch(r"\d+\.\d+\.\d+\s*", capsys.readouterr().out)

    def test_alone_it_lists_the_commands(self, capsys: Capture) -> None:
        assert Exit.DONE == okapi("")
        out = capsys.readouterr().out
        for title, commands in COMMANDS.items():
            assert title in out and all(command in out for command in commands)

    @pytest.mark.parametrize(
        ("alias", "line"), [("inside pieces", "okapi explain pieces"), ("analyze", "okapi analyse")]
    )
    def test_former_and_other_names_still_work(self, capsys: Capture, alias: str, line: str) -> None:
        assert Exit.DONE == okapi(f"{alias} --help")
        assert line in capsys.readouterr().out


@pytest.mark.skipif(not DOCS.is_file(), reason="only in the repository")
def test_a_command_is_one_file_and_one_line(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example of docs/reference/cli.md."""
    match = re.search(r"## Add a command.*?```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert match is not None
    module = ModuleType("okapi.cli.pieces")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(match[1], "pieces.py", "exec"), module.__dict__)
    monkeypatch.setitem(COMMANDS["Research and tools"], "pieces", "okapi.cli.pieces:pieces")

    assert Exit.DONE == okapi("pieces startpos --json")
    assert {"pieces": 32} == data(capsys)
    assert Exit.DONE == okapi("--help")
    assert "Count the pieces of a position" in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="pseudo-terminals are a POSIX thing")
@pytest.mark.parametrize(("no_color", "colored"), [("", True), ("1", False)])
def test_no_color_is_respected(no_color: str, colored: bool) -> None:
    """On a terminal there are colours, unless NO_COLOR says otherwise."""
    import pty

    master, slave = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "NO_COLOR": no_color}
    if not no_color:
        del environment["NO_COLOR"]
    command = [sys.executable, "-m", "okapi", "perft", "x"]
    with subprocess.Popen(command, stdout=slave, stderr=slave, stdin=slave, env=environment) as running:
        running.wait(timeout=20)
    os.close(slave)
    said = os.read(master, 65536).decode()
    os.close(master)
    assert colored == ("\x1b[1;31m" in said)
    assert "error:" in said
