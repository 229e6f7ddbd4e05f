-- Its mail waits for others, and comes in one with them.
ALTER TABLE deliveries ADD COLUMN held boolean NOT NULL DEFAULT false;
