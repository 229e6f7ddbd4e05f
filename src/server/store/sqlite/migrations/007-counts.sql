-- What is counted of requests, and outlives them: numbers, and nothing of who or of which choices were made together.
-- kind: received, choice, hour or delivered. period: a day in New Zealand, for hours a month. field: the question of a
-- choice. value: the choice, the hour, or the seconds within which it was delivered; most: the slowest of those.
-- Each origin only ever counts up, so that the same counts can be brought here twice, and count once.
CREATE TABLE counts (
  kind   TEXT NOT NULL,
  period TEXT NOT NULL,
  form   TEXT NOT NULL,
  field  TEXT NOT NULL,
  value  TEXT NOT NULL,
  origin TEXT NOT NULL,
  count  INTEGER NOT NULL,
  most   INTEGER NOT NULL,
  PRIMARY KEY (kind, period, form, field, value, origin)
) STRICT, WITHOUT ROWID;

-- One row: under which name this database counts.
CREATE TABLE count_origin (origin TEXT NOT NULL) STRICT;
INSERT INTO count_origin VALUES (lower(hex(randomblob(8))));

-- What is to be counted of it where it ends up: it waits here for another database.
ALTER TABLE submissions ADD COLUMN to_count TEXT;
CREATE INDEX submissions_to_count ON submissions (reference) WHERE to_count IS NOT NULL;
-- 1: its delivery was counted, or is not to be.
ALTER TABLE deliveries ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
UPDATE deliveries SET counted = 1 WHERE delivered_at IS NOT NULL;
