"""What `okapi train` can teach: the paper's nets as they learn best, and our own network on the same buckets."""

from typing import Any

from okapi.papers.sheehan2016 import nets
from okapi.papers.sheehan2016.courses import MOST, buckets, shares
from okapi.recipes.arrays import TRAIN
from okapi.recipes.course import Lesson
from okapi.recipes.labelled import How, labelled, parts
from okapi.recipes.order import Order
from okapi.recipes.trainings import FromLabels, Training
from okapi.training.supervised import Plan

__all__ = ["net_a", "net_b", "net_c", "residual"]


def net_a(order: Order) -> Training:
    """Net A: 64 squares and the piece differential."""
    return _net(order, "Net A", "sheehan-a")


def net_b(order: Order) -> Training:
    """Net B, after Deep Pink: 64 squares and the piece differential."""
    return _net(order, "Net B", "sheehan-b")


def net_c(order: Order) -> Training:
    """Net C: 64 squares."""
    return _net(order, "Net C", "sheehan-c")


def residual(order: Order) -> Training:
    """Our own: a residual network that sees whose move it is."""
    return _training(order, "sheehan-residual", "A residual network, ten buckets", nets.residual(order.size))


def _net(order: Order, net: str, name: str) -> Training:
    """With `letter=yes` exactly as the paper has it."""
    letter = order.settings(_usual(order, nets.better(net, order.size)))["letter"]
    plan = nets.letter(net, order.size) if letter else nets.better(net, order.size)
    return _training(order, name, f"{net}, ten buckets", plan)


def _training(order: Order, name: str, title: str, plan: Plan) -> Training:
    settings = order.settings(_usual(order, plan))
    labels = labelled(order, most=settings["positions"] or None)
    how: How = "positions" if labels.games is None else "games"
    split = parts(labels, how, order.seed, shares(labels))
    target = buckets(labels.values, labels.positions["turn"], split == TRAIN, turned=name == "sheehan-residual")
    told = plan.as_json()
    told |= {"seed": order.seed, "optimiser": {**plan.optimiser, "lr": settings["lr"]}}
    told |= {key: settings[key] for key in ("batch", "epochs")}
    return FromLabels(
        name=name,
        title=title,
        lesson=Lesson(Plan.from_json(told), target, how),
        labels=labels,
        parts=split,
        settings={**settings, "size": order.size, "seed": order.seed, "split": how, **labels.about()},
    )


def _usual(order: Order, plan: Plan) -> dict[str, Any]:
    """What may be changed; positions: at most so many, and 0 is all."""
    learning = {"lr": float(plan.optimiser["lr"]), "batch": plan.batch, "epochs": plan.epochs}
    return {**learning, "positions": MOST[order.size], "letter": False}
