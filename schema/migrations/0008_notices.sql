-- Notices: what a player is told by mail, webhook or web push. Times are milliseconds since 1970, UTC.

-- The sittings of a seat as everybody is shown them: one runs while the public is shown that the match waits for the seat.
CREATE TABLE sitting (
    match  INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    seat   INTEGER NOT NULL,
    number INTEGER NOT NULL,                -- of the one that runs, or the last; 0: there was none
    runs   INTEGER NOT NULL,
    began  INTEGER NOT NULL,                -- the public's seq with which it began
    ended  INTEGER NOT NULL,                -- the public's seq with which the one before it, or it, ended
    PRIMARY KEY (match, seat)
) WITHOUT ROWID, STRICT;

-- What somebody is to be told, written in the transaction of the line that caused it. Once for each thing to tell.
CREATE TABLE notice (
    key     INTEGER PRIMARY KEY,
    account TEXT    NOT NULL,
    match   INTEGER REFERENCES match (key) ON DELETE CASCADE, -- NULL: of none
    kind    TEXT    NOT NULL,
    seat    INTEGER NOT NULL,               -- the account's in the match; -1: none
    number  INTEGER NOT NULL,               -- of the sitting, the offer ...
    seq     INTEGER NOT NULL,               -- the seat's own with that line
    at      INTEGER NOT NULL,
    due     INTEGER NOT NULL,               -- not before
    data    TEXT    NOT NULL DEFAULT '{}',  -- JSON in normal form: what the kind needs beside it
    state   TEXT    NOT NULL CHECK (state IN ('waiting', 'sending', 'stale', 'seen', 'done')),
    UNIQUE (match, account, kind, seat, number)
) STRICT;
CREATE INDEX notice_due ON notice (due) WHERE state = 'waiting';
CREATE INDEX notice_account ON notice (account, key);

-- A notice on its way by one channel.
CREATE TABLE delivery (
    key      INTEGER PRIMARY KEY,
    id       TEXT    NOT NULL UNIQUE,       -- stays the same however often it is tried: receivers know it again by it
    notice   INTEGER NOT NULL REFERENCES notice (key) ON DELETE CASCADE,
    account  TEXT    NOT NULL,
    channel  TEXT    NOT NULL CHECK (channel IN ('mail', 'webhook', 'push')),
    target   TEXT    NOT NULL,              -- which of the account's: a hash of the address
    state    TEXT    NOT NULL CHECK (state IN ('waiting', 'sent', 'failed', 'stale')),
    attempts INTEGER NOT NULL DEFAULT 0,
    next     INTEGER NOT NULL,              -- the next attempt not before
    ended    INTEGER,                       -- when it was sent or given up
    error    TEXT,                          -- of the last attempt
    UNIQUE (notice, channel, target)
) STRICT;
CREATE INDEX delivery_due ON delivery (next) WHERE state = 'waiting';
CREATE INDEX delivery_account ON delivery (account, key);

-- How an address of an account has been doing.
CREATE TABLE endpoint (
    account       TEXT    NOT NULL,
    channel       TEXT    NOT NULL,
    target        TEXT    NOT NULL,
    sent_at       INTEGER,                  -- last
    failing_since INTEGER,                  -- NULL: it does not fail
    disabled_at   INTEGER,                  -- nothing is sent there any more, until it is set anew
    error         TEXT,
    PRIMARY KEY (account, channel, target)
) WITHOUT ROWID, STRICT;

-- What an account wants to be told of one match, where it is not as of all.
CREATE TABLE match_notices (
    match    INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account  TEXT    NOT NULL,
    settings TEXT    NOT NULL,              -- JSON in normal form
    PRIMARY KEY (match, account)
) WITHOUT ROWID, STRICT;
CREATE INDEX match_notices_account ON match_notices (account);

-- The newest seq of a seat that its holder has seen, as the client says.
CREATE TABLE seen (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account TEXT    NOT NULL,
    seat    INTEGER NOT NULL,
    seq     INTEGER NOT NULL,
    at      INTEGER NOT NULL,               -- when it said so last
    PRIMARY KEY (match, account, seat)
) WITHOUT ROWID, STRICT;
CREATE INDEX seen_account ON seen (account);

-- The address of a calendar of deadlines, of which only its holder has the secret.
CREATE TABLE calendar (
    account TEXT    NOT NULL PRIMARY KEY,
    hash    BLOB    NOT NULL UNIQUE,
    at      INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

-- Links to end mails that have been used, until they would have expired.
CREATE TABLE unsubscribed (
    hash BLOB    NOT NULL PRIMARY KEY,
    at   INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
