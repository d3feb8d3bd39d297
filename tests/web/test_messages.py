"""Whatever a page sends becomes a declared record or a sentence."""

import json
from dataclasses import dataclass, fields
from typing import Annotated, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from okapi.errors import InvalidMessage
from okapi.web.game import Record, Setup
from okapi.web.messages import Between, Many, Text, parse, read


@dataclass(frozen=True)
class Inner:
    number: Annotated[int, Between(1, 5)] = 3


@dataclass(frozen=True)
class Everything:
    text: Annotated[str, Text(3)]
    share: float = 0.5
    on: bool = False
    kind: Literal["a", "b"] = "a"
    inner: Inner | None = None
    many: Annotated[tuple[int, ...], Many(2)] = ()


def test_a_record_is_read_with_its_defaults() -> None:
    found = read(Everything, {"text": "abc", "share": 1, "inner": {"number": 5}, "many": [1, 2]})

    assert Everything("abc", 1, False, "a", Inner(5), (1, 2)) == found


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "not an object"),
        ({}, "lacks `text`"),
        ({"text": "abcd"}, "has 4 characters: 3 are allowed"),
        ({"text": 1}, "text is 1: expected text"),
        ({"text": "a", "texd": 1}, 'no field "texd"'),
        ({"text": "a", "share": True}, "share is true: expected a number"),
        ({"text": "a", "on": 1}, "expected true or false"),
        ({"text": "a", "kind": "c"}, 'kind is "c"'),
        ({"text": "a", "kind": ["a"]}, 'kind is ["a"]'),
        ({"text": "a", "inner": {"number": 6}}, "number is 6: expected 1 to 5"),
        ({"text": "a", "inner": {"number": 2.0}}, "expected a whole number"),
        ({"text": "a", "many": [1, 2, 3]}, "many has 3 items"),
        ({"text": "a", "many": [1, "2"]}, "many[1]"),
        ({"text": "a", "many": "12"}, "many is not a list"),
    ],
)
def test_anything_else_is_refused_with_a_sentence(data: object, message: str) -> None:
    with pytest.raises(InvalidMessage) as refused:
        read(Everything, data)

    assert message in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "1", "null", "[" * 50_000),
        *('{"do": "a.b"}', '{"id": -1, "do": "a"}', '{"id": 1, "do": 2}', '{"id": true, "do": "a"}'),
        *('{"id": NaN, "do": "a"}', '{"id": 1e400, "do": "a"}', f'{{"id": 1, "do": "{99 * "a"}"}}'),
        *('{"id": 1, "do": "a.\\ud800"}', '{"id": 1, "do": "a.b", "\\udfff": 1}'),
    ],
    ids=lambda text: text[:24],
)
def test_an_envelope_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InvalidMessage):
        parse(text)


def test_an_error_does_not_repeat_a_long_message() -> None:
    with pytest.raises(InvalidMessage) as refused:
        read(Everything, {"text": ["x" * 10_000]})

    assert len(str(refused.value)) < 100


@pytest.mark.parametrize("deep", range(900, 1000, 2))
def test_what_can_be_read_but_not_be_shown_is_refused(deep: int) -> None:
    with pytest.raises(InvalidMessage):
        read(Everything, parse(f'{{"id": 1, "do": "a.b", "text": {"[" * deep}{"]" * deep}}}').data)


WORDS = st.text("abkwKQ/-0189 éü\n", max_size=12)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(["white", "black", "fen", "chess960", "clock", "moves", "values", "result", "player", "elo"])


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(FIELDS, JSON | st.dictionaries(FIELDS, JSON, max_size=3), max_size=6))
def test_any_json_is_read_or_refused(data: dict[str, object]) -> None:
    for kind in (Setup, Record):
        try:
            found = read(kind, json.loads(json.dumps(data)))
        except InvalidMessage:
            continue
        assert type(found) is kind and set(data) <= {field.name for field in fields(kind)}
