"""What CONTRIBUTING asks of commits: a short subject, and on changes of the search the node count of `okapi bench`."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LONGEST_SUBJECT = 72


def git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


pytestmark = pytest.mark.skipif(
    shutil.which("git") is None or not (ROOT / ".git").exists(), reason="needs the repository's history"
)


def commits_since_this_test() -> list[str]:
    """The subjects of all commits that came after the one that added this file."""
    added = git("log", "--diff-filter=A", "--format=%H", "--", "tests/test_commits.py").split()
    if not added:
        pytest.skip("this file is not committed")
    return git("log", "--no-merges", "--format=%s", f"{added[-1]}..HEAD").splitlines()


def test_subjects_are_short() -> None:
    assert [] == [subject for subject in commits_since_this_test() if len(subject) > LONGEST_SUBJECT]


def test_the_newest_node_count_is_what_the_search_counts() -> None:
    """A change of the search ends with the line `Bench: N`."""
    counts = re.findall(r"^Bench: (\d+)$", git("log", "-500", "--format=%B"), re.MULTILINE)
    if not counts:
        pytest.skip("no commit in this clone has a line `Bench: N`")

    # In a process of its own: endgame tables that another test loaded would change the tree.
    command = [sys.executable, "-m", "okapi", "bench", "--json"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert int(counts[0]) == json.loads(said)["nodes"]
