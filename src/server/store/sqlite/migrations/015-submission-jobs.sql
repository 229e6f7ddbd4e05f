-- What must happen to one request: deleted with it. Lower ranks first: each client's first request, and those of which there
-- is a doubt after all others.
ALTER TABLE jobs ADD COLUMN submission INTEGER REFERENCES submissions (id) ON DELETE CASCADE;
ALTER TABLE jobs ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
-- How often it was done: how many reminders came before.
ALTER TABLE jobs ADD COLUMN done INTEGER NOT NULL DEFAULT 0;
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (kind, rank, due_at, id);
CREATE INDEX jobs_submission ON jobs (submission) WHERE submission IS NOT NULL;

WITH known AS (
  SELECT v.*, s.reference, s.form, s.received_at,
    v.rank + CASE WHEN s.verdict <> '{"kind":"clean"}' THEN 1000000 ELSE 0 END AS place
  FROM deliveries v JOIN submissions s ON s.id = v.submission
  WHERE s.canary = 0
)
INSERT INTO jobs (kind, key, submission, rank, due_at, attempts, leased_until, last_error, done)
SELECT CASE WHEN alert_escalated THEN 'alert again' ELSE 'alert' END, 'alert:' || reference, submission, place, alert_at,
  alert_attempts, alert_leased_until, alert_error, 0
FROM known WHERE alert_at IS NOT NULL AND taken_at IS NULL AND answered_at IS NULL
UNION ALL
SELECT 'escalate', 'escalate:' || reference, submission, place, coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', received_at, '+10 minutes'), strftime('%FT%R:%fZ')), 0, NULL, NULL, 0
FROM known WHERE urgent = 1 AND delivered_at IS NULL AND escalated_at IS NULL
UNION ALL
SELECT 'remind ' || readers || ' ' || form, 'remind ' || readers || ':' || reference, submission, place,
  coalesce(remind_at, strftime('%Y-%m-%dT%H:%M:%fZ', received_at, '+1 hour'), strftime('%FT%R:%fZ')), 0, NULL, NULL, reminders
FROM known JOIN (SELECT 'team' AS readers UNION ALL SELECT 'others') WHERE urgent = 1;

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
  CASE WHEN parked_at IS NOT NULL AND held THEN 'held refused' WHEN parked_at IS NOT NULL THEN 'mail refused' WHEN held THEN 'held' WHEN attempts > 0 THEN 'mail again' ELSE 'mail' END,
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
-- An older server would look for the deliveries.
UPDATE schema_support SET oldest = 15;
