"""Papers as recipes: what they did, done again, with a page that puts their figures beside ours."""

from typing import Final

__all__ = ["PAPERS"]

PAPERS: Final[dict[str, str]] = {
    "lai2015": "okapi.papers.lai2015:PAPER",
    "sabatelli2018": "okapi.papers.sabatelli2018:PAPER",
    "sheehan2016": "okapi.papers.sheehan2016:PAPER",
    "singh2015": "okapi.papers.singh2015:PAPER",
    "vazquez2012": "okapi.papers.vazquez2012:PAPER",
}
"""What `okapi paper` can do: a paper's name, and where it is; imported when asked for."""
