CREATE TABLE IF NOT EXISTS about (
    description TEXT NOT NULL                    -- JSON: players, limits, openings, seed; what makes it this match
);
CREATE TABLE IF NOT EXISTS players (
    number INTEGER PRIMARY KEY,                  -- from 0
    name TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS games (
    number INTEGER PRIMARY KEY,                  -- from 0
    white INTEGER NOT NULL,                      -- which of the players
    black INTEGER NOT NULL,
    fen TEXT NOT NULL,                           -- where it began
    result TEXT NOT NULL,                        -- 1-0, 0-1, 1/2-1/2
    ending TEXT NOT NULL,                        -- why it ended
    fault TEXT,                                  -- time, crash, stall, illegal: the loser was not beaten
    moves TEXT NOT NULL,                         -- UCI, a blank between
    thoughts TEXT NOT NULL,                      -- JSON, a MoveInfo for each move: centipawns, mate, depth, nodes, seconds
    warnings TEXT NOT NULL,                      -- JSON: player, what
    seconds REAL NOT NULL,
    began REAL NOT NULL,                         -- seconds since 1970
    traceback TEXT NOT NULL DEFAULT ''           -- of a Python player that raised an exception
);
