"""Your own brains on the command line: add, list, rename, remove, and found by name from another folder."""

import hashlib
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from random_nnue import random_nnue

from okapi.arena.games import read_games
from okapi.brains import SHIPPED, card, find, shipped
from okapi.brains.files import read_tensors, write_brain
from okapi.brains.summary import CARDS, strength
from okapi.cli import main
from okapi.cli.console import Exit
from okapi.data.runs import Run
from okapi.files import file_hash
from okapi.recipes.league.result import SHIPPED as LEAGUE
from okapi.recipes.league.result import LeagueResult

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def okapi(line: str) -> int:
    return main(shlex.split(line))


def answer(line: str, capsys: Capture) -> Any:
    assert Exit.DONE == okapi(f"{line} --json"), capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def test_a_brain_is_added_renamed_and_removed(runs: Path, capsys: Capture) -> None:
    shutil.copy(SHIPPED / "okapi-28.safetensors", "download.safetensors")

    assert "mine" == answer("brains add download.safetensors --name mine", capsys)["name"]
    assert (runs / "mine" / "brain.safetensors").read_bytes() == Path("download.safetensors").read_bytes()
    assert {"name": "yours", "was": "mine", "path": str(runs / "yours" / "brain.safetensors")} == answer(
        "brains rename mine yours", capsys
    )
    (own,) = [brain for brain in answer("brains list", capsys)["brains"] if not brain["shipped"]]
    assert ("yours", "linear-28", 58, "58 weights, 1.2 kB") == tuple(
        own[key] for key in ("name", "kind", "weights", "size_text")
    )
    assert "yours" == answer("brains show yours", capsys)["name"]
    assert answer("brains remove yours", capsys)["deleted"] and not (runs / "yours").exists()


def test_the_folder_of_a_run_is_added_with_its_checkpoints(runs: Path, capsys: Capture) -> None:
    folder = Path("old/mine")
    for file in ("brain.safetensors", "checkpoints/000012.safetensors"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(SHIPPED / "material.safetensors", folder / file)
    (folder / "labels.bin").write_bytes(b"large")
    with Run.start(folder, "train"):
        assert Exit.USAGE == okapi("brains add old/mine") and "in progress" in capsys.readouterr().err

    assert "mine" == answer("brains add old/mine", capsys)["name"]
    assert runs / "mine" / "checkpoints" / "000012.safetensors" == find("mine@12")
    assert not (runs / "mine" / "labels.bin").exists()
    assert Exit.USAGE == okapi("brains remove mine") and "--yes" in capsys.readouterr().err
    assert answer("brains remove mine --yes", capsys)["deleted"] and folder.is_dir()


def test_a_run_elsewhere_is_forgotten_and_stays(runs: Path, capsys: Capture) -> None:
    assert Exit.DONE == okapi("train vazquez-five --size tiny --change generations=1 --out here/mine --json")
    capsys.readouterr()

    assert not answer("brains remove mine", capsys)["deleted"]
    assert Path("here/mine/brain.safetensors").is_file()


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("brains add good.safetensors --name material", Exit.USAGE, "shipped"),
        ("brains add good.safetensors --name a/b", Exit.USAGE, "no name"),
        ("brains add good.safetensors --name taken", Exit.USAGE, "there is a brain `taken`"),
        ("brains add bad.safetensors", Exit.INPUT, "not a brain"),
        ("brains add nowhere", Exit.INPUT, "no file or folder"),
        ("brains add .", Exit.INPUT, "no brain in"),
        ("brains rename material mine", Exit.USAGE, "shipped"),
        ("brains rename taken champion", Exit.USAGE, "shipped"),
        ("brains rename takne mine", Exit.INPUT, "did you mean `taken`"),
        ("brains remove material", Exit.USAGE, "shipped"),
        ("brains remove ../runs", Exit.INPUT, "you have no brain"),
        ("brains list --runs", Exit.USAGE, "--runs needs a folder"),
    ],
)
def test_wrong_input_says_so_and_changes_nothing(line: str, code: int, says: str, runs: Path, capsys: Capture) -> None:
    shutil.copy(SHIPPED / "material.safetensors", "good.safetensors")
    Path("bad.safetensors").write_bytes(b"nonsense")
    assert Exit.DONE == okapi("brains add good.safetensors --name taken")

    assert code == okapi(line)
    assert says in capsys.readouterr().err.replace("\n", " ")
    assert ["taken"] == sorted(path.name for path in runs.iterdir() if path.is_dir())


