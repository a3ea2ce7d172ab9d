-- What seats offer each other: a draw, to break off, to go back. Rows stay when an offer is closed.

CREATE TABLE offer (
    match     INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    offer     INTEGER NOT NULL,             -- numbered in each match from 1
    what      TEXT    NOT NULL CHECK (what IN ('draw', 'abort', 'rewind')),
    seat      INTEGER NOT NULL,             -- who made it
    at        INTEGER NOT NULL,
    asked     INTEGER NOT NULL,             -- bit of each seat whose yes it takes
    accepted  INTEGER NOT NULL,             -- bit of each seat that said yes
    line      INTEGER,                      -- rewind: the state after this line
    lost      TEXT,                         -- rewind: what each viewer is told of it, a line each
    state     TEXT    NOT NULL
              CHECK (state IN ('open', 'carried_out', 'declined', 'withdrawn', 'void')),
    closed_at INTEGER,
    closed_by INTEGER,                      -- the seat that declined
    PRIMARY KEY (match, offer)
) STRICT;
CREATE INDEX offer_open ON offer (match, offer) WHERE state = 'open';

-- Rewinds are found among the lines of the host when a log is played again.
CREATE INDEX line_host ON line (match, n) WHERE seat = -1;
