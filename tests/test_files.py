"""Files appear as a whole or not at all, and errors name them."""

from pathlib import Path

import pytest

from okapi.errors import NotFound
from okapi.files import file_errors, replace_file, write_whole


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    for content in (b"old", b"new"):
        replace_file(tmp_path / "a.json", content)

    assert [tmp_path / "a.json"] == list(tmp_path.iterdir())
    assert b"new" == (tmp_path / "a.json").read_bytes()


def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    def write_half() -> None:
        with write_whole(tmp_path / "a.json") as part:
            part.write_bytes(b"half of")
            raise ZeroDivisionError

    replace_file(tmp_path / "a.json", b"old")
    with pytest.raises(ZeroDivisionError):
        write_half()

    assert [tmp_path / "a.json"] == list(tmp_path.iterdir())
    assert b"old" == (tmp_path / "a.json").read_bytes()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"a\.json` cannot be written: No such file"):
        replace_file(tmp_path / "nowhere" / "a.json", b"new")
    with pytest.raises(NotFound, match="cannot be read") as failed, file_errors(tmp_path, "read", hint="take a file"):
        tmp_path.read_bytes()
    assert "take a file" == failed.value.hint
