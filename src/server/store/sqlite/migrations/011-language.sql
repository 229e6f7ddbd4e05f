-- The tag of the translation in which the form was read. NULL for the original, and where the answers are sealed.
ALTER TABLE submissions ADD COLUMN language TEXT;
