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
);

-- One row: under which name this database counts.
CREATE TABLE count_origin (origin text NOT NULL);
INSERT INTO count_origin VALUES (replace(gen_random_uuid()::text, '-', ''));

-- True: its delivery was counted, or is not to be.
ALTER TABLE deliveries ADD COLUMN counted boolean NOT NULL DEFAULT false;
UPDATE deliveries SET counted = true WHERE delivered_at IS NOT NULL;
