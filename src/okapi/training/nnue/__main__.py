"""`python -m okapi.training.nnue`: the three steps by hand, and the middle one on a machine with torch alone."""

import sys

from okapi.training.nnue.command import main

sys.exit(main())
