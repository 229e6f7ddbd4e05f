-- What staff did about a request after it was mailed, and when that last changed. Open: not answered.
ALTER TABLE deliveries ADD COLUMN taken_by TEXT;
ALTER TABLE deliveries ADD COLUMN taken_at TEXT;
ALTER TABLE deliveries ADD COLUMN answered_by TEXT;
ALTER TABLE deliveries ADD COLUMN answered_at TEXT;
ALTER TABLE deliveries ADD COLUMN followed_up_at TEXT;
-- 1: its first answer was counted, or is not to be.
ALTER TABLE deliveries ADD COLUMN answer_counted INTEGER NOT NULL DEFAULT 0;

-- How often staff were reminded of an urgent one; when they are next, or when the lease of a reminder ends.
ALTER TABLE deliveries ADD COLUMN reminders INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN remind_at TEXT;

-- When an alert is due; NULL for none. 1: because nobody had taken the request in time.
ALTER TABLE deliveries ADD COLUMN alert_at TEXT;
ALTER TABLE deliveries ADD COLUMN alert_attempts INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deliveries ADD COLUMN alert_leased_until TEXT;
ALTER TABLE deliveries ADD COLUMN alert_error TEXT;
ALTER TABLE deliveries ADD COLUMN alert_escalated INTEGER NOT NULL DEFAULT 0;

-- Delivered before this was recorded: nobody is reminded of it.
UPDATE deliveries SET answered_at = delivered_at, followed_up_at = delivered_at, answer_counted = 1
WHERE delivered_at IS NOT NULL;

CREATE INDEX deliveries_open ON deliveries (submission) WHERE answered_at IS NULL;
CREATE INDEX deliveries_untaken ON deliveries (reminders)
  WHERE urgent = 1 AND taken_at IS NULL AND answered_at IS NULL;
CREATE INDEX deliveries_alert ON deliveries (alert_at) WHERE alert_at IS NOT NULL;
