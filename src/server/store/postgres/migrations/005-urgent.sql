-- Goes out before what is not.
ALTER TABLE deliveries ADD COLUMN urgent boolean NOT NULL DEFAULT false;
-- When somebody else was told that it has not reached staff.
ALTER TABLE deliveries ADD COLUMN escalated_at timestamptz;

CREATE INDEX deliveries_urgent ON deliveries (next_attempt_at) WHERE urgent AND delivered_at IS NULL;
