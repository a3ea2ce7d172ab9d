-- What seats leave for decisions that come to them while they are away, and answers that are shown
-- some time after they were asked for.

-- An answer to an interrupt is shown so long after it was asked for; 0: at once.
ALTER TABLE match ADD COLUMN pace_ms INTEGER NOT NULL DEFAULT 0;
-- How often the match came to wait for a seat that it had not waited for before.
ALTER TABLE match ADD COLUMN hand_overs INTEGER NOT NULL DEFAULT 0;

-- Standing orders are the seat's: they stay while it is lent, and go when it is given away.
CREATE TABLE standing (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    seat    INTEGER NOT NULL,
    version INTEGER NOT NULL,               -- rises by one with each edit
    at      INTEGER NOT NULL,
    orders  TEXT    NOT NULL,               -- JSON in normal form
    PRIMARY KEY (match, seat)
) WITHOUT ROWID, STRICT;

-- Lines that orders made.
CREATE TABLE fired (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    n       INTEGER NOT NULL,               -- of the line
    seat    INTEGER NOT NULL,
    seq     INTEGER NOT NULL,               -- the seat's own, of that line
    version INTEGER NOT NULL,               -- of the orders
    entry   INTEGER NOT NULL,               -- which of them, from 0
    PRIMARY KEY (match, n)
) WITHOUT ROWID, STRICT;

-- What is asked of a seat amid another's turn (the game's bits), since when, and whether the seat
-- has answered any of it by hand.
CREATE TABLE asked (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    seat    INTEGER NOT NULL,
    what    INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    by_hand INTEGER NOT NULL,
    PRIMARY KEY (match, seat)
) WITHOUT ROWID, STRICT;

-- Answers that are given and not shown yet, in order: each becomes a line when it is due.
CREATE TABLE held (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    number  INTEGER NOT NULL,
    seat    INTEGER NOT NULL,
    at      INTEGER NOT NULL,               -- when it was given
    due     INTEGER NOT NULL,
    version INTEGER NOT NULL,               -- of the orders that gave it; 0: given by hand
    entry   INTEGER NOT NULL,
    action  TEXT    NOT NULL,
    PRIMARY KEY (match, number)
) WITHOUT ROWID, STRICT;
CREATE INDEX held_due ON held (due);
