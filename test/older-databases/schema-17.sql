CREATE TABLE definitions (
  hash       TEXT PRIMARY KEY,
  form       TEXT NOT NULL,
  definition TEXT NOT NULL
) STRICT;
CREATE TABLE submissions (
  id             INTEGER PRIMARY KEY,
  reference      TEXT NOT NULL UNIQUE,
  form           TEXT NOT NULL,
  definition     TEXT NOT NULL REFERENCES definitions (hash),
  answers        TEXT,
  sealed_answers TEXT,
  verdict        TEXT NOT NULL,
  token_hash     TEXT NOT NULL UNIQUE,
  answers_hash   TEXT NOT NULL,
  received_at    TEXT NOT NULL, canary INTEGER NOT NULL DEFAULT 0, language TEXT, urgent INTEGER NOT NULL DEFAULT 0, rank INTEGER NOT NULL DEFAULT 1, accepted_at TEXT, taken_by TEXT, taken_at TEXT, answered_by TEXT, answered_at TEXT, read_at TEXT, named_at TEXT, followed_up_at TEXT, seen_at TEXT GENERATED ALWAYS AS (
  nullif(max(coalesce(taken_at, ''), coalesce(answered_at, ''), coalesce(read_at, '')), '')) VIRTUAL, counts TEXT NOT NULL DEFAULT '', no_contact_by TEXT, no_contact_at TEXT, withdrawn_by TEXT, withdrawn_at TEXT, changes TEXT NOT NULL DEFAULT '',
  CHECK ((answers IS NULL) <> (sealed_answers IS NULL))
) STRICT;
CREATE TABLE health (
  id         INTEGER PRIMARY KEY CHECK (id = 1),
  checked_at TEXT NOT NULL
) STRICT;
CREATE TABLE schema_support (oldest INTEGER NOT NULL);
CREATE TABLE counts (
  kind   TEXT NOT NULL,
  period TEXT NOT NULL,
  form   TEXT NOT NULL,
  field  TEXT NOT NULL,
  value  TEXT NOT NULL,
  origin TEXT NOT NULL,
  count  INTEGER NOT NULL,
  most   INTEGER NOT NULL,
  PRIMARY KEY (kind, period, form, field, value, origin)
) STRICT, WITHOUT ROWID;
CREATE TABLE count_origin (origin TEXT NOT NULL) STRICT;
CREATE INDEX submissions_canary ON submissions (received_at) WHERE canary = 1;
CREATE INDEX submissions_received ON submissions (received_at);
CREATE TABLE jobs (
  id           INTEGER PRIMARY KEY,
  kind         TEXT NOT NULL,
  key          TEXT NOT NULL UNIQUE,
  due_at       TEXT NOT NULL,
  attempts     INTEGER NOT NULL DEFAULT 0,
  leased_until TEXT,
  last_error   TEXT
, submission INTEGER REFERENCES submissions (id) ON DELETE CASCADE, rank INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE times (
  name TEXT PRIMARY KEY,
  at   TEXT NOT NULL
) STRICT;
CREATE INDEX jobs_due ON jobs (kind, rank, due_at, id);
CREATE INDEX jobs_submission ON jobs (submission) WHERE submission IS NOT NULL;
CREATE INDEX submissions_unaccepted ON submissions (id) WHERE accepted_at IS NULL;
CREATE INDEX submissions_accepted ON submissions (accepted_at) WHERE accepted_at IS NOT NULL;
CREATE INDEX submissions_open ON submissions (id) WHERE answered_at IS NULL;
CREATE INDEX submissions_seen ON submissions (seen_at) WHERE seen_at IS NOT NULL;
CREATE INDEX submissions_unseen ON submissions (received_at) WHERE seen_at IS NULL;
CREATE INDEX submissions_followed_up ON submissions (followed_up_at) WHERE followed_up_at IS NOT NULL;
CREATE INDEX submissions_withdrawn ON submissions (withdrawn_at) WHERE withdrawn_at IS NOT NULL;
INSERT INTO definitions (hash, form, definition) VALUES ('9f5c2f01b81677d96d0cfc995d277e60e9f1dc0df720d8c074fe92be27d86428', 'help', '[{"key":"ForSomeoneElse","displayName":"I am asking for someone else","description":"Tell us how to reach you, not them.","required":false,"type":"boolean","means":"forSomeoneElse"},{"key":"FirstName","displayName":"First name","description":"Any name you would like us to use","required":true,"type":"text"},{"key":"LastName","displayName":"Last name","description":"","required":false,"type":"text"},{"key":"SafeContact","displayName":"A safe way to reach you","description":"Choose every safe way, then give us the number or email. We use no other way.","required":true,"type":"checkbox","choices":["Phone call","Text message","Email","Please don''t contact me, I will contact you"],"meanings":[{"choice":"Phone call","means":"call","asks":"Phone"},{"choice":"Text message","means":"text","asks":"Phone"},{"choice":"Email","means":"email","asks":"Email"},{"choice":"Please don''t contact me, I will contact you","means":"none"}]},{"key":"Email","displayName":"Email","description":"","required":false,"type":"text"},{"key":"Phone","displayName":"Phone","description":"","required":false,"type":"text"},{"key":"CallTimes","displayName":"When is it safe to call?","description":"For calls and texts. Choose every safe time.","required":false,"type":"checkbox","choices":["Mornings","Afternoons","Evenings","Weekends","School hours 9 to 3","Do not leave a message","Do not say who is calling"],"meanings":[{"choice":"Mornings","means":"time"},{"choice":"Afternoons","means":"time"},{"choice":"Evenings","means":"time"},{"choice":"Weekends","means":"time"},{"choice":"School hours 9 to 3","means":"time"},{"choice":"Do not leave a message","means":"no-message"},{"choice":"Do not say who is calling","means":"no-message"}]},{"key":"OtherTimes","displayName":"Safe times in your own words","description":"","required":false,"type":"text","means":"safeTimes"},{"key":"SupportNeeded","displayName":"The kind of help you need","description":"Choose as many as you like","required":true,"type":"checkbox","choices":["Someone to talk to","Feeling unsafe at home","Parenting and family support","Counselling","Food or household basics","Housing","Money and budgeting","Support for tamariki and young people","Help with forms, agencies or court","Something else"],"meanings":[{"choice":"Feeling unsafe at home","means":"urgent"}]},{"key":"Subject","displayName":"Subject","description":"","required":false,"type":"text"},{"key":"Message","displayName":"Message","description":"Tell us what is going on, as much or as little as you like","required":false,"type":"textarea"}]');
INSERT INTO definitions (hash, form, definition) VALUES ('02c01d6f1ca9df8a65ff07fb75fdc7912fc1cdf69c5c860e0171b8e95deae0f7', 'contact', '[{"key":"FirstName","displayName":"First name","description":"The name you would like us to use","required":true,"type":"text"},{"key":"LastName","displayName":"Last name","description":"You do not have to tell us","required":false,"type":"text"},{"key":"Email","displayName":"Email","description":"Where we can reply to you","required":true,"type":"text"},{"key":"Phone","displayName":"Phone","description":"If you would like us to call you","required":false,"type":"text"},{"key":"Subject","displayName":"Subject","description":"What it is about, in a few words","required":true,"type":"text"},{"key":"Message","displayName":"Message","description":"Your message to us","required":true,"type":"textarea"}]');
INSERT INTO submissions (id, reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary, language, urgent, rank, accepted_at, taken_by, taken_at, answered_by, answered_at, read_at, named_at, followed_up_at, counts, no_contact_by, no_contact_at, withdrawn_by, withdrawn_at, changes) VALUES (1, 'KKKK-3333', 'help', '9f5c2f01b81677d96d0cfc995d277e60e9f1dc0df720d8c074fe92be27d86428', '[{"key":"FirstName","value":"Sample"},{"key":"Email","value":"sample@visitor.example"},{"key":"Message","value":"Kia ora, this is a sample: KKKK-3333."}]', NULL, '{"kind":"clean"}', '7dd598d25b72d698b87c52081afd3f833c93e3d64f1a434fb328b6aac16114f6', 'd43d54c0667c0a0e3ff5d071629db5313cf352b4c898d116ffe7b3ae6581c16f', '2026-03-01T00:00:00.000Z', 0, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[{"form":"help","count":1,"most":0,"kind":"hour","period":"2026-03","field":"","value":"13"},{"form":"help","count":1,"most":0,"kind":"received","period":"2026-03-01","field":"","value":""}]', NULL, NULL, NULL, NULL, '');
INSERT INTO submissions (id, reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary, language, urgent, rank, accepted_at, taken_by, taken_at, answered_by, answered_at, read_at, named_at, followed_up_at, counts, no_contact_by, no_contact_at, withdrawn_by, withdrawn_at, changes) VALUES (2, 'DDDD-3333', 'help', '9f5c2f01b81677d96d0cfc995d277e60e9f1dc0df720d8c074fe92be27d86428', '[{"key":"FirstName","value":"Sample"},{"key":"Email","value":"sample@visitor.example"},{"key":"Message","value":"Kia ora, this is a sample: DDDD-3333."}]', NULL, '{"kind":"clean"}', '346e03f3e2a131f333cf6b99fb447abba47556b10b4266039c6125b53f762bb1', 'c026851d3e027c3d914b72c92e5ea6c098e89a43ddc5896dda7bce0f7641ac8f', '2026-03-01T00:00:00.000Z', 0, NULL, 0, 1, '2026-03-01T00:00:00.000Z', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[{"form":"help","count":1,"most":0,"kind":"hour","period":"2026-03","field":"","value":"13"},{"form":"help","count":1,"most":0,"kind":"received","period":"2026-03-01","field":"","value":""},{"kind":"delivered","period":"2026-03-01","form":"help","field":"","value":"60","count":1,"most":0}]', NULL, NULL, NULL, NULL, '');
INSERT INTO submissions (id, reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary, language, urgent, rank, accepted_at, taken_by, taken_at, answered_by, answered_at, read_at, named_at, followed_up_at, counts, no_contact_by, no_contact_at, withdrawn_by, withdrawn_at, changes) VALUES (3, 'WWWW-4444', 'contact', '02c01d6f1ca9df8a65ff07fb75fdc7912fc1cdf69c5c860e0171b8e95deae0f7', '[{"key":"FirstName","value":"Sample"},{"key":"Email","value":"sample@visitor.example"},{"key":"Message","value":"Kia ora, this is a sample: WWWW-4444."}]', NULL, '{"kind":"clean"}', '15a434259173bcb3f21dcf19d306696ed1e340dca8ce6fbf4b05a5697f8ab388', '960f3b7531aef40bbdc08ef3213412612e14d8744ed0caaf4426bc97d48449d4', '2026-03-01T00:00:00.000Z', 0, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[{"form":"contact","count":1,"most":0,"kind":"hour","period":"2026-03","field":"","value":"13"},{"form":"contact","count":1,"most":0,"kind":"received","period":"2026-03-01","field":"","value":""}]', NULL, NULL, NULL, NULL, '');
INSERT INTO submissions (id, reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary, language, urgent, rank, accepted_at, taken_by, taken_at, answered_by, answered_at, read_at, named_at, followed_up_at, counts, no_contact_by, no_contact_at, withdrawn_by, withdrawn_at, changes) VALUES (4, 'PPPP-3333', 'contact', '02c01d6f1ca9df8a65ff07fb75fdc7912fc1cdf69c5c860e0171b8e95deae0f7', '[{"key":"FirstName","value":"Sample"},{"key":"Email","value":"sample@visitor.example"},{"key":"Message","value":"Kia ora, this is a sample: PPPP-3333."}]', NULL, '{"kind":"clean"}', 'c1c17b6cf7f291252974e2d67482f5a34b93b31b384f014f7932a8844d99e2cf', 'd75162e29769c6beb838e66d311542b654ff57ff974de21b6c7e0939a986df14', '2026-03-01T00:00:00.000Z', 0, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[{"form":"contact","count":1,"most":0,"kind":"hour","period":"2026-03","field":"","value":"13"},{"form":"contact","count":1,"most":0,"kind":"received","period":"2026-03-01","field":"","value":""}]', NULL, NULL, NULL, NULL, '');
INSERT INTO submissions (id, reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary, language, urgent, rank, accepted_at, taken_by, taken_at, answered_by, answered_at, read_at, named_at, followed_up_at, counts, no_contact_by, no_contact_at, withdrawn_by, withdrawn_at, changes) VALUES (5, 'WWWW-3333', 'help', '9f5c2f01b81677d96d0cfc995d277e60e9f1dc0df720d8c074fe92be27d86428', '[{"key":"FirstName","value":"Sample"},{"key":"Email","value":"sample@visitor.example"},{"key":"Message","value":"Kia ora, this is a sample: WWWW-3333."}]', NULL, '{"kind":"clean"}', '2086bd630ddfae93818606ccf64787b1a52cfd3fb9a8e238bb5f468e7d55024f', 'b03bddab3479ab3e3b81b37fce3c15656a22236f14fd2ac7c57f38d8df6be0e4', '2026-03-01T00:00:00.000Z', 0, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-03-01T00:00:00.000Z', '[{"form":"help","count":1,"most":0,"kind":"hour","period":"2026-03","field":"","value":"13"},{"form":"help","count":1,"most":0,"kind":"received","period":"2026-03-01","field":"","value":""}]', 'AB', '2026-03-01T00:00:00.000Z', NULL, NULL, '{"at":"2026-03-01T00:00:00.000Z","by":"AB","said":"no-contact"}
');
INSERT INTO submissions (id, reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary, language, urgent, rank, accepted_at, taken_by, taken_at, answered_by, answered_at, read_at, named_at, followed_up_at, counts, no_contact_by, no_contact_at, withdrawn_by, withdrawn_at, changes) VALUES (6, 'HHHH-3333', 'contact', '02c01d6f1ca9df8a65ff07fb75fdc7912fc1cdf69c5c860e0171b8e95deae0f7', '[{"key":"FirstName","value":"Sample"},{"key":"Email","value":"sample@visitor.example"},{"key":"Message","value":"Kia ora, this is a sample: HHHH-3333."}]', NULL, '{"kind":"clean"}', '5dbb2fb75f9cf9a00588cc003bc6a5ae615600f14f49120eb97edf5953e21a95', 'e0468dbcae5918be65a201bcef28258e31b141d61d5f8458f7c68fd1058d4656', '2026-03-01T00:00:00.000Z', 0, NULL, 0, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[{"form":"contact","count":1,"most":0,"kind":"hour","period":"2026-03","field":"","value":"13"},{"form":"contact","count":1,"most":0,"kind":"received","period":"2026-03-01","field":"","value":""}]', NULL, NULL, NULL, NULL, '');
INSERT INTO submissions (id, reference, form, definition, answers, sealed_answers, verdict, token_hash, answers_hash, received_at, canary, language, urgent, rank, accepted_at, taken_by, taken_at, answered_by, answered_at, read_at, named_at, followed_up_at, counts, no_contact_by, no_contact_at, withdrawn_by, withdrawn_at, changes) VALUES (7, 'QQQQ-3333', 'help', '9f5c2f01b81677d96d0cfc995d277e60e9f1dc0df720d8c074fe92be27d86428', '[{"key":"FirstName","value":"Sample"},{"key":"Email","value":"sample@visitor.example"},{"key":"Message","value":"Kia ora, this is a sample: QQQQ-3333."}]', NULL, '{"kind":"clean"}', '6aa80af95fc719327e79a6f58e4e48d7320be0229172d90400df231dada5a707', '0e449a539fbf0659f1f22c117f657b761448ea5e4b37d014b82bcfc8de648872', '2026-03-01T00:00:00.000Z', 0, NULL, 1, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[{"form":"help","count":1,"most":0,"kind":"hour","period":"2026-03","field":"","value":"13"},{"form":"help","count":1,"most":0,"kind":"received","period":"2026-03-01","field":"","value":""}]', NULL, NULL, NULL, NULL, '');
INSERT INTO schema_support (oldest) VALUES (16);
INSERT INTO count_origin (origin) VALUES ('b7ebe174436de39a');
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (1, 'mail', 'mail:KKKK-3333', '2026-03-01T00:00:00.000Z', 1, '2026-03-01T00:01:00.000Z', NULL, 1, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (3, 'mail again', 'mail:WWWW-4444', '2026-03-01T00:00:00.000Z', 1, NULL, 'ETIMEDOUT', 3, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (4, 'mail refused', 'mail:PPPP-3333', '2026-03-02T00:00:00.000Z', 1, NULL, '550', 4, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (5, 'mail', 'mail:WWWW-3333', '2026-03-01T00:00:00.000Z', 0, NULL, NULL, 5, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (6, 'held', 'mail:HHHH-3333', '2026-03-01T00:00:00.000Z', 0, NULL, NULL, 6, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (7, 'mail', 'mail:QQQQ-3333', '2026-02-28T23:00:00.000Z', 0, NULL, NULL, 7, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (8, 'alert', 'alert:QQQQ-3333', '2026-03-01T00:00:00.000Z', 0, NULL, NULL, 7, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (9, 'escalate', 'escalate:QQQQ-3333', '2026-03-01T00:10:00.000Z', 0, NULL, NULL, 7, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (10, 'remind team help', 'remind team:QQQQ-3333', '2026-03-01T01:00:00.000Z', 0, NULL, NULL, 7, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (11, 'remind others help', 'remind others:QQQQ-3333', '2026-03-01T01:00:00.000Z', 0, NULL, NULL, 7, 1, 0);
INSERT INTO jobs (id, kind, key, due_at, attempts, leased_until, last_error, submission, rank, done) VALUES (12, 'changed', 'changed:WWWW-3333', '2026-03-01T00:00:00.000Z', 0, NULL, NULL, 5, 0, 0);
PRAGMA user_version = 17;
