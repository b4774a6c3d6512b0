SELECT s.sample_id FROM particle p JOIN sample s ON p.sample_id = s.sample_id GROUP BY s.sample_id ORDER BY COUNT(p.particle_id) DESC LIMIT 1;

SELECT COUNT(CASE WHEN t.tie_type = '=' THEN t.tie_id ELSE NULL END) * 100.0 / COUNT(t.tie_id) FROM tie t;

SELECT CAST(COUNT(CASE WHEN p.element = 'c' THEN t.tie_id END) AS REAL) * 100 / COUNT(t.tie_id) FROM tie t JOIN tied c ON c.tie_id = t.tie_id JOIN particle p ON p.particle_id = c.particle_id;

SELECT COUNT(DISTINCT p.id) FROM patient p JOIN examination e ON p.id = e.id WHERE p.sex = 'F';

SELECT COUNT(p.particle_id) FROM particle p JOIN tie t ON p.sample_id = t.sample_id WHERE t.tie_type = '=';

SELECT AVG(p.weight) FROM patient p JOIN examination e ON p.id = e.id;

SELECT p.player_name, a.long_shots FROM player p JOIN player_attribute a ON a.player_id = p.player_id;

SELECT SUM(g.goals) FROM game g JOIN player p ON g.away_player_1 = p.player_id WHERE p.player_name = 'Ada';

SELECT SUM(g.goals) FROM game g JOIN player p ON g.away_player_1 = p.player_id;

SELECT p.player_name, CAST(SUM(a.long_shots) AS REAL) / COUNT(a.id) FROM player p JOIN player_attribute a ON a.player_id = p.player_id GROUP BY p.player_id;

SELECT (SUM(CASE WHEN strftime('%Y', rated) = '2011' THEN long_shots END) - SUM(CASE WHEN strftime('%Y', rated) = '2010' THEN long_shots END)) * 100.0 / SUM(CASE WHEN strftime('%Y', rated) = '2010' THEN long_shots END) FROM player_attribute;

SELECT COUNT(CASE WHEN sex = 'F' THEN 1 ELSE 0 END) FROM patient;

SELECT id FROM patient WHERE sex = 'F' OR '0' AND weight > 70;

SELECT id FROM patient WHERE weight - 10 > 40;

SELECT DISTINCT substr(particle_id, 7, 2) FROM particle;

SELECT score FROM examination WHERE id = 1;

SELECT strftime('%Y', 'now') - strftime('%Y', birth_date) - (strftime('%m%d', 'now') < strftime('%m%d', birth_date)) FROM patient;

SELECT CAST(julianday('now') - julianday(birth_date) AS INTEGER) / 365 FROM patient;

SELECT SUM(CASE WHEN boarded_at IS NULL THEN 1 ELSE 0 END) * 1.0 / COUNT(*) FROM examination;

SELECT COUNT(*) FROM patient WHERE email IS NULL OR email = '';

SELECT p.player_name FROM player p JOIN player_attribute a ON a.player_id = p.player_id GROUP BY p.player_id HAVING SUM(CASE WHEN a.long_shots > 55 THEN 1 ELSE 0 END) >= 1;

SELECT goals * 1.5 - 2 FROM game;

SELECT i.institute_name, p.institute_name, g.institute_name FROM institute i JOIN institute p ON i.parent_id = p.institute_id JOIN institute g ON p.parent_id = g.institute_id;

WITH RECURSIVE under(id) AS (SELECT institute_id FROM institute WHERE institute_name = 'Root' UNION ALL SELECT i.institute_id FROM institute i JOIN under u ON i.parent_id = u.id) SELECT COUNT(*) FROM under;

SELECT LOWER(TRIM(item)), COUNT(*) FROM reading GROUP BY LOWER(TRIM(item));

SELECT IFNULL(weight, 0) FROM patient;

SELECT player_id, RANK() OVER (PARTITION BY rated ORDER BY long_shots) FROM player_attribute;

SELECT player_name FROM player ORDER BY player_name LIMIT 10 OFFSET 10;

SELECT player_id FROM player_attribute ORDER BY long_shots DESC LIMIT 1 OFFSET 1;

SELECT date(ts_ms / 1000, 'unixepoch') FROM reading;

SELECT item FROM reading WHERE erdat / 10000 = 2021;

SELECT item FROM reading WHERE status_bits & 4 > 0;

SELECT json_extract(payload, '$.v') FROM reading;

SELECT payload ->> '$.v' FROM reading WHERE item = 'A';

SELECT p.id FROM patient p WHERE p.birth_date < date('2005-01-01', '-15 years');

SELECT SUM(MIN(long_shots, 40)) FROM player_attribute;

SELECT substr(taken, 1, instr(taken, '-') - 1), substr(particle_id, instr(particle_id, '_') + 1) FROM examination, particle;

SELECT item, COUNT(*) FROM reading GROUP BY item ORDER BY COUNT(*) DESC LIMIT 2;
