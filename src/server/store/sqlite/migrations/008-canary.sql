-- 1: the server sent it to itself. It is in no list, and is erased as soon as it has been mailed.
ALTER TABLE submissions ADD COLUMN canary INTEGER NOT NULL DEFAULT 0;

CREATE INDEX submissions_canary ON submissions (received_at) WHERE canary = 1;

-- One row: how the last one went, and when the next may begin.
CREATE TABLE canary (
  id           INTEGER PRIMARY KEY CHECK (id = 1),
  tried_for    TEXT,
  try_at       TEXT,
  failures     INTEGER NOT NULL DEFAULT 0,
  succeeded_at TEXT,
  failed_at    TEXT,
  problem      TEXT
) STRICT;
INSERT INTO canary (id) VALUES (1);
