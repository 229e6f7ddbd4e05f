-- Times are ISO 8601 in UTC with milliseconds, so that they compare as text.

-- A form as it was when it was answered.
CREATE TABLE definitions (
  hash       TEXT PRIMARY KEY,
  form       TEXT NOT NULL,
  definition TEXT NOT NULL
) STRICT;

CREATE TABLE submissions (
  id             INTEGER PRIMARY KEY,
  reference      TEXT NOT NULL UNIQUE,
  form           TEXT NOT NULL,
  definition     TEXT NOT NULL REFERENCES definitions (hash),
  answers        TEXT,
  sealed_answers TEXT,
  verdict        TEXT NOT NULL,
  token_hash     TEXT NOT NULL UNIQUE,
  answers_hash   TEXT NOT NULL,
  received_at    TEXT NOT NULL,
  CHECK ((answers IS NULL) <> (sealed_answers IS NULL))
) STRICT;

CREATE TABLE deliveries (
  submission      INTEGER PRIMARY KEY REFERENCES submissions (id) ON DELETE CASCADE,
  attempts        INTEGER NOT NULL DEFAULT 0,
  next_attempt_at TEXT NOT NULL,
  leased_until    TEXT,
  delivered_at    TEXT,
  parked_at       TEXT,
  last_error      TEXT
) STRICT;

CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE delivered_at IS NULL AND parked_at IS NULL;

-- One row that /health/ready writes to, to see that writing works.
CREATE TABLE health (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  checked_at TEXT NOT NULL
) STRICT;
