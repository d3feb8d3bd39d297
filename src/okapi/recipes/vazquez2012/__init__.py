"""The recipes of vazquez2012, and the tables of the thesis that they start from.

docs/explanation/vazquez2012.md says where the thesis is silent and what was chosen.
"""

import tomllib
from pathlib import Path
from typing import Any, Final

TABLES: Final[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))
