-- What lies on a seat's desk, and what an account is asked for.

-- Bots are few among accounts, and asked for by everybody who looks for one.
CREATE INDEX account_bot ON account (key) WHERE bot = 1;

-- A match that is a rematch of another, by that one's key.
ALTER TABLE match ADD COLUMN rematch_of INTEGER;
CREATE INDEX match_rematch ON match (rematch_of) WHERE rematch_of IS NOT NULL;

-- The private notebook of who sits in a match: it goes with the account, not with the seat.
CREATE TABLE note (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account TEXT    NOT NULL,
    text    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (match, account)
) WITHOUT ROWID, STRICT;
CREATE INDEX note_account ON note (account);

-- What who sits in a match means to do. Any actions, as they were sent.
CREATE TABLE draft (
    match   INTEGER NOT NULL REFERENCES match (key) ON DELETE CASCADE,
    account TEXT    NOT NULL,
    version INTEGER NOT NULL,               -- rises by one with each edit
    seq     INTEGER NOT NULL,               -- the seat's own, when it was kept
    actions TEXT    NOT NULL,               -- JSON in normal form
    PRIMARY KEY (match, account)
) WITHOUT ROWID, STRICT;
CREATE INDEX draft_account ON draft (account);
