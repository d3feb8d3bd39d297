"""Ask a board that runs, `okapi play --port 8000`, by its HTTP API: python client.py [ADDRESS]."""

import json
import sys
from urllib.request import Request, urlopen

address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
question = {"fen": "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "nodes": 20_000}
request = Request(f"{address}/api/analyse", json.dumps(question).encode(), {"content-type": "application/json"})
print(json.load(urlopen(request))["lines"][0])
