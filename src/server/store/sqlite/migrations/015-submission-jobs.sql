-- What must happen to one request: deleted with it. Lower ranks first: each client's first request, and those of which there
-- is a doubt after all others.
ALTER TABLE jobs ADD COLUMN submission INTEGER REFERENCES submissions (id) ON DELETE CASCADE;
ALTER TABLE jobs ADD COLUMN rank INTEGER NOT NULL DEFAULT 0;
DROP INDEX jobs_due;
CREATE INDEX jobs_due ON jobs (kind, rank, due_at, id);
CREATE INDEX jobs_submission ON jobs (submission) WHERE submission IS NOT NULL;

WITH open AS (
  SELECT v.*, s.reference, s.form, s.received_at,
    v.rank + CASE WHEN s.verdict <> '{"kind":"clean"}' THEN 1000000 ELSE 0 END AS place
  FROM deliveries v JOIN submissions s ON s.id = v.submission
  WHERE s.canary = 0 AND v.taken_at IS NULL AND v.answered_at IS NULL
)
INSERT INTO jobs (kind, key, submission, rank, due_at, attempts, leased_until, last_error)
SELECT CASE WHEN alert_escalated THEN 'alert again' ELSE 'alert' END, 'alert:' || reference, submission, place, alert_at,
  alert_attempts, alert_leased_until, alert_error
FROM open WHERE alert_at IS NOT NULL
UNION ALL
SELECT 'escalate', 'escalate:' || reference, submission, place, strftime('%Y-%m-%dT%H:%M:%fZ', received_at, '+10 minutes'), 0, NULL, NULL
FROM open WHERE urgent = 1 AND delivered_at IS NULL AND escalated_at IS NULL
UNION ALL
SELECT 'remind ' || readers || ' ' || form, 'remind ' || readers || ':' || reference, submission, place,
  coalesce(remind_at, strftime('%Y-%m-%dT%H:%M:%fZ', received_at, '+1 hour')), reminders, NULL, NULL
FROM open JOIN (SELECT 'team' AS readers UNION ALL SELECT 'others') WHERE urgent = 1;

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
