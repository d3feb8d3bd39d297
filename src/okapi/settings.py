"""Settings: defaults, a `Config` or a dictionary, that KEY=VALUE overrides. A setting has the type of its default."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Final, Self

from okapi.errors import UsageError, did_you_mean

BOOLS: Final = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "off": False, "0": False}
EXPECTED: Final = {int: "a whole number", float: "a number", bool: "yes or no"}


def parse_override(text: str, example: str = "--change sigma=0.75") -> tuple[str, str]:
    """KEY=VALUE as two strings: UsageError."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise UsageError(f"`{text}` is no setting", hint=f"write it as KEY=VALUE, such as {example}")
    return key.strip(), value.strip()


def parse_bool(text: str) -> bool:
    """true, yes, on, 1, false, no, off or 0 in any case: ValueError."""
    if text.strip().lower() not in BOOLS:
        raise ValueError(text)
    return BOOLS[text.strip().lower()]


def parse_value(name: str, value: Any, kind: type) -> Any:
    """A value, usually text, as a type: UsageError."""
    try:
        if kind is bool and isinstance(value, str):
            return parse_bool(value)
        return value if isinstance(value, kind) else kind(value)
    except (TypeError, ValueError):
        raise UsageError(f"`{name}` is {value!r}", hint=f"expected {EXPECTED.get(kind, kind.__name__)}") from None


def override(defaults: Mapping[str, Any], overrides: Mapping[str, Any], owner: str = "the recipe") -> dict[str, Any]:
    """The defaults with some of them replaced: UsageError for a setting that `owner` does not have."""
    settings = dict(defaults)
    for name, value in overrides.items():
        if name not in defaults:
            raise UsageError(f"{owner} has no setting `{name}`", hint=did_you_mean(name, defaults))
        settings[name] = parse_value(name, value, type(defaults[name]))
    return settings


class Config:
    """Base of frozen dataclasses that hold the settings of a run; JSON both ways."""

    __slots__ = ()
    OWNER = "this training"
    """Who has the settings, for errors."""

    def require(self, expected: str, allowed: Callable[[Any], bool], *names: str) -> None:
        """UsageError if one of these settings has a value that is not allowed."""
        for name in names:
            if not allowed(value := getattr(self, name)):
                raise UsageError(f"`{name}` is {value!r}", hint=f"expected {expected}")

    def require_one_of(self, name: str, known: Collection[Any]) -> None:
        self.require(" or ".join(map(str, known)), known.__contains__, name)

    def require_within(self, low: float, high: float, *names: str) -> None:
        self.require(f"{low} to {high}", lambda value: low <= value <= high, *names)

    def require_positive(self, *names: str) -> None:
        self.require("more than 0", lambda value: value > 0, *names)

    def changed(self, overrides: Sequence[str] | Mapping[str, Any]) -> Self:
        """A copy with overrides, as KEY=VALUE or as a dictionary: UsageError."""
        if not isinstance(overrides, Mapping):
            overrides = dict(map(parse_override, overrides))
        return self.from_json(override(self.as_json(), overrides, self.OWNER))

    @classmethod
    def from_json(cls, settings: Mapping[str, Any]) -> Self:
        """UsageError for unknown and for missing settings."""
        settings = cls.upgraded(settings)
        known = [each.name for each in fields(cls)]  # type: ignore[arg-type]
        for name in settings:
            if name not in known:
                raise UsageError(f"{cls.OWNER} has no setting `{name}`", hint=did_you_mean(name, known))
        try:
            return cls(**settings)
        except TypeError as error:
            raise UsageError(f"settings are missing: {error}") from None

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any], **others: Any) -> Self:
        """From those of the settings that it has, and others that replace them."""
        known = [each.name for each in fields(cls)]  # type: ignore[arg-type]
        return cls.from_json({**{name: settings[name] for name in known if name in settings}, **others})

    @staticmethod
    def upgraded(settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Settings that an older version wrote, with the names of today."""
        return settings

    def as_json(self) -> dict[str, Any]:
        return asdict(self)  # type: ignore[call-overload, no-any-return]
