"""What holds for every command: exit codes, errors as JSON, --out, hints that name its own flags, completion."""

import json
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from okapi.cli import main
from okapi.cli.app import command_names, make_app, nearest_flag
from okapi.cli.console import Exit

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@cache
def flags(command: str) -> dict[str, set[str]]:
    """All names of the option that each name of an option stands for."""
    app: Any = make_app()
    for word in command.split():
        app = app[word]
    arguments = app.assemble_argument_collection()
    return {name: set(argument.names) for argument in arguments for name in argument.names if name.startswith("--")}


def error(capsys: Capture) -> dict[str, Any]:
    (line,) = capsys.readouterr().out.splitlines()
    told: dict[str, Any] = json.loads(line)
    assert {"error", "hint", "exit"} == set(told) and told["error"]
    return told


@pytest.mark.parametrize("command", command_names())
def test_a_wrong_option_is_an_error_of_usage_as_json(command: str, capsys: Capture) -> None:
    assert Exit.USAGE == main([*command.split(), "--jsno", "--json"])

    told = error(capsys)
    assert "--jsno" in told["error"] or "needs" in told["error"]
    assert 2 == told["exit"] and told["hint"]


def test_a_word_too_many_is_named(capsys: Capture) -> None:
    assert Exit.USAGE == main(["bench", "quickly", "--json"])
    assert "`okapi bench` takes no `quickly`" == error(capsys)["error"]


@pytest.mark.parametrize("command", command_names())
def test_every_command_takes_json(command: str) -> None:
    assert "--json" in flags(command)


WRONG_INPUT = {
    "evolve": "nowhere",
    "play": "--watch --brain nowhere",
    "analyse": "nonsense",
    "eval": "nonsense",
    "moves": "nonsense",
    "explain pieces": "nonsense",
    "explain neurons": "nowhere",
    "explain changes": "nowhere material",
    "uci": "--brain nowhere",
    "train": "nowhere",
    "tune": "--player alphabeta:nowhere --iterations 1",
    "games import": "nowhere.pgn --out games.okapi",
    "games export": "nowhere.okapi --out games.pgn",
    "games stats": "nowhere.okapi",
    "games doctor": "nowhere.samples",
    "games split": "nowhere.okapi",
    "samples convert": "nowhere.tsv --out x.samples",
    "samples show": "nowhere.samples",
    "samples play": "nowhere --games 1 --out x.samples",
    "label": "nowhere.epd --engine ./nowhere --nodes 1 --out x.samples",
    "selfplay": "nowhere --games 1 --depth 1 --out x.okapi",
    "brains show": "nowhere",
    "brains add": "nowhere.safetensors",
    "brains remove": "nowhere",
    "brains rename": "nowhere other",
    "brains import": "nowhere.nnue",
    "brains compare": "nowhere material",
    "brains export": "nowhere --out x.onnx",
    "match": "nowhere material --games 2 --depth 1",
    "tournament": "nowhere material --rounds 1 --depth 1",
    "league": "--labels nowhere.samples",
    "rate": "nowhere.pgn",
    "suite": "nowhere.epd",
    "ladder": "nowhere",
    "paper": "nowhere",
    "bench": "--brain nowhere",
    "perft": "3 --fen nonsense",
    "encode": "nonsense --as planes-6",
    "ablate": "--player alphabeta:nowhere --games 2",
    "experiment": "nowhere.toml",
    "completion": "bash --out no/folder/okapi",
}


def test_wrong_input_of_every_command_is_tried() -> None:
    without_input = {"brains list"}
    assert set(command_names()) - set(WRONG_INPUT) <= without_input


@pytest.mark.parametrize(("command", "given"), WRONG_INPUT.items(), ids=list(WRONG_INPUT))
def test_wrong_input_is_exit_code_3_as_json(command: str, given: str, capsys: Capture) -> None:
    assert Exit.INPUT == main([*command.split(), *shlex.split(given), "--json"])
    assert 3 == error(capsys)["exit"]


@pytest.mark.parametrize("command", command_names())
def test_ctrl_c_is_exit_code_4(command: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*words: str, json: bool = False) -> None:
        """For example:"""
        raise KeyboardInterrupt

    app: Any = make_app()
    for word in command.split():
        app = app[word]
    function = app.default_command
    monkeypatch.setattr(f"{function.__module__}.{function.__name__}", interrupted)

    assert Exit.INTERRUPTED == main([*command.split(), "--json"])
    assert 4 == error(capsys)["exit"]


