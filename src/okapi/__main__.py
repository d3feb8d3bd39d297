"""`python -m okapi` is `okapi`."""

from okapi.cli import run

if __name__ == "__main__":
    run()
