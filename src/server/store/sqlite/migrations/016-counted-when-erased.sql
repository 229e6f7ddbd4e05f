-- What is counted of a request stands in its row, and is added to `counts` when it is erased. '' for nothing.
ALTER TABLE submissions ADD COLUMN counts TEXT NOT NULL DEFAULT '';

-- Until now requests were counted when they came in: of these nothing is left to count, or what was deferred for another database.
UPDATE submissions SET counts =
  coalesce(substr(nullif(nullif(to_count, ''), '[]'), 1, length(to_count) - 1),
    '[{"kind":"received","period":"","form":"' || form || '","field":"","value":"","count":0,"most":0}')
  || CASE WHEN counted THEN ',{"kind":"delivered","period":"","form":"' || form || '","field":"","value":"","count":0,"most":0}' ELSE '' END
  || CASE WHEN answer_counted THEN ',{"kind":"answered","period":"","form":"' || form || '","field":"","value":"","count":0,"most":0}' ELSE '' END
  || ']'
WHERE canary = 0;

DROP INDEX submissions_to_count;
ALTER TABLE submissions DROP COLUMN to_count;
ALTER TABLE submissions DROP COLUMN counted;
ALTER TABLE submissions DROP COLUMN answer_counted;
UPDATE schema_support SET oldest = 16;
