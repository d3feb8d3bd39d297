"""Figure 4: a training by TD-Leaf, and how strong it was on the way; one that was made before, or one made here."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from okapi.errors import NotFound
from okapi.formats.numbers import counted
from okapi.recipes.lab import Lab
from okapi.recipes.raising import BRAIN
from okapi.recipes.self_taught.orders import giraffe
from okapi.recipes.self_taught.teaching import BOOTSTRAP, OUTCOME, PLAN, read_strength, teach

__all__ = ["tdleaf"]


def tdleaf(lab: Lab) -> dict[str, Any]:
    """The curve of a run. `run` is the folder of one that `okapi train giraffe` made, `cores` how many it had.

    Without a run one is made here, of the lab's size; other settings are then those of `okapi train giraffe`.
    """
    changes = dict(lab.changes.get("tdleaf", {}))
    folder = Path(changes.pop("run", "") or lab.folder / "tdleaf")
    cores = int(changes.pop("cores", lab.executor.workers))
    if "run" not in lab.changes.get("tdleaf", {}):
        teach(
            giraffe(lab.order(**changes)),
            folder,
            watch=lambda now, strength: lab.tell(
                f"tdleaf: iteration {now.iteration} of {now.iterations}, {now.positions:,} positions{_said(strength)}"
            ),
        )
    elif not (folder / BOOTSTRAP).is_file():
        raise NotFound(f"no training by TD-Leaf at `{folder}`", hint="`okapi train giraffe --out DIR` makes one")
    return _told(lab, folder, cores)


def _said(strength: Mapping[str, Any]) -> str:
    return "".join(f", {name} {strength[name]:.0f}" for name in ("sts", "elo") if strength.get(name) is not None)


def _told(lab: Lab, folder: Path, cores: int) -> dict[str, Any]:
    outcome = _read(folder / OUTCOME)
    settings = _read(folder / PLAN).get("settings", {})
    begun = {"positions": 0, "seconds": 0.0, "sts": outcome.get("begun", {}).get("sts"), "elo": 0.0}
    curve = [begun, *read_strength(folder)]
    if outcome:
        curve.append({key: outcome[key] for key in ("positions", "seconds")} | dict(outcome["trained"]))
    last = curve[-1]
    brain = folder / BRAIN
    within = folder.is_relative_to(lab.folder)
    return {
        "run": folder.name,
        "brain": (lab.inside(brain) if within else str(brain.absolute())) if brain.is_file() else None,
        "bootstrap": lab.inside(folder / BOOTSTRAP) if within else str((folder / BOOTSTRAP).absolute()),
        "finished": bool(outcome),
        "how": _how(settings, cores),
        "positions": last["positions"],
        "core_hours": round(last["seconds"] * cores / 3600, 4),
        "suite_limits": f"{settings['suite_nodes']:,} nodes" if settings.get("suite") else "",
        "curve": [
            {key: point.get(key) for key in ("positions", "seconds", "sts", "elo", "elo_low", "elo_high")}
            for point in curve
        ],
        "notes": [] if outcome else ["The training is not finished; this is how far it has come."],
    }


def _how(settings: Mapping[str, Any], cores: int) -> str:
    """The run in words."""
    keys = ("way", "starts", "plies", "nodes", "discount", "optimiser", "loss")
    said = ", ".join(f"{key} {settings[key]}" for key in keys if key in settings)
    return f"{said}; {counted(cores, 'core')}; positions from {settings.get('from', 'its own games')}"


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_bytes())) if path.exists() else {}
