-- The server sent it to itself. It is in no list, and is erased as soon as it has been mailed.
ALTER TABLE submissions ADD COLUMN canary boolean NOT NULL DEFAULT false;

CREATE INDEX submissions_canary ON submissions (received_at) WHERE canary;

-- One row: how the last one went, and when the next may begin.
CREATE TABLE canary (
  id           integer PRIMARY KEY CHECK (id = 1),
  tried_for    timestamptz,
  try_at       timestamptz,
  failures     integer NOT NULL DEFAULT 0,
  succeeded_at timestamptz,
  failed_at    timestamptz,
  problem      text
);
INSERT INTO canary (id) VALUES (1);
