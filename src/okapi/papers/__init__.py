"""Papers as recipes: what they did, done again, with a page that puts their figures beside ours."""

from typing import Final

__all__ = ["PAPERS"]

PAPERS: Final = ("lai2015", "sabatelli2018", "sheehan2016", "singh2015", "vazquez2012")
"""What `okapi paper` can do: each is a folder, which okapi.papers.page reads."""
