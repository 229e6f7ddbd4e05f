-- So that what is asked every few seconds costs the same however many requests are kept.

-- The newest of all, and the ones of some days.
CREATE INDEX submissions_received ON submissions (received_at);

-- What was delivered long enough ago to be erased. Nothing has to be written to it when a request comes in.
CREATE INDEX deliveries_delivered ON deliveries (delivered_at) WHERE delivered_at IS NOT NULL;

-- What has not reached staff, parked or not: few beside all that has.
CREATE INDEX deliveries_undelivered ON deliveries (submission) WHERE delivered_at IS NULL;
