SELECT title FROM film EXCEPT SELECT title FROM film WHERE year = 1999;

SELECT title FROM film EXCEPT SELECT title FROM film WHERE type != 'short';

SELECT title FROM film EXCEPT SELECT title FROM film WHERE type != 'short' AND year = 1999;

SELECT studio_name, cntry FROM studio WHERE studio_name LIKE 'A%' AND cntry > 'a' AND id NOT IN (SELECT studio_id FROM film WHERE year = 1999 AND NumTstScr > 5);

SELECT studio_id FROM film GROUP BY studio_id HAVING MAX(score) > 7 AND MIN(year) <= 2001;

SELECT SUM(type = 'short') AS film_sum FROM film;

SELECT COUNT(*) AS film_sum FROM film;

SELECT year FROM film WHERE title = 'First';

SELECT year FROM film WHERE title LIKE 'first';
