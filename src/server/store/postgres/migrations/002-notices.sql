-- One row: when staff were last told that deliveries are in trouble.
CREATE TABLE notices (
  id      integer PRIMARY KEY CHECK (id = 1),
  sent_at timestamptz
);
