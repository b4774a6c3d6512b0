SELECT 100.0 * SUM(CASE WHEN type = 'short' THEN 1 ELSE 0 END) / COUNT(*) FROM film WHERE score > 5;

SELECT 100.0 * SUM(CASE WHEN type = 'short' THEN 1 ELSE 0 END) / COUNT(*) FROM film WHERE code = '7';

SELECT SUM(CASE WHEN type = 'short' THEN 1 ELSE 0 END), SUM(CASE WHEN type = 'feature' THEN 1 ELSE 0 END) FROM film WHERE score > 5;

SELECT COUNT(*) FROM (SELECT studio_id, COUNT(*) AS films FROM film GROUP BY studio_id) WHERE films > 1;

SELECT COUNT(*) FROM (SELECT DISTINCT director_id FROM film WHERE score > 5);

SELECT title FROM (SELECT title, RANK() OVER (PARTITION BY type ORDER BY score DESC) AS place FROM film WHERE code = '7') WHERE place <= 2;

SELECT title, score FROM (SELECT title, score, ROW_NUMBER() OVER (PARTITION BY type ORDER BY score DESC, id) AS place FROM film) WHERE place = 1;

SELECT AVG(films) FROM (SELECT studio_id, COUNT(*) AS films FROM film GROUP BY studio_id);

SELECT COUNT(code) FROM film WHERE type = 'short';

SELECT COUNT(id) FROM film WHERE type = 'short';

SELECT SUM(score) / COUNT(code) FROM film;

SELECT title FROM film WHERE code LIKE '%.%' OR code IS NULL;

SELECT title FROM film WHERE score > 5 AND score < 8;

SELECT f.title FROM film f JOIN person p ON f.director_id = p.id WHERE p.first_name = 'Ada' AND p.last_name = 'Berg' AND f.type = 'short';

SELECT title FROM film WHERE director_id = (SELECT id FROM person WHERE first_name = 'Otto');

SELECT COUNT(*) FROM film GROUP BY "year" ORDER BY "year" DESC LIMIT 1;

SELECT type, title FROM film GROUP BY type ORDER BY COUNT(*) DESC LIMIT 1;

SELECT title FROM film f LEFT JOIN (SELECT studio_id, COUNT(*) AS films FROM film GROUP BY studio_id) g ON g.studio_id = f.studio_id WHERE f.type = 'short';

SELECT first_name, last_name, birth_date FROM person ORDER BY birth_date LIMIT 1;

SELECT MIN("year") FROM film WHERE type = 'feature';
