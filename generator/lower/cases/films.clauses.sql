SELECT id FROM film WHERE NumTstScr > 5;

SELECT id FROM person WHERE birth_date <= '1970-01-01';

SELECT id FROM film WHERE score = 7.5;

SELECT id FROM person WHERE strftime('%Y-%m', birth_date) = '1970-01';

SELECT f.title, f.score, s.studio_name, COUNT(*) FROM film f LEFT JOIN studio s ON s.id = f.studio_id GROUP BY f.id;

SELECT anything FROM film;

SELECT AVG(year) FROM film;

SELECT SUM(year) FROM film;

SELECT year / 2 FROM film;

SELECT year / 2.0 FROM film;

SELECT COUNT(*) FROM film;

SELECT title, COUNT(*) FROM film;

SELECT title FROM film UNION SELECT year FROM film;

SELECT CASE WHEN year > 1 THEN 'a' ELSE 'b' END FROM film;

SELECT id FROM film;

SELECT AVG(score) AS average_film_score FROM film;

SELECT AVG(score) AS result FROM film;

SELECT SUM(type = 'short') AS short_count FROM film;

SELECT id, id FROM film;

SELECT f.title FROM film f JOIN studio s ON s.id = f.studio_id WHERE s.cntry = 'fr';

SELECT f.title FROM film f JOIN studio s ON s.id = f.studio_id WHERE s.cntry LIKE 'd%';

SELECT title FROM film WHERE type = 'short';

SELECT title FROM film WHERE score > (SELECT AVG(score) FROM film WHERE type = 'feature');

SELECT id FROM film WHERE title = 'critics';

SELECT score FROM film WHERE id = 1;

SELECT studio_name FROM studio WHERE id = (SELECT studio_id FROM film ORDER BY score DESC LIMIT 1);

SELECT s.studio_name FROM studio s JOIN film f ON f.studio_id = s.id WHERE f.year = 2001;

SELECT studio_name FROM studio WHERE id IN (SELECT studio_id FROM film WHERE year = 2001);

SELECT title FROM film WHERE year = 2001;

SELECT id, title FROM film WHERE year = 2001;

SELECT title, id FROM film WHERE year = 2001;

SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id ORDER BY s.cntry LIMIT 1;

SELECT s.studio_name FROM studio s JOIN film f ON f.studio_id = s.id ORDER BY s.cntry LIMIT 1;

SELECT id FROM film WHERE title LIKE 'F%t';

SELECT id FROM film WHERE title GLOB 'F*';
