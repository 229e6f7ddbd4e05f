-- Lower goes out first: the first of every sender, then the second of every sender. It names nobody, and is 1 again once
-- the mail is delivered.
ALTER TABLE deliveries ADD COLUMN rank integer NOT NULL DEFAULT 1;

-- What waits, in the order in which it is claimed: never tried (0), tried (1) and held (2), each apart.
CREATE INDEX deliveries_ranked
  ON deliveries ((CASE WHEN held THEN 2 WHEN attempts > 0 THEN 1 ELSE 0 END), urgent, rank, next_attempt_at, submission)
  WHERE delivered_at IS NULL AND parked_at IS NULL;
