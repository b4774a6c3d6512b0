SELECT f.title FROM film f JOIN person d ON f.director_id = d.id JOIN person w ON f.writer_id = w.id WHERE d.last_name = w.last_name;

SELECT f.title FROM film f JOIN person p ON f.id = p.id;

SELECT a.title FROM film a JOIN film b ON a.year = b.year WHERE a.id < b.id;

SELECT studio_name FROM studio s WHERE (SELECT COUNT(*) FROM film f WHERE f.studio_id = s.id) > 1;

SELECT title FROM film f WHERE opened = (SELECT MAX(opened) FROM film g WHERE g.studio_id = f.studio_id);

SELECT title FROM film f WHERE (SELECT COUNT(*) FROM film g WHERE g.score > f.score) < 3;

SELECT title FROM film WHERE director_id IN (SELECT writer_id FROM film WHERE type = 'short');

SELECT title FROM film WHERE (type, year) IN (SELECT type, MAX(year) FROM film GROUP BY type);

SELECT title FROM film WHERE id IN (SELECT id FROM film ORDER BY score DESC LIMIT 3);

SELECT studio_name FROM studio WHERE id NOT IN (SELECT studio_id FROM film WHERE studio_id IS NOT NULL);

SELECT studio_name FROM studio WHERE id NOT IN (SELECT studio_id FROM film WHERE year = 2001 UNION SELECT studio_id FROM film WHERE score > 8);

SELECT title FROM film WHERE year = 1999 AND id NOT IN (SELECT id FROM film WHERE year = 2001);

SELECT last_name FROM person EXCEPT SELECT p.last_name FROM person p JOIN film f ON f.director_id = p.id;

SELECT id FROM studio EXCEPT SELECT s.id FROM studio s JOIN film f ON f.studio_id = s.id;

SELECT type FROM film WHERE year > 2005 INTERSECT SELECT type FROM film WHERE year < 2000;

SELECT title FROM film UNION SELECT 'none';

SELECT title FROM film UNION SELECT studio_name FROM studio ORDER BY title LIMIT 4;

SELECT p.last_name FROM person p JOIN film f ON f.director_id = p.id WHERE f.score = (SELECT MAX(score) FROM film);

SELECT COUNT(*) FROM film WHERE studio_id = (SELECT id FROM studio ORDER BY cntry LIMIT 1);

SELECT COUNT(*) FROM film UNION SELECT COUNT(*) FROM studio;

SELECT studio_id FROM film GROUP BY studio_id HAVING COUNT(*) > 1 OR MAX(score) > 8;

SELECT title FROM film WHERE type = 'short' OR 'feature';

SELECT title FROM film WHERE NumTstScr > (SELECT COUNT(*) FROM studio) - 12;

SELECT title FROM film WHERE score > (SELECT AVG(score) * 1.2 FROM film);

SELECT title FROM film WHERE NumTstScr = score + 3;

SELECT title FROM film WHERE year BETWEEN 1999 AND NumTstScr;

SELECT SUM(CASE WHEN type = 'short' OR score > 7 THEN 1 ELSE 0 END) FROM film;

SELECT SUM(CASE WHEN EXISTS (SELECT 1 FROM film f WHERE f.studio_id = s.id) THEN 1 ELSE 0 END) FROM studio s;

SELECT title FROM film WHERE score > (SELECT MAX(score) FROM film) * 0.9;

SELECT place FROM (SELECT studio_name AS place, COUNT(*) FROM studio JOIN film ON film.studio_id = studio.id WHERE film.year = 2001 GROUP BY studio.id ORDER BY COUNT(*) DESC LIMIT 1);

SELECT title FROM film WHERE NumTstScr > (SELECT AVG(score) FROM film);

SELECT title FROM film WHERE year = (SELECT MAX(NumTstScr) FROM film);

SELECT title FROM film WHERE title = (SELECT studio_name FROM studio ORDER BY cntry LIMIT 1);

SELECT title, type FROM film WHERE type IS NOT NULL;

SELECT title FROM film WHERE year = 2001 AND score = (SELECT MAX(score) FROM film);

SELECT title FROM film WHERE year = 2001 AND score = (SELECT MAX(score) FROM film WHERE year = 2001);

SELECT title FROM film WHERE year = 2001 AND type = 'short' AND score = (SELECT MAX(score) FROM film WHERE year = 2001);

SELECT f.title FROM film f JOIN studio s ON s.id = f.studio_id WHERE s.cntry = (SELECT MAX(cntry) FROM studio);

SELECT f.title FROM film f LEFT JOIN studio s ON s.id = f.studio_id AND s.cntry = 'fr' WHERE s.id IS NULL;

SELECT f.title, s.studio_name FROM film f LEFT JOIN studio s ON s.id = f.studio_id AND s.cntry = 'fr';

SELECT title FROM film LIMIT 50;

SELECT DISTINCT s.studio_name FROM studio s JOIN film f ON f.studio_id = s.id;

SELECT s.studio_name FROM studio s LEFT JOIN film f ON f.studio_id = s.id AND f.title IS NULL WHERE f.id IS NULL;
