CREATE TABLE region (id INTEGER PRIMARY KEY, region_name TEXT NOT NULL, area INTEGER, population INTEGER);
CREATE TABLE client (
  id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, segment TEXT, birth_date TEXT, height INTEGER,
  population INTEGER, region_id INTEGER REFERENCES region(id)
);
CREATE TABLE invoice (
  id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES client(id), month_text TEXT, issued TEXT,
  paid TEXT, total INTEGER, price REAL, cost REAL, quantity INTEGER, highest_offer INTEGER
);
INSERT INTO region VALUES (1, 'North', 70, 900), (2, 'South', 30, NULL);
INSERT INTO client VALUES
  (1, 'Ada', 'Berg', 'shop', '1970-02-01', 170, 5, 1), (2, 'Otto', 'Falk', 'home', '1981-11-30', NULL, 6, 2),
  (3, NULL, 'Falk', 'home', NULL, 180, 7, 2);
INSERT INTO invoice VALUES
  (1, 1, '201201', '2012-01-03', '2012-02-01', 5, 7.5, 3.0, 2, 9),
  (2, 1, '201202', '2012-02-03', '2012-02-09', 8, 2.5, 1.0, 4, 9),
  (3, 2, '201311', '2013-11-30', '2013-12-24', 3, 4.5, 6.0, 1, 4);
