CREATE TABLE firm (firm_id INTEGER PRIMARY KEY, firm_name TEXT, parent_firm_id INTEGER REFERENCES firm(firm_id), founded TEXT);
CREATE TABLE vessel (
  imo INTEGER PRIMARY KEY, nombre TEXT, bandera TEXT, eslora REAL, built INTEGER, equipment_bits INTEGER,
  owner_id INTEGER REFERENCES firm(firm_id), operator_id INTEGER REFERENCES firm(firm_id)
);
CREATE TABLE berth (berth_id INTEGER PRIMARY KEY, pier TEXT, depth_cm INTEGER, heated INTEGER);
CREATE TABLE pilot (
  pilot_id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT, born TEXT, mentor_id INTEGER REFERENCES pilot(pilot_id)
);
CREATE TABLE port_call (
  call_id INTEGER PRIMARY KEY, imo INTEGER REFERENCES vessel(imo), berth_id INTEGER REFERENCES berth(berth_id),
  pilot_in INTEGER REFERENCES pilot(pilot_id), pilot_out INTEGER REFERENCES pilot(pilot_id),
  arrived_at INTEGER, left_at INTEGER, cargo_t REAL, tugs INTEGER
);
CREATE TABLE inspection (
  inspection_id INTEGER PRIMARY KEY, call_id INTEGER REFERENCES port_call(call_id), datum INTEGER, befund TEXT,
  defects INTEGER, details TEXT
);
CREATE TABLE speaks (pilot_id INTEGER REFERENCES pilot(pilot_id), tongue_code TEXT REFERENCES tongue(tongue_code), PRIMARY KEY (pilot_id, tongue_code));
CREATE TABLE tongue (tongue_code TEXT PRIMARY KEY, tongue TEXT);
INSERT INTO firm VALUES (1, 'Norden', NULL, '1901-05-02'), (2, 'Norden Bulk', 1, '1970-11-30'), (3, 'Halbmond', NULL, '1988-01-15'), (4, 'Norden Tank', 2, '1999-09-09');
INSERT INTO vessel VALUES (9100001, 'Alba', 'PT', 180.5, 19980412, 5, 2, 1), (9100002, 'Brisa', 'es', 95, 20070930, 2, 3, 3),
  (9100003, 'Calma', ' PT ', 210, 20150101, 7, 4, 2), (9100004, 'Duna', NULL, 60.5, 20030615, 0, 2, 4);
INSERT INTO berth VALUES (1, 'North', 1200, 1), (2, 'North', 950, 0), (3, 'South', 700, 0);
INSERT INTO pilot VALUES (1, 'Ida', 'Sund', '1960-02-29', NULL), (2, 'Olav', 'Berg', '1985-07-01', 1), (3, 'Mia', 'Holm', '1992-12-24', 2);
INSERT INTO port_call VALUES (1, 9100001, 1, 1, 2, 1709600000, 1709700000, 12000.5, 2), (2, 9100002, 3, 2, NULL, 1709800000, NULL, 800, 0),
  (3, 9100003, 1, 3, 1, 1712000000, 1712300000, 30000, 3), (4, 9100001, 2, 2, 2, 1715000000, 1715050000, NULL, 1), (5, 9100004, 3, 3, 3, 1715100000, 1715200000, 150, 0);
INSERT INTO inspection VALUES (1, 1, 20240305, 'ok', 0, '{"lead": "Ida", "hours": 2}'), (2, 3, 20240402, 'Mangel', 4, '{"lead": "Tom", "hours": 6}'),
  (3, 3, 20240403, ' mangel', 1, NULL), (4, 4, 20240506, 'ok', 0, '{"lead": "Ida", "hours": 1}');
INSERT INTO tongue VALUES ('no', 'Norwegian'), ('es', 'Spanish'), ('de', 'German');
INSERT INTO speaks VALUES (1, 'no'), (1, 'de'), (2, 'no'), (2, 'es'), (3, 'no');
