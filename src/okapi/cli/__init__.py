"""The command `okapi`."""

import sys
from collections.abc import Sequence

import okapi

__all__ = ["main", "run", "stop_if_overwritten"]

OVERWRITTEN = (
    "error: the unrelated distribution `okapi` is installed beside `okapi-chess` and has overwritten its files\n"
    "hint: pip uninstall okapi, then pip install --force-reinstall okapi-chess"
)
"""Both distributions install a package and a script of the name `okapi`; who is installed last wins."""


def run() -> None:
    stop_if_overwritten()
    sys.exit(main())


def stop_if_overwritten() -> None:
    """Exit with a sentence if the package `okapi` is another distribution's."""
    if "Position" not in getattr(okapi, "__all__", ()):
        print(OVERWRITTEN, file=sys.stderr)
        sys.exit(3)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and answer its exit code; see okapi.cli.console.Exit."""
    from okapi.cli.app import dispatch  # imported here: importing okapi.cli stays cheap

    return dispatch(list(sys.argv[1:] if argv is None else argv))
