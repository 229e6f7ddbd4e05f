ALTER TABLE deliveries
  -- When somebody marked the mail file as read, and when a reminder last named the request.
  ADD COLUMN read_at timestamptz,
  ADD COLUMN named_at timestamptz;

-- Migration 012 called all delivered requests answered. Nobody said so of these, and they are too new to be forgotten.
UPDATE deliveries SET answered_at = NULL, followed_up_at = NULL, answer_counted = false
WHERE answered_at IS NOT NULL AND answered_by IS NULL
  AND submission IN (SELECT id FROM submissions WHERE received_at > now() - interval '14 days');

-- The last time that somebody on the team showed that they have the request. Computed, so that an older server beside
-- this one keeps it right.
ALTER TABLE deliveries
  ADD COLUMN seen_at timestamptz GENERATED ALWAYS AS (greatest(taken_at, answered_at, read_at)) STORED;

CREATE INDEX deliveries_seen ON deliveries (seen_at) WHERE seen_at IS NOT NULL;
CREATE INDEX deliveries_unseen ON deliveries (submission) WHERE seen_at IS NULL;
