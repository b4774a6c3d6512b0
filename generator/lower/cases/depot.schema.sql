-- Some invoices are of deliveries that are not there.
PRAGMA foreign_keys = OFF;
CREATE TABLE part (
  id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES part(id), name TEXT, in_use BOOLEAN, unit TEXT,
  made_ms INTEGER, sold_ms INTEGER, price REAL
);
CREATE TABLE day (day_key INTEGER PRIMARY KEY, full_date DATE, weekday TEXT);
CREATE TABLE delivery (
  id INTEGER PRIMARY KEY, part_id INTEGER REFERENCES part(id), order_day_key INTEGER REFERENCES day(day_key),
  ship_day_key INTEGER REFERENCES day(day_key), quantity INTEGER
);
INSERT INTO part VALUES
  (1, NULL, 'frame', 1, 'ST', 1704067200000, 1704067260000, 80), (2, 1, 'wheel', 1, 'ST', 1704067300000, 1704067900000, 20.5),
  (3, 2, 'spoke', 0, 'KG', 1704068000000, NULL, 1), (4, 2, 'rim', NULL, 'M', 1704068100000, 1704069000000, 9), (5, 1, 'saddle', 0, 'ST', 1704067200000, 1704067200500, 30);
INSERT INTO day VALUES (20240101, '2024-01-01', 'Monday'), (20240102, '2024-01-02', 'Tuesday'), (20240106, '2024-01-06', 'Saturday');
INSERT INTO delivery VALUES (1, 1, 20240101, 20240102, 4), (2, 2, 20240101, NULL, 7), (3, 2, 20240102, 20240106, 1), (4, 5, 20240106, NULL, 2);
CREATE TABLE invoice (id INTEGER PRIMARY KEY, delivery_id INTEGER REFERENCES delivery(id), paid INTEGER);
INSERT INTO invoice VALUES (1, 1, 1), (2, 99, 1), (3, NULL, 0), (4, 2, 0);
