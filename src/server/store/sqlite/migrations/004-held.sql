-- 1: its mail waits for others, and comes in one with them.
ALTER TABLE deliveries ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
