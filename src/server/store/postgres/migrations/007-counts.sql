-- What is counted of requests, and outlives them: numbers, and nothing of who or of which choices were made together.
-- kind: received, choice, hour or delivered. period: a day in New Zealand, for hours a month. field: the question of a
-- choice. value: the choice, the hour, or the seconds within which it was delivered; most: the slowest of those.
-- Each origin only ever counts up, so that the same counts can be brought here twice, and count once.
-- Collated as SQLite does it, so that both put them in the same order.
CREATE TABLE counts (
  kind   text COLLATE "C" NOT NULL,
  period text COLLATE "C" NOT NULL,
  form   text COLLATE "C" NOT NULL,
  field  text COLLATE "C" NOT NULL,
  value  text COLLATE "C" NOT NULL,
  origin text COLLATE "C" NOT NULL,
  count  bigint NOT NULL,
  most   bigint NOT NULL,
  PRIMARY KEY (kind, period, form, field, value, origin)
)
-- Most of what is written to it are the same few rows again: with room beside them no index has to change.
WITH (fillfactor = 50);

-- One row: under which name this database counts.
CREATE TABLE count_origin (origin text NOT NULL);
INSERT INTO count_origin VALUES (replace(gen_random_uuid()::text, '-', ''));

-- True: its delivery was counted, or is not to be.
ALTER TABLE deliveries ADD COLUMN counted boolean NOT NULL DEFAULT false;
UPDATE deliveries SET counted = true WHERE delivered_at IS NOT NULL;

-- Counts what is given, in the transaction of what it is counted of. All servers count the same things, and a row is locked
-- until its transaction is synced: one row for all would have everybody wait for everybody's sync. So each takes the first
-- lane that is free; on a quiet site that is always the same one. Where none is, they share the last, in one order.
-- As a function, because the plan of one is made once a connection, and not once a request.
CREATE FUNCTION add_counts(given json) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  lane integer := 0;
BEGIN
  FOR n IN 1..32 LOOP
    IF pg_try_advisory_xact_lock(4241967, n) THEN
      lane := n;
      EXIT;
    END IF;
  END LOOP;
  INSERT INTO counts (kind, period, form, field, value, origin, count, most)
  SELECT c.kind, c.period, c.form, c.field, c.value, o.origin || '-' || lane, c.count, c.most
  FROM json_to_recordset(given)
    AS c(kind text, period text, form text, field text, value text, count bigint, most bigint), count_origin o
  ON CONFLICT (kind, period, form, field, value, origin)
  DO UPDATE SET count = counts.count + excluded.count, most = greatest(counts.most, excluded.most);
END $$;
