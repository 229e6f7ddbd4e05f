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

DROP INDEX deliveries_urgent;
DROP INDEX deliveries_untaken;
DROP INDEX deliveries_alert;
ALTER TABLE deliveries DROP COLUMN escalated_at;
ALTER TABLE deliveries DROP COLUMN reminders;
ALTER TABLE deliveries DROP COLUMN remind_at;
ALTER TABLE deliveries DROP COLUMN alert_at;
ALTER TABLE deliveries DROP COLUMN alert_attempts;
ALTER TABLE deliveries DROP COLUMN alert_leased_until;
ALTER TABLE deliveries DROP COLUMN alert_error;
ALTER TABLE deliveries DROP COLUMN alert_escalated;
-- An older server would look for them.
UPDATE schema_support SET oldest = 15;
