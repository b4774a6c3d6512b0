CREATE TABLE town (town_id INTEGER PRIMARY KEY, town_name TEXT, region TEXT);
CREATE TABLE choir (choir_id INTEGER PRIMARY KEY, title TEXT, leader TEXT, style TEXT, members INTEGER, town_id INTEGER REFERENCES town(town_id));
INSERT INTO town VALUES (1, 'A', 'N'), (2, 'B', 'N');
INSERT INTO choir VALUES (1, 'X', 'L', 'S', 5, 1), (2, 'X', 'M', 'S', 6, 1), (3, 'Y', 'L', 'T', 7, 2);
