"""For the script of the unrelated distribution `okapi`, which asks its package for `mongo` and would find no such name.

Where that distribution was installed after okapi-chess, its script has replaced ours and imports this.
"""

from okapi.cli import stop_if_overwritten

stop_if_overwritten()
