-- What must happen to one request: deleted with it. Lower ranks first: each client's first request, and those of which there
-- is a doubt after all others.
ALTER TABLE jobs
  ADD COLUMN submission bigint REFERENCES submissions (id) ON DELETE CASCADE,
  ADD COLUMN rank integer NOT NULL DEFAULT 0,
  -- How often it was done: how many reminders came before.
  ADD COLUMN done integer NOT NULL DEFAULT 0;
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (kind, rank, due_at, id);
CREATE INDEX jobs_submission ON jobs (submission) WHERE submission IS NOT NULL;

WITH known AS (
  SELECT v.*, s.reference, s.form, s.received_at,
    v.rank + CASE WHEN s.verdict <> '{"kind":"clean"}' THEN 1000000 ELSE 0 END AS place
  FROM deliveries v JOIN submissions s ON s.id = v.submission
  WHERE NOT s.canary
)
INSERT INTO jobs (kind, key, submission, rank, due_at, attempts, leased_until, last_error, done)
SELECT CASE WHEN alert_escalated THEN 'alert again' ELSE 'alert' END, 'alert:' || reference, submission, place, alert_at,
  alert_attempts, alert_leased_until, alert_error, 0
FROM known WHERE alert_at IS NOT NULL AND taken_at IS NULL AND answered_at IS NULL
UNION ALL
SELECT 'escalate', 'escalate:' || reference, submission, place, received_at + interval '10 minutes', 0, NULL, NULL, 0
FROM known WHERE urgent AND delivered_at IS NULL AND escalated_at IS NULL
UNION ALL
SELECT 'remind ' || readers || ' ' || form, 'remind ' || readers || ':' || reference, submission, place,
  coalesce(remind_at, received_at + interval '1 hour'), 0, NULL, NULL, reminders
FROM known CROSS JOIN (VALUES ('team'), ('others')) AS kinds (readers) WHERE urgent;

DROP INDEX deliveries_urgent, deliveries_untaken, deliveries_alert;
ALTER TABLE deliveries
  DROP COLUMN escalated_at,
  DROP COLUMN reminders,
  DROP COLUMN remind_at,
  DROP COLUMN alert_at,
  DROP COLUMN alert_attempts,
  DROP COLUMN alert_leased_until,
  DROP COLUMN alert_error,
  DROP COLUMN alert_escalated;
-- An older server would look for them.
UPDATE schema_support SET oldest = 15;
