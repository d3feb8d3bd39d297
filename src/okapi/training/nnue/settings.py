"""Settings of a training: a record that can be changed by `key=value`, and JSON both ways."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Self

from okapi.errors import UsageError, did_you_mean

__all__ = ["Settings"]


class Settings:
    """What plans have in common; each is a frozen dataclass."""

    __slots__ = ()

    def changed(self, changes: Sequence[str]) -> Self:
        """The same with settings of the form key=value: UsageError for what no plan has."""
        told = self.as_json()
        for change in changes:
            name, _, text = change.partition("=")
            if name not in told:
                raise UsageError(f"a plan has no `{name}`", hint=did_you_mean(name, told))
            told[name] = _read(name, text, type(told[name]))
        return self.from_json(told)

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Self:
        """UsageError for what no plan has."""
        known = [each.name for each in fields(cls)]  # type: ignore[arg-type]
        for name in told:
            if name not in known:
                raise UsageError(f"a plan has no `{name}`", hint=did_you_mean(name, known))
        return cls(**told)

    def as_json(self) -> dict[str, Any]:
        """All of it."""
        return asdict(self)  # type: ignore[call-overload, no-any-return]


def _read(name: str, text: str, kind: type) -> Any:
    if kind is bool and text.lower() in ("0", "1", "false", "true"):
        return text.lower() in ("1", "true")
    try:
        return int(text.replace("_", "")) if kind is int else kind(text) if kind is not bool else int("no")
    except ValueError:
        raise UsageError(f"`{name}` cannot be `{text}`", hint=f"expected a {kind.__name__}") from None
