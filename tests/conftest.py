"""For all tests."""

import signal

# Who was started in the background ignores Ctrl-C, and so do the programs that tests start to press it on.
signal.signal(signal.SIGINT, signal.default_int_handler)
