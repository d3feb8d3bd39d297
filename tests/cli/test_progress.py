"""Where stderr is no terminal, commands that take long say now and then how it goes."""

import re
from pathlib import Path

import pytest

from okapi.arena import ladder
from okapi.cli import main, progress

Capture = pytest.CaptureFixture[str]

SUITE = Path(__file__).parent.parent / "arena" / "suite.epd"
COMMANDS = {
    "match random:1 random:2 --depth 1 --games 4 --concurrency 1": r"\+\d+ =\d+ -\d+ .* Elo",
    "tournament random:1 random:2 random:3 --depth 1 --rounds 1 --concurrency 1": r"random:\d leads with [\d.]+",
    f"suite {SUITE} --player greedy:material --depth 1": r"\d+ of \d+ solved",
    "rate --ladder random:5 --games 4 --tc 5+0.1 --concurrency 1": r".* leads with [\d.]+",
}


def lines(command: str, so_far: str, capsys: Capture) -> list[tuple[int, int]]:
    """How much was done, of how much, in each line that a command prints on the way."""
    assert 0 == main(command.split())
    found = re.findall(rf"^(\d+)/(\d+) {so_far}, \d+ min left$", capsys.readouterr().err, re.MULTILINE)
    return [(int(done), int(total)) for done, total in found]


@pytest.mark.parametrize(("command", "so_far"), COMMANDS.items(), ids=[line.split()[0] for line in COMMANDS])
def test_a_plain_line_says_how_it_goes(
    command: str, so_far: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("okapi.cli.rate.usable", lambda: ([ladder.Rung("dice", "random", 800, "a test")], {}))
    monkeypatch.setattr(progress, "EVERY_S", 0.0)

    told = lines(command, so_far, capsys)

    assert told
    assert [done for done, _ in told] == list(range(1, told[0][1] + 1))


def test_no_more_than_a_line_every_thirty_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    command, so_far = next(iter(COMMANDS.items()))

    assert 30.0 == progress.EVERY_S
    assert not lines(command, so_far, capsys)
