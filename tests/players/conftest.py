"""Lets the tests import the brain that is made up for them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
