-- One row: when staff were last told that deliveries are in trouble.
CREATE TABLE notices (
  id      INTEGER PRIMARY KEY CHECK (id = 1),
  sent_at TEXT
) STRICT;
