"""The executor of a command: threads of this machine, or a Ray cluster."""

from typing import TYPE_CHECKING

from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.optimize.executor import Executor

__all__ = ["make_executor"]


def make_executor(threads: int | None, cluster: str | None) -> "Executor":
    """The executor that --threads and --cluster ask for."""
    from okapi.optimize.executor import RayExecutor, ThreadExecutor

    if cluster is None:
        return ThreadExecutor(threads)
    if threads is not None:
        raise UsageError("use --threads or --cluster, not both")
    return RayExecutor(cluster)