def test_nothing_in_the_list_is_cut_off_at_80_columns(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert Exit.DONE == okapi("brains list")
    lines = capsys.readouterr().out.splitlines()

    assert "…" not in "".join(lines) and max(map(len, lines)) <= 80
    assert any("201 k weights, 0.4 MB" in line for line in lines)
    assert all(any(line.startswith(brain.name) for line in lines) for brain in shipped())


def test_runs_names_another_folder_for_every_command(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "others" / "far").mkdir(parents=True)
    shutil.copy(SHIPPED / "material.safetensors", tmp_path / "others" / "far" / "brain.safetensors")

    told = answer(f"eval 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 --brain far --runs {tmp_path / 'others'}", capsys)
    assert 100 == told["centipawns"]
    assert "far" in [brain["name"] for brain in answer(f"brains list --runs={tmp_path / 'others'}", capsys)["brains"]]


UNRATED = {"material", "okapi-resnet"}
"""The zero of the scale, and one too slow for a match of 40 games; another with an Elo leaves the list."""


def test_every_shipped_brain_has_a_sentence_and_an_elo_over_material_where_it_can_that_of_the_league() -> None:
    told = json.loads(CARDS.read_bytes())
    pools = {pool.name: pool for pool in LeagueResult.read(LEAGUE).pools}
    rated = {row.name: round(row.elo) for name in ("100 nodes", "1,000 nodes") for row in pools[name].rows}

    assert {brain.name for brain in shipped()} == set(told)
    assert all(entry["sentence"].endswith(".") and len(entry["sentence"]) < 100 for entry in told.values())
    for brain in shipped():
        measured = strength(brain)
        if brain.name in UNRATED:
            assert measured is None
        else:
            assert measured is not None and "material" == measured.against and measured.games >= 40
            assert rated.get(brain.name, measured.elo) == measured.elo


def test_a_brain_has_the_elo_that_its_run_measured(runs: Path, capsys: Capture) -> None:
    with Run.start(runs / "mine", "train", title="Five weights") as run:
        for step, elo in ((1, -300.0), (12, 215.0)):
            run.log(step, elo_material=elo, elo_material_low=elo - 30, elo_material_high=elo + 40, games=200)
            run.log(step + 1, loss=0.5)
    for file in ("brain.safetensors", "checkpoints/000001.safetensors"):
        (runs / "mine" / file).parent.mkdir(exist_ok=True)
        shutil.copy(SHIPPED / "giraffe.safetensors", runs / "mine" / file)

    (own,) = [brain for brain in answer("brains list", capsys)["brains"] if not brain["shipped"]]
    assert "Five weights." == own["sentence"]
    assert (215, 185, 255, 200, "material") == tuple(own[key] for key in ("elo", "low", "high", "games", "against"))
    measured = strength(card("mine@1"))
    assert measured is not None and -300 == measured.elo


def test_the_last_match_of_a_run_comes_before_the_short_ones_of_its_log(runs: Path) -> None:
    with Run.start(runs / "mine", "train") as run:
        run.log(12, elo_material=190.0, elo_material_low=70.0, elo_material_high=320.0, games=40)
    brain = runs / "mine" / "brain.safetensors"
    shutil.copy(SHIPPED / "giraffe.safetensors", brain)
    elo = {"elo": 215.0, "low": 137.0, "high": 298.0, "games": 100, "depth": 3}
    for digest, expected in ((file_hash(brain), 215), ("of another file", 190)):
        (runs / "mine" / "summary.json").write_text(json.dumps({"brain": digest, "elo": elo}), encoding="utf-8")
        measured = strength(card("mine"))
        assert measured is not None and (expected, "material") == (measured.elo, measured.against)


def test_a_match_says_the_name_and_not_the_path(runs: Path, capsys: Capture) -> None:
    for folder, brain in ((runs / "mine", "okapi-28"), (Path("far/yours"), "material")):
        folder.mkdir(parents=True)
        shutil.copy(SHIPPED / f"{brain}.safetensors", folder / "brain.safetensors")
        Run.start(folder, "train").finish()

    told = answer("match mine far/yours/brain.safetensors --games 4 --depth 1 --pgn games.pgn", capsys)
    assert ("mine", "yours") == (told["first"], told["second"])
    assert '[White "mine"]' in Path("games.pgn").read_text() and "safetensors" not in Path("games.pgn").read_text()
    assert ["mine", "yours"] == read_games(Path(told["store"])).names
    name = Path(told["store"]).stem
    assert {"mine", "yours"} == {player["name"] for player in answer(f"rate {name}", capsys)["players"]}
    assert 4 == answer(f"games export {name} --to exported.pgn", capsys)["games"]
    assert Path("games.pgn").read_text() == Path("exported.pgn").read_text()
    assert Exit.DONE == okapi("match mine far/yours/brain.safetensors --games 4 --depth 1")
    assert "mine against yours" in capsys.readouterr().out


def test_two_brains_of_one_name_are_told_apart(capsys: Capture) -> None:
    for place, brain in (("a", "okapi-28"), ("b", "vazquez-exploration")):
        Path(place).mkdir()
        told = {**card(brain).metadata, "name": "twin"}
        write_brain(Path(place, "twin.safetensors"), told, read_tensors(find(brain)))

    told = answer("match a/twin.safetensors b/twin.safetensors --games 2 --depth 1", capsys)
    assert told["first"] != told["second"] and all(told[side].startswith("twin ") for side in ("first", "second"))
    again = answer("match b/twin.safetensors a/twin.safetensors --games 2 --depth 1", capsys)
    assert (told["first"], told["second"]) == (again["second"], again["first"])


def test_a_store_of_an_earlier_version_has_the_names_of_its_players(tmp_path: Path, capsys: Capture) -> None:
    told = answer("match okapi-28 material --games 2 --depth 1 --store old.sqlite", capsys)
    with closing(sqlite3.connect("old.sqlite")) as database:
        database.execute("DROP TABLE players")

    assert [told["first"], told["second"]] == read_games(Path("old.sqlite")).names
    assert Exit.USAGE == okapi("games export old.sqlite --to x.pgn --result 1-0")
    assert "not filtered" in capsys.readouterr().err
    assert Exit.INPUT == okapi("games export old.sqlite --to x.pgn --game 7")


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The runs folder of somebody who has trained `mine` in another folder."""
    folder = tmp_path_factory.mktemp("somebody")
    line = [sys.executable, "-m", "okapi", "train", "vazquez-five", "--size", "tiny", "--out", "work/mine", "--json"]
    environment = {**os.environ, "OKAPI_RUNS": str(folder / "runs")}
    subprocess.run(line, cwd=folder, env=environment, check=True, capture_output=True)
    return folder / "runs"


FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"


@pytest.mark.parametrize(
    "line",
    [
        f'eval "{FEN}" --brain mine',
        f'eval "{FEN}" --brain mine@0',
        f'analyse "{FEN}" --player mine --depth 2',
        f'analyse "{FEN}" --player mine@0,nodes=100 --depth 2',
        "match mine@0 mine --games 2 --depth 1",
        "tournament mine mine@0 material --rounds 1 --depth 1",
        "brains show mine@0",
        "brains compare mine material --most 50",
        f'explain pieces "{FEN}" --brain mine',
        "bench --brain mine",
    ],
)
def test_what_was_trained_in_one_folder_is_found_in_another(line: str, trained: Path, capsys: Capture) -> None:
    told = answer(f"{line} --runs {trained}", capsys)

    assert told


def test_a_network_of_stockfish_is_imported_as_a_brain(tmp_path: Path, runs: Path, capsys: Capture) -> None:
    (tmp_path / "fish.nnue").write_bytes(random_nnue().to_bytes())

    told = answer(f"brains import {tmp_path / 'fish.nnue'} --name fish", capsys)
    assert ("fish", "halfka", False) == (told["name"], told["kind"], told["shipped"])
    value = answer("eval 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 --brain fish", capsys)["centipawns"]
    answer(f"brains import {tmp_path / 'fish.nnue'} --out {tmp_path / 'file.safetensors'}", capsys)
    again = answer(f"eval 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 --brain {tmp_path / 'file.safetensors'}", capsys)
    assert value == again["centipawns"]

    (tmp_path / "cut.nnue").write_bytes((tmp_path / "fish.nnue").read_bytes()[:1000])
    assert Exit.DONE != okapi(f"brains import {tmp_path / 'cut.nnue'}")
    assert "cut off" in capsys.readouterr().err


# --- From an address --------------------------------------------------------------------------------------------------


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server on this machine: a brain, redirects, and an answer that is cut off."""
    content = (SHIPPED / "okapi-28.safetensors").read_bytes()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            to = {"/away": "/brain", "/file": "file:///etc/passwd", "/ftp": "ftp://127.0.0.1/x"}.get(self.path)
            self.send_response(404 if self.path == "/none" else 200 if to is None else 302)
            self.send_header("content-length", str(len(content) if to is None else 0))
            if to is not None:
                self.send_header("location", to)
            self.end_headers()
            self.wfile.write(b"" if to is not None else content[:-9] if self.path == "/cut" else content)

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("no_proxy", "*")
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


HASH = hashlib.sha256((SHIPPED / "okapi-28.safetensors").read_bytes()).hexdigest()


@pytest.mark.parametrize("path", ["brain", "away"])
def test_a_brain_is_fetched_with_its_hash(web: str, path: str, runs: Path, capsys: Capture) -> None:
    assert "far" == answer(f"brains add {web}/{path}#sha256={HASH.upper()} --name far", capsys)["name"]
    assert (SHIPPED / "okapi-28.safetensors").read_bytes() == (runs / "far" / "brain.safetensors").read_bytes()


@pytest.mark.parametrize(
    ("address", "exit_code", "says"),
    [
        (f"/brain#sha256={'0' * 64}", Exit.INPUT, f"has the SHA-256 {HASH}"),
        ("/brain", Exit.USAGE, "has no hash"),
        ("/brain#sha256=12", Exit.USAGE, "has no hash"),
        (f"/none#sha256={HASH}", Exit.INPUT, "cannot be fetched"),
        (f"/cut#sha256={HASH}", Exit.INPUT, "has the SHA-256"),
        (f"/file#sha256={HASH}", Exit.INPUT, "is not allowed"),
        (f"/ftp#sha256={HASH}", Exit.INPUT, "which is not fetched"),
    ],
)
def test_nothing_else_is_kept(web: str, address: str, exit_code: Exit, says: str, runs: Path, capsys: Capture) -> None:
    assert exit_code == okapi(f"brains add {web}{address} --name far")
    assert says in capsys.readouterr().err.replace("\n", " ")
    assert not (runs / "far").exists()


def test_what_is_too_large_or_too_slow_is_not_fetched(
    web: str, runs: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit, value in (("MOST_BYTES", 100), ("LONGEST_S", -1.0)):
        with monkeypatch.context() as patch:
            patch.setattr(f"okapi.files.{limit}", value)
            assert Exit.INPUT == okapi(f"brains add {web}/brain#sha256={HASH} --name far")
        assert "larger than" in capsys.readouterr().err
    assert not (runs / "far").exists()
