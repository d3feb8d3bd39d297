"""Does Okapi play a whole game in xboard, Scid, PyChess and python-chess? A game in each, and a picture of it.

    apt-get install xvfb openbox imagemagick xboard polyglot scid pychess
    python bench/guis.py --to docs/images

Each program runs under Xvfb with a home of its own. Okapi plays itself; in Scid a second Okapi, which only counts pieces, makes
the moves of the person. The game must end by the rules, and python-chess must find every move legal.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import chess.svg

ENGINE = shutil.which("okapi-uci") or "okapi-uci"
LONGEST_S = 1800
XBOARD = ["xboard", "-cp", "-fcp", ENGINE, "-fUCI", "-scp", ENGINE, "-sUCI", "-mg", "1", "-st", "0:01", "-size", "54"]

SCID = """
# Scid as it is installed, and a person who chooses Play, Serious game, and moves as a second engine says.
set argv {}
set argv0 /usr/games/scid
after 6000 {
    catch {destroy .tipsWin}
    ::enginecfg::add [list Okapi ENGINE {} . 0 0 0 1 {}]
    ::sergame::config
    set ::sergame::timeMode movetime
    .configSerGameWin.ftime.movetime.value set 1
    set w .configSerGameWin.fengines.fEnginesList.lbEngines
    $w selection set [lindex [$w children {}] end]
    .configSerGameWin.fbuttons.close invoke
}
set person [open "|ENGINE" r+]
fconfigure $person -buffering line
puts $person "setoption name EvalFile value material"
proc person {} {
    after 500 person
    if {![info exists ::playMode] || [sc_pos side] ne "white"} { return }
    puts $::person "position fen [sc_pos fen]\\ngo depth 2"
    while {[gets $::person line] >= 0 && ![string match bestmove* $line]} {}
    set move [lindex $line 1]
    if {$move ne "(none)"} { addMoveUCI $move }
    if {$move eq "(none)" || [string match *# [sc_game info previousMove]]} {
        set file [open GAME w]
        puts $file [sc_game pgn -symbols 0 -width 0]
        close $file
        after cancel person
    }
}
after 9000 person
source /usr/games/scid
"""

PYCHESS = """
# PyChess as it is installed, and a person who chooses New game, Okapi against Okapi.
import hashlib, pathlib, runpy, sys
sys.argv = ["pychess", "--no-version-check"]
from gi.repository import GLib
from pychess.compat import create_task
from pychess.perspectives import perspective_manager
from pychess.Players.engineNest import discoverer
from pychess.Savers import pgn
from pychess.System import conf
from pychess.Utils.const import ARTIFICIAL, BLACK, NORMALCHESS, RUNNING, WAITING_TO_START, WHITE
from pychess.Utils.GameModel import GameModel
from pychess.Utils.TimeModel import TimeModel
from pychess.Variants import variants
from pychess.widgets import mainwindow
conf.set("show_tip_at_startup", False)
conf.set("dont_show_externals_at_startup", True)
model = None

def begin():
    global model
    if not any(engine["name"] == "Okapi" for engine in discoverer.engines):
        discoverer.addEngine("Okapi", "ENGINE", "uci", None, None)
    engine = discoverer.getEngineByName("Okapi")
    engine["md5"] = hashlib.md5(pathlib.Path("ENGINE").read_bytes()).hexdigest()
    variant = variants[NORMALCHESS]
    model = GameModel(TimeModel(120, 3), variant)
    players = [
        (ARTIFICIAL, discoverer.initPlayerEngine, [engine, color, 20, variant, 120, 3, 0, True], "Okapi")
        for color in (WHITE, BLACK)
    ]
    mainwindow().maximize()
    games = perspective_manager.get_perspective("games")
    create_task(games.generalStart(model, *players))
    GLib.timeout_add(1000, watch)

def watch():
    if model.status in (RUNNING, WAITING_TO_START):
        return True
    with open("GAME", "w") as file:
        pgn.save(file, model)
    return False

GLib.timeout_add(15000, begin)
runpy.run_path("/usr/games/pychess", run_name="__main__")
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--to", type=Path, default=Path("build/guis"), help="folder of the pictures")
    parser.add_argument("--only", nargs="*", default=list(GAMES), choices=list(GAMES))
    asked = parser.parse_args()
    asked.to.mkdir(parents=True, exist_ok=True)
    played = {name: GAMES[name](asked.to) for name in asked.only}
    print(json.dumps(played, indent=1))
    return 0


def checked(game: Path) -> dict[str, object]:
    """Moves, result and ending of a game; an illegal move or a game without an end is an error."""
    with game.open(encoding="utf-8") as file:
        found = chess.pgn.read_game(file)
    assert found and not found.errors, found and found.errors
    board = found.end().board()
    outcome = board.outcome(claim_draw=True)
    assert outcome, f"{found.headers}: the game is not over after {board.ply()} plies: {board.fen()}"
    return {"plies": board.ply(), "result": outcome.result(), "ending": outcome.termination.name.lower()}


def on_a_screen(program: Callable[[Path], list[str]], picture: Path, crop: str = "1000x740+0+0") -> dict[str, object]:
    """Run a program under Xvfb until it has written a game, and take a picture."""
    with tempfile.TemporaryDirectory() as folder:
        game, display = Path(folder) / "game.pgn", f":{os.getpid() % 1000 + 100}"
        screen = subprocess.Popen(["Xvfb", display, "-screen", "0", "1000x740x24"], stderr=subprocess.DEVNULL)
        path = os.pathsep.join([str(Path(ENGINE).parent), os.environ["PATH"], "/usr/games"])
        environment = os.environ | {"DISPLAY": display, "HOME": folder, "PATH": path, "NO_AT_BRIDGE": "1"}
        environment.pop("PYTHONPATH", None)
        time.sleep(2)
        started = [screen]
        try:
            begin, null = time.monotonic(), subprocess.DEVNULL
            started += [
                subprocess.Popen(command, stdout=null, stderr=null, env=environment, cwd=folder)
                for command in (["openbox"], program(game))
            ]
            while not (game.exists() and game.read_text(encoding="utf-8").strip()):
                assert time.monotonic() - begin < LONGEST_S, "no game in time"
                time.sleep(2)
            time.sleep(2)
            shot = ["import", "-window", "root", "-crop", crop, "-trim", "+repage", "-resize", "720x", "-colors", "48"]
            subprocess.run([*shot, f"PNG8:{picture}"], env=environment, check=True)
            return {**checked(game), "seconds": round(time.monotonic() - begin)}
        finally:
            for process in reversed(started):
                process.terminate()
                process.wait(20)


def xboard(to: Path) -> dict[str, object]:
    return on_a_screen(lambda game: [*XBOARD, "-sgf", str(game)], to / "xboard.png")


def scid(to: Path) -> dict[str, object]:
    def program(game: Path) -> list[str]:
        script = game.with_name("person.tcl")
        script.write_text(SCID.replace("ENGINE", ENGINE).replace("GAME", str(game)), encoding="utf-8")
        return ["/usr/games/tkscid", str(script)]

    return on_a_screen(program, to / "scid.png")


def pychess(to: Path) -> dict[str, object]:
    def program(game: Path) -> list[str]:
        script = game.with_name("person.py")
        script.write_text(PYCHESS.replace("ENGINE", ENGINE).replace("GAME", str(game)), encoding="utf-8")
        return ["/usr/bin/python3", str(script)]

    return on_a_screen(program, to / "pychess.png")


def python_chess(to: Path) -> dict[str, object]:
    begin, board = time.monotonic(), chess.Board()
    with chess.engine.SimpleEngine.popen_uci(ENGINE) as engine:
        while not board.is_game_over(claim_draw=True):
            board.push(engine.play(board, chess.engine.Limit(nodes=20_000)).move or chess.Move.null())
    (to / "python-chess.svg").write_text(chess.svg.board(board, size=360, lastmove=board.peek()), encoding="utf-8")
    outcome = board.outcome(claim_draw=True)
    assert outcome
    ending = outcome.termination.name.lower()
    seconds = round(time.monotonic() - begin)
    return {"plies": board.ply(), "result": outcome.result(), "ending": ending, "seconds": seconds}


GAMES = {"xboard": xboard, "scid": scid, "pychess": pychess, "python-chess": python_chess}


if __name__ == "__main__":
    sys.exit(main())
