SELECT leader FROM choir GROUP BY style ORDER BY COUNT(*) DESC LIMIT 1;

SELECT choir_id FROM choir GROUP BY style HAVING COUNT(*) > 2;

SELECT leader, style, MAX(members) FROM choir GROUP BY style;

SELECT leader, COUNT(*) FROM choir GROUP BY style;

SELECT t.town_name, t.region, COUNT(*) FROM town t JOIN choir c ON c.town_id = t.town_id GROUP BY t.town_id;

SELECT t.region, COUNT(*) FROM town t JOIN choir c ON c.town_id = t.town_id GROUP BY t.town_id;

SELECT t.region FROM town t JOIN choir c ON c.town_id = t.town_id GROUP BY t.town_id ORDER BY COUNT(*) DESC LIMIT 1;

SELECT title FROM choir GROUP BY title HAVING COUNT(*) > 1;
