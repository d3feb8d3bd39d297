"""The command `okapi`."""

import sys
from collections.abc import Sequence

__all__ = ["main", "run"]


def run() -> None:
    """What the installed command calls."""
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and answer its exit code; see okapi.frontends.cli.console.Exit."""
    from okapi.frontends.cli.app import dispatch  # here, so that importing okapi.frontends stays cheap

    return dispatch(list(sys.argv[1:] if argv is None else argv))
