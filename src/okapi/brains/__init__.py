"""Brains on disk: find one, read its model card, evaluate with it.

Needs neither torch nor numpy itself: modules here that need numpy are imported when they are used.
"""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from okapi.brains.card import ModelCard as ModelCard
from okapi.brains.library import BRAIN, Library, default_library
from okapi.brains.library import SHIPPED as SHIPPED
from okapi.core import Evaluator, MovePrior, RawBrain
from okapi.errors import InvalidBrain, NotFound, WrongBrain, did_you_mean

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from okapi.brains.evaluation import Evaluations
    from okapi.brains.move_prediction import Predictor

CONVOLUTIONAL: Final = "convolutional"
SEVEN_NETWORKS: Final = "seven-networks"
"""The kinds of brains that the core does not evaluate by itself: convolutional networks."""

HUMAN: Final = "okapi-human"

RENAMED: Final = {"okapi-tower": "okapi-resnet"}
"""Shipped brains under their names of earlier versions."""


def shipped() -> list[ModelCard]:
    """The model cards of the brains that ship with okapi, by name."""
    return [ModelCard.read(path) for path in sorted(SHIPPED.glob("*.safetensors"), key=lambda path: path.stem)]


def default_name() -> str:
    """The name of the default brain, which is compiled into the core."""
    return RawBrain.default().name


def everything(library: Library | None = None) -> list[ModelCard]:
    """The model cards of all brains: first those that ship, then the user's, the newest first."""
    found = shipped()
    for name, path in (library or default_library()).brains().items():
        with suppress(InvalidBrain, OSError):
            found.append(replace(ModelCard.read(path), name=name))
    return found


def find(name: str | Path) -> Path:
    """The file of a brain: shipped, of the user's runs (`mine`, `mine@12`), or by the path of a file or of a run."""
    name = str(name)
    inside = SHIPPED / f"{RENAMED.get(name, name)}.safetensors"
    if inside.parent == SHIPPED and inside.is_file():
        return inside
    library = default_library()
    known = library.find(name)
    if known is not None:
        return known
    path = Path(name).expanduser()
    for file in (path, path / BRAIN):
        if file.is_file():
            return file
    nearby = [file.name for file in path.parent.glob("*.safetensors")]
    names = [*sorted(file.stem for file in SHIPPED.glob("*.safetensors")), *library.brains(), *nearby]
    hint = did_you_mean(name, names) + " `okapi brains list` shows those that there are"
    raise NotFound(f"no brain named `{name}` and no file there", hint=hint)


def find_embedding_map(name: str | Path) -> Path | None:
    """The file of a brain's embedding map, beside the brain's own; None if there is none."""
    path = find(name).with_suffix(".atlas")
    return path if path.is_file() else None


def card(name: str | Path) -> ModelCard:
    """The model card of a brain; one of the user's runs has the name of its run."""
    found = ModelCard.read(find(name))
    called = None if found.path.parent == SHIPPED else default_library().name_of(found.path)
    return found if called is None else replace(found, name=called)


def display_name(name: str | Path | None = None) -> str:
    """What a brain is called, however it was given; without a name, the default one."""
    return default_name() if name is None else card(name).name


def load(name: str | Path | None = None) -> RawBrain:
    """Load a brain into the core; without a name, the default one."""
    return RawBrain.default() if name is None else RawBrain.open(str(find(name)))


def is_native(name: str | Path | None = None) -> bool:
    """Whether the core evaluates with this brain by itself, without Python."""
    return name is None or card(name).kind not in (CONVOLUTIONAL, SEVEN_NETWORKS)


def predicts_moves(name: str | Path) -> bool:
    """Whether this brain predicts moves instead of evaluating positions."""
    return card(name).predicts_moves


def evaluator(name: str | Path | None = None, *, bounds: str | Path | None = None) -> Evaluator:
    """The evaluator of a brain, by default of the default one; `bounds` says first what is outside the window."""
    if name is not None:
        check_evaluates(card(name))
    if name is None or is_native(name):
        judge = Evaluator.from_brain(load(name))
        return judge if bounds is None else Evaluator.bounded(judge, Evaluator.from_brain(load(bounds)))
    if bounds is not None:
        raise WrongBrain(f"brain `{name}` needs Python and evaluates in batches", hint="leave out bounds")
    from okapi.brains.evaluation import Convolutional

    return Convolutional.open(find(name)).evaluator()


def move_prior(name: str | Path) -> MovePrior:
    """A brain that gives a search priors of moves; raises InvalidBrain for other brains."""
    return MovePrior.from_brain(load(name))


def predictor(name: str | Path, *, threads: int = 1, values: bool = True) -> "Predictor":
    """A brain that predicts moves; raises WrongBrain for other brains.

    Without `values`, moves are the network's alone, also where the card tells how a short search weighs them.
    """
    from okapi.brains.move_prediction import Predictor

    return Predictor.open(find(name), threads=threads, evaluator=evaluator if values else None)


def check_evaluates(brain: ModelCard) -> None:
    """Raise WrongBrain for a brain that predicts moves: it has no value for a position."""
    if brain.predicts_moves:
        known_as = brain.name if brain.path.parent == SHIPPED else brain.path
        hint = f"`okapi moves --brain {known_as}` shows its moves; as a player it is `top-prob:{known_as}`"
        raise WrongBrain(f"brain `{brain.name}` predicts moves and does not evaluate positions", hint=hint)


def evaluations(name: str | Path | None, positions: "NDArray[np.void]") -> "Evaluations":
    """A brain's evaluations of many packed positions, without search."""
    from okapi.brains.evaluation import opened

    return opened(name)(positions)
