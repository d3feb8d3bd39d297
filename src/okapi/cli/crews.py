"""Who does the work of a command: this machine's threads, or a cluster."""

from typing import TYPE_CHECKING

from okapi.errors import UsageError

if TYPE_CHECKING:
    from okapi.optimize.crew import Crew

__all__ = ["hire"]


def hire(threads: int | None, cluster: str | None) -> "Crew":
    """The crew that --threads and --cluster ask for; it is gone when the process is."""
    from okapi.optimize.crew import Cluster, Threads

    if cluster is None:
        return Threads(threads)
    if threads is not None:
        raise UsageError("the work is done with --threads or on a --cluster, not both")
    return Cluster(cluster)
