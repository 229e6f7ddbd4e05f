-- 1: goes out before what is not.
ALTER TABLE deliveries ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0;
-- When somebody else was told that it has not reached staff.
ALTER TABLE deliveries ADD COLUMN escalated_at TEXT;

CREATE INDEX deliveries_urgent ON deliveries (next_attempt_at)
  WHERE urgent = 1 AND delivered_at IS NULL;
