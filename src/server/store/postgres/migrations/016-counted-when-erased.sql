-- What is counted of a request stands in its row, and is added to `counts` when it is erased. '' for nothing.
ALTER TABLE submissions ADD COLUMN counts text NOT NULL DEFAULT '';

-- Until now requests were counted when they came in: of these nothing is left to count.
UPDATE submissions SET counts =
  '[{"kind":"received","period":"","form":"' || form || '","field":"","value":"","count":0,"most":0}'
  || CASE WHEN counted THEN ',{"kind":"delivered","period":"","form":"' || form || '","field":"","value":"","count":0,"most":0}' ELSE '' END
  || CASE WHEN answer_counted THEN ',{"kind":"answered","period":"","form":"' || form || '","field":"","value":"","count":0,"most":0}' ELSE '' END
  || ']'
WHERE NOT canary;

ALTER TABLE submissions DROP COLUMN counted, DROP COLUMN answer_counted;
DROP FUNCTION add_counts;
UPDATE schema_support SET oldest = 16;
