SELECT COUNT(*) / 12.0 FROM invoice;

SELECT price * 60 FROM invoice;

SELECT 1 - cost / price FROM invoice;

SELECT price + 5000 FROM invoice;

SELECT SUM(price * quantity * cost) FROM invoice;

SELECT price * 1.0 / cost FROM invoice;

SELECT quantity % 2 FROM invoice;

SELECT id FROM invoice ORDER BY -price LIMIT 1;

SELECT id FROM invoice WHERE quantity = 12;

SELECT SUM(price) / COUNT(*) FROM invoice;

SELECT SUM(height) * 1.0 / COUNT(*) FROM client;

SELECT SUM(price) / COUNT(DISTINCT client_id) FROM invoice;

SELECT SUM(total) / COUNT(*) FROM invoice;

SELECT area / population FROM region;

SELECT total / 30, COUNT(*) FROM invoice GROUP BY total / 30;

SELECT AVG(height > 5) FROM client;

SELECT AVG(CASE WHEN segment = 'home' THEN height ELSE 0 END) FROM client;

SELECT (price - cost) / cost FROM invoice;

SELECT (price - cost) / price FROM invoice;

SELECT (price - cost) * 100 / cost FROM invoice;

SELECT date(issued, '+7 days') FROM invoice;

SELECT date(issued, 'start of month') FROM invoice;

SELECT paid - issued FROM invoice;

SELECT julianday(paid) - julianday(issued) FROM invoice;

SELECT DISTINCT substr(month_text, 1, 4) FROM invoice;

SELECT id, SUM(price) OVER (PARTITION BY client_id ORDER BY issued ROWS UNBOUNDED PRECEDING) FROM invoice;

SELECT id, AVG(price) OVER (ORDER BY issued ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM invoice;

SELECT id, SUM(price) OVER (PARTITION BY client_id) FROM invoice;

SELECT id, first_value(price) OVER (ORDER BY issued) FROM invoice;

SELECT client_id FROM invoice GROUP BY client_id ORDER BY MAX(price) DESC LIMIT 1;
