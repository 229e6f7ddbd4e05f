ALTER TABLE deliveries
  -- What staff did about a request after it was mailed, and when that last changed. Open: not answered.
  ADD COLUMN taken_by text,
  ADD COLUMN taken_at timestamptz,
  ADD COLUMN answered_by text,
  ADD COLUMN answered_at timestamptz,
  ADD COLUMN followed_up_at timestamptz,
  -- True: its first answer was counted, or is not to be.
  ADD COLUMN answer_counted boolean NOT NULL DEFAULT false,

  -- How often staff were reminded of an urgent one; when they are next, or when the lease of a reminder ends.
  ADD COLUMN reminders integer NOT NULL DEFAULT 0,
  ADD COLUMN remind_at timestamptz,

  -- When an alert is due; NULL for none. True: because nobody had taken the request in time.
  ADD COLUMN alert_at timestamptz,
  ADD COLUMN alert_attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN alert_leased_until timestamptz,
  ADD COLUMN alert_error text,
  ADD COLUMN alert_escalated boolean NOT NULL DEFAULT false;

-- Delivered before this was recorded: nobody is reminded of it.
UPDATE deliveries SET answered_at = delivered_at, followed_up_at = delivered_at, answer_counted = true
WHERE delivered_at IS NOT NULL;

CREATE INDEX deliveries_open ON deliveries (submission) WHERE answered_at IS NULL;
CREATE INDEX deliveries_untaken ON deliveries (reminders) WHERE urgent AND taken_at IS NULL AND answered_at IS NULL;
CREATE INDEX deliveries_alert ON deliveries (alert_at) WHERE alert_at IS NOT NULL;
