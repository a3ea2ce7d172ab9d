-- Clocks in play. Times are milliseconds since 1970, UTC.

-- The clock of a match that has begun (what it is, is in match.clock), rewritten whenever it changes. n: the newest line
-- that changed it. due: when something happens to it by itself; NULL: never as it stands. state: as server/clock packs it.
-- told: `clock` of match.get as it stood then.
CREATE TABLE clock (
    match INTEGER PRIMARY KEY REFERENCES match (key) ON DELETE CASCADE,
    n     INTEGER NOT NULL,
    due   INTEGER,
    state BLOB    NOT NULL,
    told  TEXT    NOT NULL
) STRICT;

-- `clock` of the views from line n on, until the next of these: a view of long ago is shown as it was.
CREATE TABLE clock_shown (
    match INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    n     INTEGER NOT NULL,
    view  TEXT    NOT NULL,
    PRIMARY KEY (match, n)
) STRICT;

-- When the daemon was there last: what passes until the next start is charged to nobody.
CREATE TABLE heartbeat (
    key INTEGER PRIMARY KEY CHECK (key = 1),
    at  INTEGER NOT NULL
) STRICT;

-- An end on time is opened to everybody only then: it may be taken back by consent. NULL: opened already, or not over.
ALTER TABLE match ADD COLUMN reveal_at INTEGER;
CREATE INDEX match_reveal ON match (reveal_at) WHERE reveal_at IS NOT NULL;

-- Offers of pauses and time. to_seat, ms: time, who is given how much. until: it happens then if it was not carried out.
CREATE TABLE offer_new (
    match     INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    offer     INTEGER NOT NULL,             -- numbered in each match from 1
    what      TEXT    NOT NULL
              CHECK (what IN ('draw', 'abort', 'rewind', 'pause', 'resume', 'time', 'reopen')),
    seat      INTEGER NOT NULL,             -- who made it
    at        INTEGER NOT NULL,
    asked     INTEGER NOT NULL,             -- bit of each seat whose yes it takes
    accepted  INTEGER NOT NULL,             -- bit of each seat that said yes
    line      INTEGER,                      -- rewind, reopen: the state after this line
    lost      TEXT,                         -- rewind: what each viewer is told of it, a line each
    state     TEXT    NOT NULL
              CHECK (state IN ('open', 'carried_out', 'declined', 'withdrawn', 'void')),
    closed_at INTEGER,
    closed_by INTEGER,                      -- the seat that declined
    to_seat   INTEGER,
    ms        INTEGER,
    until     INTEGER,
    PRIMARY KEY (match, offer)
) STRICT;
INSERT INTO offer_new (match, offer, what, seat, at, asked, accepted, line, lost, state, closed_at, closed_by)
    SELECT match, offer, what, seat, at, asked, accepted, line, lost, state, closed_at, closed_by FROM offer;
DROP TABLE offer;
ALTER TABLE offer_new RENAME TO offer;
CREATE INDEX offer_open ON offer (match, offer) WHERE state = 'open';
