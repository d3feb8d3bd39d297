"""Put a learned brain among those that ship: under a name, in half precision, with what was measured of it.

    python scripts/ship_brain.py runs/sabatelli/brains/player-score.safetensors --name sabatelli-mlp \
        --note "The perceptron of dataset 1, taught expected scores." --strength "2300 (2200 … 2400), …"
"""

import argparse
from pathlib import Path

from okapi.brains.card import ModelCard
from okapi.brains.files import read_tensors, write_brain

SHIPPED = Path(__file__).parent.parent / "src" / "okapi" / "brains" / "shipped"


def main() -> None:
    """Read the arguments, and write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("brain", type=Path)
    parser.add_argument("--name", required=True)
    parser.add_argument("--note", required=True, help="what it is, in a sentence")
    parser.add_argument("--strength", help="measured how, against whom, with which interval")
    args = parser.parse_args()
    told = dict(ModelCard.read(args.brain).metadata)
    told |= {"name": args.name, "note": args.note, "quantisation": "float16"}
    told |= {"strength": args.strength} if args.strength else {}
    path = SHIPPED / f"{args.name}.safetensors"
    write_brain(path, {key: text for key, text in told.items() if key != "okapi"}, read_tensors(args.brain), half=True)
    print(f"{path.name}: {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
