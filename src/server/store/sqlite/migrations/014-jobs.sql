-- What must happen later, once for all servers. A job that is done is deleted, or due again. `leased_until` is also the
-- fencing token: no two claims of a job have the same one.
CREATE TABLE jobs (
  id           INTEGER PRIMARY KEY,
  kind         TEXT NOT NULL,
  key          TEXT NOT NULL UNIQUE,
  due_at       TEXT NOT NULL,
  attempts     INTEGER NOT NULL DEFAULT 0,
  leased_until TEXT,
  last_error   TEXT
) STRICT;
CREATE INDEX jobs_due ON jobs (kind, due_at, id);

-- When something last happened that all servers must know of.
CREATE TABLE times (
  name TEXT PRIMARY KEY,
  at   TEXT NOT NULL
) STRICT;

INSERT INTO times SELECT name, done_at FROM chores
WHERE name IN ('erase', 'doubt', 'jump', 'mailbox help', 'mailbox contact', 'mailbox signs read')
   OR name LIKE 'unseen limit %' OR name LIKE 'test mail %';
INSERT INTO times SELECT 'canary', succeeded_at FROM canary WHERE succeeded_at IS NOT NULL;

-- Done at its moment. The server that claims it after these hours finds whether another moment has passed meanwhile.
WITH kinds (kind, word) AS (VALUES ('morning', 'reminder'), ('unseen', 'unseen'), ('letter', 'weekly letter'))
INSERT INTO jobs (kind, key, due_at)
SELECT kind, kind || ':' || substr(name, length(word) + 2), strftime('%Y-%m-%dT%H:%M:%fZ', done_at, '+13 hours')
FROM chores JOIN kinds ON name IN (word || ' help', word || ' contact');
INSERT INTO jobs (kind, key, due_at, attempts, last_error)
SELECT 'canary', 'canary',
  CASE WHEN failures > 0 THEN coalesce(try_at, tried_for) ELSE strftime('%Y-%m-%dT%H:%M:%fZ', tried_for, '+13 hours') END, failures, problem
FROM canary WHERE tried_for IS NOT NULL;

-- What happens at most so often.
WITH gates (pattern, every) AS (VALUES ('% alarm', '+1 day'), ('mailbox % silent', '+7 days'),
  ('escalation', '+10 minutes'), ('urgent reminder %', '+10 minutes'))
INSERT INTO jobs (kind, key, due_at)
SELECT 'gate', 'gate:' || name, strftime('%Y-%m-%dT%H:%M:%fZ', done_at, every)
FROM chores JOIN gates ON name LIKE pattern AND name NOT LIKE '%, in hand';
INSERT INTO jobs (kind, key, due_at)
SELECT 'gate', 'gate:notice', strftime('%Y-%m-%dT%H:%M:%fZ', sent_at, '+1 day') FROM notices WHERE sent_at IS NOT NULL;

DROP TABLE chores;
DROP TABLE notices;
DROP TABLE canary;
-- An older server would look for them.
UPDATE schema_support SET oldest = 14;
