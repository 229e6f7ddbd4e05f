-- When something that is done every so often was last done by a clock that could be trusted.
CREATE TABLE chores (
  name    text PRIMARY KEY,
  done_at timestamptz NOT NULL
);

-- What all servers on this database must agree on and nobody has to carry from one to the other.
CREATE TABLE secrets (
  name  text PRIMARY KEY,
  value text NOT NULL
);
