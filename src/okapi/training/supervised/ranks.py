"""Several processes that train one network together, as torchrun starts them; or one, alone."""

import os
from typing import Any

import torch
from torch import Tensor, distributed, nn

__all__ = ["Ranks"]


class Ranks:
    """Who we are among those that share each batch. As a context it joins the others, and leaves them."""

    def __init__(self) -> None:
        self.count = int(os.environ.get("WORLD_SIZE", "1"))
        self.number = int(os.environ.get("RANK", "0"))
        self.local = int(os.environ.get("LOCAL_RANK", "0"))
        self._joined = False

    @property
    def first(self) -> bool:
        """Are we the one that writes?"""
        return self.number == 0

    @property
    def alone(self) -> bool:
        """Is there nobody else?"""
        return self.count == 1

    def join(self, device: torch.device) -> None:
        """Wait for the others, unless we belong together already."""
        if not self.alone and not distributed.is_initialized():
            distributed.init_process_group("nccl" if device.type == "cuda" else "gloo")
            self._joined = True

    def leave(self) -> None:
        """Each goes his way."""
        if self._joined:
            distributed.destroy_process_group()

    def average_gradients(self, model: nn.Module) -> None:
        """What all have found, in the place of what we have found."""
        if self.alone:
            return
        gradients = [weights.grad for weights in model.parameters() if weights.grad is not None]
        waits = [distributed.all_reduce(gradient, async_op=True) for gradient in gradients]
        for wait in waits:
            wait.wait()
        for gradient in gradients:
            gradient /= self.count

    def sum(self, numbers: Tensor) -> Tensor:
        """Over all, in place."""
        if not self.alone:
            distributed.all_reduce(numbers)
        return numbers

    def same(self, tensors: list[Tensor]) -> None:
        """What the first one has, for everybody."""
        if not self.alone:
            for tensor in tensors:
                distributed.broadcast(tensor, 0)

    def agreed(self, said: Any) -> Any:
        """What the first one says."""
        if self.alone:
            return said
        box = [said]
        distributed.broadcast_object_list(box, 0)
        return box[0]

    def gathered(self, said: Any) -> list[Any]:
        """What each one says."""
        if self.alone:
            return [said]
        answers: list[Any] = [None] * self.count
        distributed.all_gather_object(answers, said)
        return answers
