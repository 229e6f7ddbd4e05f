-- When something that is done every so often was last done by a clock that could be trusted.
CREATE TABLE chores (
  name    TEXT PRIMARY KEY,
  done_at TEXT NOT NULL
) STRICT;
