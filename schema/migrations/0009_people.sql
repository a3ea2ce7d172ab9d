-- The people of a match: seats that change hands, who watches, what they say to each other.

-- A seat that is lent: account is who has it until then, owner who gets it back. vacant: since when
-- others may take it, 0: it is not offered. Of the side channel its holder reads what was said after
-- message side_after; who lent it what was said after owner_after.
ALTER TABLE seat ADD COLUMN owner TEXT;
ALTER TABLE seat ADD COLUMN until INTEGER;
ALTER TABLE seat ADD COLUMN vacant INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seat ADD COLUMN side_after INTEGER NOT NULL DEFAULT 0;
ALTER TABLE seat ADD COLUMN owner_after INTEGER NOT NULL DEFAULT 0;
CREATE INDEX seat_owner ON seat (owner, match) WHERE owner IS NOT NULL;
CREATE INDEX seat_until ON seat (until) WHERE until IS NOT NULL;
CREATE INDEX seat_vacant ON seat (match) WHERE vacant > 0;

-- 0: spectators have no channel of their own.
ALTER TABLE match ADD COLUMN talk INTEGER NOT NULL DEFAULT 1;

-- Who had a seat and has it no more, a row each time: they know what the seat knew.
CREATE TABLE holder (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    seat    INTEGER NOT NULL,
    account TEXT    NOT NULL,
    since   INTEGER NOT NULL,
    until   INTEGER NOT NULL,
    how     TEXT    NOT NULL,               -- how it went on: substitute, caretaker, lent, back
    PRIMARY KEY (match, seat, account, until)
) WITHOUT ROWID, STRICT;
CREATE INDEX holder_account ON holder (account, match);

-- Who has looked at the whole of a match, if late.
CREATE TABLE sight (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (match, account)
) WITHOUT ROWID, STRICT;
CREATE INDEX sight_account ON sight (account);

-- Turns of a match that is shown late: line n began the turn of that number, counted from 0.
CREATE TABLE turn (
    match INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    turn  INTEGER NOT NULL,
    n     INTEGER NOT NULL,
    PRIMARY KEY (match, turn)
) WITHOUT ROWID, STRICT;

-- Who may not watch a match, nor join it.
CREATE TABLE bar (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (match, account)
) WITHOUT ROWID, STRICT;
CREATE INDEX bar_account ON bar (account);

-- The seat that a message is from; NULL: from one of the spectators, whom account names.
ALTER TABLE message ADD COLUMN seat INTEGER;
UPDATE message SET seat = (SELECT s.seat FROM seat s WHERE s.match = message.match AND s.account = message.account);
CREATE INDEX message_account ON message (account);

-- Who wants to hear nothing of whom in a match.
CREATE TABLE mute (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account TEXT    NOT NULL,
    muted   TEXT    NOT NULL,
    PRIMARY KEY (match, account, muted)
) WITHOUT ROWID, STRICT;
CREATE INDEX mute_account ON mute (account);
CREATE INDEX mute_muted ON mute (muted, match);

-- How far an account has read a channel.
CREATE TABLE read_mark (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account TEXT    NOT NULL,
    channel TEXT    NOT NULL,
    n       INTEGER NOT NULL,
    PRIMARY KEY (match, account, channel)
) WITHOUT ROWID, STRICT;
CREATE INDEX read_mark_account ON read_mark (account);

-- What was reported to the host, with the words as they were.
CREATE TABLE report (
    key      INTEGER PRIMARY KEY,
    at       INTEGER NOT NULL,
    match    TEXT    NOT NULL,              -- its id: a report outlives what it is about
    reporter TEXT    NOT NULL,              -- account ids
    accused  TEXT    NOT NULL,
    channel  TEXT,                          -- NULL: it is about no message
    n        INTEGER,
    said     TEXT,
    why      TEXT    NOT NULL,
    closed   INTEGER                        -- when the host was done with it
) STRICT;
CREATE INDEX report_open ON report (key) WHERE closed IS NULL;
