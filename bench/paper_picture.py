"""
A picture of a paper's page, for the README: the first screen, or what stands at an anchor.

    okapi paper vazquez2012 --size quick --games masters.pgn --out runs/vazquez
    python bench/paper_picture.py runs/vazquez --at chapter-4-piece-networks --to docs/images/vazquez2012.png

Needs selenium, chromium and chromedriver.
"""

import argparse
import sys
from pathlib import Path

from browser import browser

SIZE = (1060, 900)


def main() -> int:
    """Open the page and take the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder that `okapi paper` wrote")
    parser.add_argument("--at", default="", help="the anchor of a section, table or figure")
    parser.add_argument("--size", type=int, nargs=2, default=SIZE, help="width and height in pixels")
    parser.add_argument("--to", type=Path, required=True, help="the PNG file to write")
    given = parser.parse_args()
    width, height = given.size
    page = (given.folder / "index.html").resolve()
    with browser() as driver:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(f"{page.as_uri()}{f'#{given.at}' if given.at else ''}")
        driver.save_screenshot(str(given.to))
    print(f"{given.to.stat().st_size / 1000:.0f} kB  {given.to}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