FORMER = {
    "analyse": {"--html", "--to"},
    "train": {"--to"},
    "evolve": {"--to"},
    "tune": {"--to"},
    "games import": {"--to"},
    "games export": {"--to"},
    "games stats": {"--picture"},
    "games doctor": {"--to"},
    "games split": {"--to"},
    "samples convert": {"--to"},
    "samples play": {"--to"},
    "label": {"--to"},
    "selfplay": {"--to"},
    "brains compare": {"--page"},
    "brains import": set(),
    "brains export": {"--onnx", "--nnue"},
    "match": {"--pgn"},
    "tournament": {"--pgn"},
    "ladder": {"--pgn"},
    "play": {"--pgn"},
    "suite": {"--page"},
    "ablate": {"--to"},
    "experiment": set(),
    "league": set(),
    "paper": set(),
    "completion": set(),
}
"""Commands that write something, and former names of --out."""


@pytest.mark.parametrize(("command", "former"), FORMER.items(), ids=list(FORMER))
def test_what_a_command_writes_is_out(command: str, former: set[str]) -> None:
    assert {"--out", *former} == flags(command)["--out"]


@pytest.mark.parametrize("command", command_names())
def test_no_command_has_to_without_out(command: str) -> None:
    found = flags(command)
    assert "--to" not in found or "--out" in found["--to"]


@pytest.mark.parametrize(
    ("flag", "meant"),
    [
        ("--mx", "--max"),
        ("--maximum", "--max"),
        ("--max-positions", "--max"),
        ("--positions", "--max"),
        ("--limit", "--max"),
        ("--engin", "--engine"),
        ("--output", "--out"),
        ("--threads", "--workers"),
    ],
)
def test_label_hints_at_the_flag_that_was_meant(flag: str, meant: str, capsys: Capture) -> None:
    assert Exit.USAGE == main(["label", "a.epd", flag, "5", "--engine", "e", "--nodes", "1", "--out", "x", "--json"])
    assert f"did you mean {meant}?" == error(capsys)["hint"]


def test_a_flag_without_its_value_is_named(capsys: Capture) -> None:
    assert Exit.USAGE == main(["label", "a.epd", "--engine", "e", "--out", "x", "--max", "--json"])
    assert "--max needs a value" == error(capsys)["error"]


@pytest.mark.parametrize("command", command_names())
def test_a_hint_names_flags_of_the_command_alone(command: str) -> None:
    own = [name for name in flags(command) if name.startswith("--")]
    for word in ("--max", "--list", "--concurency", "--ouput", "--brian"):
        assert nearest_flag(word, own) in (None, *own)


@pytest.mark.parametrize(
    ("typed", "completed"), [("gam", "games"), ("match a b --op", "--openings"), ("brains ", "list")]
)
def test_bash_completes_commands_and_options(typed: str, completed: str, capsys: Capture) -> None:
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash")
    assert Exit.DONE == main(["completion", "bash"])
    words = f"okapi {typed}".split(" ")
    array = " ".join(map(shlex.quote, words))
    script = (
        f"{capsys.readouterr().out}\nCOMP_WORDS=({array})\nCOMP_CWORD={len(words) - 1}\n_okapi\necho ${{COMPREPLY[@]}}"
    )

    assert completed in subprocess.run([bash, "-c", script], capture_output=True, text=True, check=True).stdout.split()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_completion_is_written_for_every_shell(shell: str, tmp_path: Path, capsys: Capture) -> None:
    assert Exit.DONE == main(["completion", shell, "--out", str(tmp_path / "okapi"), "--json"])
    assert {"file": str(tmp_path / "okapi")} == json.loads(capsys.readouterr().out)
    assert "tournament" in (tmp_path / "okapi").read_text(encoding="utf-8")


def test_completion_is_installed_where_it_is_asked_for(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "here" / "okapi.fish"
    assert Exit.DONE == main(["--install-completion", "fish", "--out", str(file)])
    assert "tournament" in file.read_text(encoding="utf-8")
