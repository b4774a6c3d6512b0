CREATE TABLE kennel (kennel_id INTEGER PRIMARY KEY, town TEXT NOT NULL, "how it came" TEXT, "whether heated" INTEGER);
CREATE TABLE stay (
  stay_id INTEGER PRIMARY KEY, kennel_id INTEGER NOT NULL REFERENCES kennel(kennel_id), booked TEXT, arrived TEXT,
  picked_up TEXT, details TEXT, dogs INTEGER
);
INSERT INTO kennel VALUES (1, 'Lund', 'gift', 1), (2, 'Malmo', 'built', 0), (3, 'Lund', 'built', 1);
INSERT INTO stay VALUES
  (1, 1, '03.02.2020 09:30', '14 maj 2020', '2020-05-20', '{"food": "dry", "n": 2}', 2),
  (2, 1, '21.11.2021 16:05', '2 juli 2021', '2021-07-09', '{"food": "raw", "n": 1}', 1),
  (3, 2, '30.06.2021 08:00', '28 juli 2021', NULL, NULL, 3);
