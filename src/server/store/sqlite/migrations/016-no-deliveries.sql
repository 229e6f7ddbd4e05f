-- The life of a request stands in its own row, and the duty to mail it is a job.
ALTER TABLE submissions ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0;
-- Lower goes out first: the first of every sender, then the second. It names nobody, and is 1 once somebody has answered.
ALTER TABLE submissions ADD COLUMN rank INTEGER NOT NULL DEFAULT 1;
-- When a mail server accepted its mail. Nobody need have seen it.
ALTER TABLE submissions ADD COLUMN accepted_at TEXT;
ALTER TABLE submissions ADD COLUMN taken_by TEXT;
ALTER TABLE submissions ADD COLUMN taken_at TEXT;
ALTER TABLE submissions ADD COLUMN answered_by TEXT;
ALTER TABLE submissions ADD COLUMN answered_at TEXT;
-- When somebody marked the mail file as read, when a reminder last named it, and when staff last recorded or undid a step.
ALTER TABLE submissions ADD COLUMN read_at TEXT;
ALTER TABLE submissions ADD COLUMN named_at TEXT;
ALTER TABLE submissions ADD COLUMN followed_up_at TEXT;
ALTER TABLE submissions ADD COLUMN counted INTEGER NOT NULL DEFAULT 0;
ALTER TABLE submissions ADD COLUMN answer_counted INTEGER NOT NULL DEFAULT 0;
-- The last time that somebody on the team showed that they have the request.
ALTER TABLE submissions ADD COLUMN seen_at TEXT GENERATED ALWAYS AS (
  nullif(max(coalesce(taken_at, ''), coalesce(answered_at, ''), coalesce(read_at, '')), '')) VIRTUAL;

UPDATE submissions SET urgent = v.urgent, rank = v.rank, accepted_at = v.delivered_at, taken_by = v.taken_by,
  taken_at = v.taken_at, answered_by = v.answered_by, answered_at = v.answered_at, read_at = v.read_at,
  named_at = v.named_at, followed_up_at = v.followed_up_at, counted = v.counted, answer_counted = v.answer_counted
FROM deliveries v WHERE v.submission = submissions.id;

-- Refused for good: tried once a day. An urgent one goes before those that came in up to an hour earlier.
INSERT INTO jobs (kind, key, submission, rank, due_at, attempts, leased_until, last_error)
SELECT
  CASE WHEN parked_at IS NOT NULL THEN 'mail refused' WHEN held THEN 'held' WHEN attempts > 0 THEN 'mail again' ELSE 'mail' END,
  'mail:' || s.reference, s.id, s.rank,
  CASE WHEN parked_at IS NOT NULL THEN coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', parked_at, '+1 day'), strftime('%FT%R:%fZ'))
    WHEN attempts = 0 AND s.urgent AND NOT held THEN coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', next_attempt_at, '-1 hour'), strftime('%FT%R:%fZ'))
    ELSE coalesce(next_attempt_at, received_at) END,
  coalesce(attempts, 0), leased_until, last_error
FROM submissions s LEFT JOIN deliveries v ON v.submission = s.id WHERE v.delivered_at IS NULL;

DROP TABLE deliveries;

-- So that what is asked every few seconds costs the same however many requests are kept.
CREATE INDEX submissions_unaccepted ON submissions (id) WHERE accepted_at IS NULL;
CREATE INDEX submissions_accepted ON submissions (accepted_at) WHERE accepted_at IS NOT NULL;
CREATE INDEX submissions_open ON submissions (id) WHERE answered_at IS NULL;
CREATE INDEX submissions_seen ON submissions (seen_at) WHERE seen_at IS NOT NULL;
CREATE INDEX submissions_unseen ON submissions (received_at) WHERE seen_at IS NULL;
CREATE INDEX submissions_followed_up ON submissions (followed_up_at) WHERE followed_up_at IS NOT NULL;
UPDATE schema_support SET oldest = 16;
