-- Answers are text and not jsonb: jsonb refuses some of what people can type (a lone surrogate, a NUL).

-- A form as it was when it was answered.
CREATE TABLE definitions (
  hash       text PRIMARY KEY,
  form       text NOT NULL,
  definition text NOT NULL
);

CREATE TABLE submissions (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  reference      text NOT NULL UNIQUE,
  form           text NOT NULL,
  definition     text NOT NULL REFERENCES definitions (hash),
  answers        text,
  sealed_answers text,
  verdict        text NOT NULL,
  token_hash     text NOT NULL UNIQUE,
  answers_hash   text NOT NULL,
  received_at    timestamptz NOT NULL,
  CHECK ((answers IS NULL) <> (sealed_answers IS NULL))
);

CREATE TABLE deliveries (
  submission      bigint PRIMARY KEY REFERENCES submissions (id) ON DELETE CASCADE,
  attempts        integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL,
  leased_until    timestamptz,
  delivered_at    timestamptz,
  parked_at       timestamptz,
  last_error      text
);

CREATE INDEX deliveries_due ON deliveries (next_attempt_at) WHERE delivered_at IS NULL AND parked_at IS NULL;

-- One row that /health/ready writes to, to see that writing works.
CREATE TABLE health (
  id         integer PRIMARY KEY CHECK (id = 1),
  checked_at timestamptz NOT NULL
);
