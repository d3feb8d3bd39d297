"""The package's build backend (PEP 517): scikit-build-core, after the board's page has been built.

A source distribution made from a checkout therefore holds the page, and installing it needs no Node. A build without
the page fails. OKAPI_PAGE=off leaves the page out on purpose, for a machine that only trains or plays in the terminal.
"""

import os
import sys
from pathlib import Path

from scikit_build_core import build as core

sys.path.insert(0, str(Path(__file__).resolve().parent))
import page

Settings = dict[str, str | list[str]] | None

prepare_metadata_for_build_wheel = core.prepare_metadata_for_build_wheel
prepare_metadata_for_build_editable = core.prepare_metadata_for_build_editable


def get_requires_for_build_sdist(config_settings: Settings = None) -> list[str]:
    """What the page needs, and scikit-build-core."""
    return [*core.get_requires_for_build_sdist(config_settings), *page_requirements()]


def get_requires_for_build_wheel(config_settings: Settings = None) -> list[str]:
    """What the page needs, and scikit-build-core."""
    return [*core.get_requires_for_build_wheel(config_settings), *page_requirements()]


def get_requires_for_build_editable(config_settings: Settings = None) -> list[str]:
    """What the page needs, and scikit-build-core."""
    return [*core.get_requires_for_build_editable(config_settings), *page_requirements()]


def build_sdist(sdist_directory: str, config_settings: Settings = None) -> str:
    """A source distribution with the page."""
    build_page()
    return core.build_sdist(sdist_directory, config_settings)


def build_wheel(wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None) -> str:
    """A wheel with the page."""
    build_page()
    return core.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(
    wheel_directory: str, config_settings: Settings = None, metadata_directory: str | None = None
) -> str:
    """An editable install with the page."""
    build_page()
    return core.build_editable(wheel_directory, config_settings, metadata_directory)


def page_requirements() -> list[str]:
    """Node from PyPI, if the page must be built and there is no Node here."""
    needed = page_wanted() and not page.is_current() and page.find_npm() is None
    return [page.NODE_WHEEL] if needed else []


def build_page() -> None:
    """Build the page if it is missing or older than its sources; fail if that cannot be done."""
    if page_wanted():
        page.build(fetch=False)


def page_wanted() -> bool:
    """Unless OKAPI_PAGE=off."""
    return os.environ.get("OKAPI_PAGE", "on").lower() not in {"off", "0", "no"}
