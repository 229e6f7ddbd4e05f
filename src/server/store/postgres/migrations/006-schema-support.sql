-- The oldest code that can use this database: it knows the migrations up to this one. A migration that takes something
-- away from older code raises it.
CREATE TABLE schema_support (oldest integer NOT NULL);
INSERT INTO schema_support VALUES (5);
