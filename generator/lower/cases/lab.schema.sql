CREATE TABLE sample (sample_id TEXT PRIMARY KEY, label TEXT);
CREATE TABLE particle (
  particle_id TEXT PRIMARY KEY, sample_id TEXT REFERENCES sample(sample_id), element TEXT
);
CREATE TABLE tie (tie_id TEXT PRIMARY KEY, sample_id TEXT REFERENCES sample(sample_id), tie_type TEXT);
CREATE TABLE tied (
  particle_id TEXT REFERENCES particle(particle_id), particle_id2 TEXT REFERENCES particle(particle_id),
  tie_id TEXT REFERENCES tie(tie_id), PRIMARY KEY (particle_id, particle_id2)
);
CREATE TABLE patient (id INTEGER PRIMARY KEY, sex TEXT, birth_date TEXT, email TEXT, weight REAL);
CREATE TABLE examination (id INTEGER REFERENCES patient(id), taken TEXT, score REAL, boarded_at TEXT);
CREATE TABLE player (player_id INTEGER PRIMARY KEY, player_name TEXT);
CREATE TABLE player_attribute (
  id INTEGER PRIMARY KEY, player_id INTEGER REFERENCES player(player_id), long_shots INTEGER, rated TEXT
);
CREATE TABLE game (
  game_id INTEGER PRIMARY KEY, home_player_1 INTEGER REFERENCES player(player_id),
  away_player_1 INTEGER REFERENCES player(player_id), goals INTEGER
);
CREATE TABLE institute (institute_id INTEGER PRIMARY KEY, institute_name TEXT, parent_id INTEGER REFERENCES institute(institute_id));
CREATE TABLE reading (ts_ms INTEGER, payload TEXT, status_bits INTEGER, erdat INTEGER, item TEXT);
INSERT INTO sample VALUES ('TR000', '+'), ('TR001', '-');
INSERT INTO particle VALUES ('TR000_1', 'TR000', 'c'), ('TR000_2', 'TR000', 'n'), ('TR001_1', 'TR001', 'c');
INSERT INTO tie VALUES ('TR000_1_2', 'TR000', '-'), ('TR001_1_1', 'TR001', '='), ('TR001_1_2', 'TR001', '=');
INSERT INTO tied VALUES ('TR000_1', 'TR000_2', 'TR000_1_2'), ('TR000_2', 'TR000_1', 'TR000_1_2'), ('TR001_1', 'TR001_1', 'TR001_1_1');
INSERT INTO patient VALUES (1, 'F', '1990-03-04', NULL, 61.5), (2, 'M', '1985-10-01', '', NULL), (3, 'F', '1970-01-01', 'a@b', 80);
INSERT INTO examination VALUES (1, '2020-01-01', 5.5, NULL), (1, '2021-05-05', 6, '10'), (3, '2021-06-01', NULL, '12');
INSERT INTO player VALUES (1, 'Ada'), (2, 'Bo');
INSERT INTO player_attribute VALUES (1, 1, 50, '2010-01-01'), (2, 1, 60, '2011-01-01'), (3, 2, NULL, '2011-01-01');
INSERT INTO game VALUES (1, 1, 2, 3), (2, 2, 1, 0), (3, 1, NULL, 1);
INSERT INTO institute VALUES (1, 'Root', NULL), (2, 'Mid', 1), (3, 'Leaf', 2);
INSERT INTO reading VALUES (1700000000000, '{"v": 3}', 6, 20210304, 'A'), (1700000100000, '{"v": 4}', 1, 20220304, 'B'),
  (1700000200000, '{"v": 5}', 1, 20230304, 'B');
