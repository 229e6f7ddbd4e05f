-- What a person may say after sending: not to contact them any more, and that they withdraw it. Both can be undone.
ALTER TABLE submissions
  ADD COLUMN no_contact_by text,
  ADD COLUMN no_contact_at timestamptz,
  ADD COLUMN withdrawn_by text,
  ADD COLUMN withdrawn_at timestamptz,
  -- Each of these and what else was said since, a line of JSON each, the oldest first.
  ADD COLUMN changes text NOT NULL DEFAULT '';

CREATE INDEX submissions_withdrawn ON submissions (withdrawn_at) WHERE withdrawn_at IS NOT NULL;
