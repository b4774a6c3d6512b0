SELECT title FROM film WHERE type = 'short';

SELECT title FROM film WHERE NumTstScr > 5 AND year <= 2000;

SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id WHERE f.title = 'First';

SELECT f.score FROM film f JOIN person d ON f.director_id = d.id WHERE d.first_name = 'Ada' AND d.last_name = 'Berg';

SELECT COUNT(*) FROM film f JOIN film_genre l ON l.film_id = f.id JOIN genre g ON g.id = l.genre_id WHERE g.genre = 'drama';

SELECT COUNT(*) FROM film_genre l JOIN film f ON l.film_id = f.id WHERE f.title = 'Second';

SELECT CAST(SUM(CASE WHEN type = 'short' THEN 1 ELSE 0 END) AS REAL) * 100 / COUNT(*) FROM film WHERE year = 2001;

SELECT title FROM film ORDER BY NumTstScr DESC LIMIT 1;

SELECT MAX(score), MIN(score) FROM film;

SELECT s.studio_name, COUNT(*) FROM film f JOIN studio s ON f.studio_id = s.id GROUP BY s.id;

SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id GROUP BY s.id ORDER BY COUNT(*) DESC LIMIT 1;

SELECT s.studio_name FROM film f JOIN studio s ON f.studio_id = s.id GROUP BY s.id HAVING COUNT(*) >= 2;

SELECT studio_name FROM studio WHERE id NOT IN (SELECT studio_id FROM film WHERE year = 1999);

SELECT title FROM film WHERE year = 2001 EXCEPT SELECT title FROM film WHERE year = 1999;

SELECT title FROM film WHERE type = 'short' OR type = 'feature' ORDER BY year DESC;

SELECT title FROM film WHERE score = (SELECT MAX(score) FROM film);

SELECT title FROM film WHERE score > (SELECT AVG(score) FROM film);

SELECT title FROM film WHERE opened > '2001-01-01' AND type IS NOT NULL;

SELECT title FROM film WHERE opened BETWEEN '2001-01-01' AND '2001-12-31';

SELECT title FROM film WHERE strftime('%Y', opened) = '2001';

SELECT title FROM film WHERE type != 'short' AND code NOT IN ('7', '8');

SELECT SUM(type = 'short') * 1.0 / SUM(type = 'feature') FROM film;

SELECT strftime('%Y', 'now') - strftime('%Y', birth_date) FROM person;

SELECT first_name || ' ' || last_name FROM person;
