SELECT in_use, SUM(CASE unit WHEN 'ST' THEN 1 ELSE 0 END), COUNT(CASE unit WHEN 'KG' THEN 1 END) FROM part GROUP BY in_use;

SELECT CAST(SUM(CASE unit WHEN 'ST' THEN 1 ELSE 0 END) AS REAL) / COUNT(*) FROM part;

SELECT SUM(CASE unit WHEN 'ST' THEN price ELSE 0 END) FROM part;

SELECT MAX(sold_ms - made_ms) FROM part;

SELECT name, (sold_ms - made_ms) / 60000.0 FROM part WHERE (sold_ms - made_ms) / 1000 > 30;

SELECT COUNT(*) FROM part WHERE NOT in_use;

SELECT name FROM part WHERE in_use IS TRUE;

SELECT o.weekday, COUNT(*) FROM delivery d LEFT JOIN day s ON s.day_key = d.ship_day_key JOIN day o ON o.day_key = d.order_day_key WHERE s.day_key IS NULL GROUP BY o.weekday;

SELECT name, RANK() OVER (ORDER BY price DESC, price, id) FROM part;

SELECT SUM(price) FROM part WHERE parent_id IN (SELECT id FROM part WHERE name LIKE 'wh%');

SELECT name FROM part c WHERE EXISTS (SELECT 1 FROM part p WHERE p.id = c.parent_id AND p.price > 30);

SELECT name FROM part WHERE id IN (SELECT parent_id FROM part WHERE price > 5);

WITH RECURSIVE below (id, level) AS (SELECT id, 0 FROM part WHERE name = 'frame' UNION ALL SELECT p.id, b.level + 1 FROM part p JOIN below b ON p.parent_id = b.id WHERE b.level < 9) SELECT MAX(level) FROM below;

SELECT id, 'part' AS kind FROM part UNION ALL SELECT id, 'delivery' FROM delivery ORDER BY 1, 2;

SELECT a.name, b.name FROM part a JOIN part b ON a.name LIKE '%' || b.name || '%' AND a.id <> b.id;

SELECT id >> 2, id | 1, ~id, id & 4 FROM part WHERE 1 = 1 AND price > 5 ORDER BY 'name', id;

SELECT unixepoch(full_date), strftime('%s', full_date), strftime('%Y', full_date) FROM day WHERE weekday = 'Monday';

SELECT unit FROM part GROUP BY unit HAVING SUM(CASE WHEN price > 10 THEN 1 ELSE 0 END) > 0 OR COUNT(*) FILTER (WHERE in_use = 1) > 1;

SELECT COUNT(*) FROM invoice i JOIN delivery d ON d.id = i.delivery_id;
