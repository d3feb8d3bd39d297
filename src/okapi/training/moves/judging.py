"""How well a move network finds best moves: a loss to learn by, and at which rank they stand (Tables 4 and 5)."""

from collections.abc import Sequence
from typing import Any, Final

import torch
from torch import Tensor
from torch.nn import functional

from okapi.models.lai2015_moves import LETTER, MoveNetwork, chances, ranks
from okapi.training.moves.lessons import Batch, MoveLessons

__all__ = ["RANKS", "cumulative", "judge", "loss_and_scores"]

RANKS: Final = 11
"""Ranks that the thesis counts one by one: 0 to 10."""

JUDGED: Final = 8192
"""Positions at a time."""


def loss_and_scores(network: MoveNetwork, batch: Batch) -> tuple[Tensor, Tensor]:
    """What is to become less, the mean over positions or moves, and what the network says in the end."""
    if network.design.moves == LETTER:
        return _judged_alone(network, batch)
    scores = network(batch.features, batch.moves, batch.rows)
    return -chances(scores, batch.rows, len(batch.counts))[batch.best].mean(), scores


def _judged_alone(network: MoveNetwork, batch: Batch) -> tuple[Tensor, Tensor]:
    """Each move by itself, in two passes: as if it were the best one, then with its rank. Both have to be right."""
    right = torch.zeros(len(batch.rows), device=batch.rows.device)
    right[batch.best] = 1.0
    rank = torch.zeros_like(right)
    loss = torch.zeros((), device=rank.device)
    scores = rank
    for _ in range(2):
        scores = network(batch.features, torch.cat([batch.moves, rank[:, None]], dim=1), batch.rows)
        loss = loss + functional.binary_cross_entropy_with_logits(scores, right)
        rank = ranks(scores.detach(), batch.rows, batch.counts) / batch.counts[batch.rows]
    return loss, scores


@torch.no_grad()
def judge(network: MoveNetwork, lessons: MoveLessons) -> dict[str, Any]:
    """Count, loss, accuracy, top_3, and in `ranks` how often the best move had each; for quiet ones, `quiet_…`."""
    device = lessons.counts.device
    found: list[Tensor] = []
    loss = 0.0
    for begin in range(0, len(lessons), JUDGED):
        which = torch.arange(begin, min(begin + JUDGED, len(lessons)), device=device)
        batch = lessons.take(which)
        mean, scores = loss_and_scores(network, batch)
        loss += float(mean) * len(which)
        found.append((scores > scores[batch.best][batch.rows]).int())
        found[-1] = torch.zeros(len(which), dtype=torch.int32, device=device).index_add(0, batch.rows, found[-1])
    all_ranks = torch.cat([torch.zeros(0, dtype=torch.int32, device=device), *found])
    quiet = {f"quiet_{name}": value for name, value in _counted(all_ranks[lessons.quiet]).items()}
    return {"loss": loss / max(len(lessons), 1), **_counted(all_ranks), **quiet}


def cumulative(ranks: Sequence[int]) -> list[tuple[float, float]]:
    """Per cent of each rank, and of it and those before: a table of the thesis, its last line `below 10th`.

    >>> cumulative([3, 1, 0, 0])
    [(75.0, 75.0), (25.0, 100.0), (0.0, 100.0), (0.0, 100.0)]
    """
    total = max(sum(ranks), 1)
    return [(100 * count / total, 100 * sum(ranks[: n + 1]) / total) for n, count in enumerate(ranks)]


def _counted(ranks: Tensor) -> dict[str, Any]:
    counts = torch.bincount(ranks.clamp(max=RANKS), minlength=RANKS + 1).tolist()
    total = max(sum(counts), 1)
    return {"count": sum(counts), "accuracy": counts[0] / total, "top_3": sum(counts[:3]) / total, "ranks": counts}
