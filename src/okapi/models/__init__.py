"""Networks in PyTorch, one family a file, and torch encodings.

A network is an `nn.Sequential` that a function of this package makes from JSON arguments. Its outputs are raw.
"""

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any, Final

from torch import nn

from okapi.errors import UsageError

__all__ = ["current_name", "make_model"]

RENAMED: Final = {
    "okapi.models.tower:tower": "okapi.models.resnet:resnet",
    "okapi.models.from_to:from_to": "okapi.models.resnet:from_to",
    "okapi.models.deep_pink:deep_pink": "okapi.models.sheehan2016:deep_pink",
    "okapi.models.modalities:apart": "okapi.models.lai2015:apart",
    "okapi.models.modalities:together": "okapi.models.lai2015:together",
}
"""Names of networks in configs and brains of earlier versions, and their names today."""


def current_name(name: str) -> str:
    """The name of a network today, for one that an earlier version may have written."""
    return RENAMED.get(name, name)


def make_model(name: str, arguments: Mapping[str, Any]) -> nn.Sequential:
    """Make the network of that name, by a function of this package only: names may come from untrusted files.

    >>> make_model("okapi.models.perceptron:perceptron", {"inputs": 64, "hidden": [10], "outputs": 3})[0]
    Linear(in_features=64, out_features=10, bias=True)
    """
    name = current_name(name)
    module, _, function = name.partition(":")
    if not module.startswith(f"{__name__}.") or not function.isidentifier():
        raise UsageError(f"`{name}` is no network", hint=f"expected {__name__}.FILE:FUNCTION")
    try:
        made = resolve_name(name)(**arguments)
    except (ImportError, AttributeError):
        raise UsageError(f"there is no network `{name}`", hint=f"look into {__name__}") from None
    except TypeError as error:
        raise UsageError(f"`{name}` cannot be made of {dict(arguments)}: {error}") from None
    if not isinstance(made, nn.Sequential):
        raise UsageError(f"`{name}` makes a {type(made).__name__}", hint="a network is an nn.Sequential")
    return made
