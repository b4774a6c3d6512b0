SELECT title FROM film ORDER BY title DESC LIMIT 3;

SELECT a.title, b.title FROM film a JOIN film b ON a.year = b.year;

SELECT a.title FROM film a JOIN studio s ON a.score = s.id JOIN genre g;
