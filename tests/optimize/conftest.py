"""Modules beside the tests, which several of them share, can be imported however pytest imports the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
