-- Accounts come with 0002; a match names them by id, since a log outlives an account that is deleted.
-- Times are milliseconds since 1970, UTC. Hashes and keys are blobs of 32 bytes.

-- One match. key is the number other tables refer to it by; id is its name on the wire.
CREATE TABLE match (
    key        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    game       TEXT    NOT NULL,
    rules      INTEGER NOT NULL,
    options    TEXT    NOT NULL,            -- JSON in normal form, as the header holds it
    title      TEXT    NOT NULL DEFAULT '',
    creator    TEXT    NOT NULL,            -- account id
    access     TEXT    NOT NULL CHECK (access IN ('open', 'invite', 'private')),
    spectators TEXT    NOT NULL CHECK (spectators IN ('none', 'public', 'delayed')),
    delay      INTEGER NOT NULL DEFAULT 0,  -- turns that delayed spectators lag behind
    reveal     TEXT    NOT NULL CHECK (reveal IN ('end', 'round', 'seats')),
    rated      INTEGER NOT NULL DEFAULT 0,
    clock      TEXT,                        -- JSON
    by_hand    INTEGER NOT NULL DEFAULT 0,  -- 1: begins by match.start, not by itself when full
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at   INTEGER,
    state      TEXT    NOT NULL CHECK (state IN ('open', 'running', 'over', 'aborted')),
    revealed   INTEGER NOT NULL DEFAULT 0,
    result     TEXT,                        -- JSON, when it is over
    secret     BLOB    NOT NULL,            -- S of FAIRNESS section 3; leaves the daemon at the reveal
    commitment BLOB    NOT NULL
) STRICT;
CREATE INDEX match_state ON match (state, key);
CREATE INDEX match_creator ON match (creator, state);

-- A seat, made with the match; account is NULL while it is free.
CREATE TABLE seat (
    match        INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    seat         INTEGER NOT NULL,
    code         TEXT    NOT NULL,
    account      TEXT,
    joined_at    INTEGER,
    join_code    TEXT,                      -- opens this seat of a closed match while it is free
    nonce_commit BLOB,                      -- dealt at the start; NULL: waived
    nonce        BLOB,                      -- when opened
    PRIMARY KEY (match, seat)
) STRICT;
CREATE INDEX seat_account ON seat (account, match) WHERE account IS NOT NULL;

-- Who may take a seat of a closed match without a code.
CREATE TABLE invite (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account TEXT    NOT NULL,
    PRIMARY KEY (match, account)
) STRICT;
CREATE INDEX invite_account ON invite (account, match);

-- Where a running match stands; one row is rewritten with each line. next_n is the guard against a
-- gap: a line is refused unless its n is next_n.
CREATE TABLE tip (
    match   INTEGER PRIMARY KEY REFERENCES match (key) ON DELETE CASCADE,
    next_n  INTEGER NOT NULL,
    roll    INTEGER NOT NULL,               -- the number r of the next roll, m of the next mask
    mask    INTEGER NOT NULL,
    head    BLOB    NOT NULL,               -- head(next_n - 1)
    viewers BLOB    NOT NULL,               -- seq and head of each viewer, as server/match writes them
    summary TEXT    NOT NULL DEFAULT '{}'   -- JSON by viewer: to_act and waits_for as it may see them
) STRICT;

-- The log, append-only. told: bit of each viewer that was told something by the line.
CREATE TABLE line (
    key    INTEGER PRIMARY KEY,
    match  INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    n      INTEGER NOT NULL,
    at     INTEGER NOT NULL,
    seat   INTEGER NOT NULL,                -- -1: the host
    told   INTEGER NOT NULL,
    sealed INTEGER NOT NULL,
    body   TEXT    NOT NULL,                -- the bytes that are hashed
    answer INTEGER,                         -- hash of account and action_id; NULL: none was given
    UNIQUE (match, n)
) STRICT;

-- States that save replaying; a cache that can be thrown away.
CREATE TABLE snapshot (
    match       INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    n           INTEGER NOT NULL,           -- the state after this line
    rules       INTEGER NOT NULL,
    state_bytes INTEGER NOT NULL,
    build       TEXT    NOT NULL,
    blob        BLOB    NOT NULL,
    PRIMARY KEY (match, n)
) STRICT;

-- First answers to what changed something, for retries. params: H of method and params.
CREATE TABLE answer (
    key       INTEGER PRIMARY KEY,
    account   TEXT    NOT NULL,
    action_id TEXT    NOT NULL,
    params    BLOB    NOT NULL,
    at        INTEGER NOT NULL,
    body      TEXT    NOT NULL,
    UNIQUE (account, action_id)
) STRICT;

-- Chat, numbered per channel of a match.
CREATE TABLE message (
    key     INTEGER PRIMARY KEY,
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    channel TEXT    NOT NULL,
    n       INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    account TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    UNIQUE (match, channel, n)
) STRICT;

-- Commitments to nonces that an account has in stock; match says which one was dealt where.
CREATE TABLE nonce_commit (
    key        INTEGER PRIMARY KEY,
    account    TEXT    NOT NULL,
    commitment BLOB    NOT NULL,
    match      INTEGER REFERENCES match (key) ON DELETE SET NULL,
    UNIQUE (account, commitment)
) STRICT;

-- What reproduces an internal error (DESIGN section 3); never in log output.
CREATE TABLE fault (
    key   INTEGER PRIMARY KEY,
    at    INTEGER NOT NULL,
    match INTEGER REFERENCES match (key) ON DELETE CASCADE,
    n     INTEGER,
    what  TEXT    NOT NULL,
    data  BLOB
) STRICT;

-- Values of the daemon itself: the key that signs receipts.
CREATE TABLE setting (
    name  TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT;

-- One row, rewritten in each transaction: after an error of the disk it says whether the last one
-- is stored.
CREATE TABLE writer (
    key   INTEGER PRIMARY KEY CHECK (key = 1),
    batch INTEGER NOT NULL
) STRICT;
INSERT INTO writer (key, batch) VALUES (1, 0);
