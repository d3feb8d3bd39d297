"""The configuration of one run of a recipe: how much of it, with which seed, data and changed settings."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias, get_args

from okapi.optimize.executor import Executor, ThreadExecutor
from okapi.recipes import Size as Size
from okapi.recipes import usual_settings
from okapi.settings import Config, override

SIZES: Final[tuple[Size, ...]] = get_args(Size)

Tell: TypeAlias = Callable[[str], object]
"""Takes a line about the progress of something long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotConfig(Config):
    """How often a run's brain is kept and measured on the way; it changes nothing else of the run."""

    snapshots: int = 20
    """About so many, and the untrained one; 0: none."""
    elo: bool = True
    elo_games: int = 40
    elo_depth: int = 3


NO_SNAPSHOTS: Final = SnapshotConfig(snapshots=0, elo=False)


@dataclass(frozen=True, slots=True)
class RecipeConfig:
    """What `okapi train RECIPE` passes to a recipe."""

    size: Size = "quick"
    seed: int = 1
    executor: Executor = field(default_factory=ThreadExecutor)
    games: Path | None = None
    """A PGN file or a game store. Without it, a recipe that needs games plays its own."""
    changes: Mapping[str, Any] = field(default_factory=dict)
    """Settings that differ from the recipe's; as text or as values."""
    labels: Path | None = None
    """Labelled positions: a file of samples. Without it, a recipe that needs labels makes its own."""
    cache: Path | None = None
    """The folder of what takes long to make of games and labels, so that it is made once."""
    tell: Tell = lambda line: None

    def settings(self, defaults: Mapping[str, Any]) -> dict[str, Any]:
        """The defaults with the changes applied: UsageError for a setting that the recipe does not have.

        >>> RecipeConfig(changes={"sigma": "0.75"}).settings({"players": 20, "sigma": 0.05})
        {'players': 20, 'sigma': 0.75}
        """
        known = {name: value for name, value in self.changes.items() if name in defaults or name not in SNAPSHOTS}
        return override(defaults, known)

    def settings_of(self, recipe: str, defaults: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The settings of a recipe in this size, with the changes applied; `defaults` are those of its code."""
        of_code = {name: value for name, value in (defaults or {}).items() if name != "seed"}
        return self.settings({**of_code, **usual_settings(recipe, self.size)})

    def about(self, settings: Mapping[str, Any], **more: Any) -> dict[str, Any]:
        """Everything that makes a run what it is: settings, size and seed, and more such as hashes of data; JSON."""
        return {**settings, "size": self.size, "seed": self.seed, **more}

    def snapshots(self) -> SnapshotConfig:
        """From the changes: `snapshots`, `elo`, `elo_games` and `elo_depth`."""
        usual = SnapshotConfig(elo_games=4, elo_depth=1) if self.size == "tiny" else SnapshotConfig()
        return usual.changed({name: self.changes[name] for name in SNAPSHOTS if name in self.changes})


SNAPSHOTS: Final = tuple(SnapshotConfig().as_json())
