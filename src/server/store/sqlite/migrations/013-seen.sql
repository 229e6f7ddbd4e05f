-- When somebody marked the mail file as read, and when a reminder last named the request.
ALTER TABLE deliveries ADD COLUMN read_at TEXT;
ALTER TABLE deliveries ADD COLUMN named_at TEXT;

-- Migration 012 called all delivered requests answered. Nobody said so of these, and they are too new to be forgotten.
UPDATE deliveries SET answered_at = NULL, followed_up_at = NULL, answer_counted = 0
WHERE answered_at IS NOT NULL AND answered_by IS NULL
  AND submission IN (SELECT id FROM submissions WHERE received_at > strftime('%FT%R:%fZ', 'now', '-14 days'));

-- The last time that somebody on the team showed that they have the request. Computed, so that an older server beside
-- this one keeps it right.
ALTER TABLE deliveries ADD COLUMN seen_at TEXT GENERATED ALWAYS AS (
  nullif(max(coalesce(taken_at, ''), coalesce(answered_at, ''), coalesce(read_at, '')), '')) VIRTUAL;

CREATE INDEX deliveries_seen ON deliveries (seen_at) WHERE seen_at IS NOT NULL;
CREATE INDEX deliveries_unseen ON deliveries (submission) WHERE seen_at IS NULL;
