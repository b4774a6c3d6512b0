SELECT title FROM film WHERE (type, year) = ('short', 1999);

SELECT title FROM film WHERE (type, year) != ('short', 1999);

SELECT title FROM film WHERE 'Berg' IN (title, code);

SELECT title FROM film WHERE 'Berg' NOT IN (title, code);

SELECT title FROM film WHERE director_id IN (SELECT id FROM person ORDER BY birth_date LIMIT 1);

SELECT COUNT(DISTINCT CASE WHEN score > 7 THEN type END) * 100.0 / COUNT(DISTINCT type) FROM film;

SELECT COUNT(*) * 100.0 / (SELECT COUNT(*) FROM film) FROM film WHERE type = 'short';

SELECT title, MAX(score, year) FROM film;

SELECT title, NULLIF(score, 6) FROM film;

SELECT printf('%s (%d)', title, year) FROM film;

SELECT concat(title, ' ', year) FROM film;

SELECT title, date(opened, 'weekday 0') FROM film;

SELECT title, date(opened, '+' || NumTstScr || ' days') FROM film;

SELECT title FROM film WHERE opened > date('2001-01-01', 'start of month');

SELECT title FROM film WHERE opened > date('2001-01-01', 'weekday 1');

SELECT title FROM film WHERE NOT (type = 'short' OR score > 7);

SELECT studio_id, COUNT(*) FILTER (WHERE score > 7) OVER (PARTITION BY studio_id) FROM film;

SELECT title, COUNT(score) OVER (PARTITION BY studio_id) FROM film;

SELECT title, SUM(score) OVER (ORDER BY year ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) FROM film;

SELECT group_concat(title, ', ' ORDER BY year) FROM film;

SELECT group_concat(DISTINCT type) FROM film;

SELECT SUM(DISTINCT score), AVG(DISTINCT score) FROM film;

SELECT title FROM film ORDER BY score DESC LIMIT (SELECT COUNT(*) / 2 FROM film);

SELECT title FROM film ORDER BY score DESC LIMIT 3 OFFSET (SELECT 1);

SELECT title FROM film WHERE substr(title, -3, 2) = 'ab';

SELECT title, substr(title, 0, 4), substr(title, 2, 1), substr(title, 3, 2) FROM film;

SELECT f.title FROM film f RIGHT JOIN studio s ON s.id = f.studio_id;

SELECT title FROM film WHERE NOT EXISTS (SELECT 1 FROM person WHERE last_name = 'Berg');

SELECT title, CASE year WHEN 1999 THEN 'a' WHEN 2001 THEN 'b' ELSE 'c' END FROM film;

SELECT title, score > 7 FROM film;

SELECT title, type IS NULL FROM film;

SELECT unixepoch(opened) - unixepoch('2001-01-01') FROM film;

SELECT s.studio_name FROM studio s WHERE (SELECT COUNT(*) FROM film f WHERE f.studio_id = s.id) = 0;

SELECT s.studio_name FROM studio s WHERE (SELECT COUNT(*) FROM film f WHERE f.studio_id = s.id) >= 1;

SELECT title, total(score) OVER () FROM film;

SELECT title FROM film WHERE (studio_id, type) IN (VALUES (1, 'short'));

VALUES (1, 'a'), (2, 'b');
