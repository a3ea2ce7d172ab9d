-- Nonces of seats (schema/record.md section 3), and matches that were read back from an older copy.

-- 1: the seat's client said that it does not hold the nonce, or the seat left without opening it.
ALTER TABLE seat ADD COLUMN nonce_lost INTEGER NOT NULL DEFAULT 0;

-- 1: dealt to a seat once, and never again, whatever became of that match.
ALTER TABLE nonce_commit ADD COLUMN dealt INTEGER NOT NULL DEFAULT 0;
CREATE INDEX nonce_stock ON nonce_commit (account, key) WHERE dealt = 0;

-- 0: there is a header and perhaps nonces, but the game waits for the others (games that may draw at once).
ALTER TABLE tip ADD COLUMN begun INTEGER NOT NULL DEFAULT 1;

-- How often the database was restored while the match had no header: its log then says so behind the header.
ALTER TABLE match ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;
