"""The NNUE learned: samples packed, trained on at full speed, and made a brain.

`parts`, `plan`, `lessons`, `step`, `loop` and `weights` need torch and numpy, and nothing else of okapi than `errors`,
`files` and `models`: they train where the core was never built. `pack` and `export` need the core.
"""
