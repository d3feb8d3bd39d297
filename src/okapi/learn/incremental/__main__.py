"""`python -m okapi.learn.incremental`: the three steps by hand, and the middle one on a machine with torch alone."""

import sys

from okapi.learn.incremental.command import main

sys.exit(main())
