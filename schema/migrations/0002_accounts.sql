-- Accounts. Times are milliseconds since 1970, UTC. An account that is deleted leaves its seats and
-- lines behind, which name it by id alone.

CREATE TABLE account (
    key        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,
    name       TEXT    NOT NULL,            -- as it is shown, NFC
    folded     TEXT    NOT NULL UNIQUE,     -- by which it is found: without case (server/lobby/names.c)
    skeleton   TEXT    NOT NULL UNIQUE,     -- what names that look alike have in common
    password   TEXT    NOT NULL,            -- argon2id, with its salt and cost
    bot        INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    settings   TEXT    NOT NULL DEFAULT '{}' -- JSON in normal form
) STRICT;

-- A token is 32 random bytes that only its holder has; here is their hash.
CREATE TABLE token (
    key        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,     -- its name in account.tokens
    hash       BLOB    NOT NULL UNIQUE,
    account    TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    scope      INTEGER NOT NULL CHECK (scope BETWEEN 0 AND 3), -- read, play, organise, full
    label      TEXT    NOT NULL DEFAULT '',
    created_at INTEGER NOT NULL,
    used_at    INTEGER NOT NULL,            -- to the hour
    expires_at INTEGER
) STRICT;
CREATE INDEX token_account ON token (account, used_at);

-- Who does not want to hear of whom.
CREATE TABLE block (
    account TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    blocked TEXT    NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    at      INTEGER NOT NULL,
    PRIMARY KEY (account, blocked)
) STRICT;
