"""Settings and the overrides KEY=VALUE of them."""

from dataclasses import dataclass

import pytest

from okapi.errors import UsageError
from okapi.settings import Config, override, parse_override


@dataclass(frozen=True, slots=True, kw_only=True)
class Run(Config):
    neurons: int = 256
    rate: float = 1e-3
    compile: bool = False
    name: str = "run"


@pytest.mark.parametrize("text", ["true", "yes", "on", "1", "Yes", "TRUE"])
def test_every_word_for_true_is_understood_everywhere(text: str) -> None:
    assert Run().changed([f"compile={text}"]).compile
    assert {"compile": True} == override({"compile": False}, {"compile": text})


@pytest.mark.parametrize("text", ["false", "no", "off", "0"])
def test_every_word_for_false_is_understood_everywhere(text: str) -> None:
    assert not Run(compile=True).changed([f"compile={text}"]).compile
    assert {"compile": False} == override({"compile": True}, {"compile": text})


def test_values_have_the_type_of_their_default() -> None:
    changed = Run().changed(["neurons=1_024", "rate=2", "name=a=b"])
    assert (1024, 2.0, "a=b") == (changed.neurons, changed.rate, changed.name)
    assert Run(neurons=512) == Run().changed({"neurons": 512})


@pytest.mark.parametrize(
    ("text", "message", "hint"),
    [
        ("neuron=3", "has no setting `neuron`", "neurons"),
        ("neurons=many", "`neurons` is 'many'", "expected a whole number"),
        ("rate=fast", "`rate` is 'fast'", "expected a number"),
        ("compile=perhaps", "`compile` is 'perhaps'", "expected yes or no"),
        ("compile", "`compile` is no setting", "KEY=VALUE"),
        ("=3", "`=3` is no setting", "KEY=VALUE"),
    ],
)
def test_wrong_overrides_are_refused(text: str, message: str, hint: str) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        Run().changed([text])
    assert hint in caught.value.hint


def test_spaces_around_a_key_do_not_count() -> None:
    assert ("sigma", "0.75") == parse_override(" sigma = 0.75 ")
