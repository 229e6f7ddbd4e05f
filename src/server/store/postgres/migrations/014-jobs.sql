-- What must happen later, once for all servers. A job that is done is deleted, or due again. `leased_until` is also the
-- fencing token: no two claims of a job have the same one.
CREATE TABLE jobs (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind         text NOT NULL,
  key          text NOT NULL UNIQUE,
  due_at       timestamptz NOT NULL,
  attempts     integer NOT NULL DEFAULT 0,
  leased_until timestamptz,
  last_error   text
);
CREATE INDEX jobs_due ON jobs (kind, due_at, id);

-- When something last happened that all servers must know of.
CREATE TABLE times (
  name text PRIMARY KEY,
  at   timestamptz NOT NULL
);

INSERT INTO times SELECT name, done_at FROM chores
WHERE name IN ('erase', 'doubt', 'jump', 'mailbox help', 'mailbox contact', 'mailbox signs read')
   OR name LIKE 'unseen limit %' OR name LIKE 'test mail %';
INSERT INTO times SELECT 'canary', succeeded_at FROM canary WHERE succeeded_at IS NOT NULL;

-- Done at its moment. The server that claims it after these hours finds whether another moment has passed meanwhile.
INSERT INTO jobs (kind, key, due_at)
SELECT kind, kind || ':' || substr(name, length(word) + 2), done_at + interval '13 hours'
FROM chores JOIN (VALUES ('morning', 'reminder'), ('unseen', 'unseen'), ('letter', 'weekly letter')) AS kinds (kind, word)
  ON name IN (word || ' help', word || ' contact');
INSERT INTO jobs (kind, key, due_at, attempts, last_error)
SELECT 'canary', 'canary', CASE WHEN failures > 0 THEN coalesce(try_at, tried_for) ELSE tried_for + interval '13 hours' END, failures, problem
FROM canary WHERE tried_for IS NOT NULL;

-- What happens at most so often.
INSERT INTO jobs (kind, key, due_at) SELECT 'gate', 'gate:' || name, done_at + every
FROM chores JOIN (VALUES ('% alarm', interval '1 day'), ('mailbox % silent', interval '7 days'),
    ('escalation', interval '10 minutes'), ('urgent reminder %', interval '10 minutes')) AS gates (pattern, every)
  ON name LIKE pattern AND name NOT LIKE '%, in hand';
INSERT INTO jobs (kind, key, due_at)
SELECT 'gate', 'gate:notice', sent_at + interval '1 day' FROM notices WHERE sent_at IS NOT NULL;

DROP TABLE chores;
DROP TABLE notices;
DROP TABLE canary;
-- An older server would look for them.
UPDATE schema_support SET oldest = 14;
