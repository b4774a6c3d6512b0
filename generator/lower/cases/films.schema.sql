CREATE TABLE studio (id INTEGER PRIMARY KEY, studio_name TEXT, cntry TEXT COLLATE NOCASE);
CREATE TABLE person (id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, birth_date TEXT);
CREATE TABLE film (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, type TEXT, code TEXT, "year" INTEGER, NumTstScr INTEGER,
  score REAL, opened DATE, studio_id INTEGER REFERENCES studio(id),
  director_id INTEGER REFERENCES person(id), writer_id INTEGER REFERENCES person(id), anything
);
CREATE TABLE genre (id INTEGER PRIMARY KEY, genre TEXT);
CREATE TABLE film_genre (film_id INTEGER REFERENCES film(id), genre_id INTEGER REFERENCES genre(id));
INSERT INTO studio VALUES (1, 'Aurora', 'fr'), (2, 'Basalt', 'FR'), (3, 'Cobalt', 'de');
INSERT INTO person VALUES (1, 'Ada', 'Berg', '1970-02-01'), (2, 'Otto', 'Falk', '1981-11-30'), (3, 'Ada', 'Falk', NULL);
INSERT INTO film VALUES
  (1, 'First', 'short', '007', 1999, 12, 7.5, '1999-03-01', 1, 1, 2, 5),
  (2, 'Second', 'feature', '7', 2001, NULL, 6.0, '2001-06-15', 1, 2, 1, '5'),
  (3, 'Third', 'feature', '12', 2001, -3, NULL, '2001-09-09', 2, 1, 3, 5.0),
  (4, 'Fourth', NULL, '5.0', 2010, 40, 9.0, NULL, NULL, 3, 3, NULL);
INSERT INTO genre VALUES (1, 'drama'), (2, 'comedy');
INSERT INTO film_genre VALUES (1, 1), (2, 1), (2, 2), (3, 2);
