-- What makes an account safe: its address and whether it was confirmed, a second factor, roles, what happened to it.
-- Times are milliseconds since 1970, UTC. Hashes are blobs of 32 bytes.

-- When the address in settings was confirmed; NULL: it was not. email_new: an address that waits for that while an
-- older, confirmed one still stands.
ALTER TABLE account ADD COLUMN email_confirmed_at INTEGER;
ALTER TABLE account ADD COLUMN email_new TEXT;
-- Nobody signs in to it any more, until an administrator takes that back.
ALTER TABLE account ADD COLUMN disabled_at INTEGER;
-- A bit each: 1 administrator, 2 referee, 4 organiser.
ALTER TABLE account ADD COLUMN roles INTEGER NOT NULL DEFAULT 0;
-- An account that the daemon made and plays with: its policy and a number, as waterloo/1.
ALTER TABLE account ADD COLUMN house TEXT;
CREATE UNIQUE INDEX account_house ON account (house) WHERE house IS NOT NULL;
-- The secret of the second factor (RFC 6238), sealed by the key in setting; totp_on 0: begun, not yet confirmed.
-- totp_step: the step of the last code that was taken, which never counts again.
ALTER TABLE account ADD COLUMN totp BLOB;
ALTER TABLE account ADD COLUMN totp_on INTEGER NOT NULL DEFAULT 0;
ALTER TABLE account ADD COLUMN totp_step INTEGER NOT NULL DEFAULT 0;

-- Who has blocked an account is asked for by whatever it would join.
CREATE INDEX block_blocked ON block (blocked, account);

-- What the client called itself when the token was made.
ALTER TABLE token ADD COLUMN client TEXT NOT NULL DEFAULT '';

-- Codes that stand in for the second factor, once each.
CREATE TABLE recovery_code (
    hash    BLOB    PRIMARY KEY,
    account TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    used_at INTEGER                         -- NULL: still good
) WITHOUT ROWID, STRICT;
CREATE INDEX recovery_account ON recovery_code (account);

-- A token that was mailed: good once, for what it says, until then.
CREATE TABLE mailed_token (
    hash       BLOB    PRIMARY KEY,
    account    TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind       TEXT    NOT NULL CHECK (kind IN ('confirm', 'reset')),
    address    TEXT    NOT NULL,            -- it was mailed there
    made_at    INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID, STRICT;
CREATE INDEX mailed_account ON mailed_token (account, kind);
CREATE INDEX mailed_expires ON mailed_token (expires_at);

-- What happened to an account, newest last; of each only so many and so old are kept.
CREATE TABLE audit (
    account TEXT    NOT NULL,               -- whose
    n       INTEGER NOT NULL,               -- counted for each account from 1
    at      INTEGER NOT NULL,
    what    TEXT    NOT NULL,
    by      TEXT    NOT NULL,               -- 'self', 'admin', 'server'; an account's id for what another did
    detail  TEXT    NOT NULL DEFAULT '{}',  -- JSON in normal form
    PRIMARY KEY (account, n)
) WITHOUT ROWID, STRICT;
CREATE INDEX audit_at ON audit (at);

-- From which networks an account has signed in, as keyed hashes: a new one is told in its audit.
CREATE TABLE seen_network (
    account TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    network BLOB    NOT NULL,
    at      INTEGER NOT NULL,               -- last
    PRIMARY KEY (account, network)
) WITHOUT ROWID, STRICT;

-- What an administrator did to accounts while a daemon serves the same file: it looks here every second, closes the
-- connections that must go, and takes the row away.
CREATE TABLE account_notice (
    key     INTEGER PRIMARY KEY,
    account TEXT    NOT NULL,
    what    TEXT    NOT NULL
) STRICT;

-- A referee's look at a running match: while it lasts the same account needs no new line in the log.
CREATE TABLE look (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    until   INTEGER NOT NULL,
    reason  TEXT    NOT NULL,
    PRIMARY KEY (match, account, at)
) WITHOUT ROWID, STRICT;
CREATE INDEX look_account ON look (account);
