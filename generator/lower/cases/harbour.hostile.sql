SELECT date(arrived_at, 'unixepoch'), COUNT(*) FROM port_call GROUP BY date(arrived_at, 'unixepoch');

SELECT call_id FROM port_call WHERE strftime('%Y', arrived_at, 'unixepoch') = '2024' AND left_at IS NULL;

SELECT AVG(left_at - arrived_at) / 3600.0 FROM port_call WHERE left_at IS NOT NULL;

SELECT v.nombre, (c.left_at - c.arrived_at) / 3600 FROM port_call c JOIN vessel v ON v.imo = c.imo;

SELECT nombre FROM vessel WHERE built / 10000 = 2007;

SELECT built / 10000, COUNT(*) FROM vessel GROUP BY built / 10000;

SELECT nombre FROM vessel WHERE 2024 - built / 10000 > 15;

SELECT COUNT(*) FROM vessel WHERE equipment_bits & 4;

SELECT COUNT(*) FROM vessel WHERE (equipment_bits & 2) = 0;

SELECT json_extract(details, '$.lead'), SUM(defects) FROM inspection GROUP BY json_extract(details, '$.lead');

SELECT inspection_id FROM inspection WHERE json_extract(details, '$.hours') >= 2;

SELECT LOWER(TRIM(befund)), COUNT(*) FROM inspection GROUP BY LOWER(TRIM(befund));

SELECT UPPER(TRIM(bandera)), COUNT(*) FROM vessel WHERE bandera IS NOT NULL GROUP BY UPPER(TRIM(bandera)) HAVING COUNT(*) > 1;

SELECT p.first_name, p.last_name, m.first_name, m.last_name FROM pilot p JOIN pilot m ON p.mentor_id = m.pilot_id;

SELECT p.last_name, g.last_name FROM pilot p JOIN pilot m ON p.mentor_id = m.pilot_id JOIN pilot g ON m.mentor_id = g.pilot_id;

SELECT i.last_name, o.last_name FROM port_call c JOIN pilot i ON c.pilot_in = i.pilot_id JOIN pilot o ON c.pilot_out = o.pilot_id WHERE i.pilot_id <> o.pilot_id;

SELECT COUNT(*) FROM port_call c JOIN pilot p ON c.pilot_out = p.pilot_id WHERE p.last_name = 'Sund';

SELECT f.firm_name, COUNT(*) FROM vessel v JOIN firm f ON v.operator_id = f.firm_id GROUP BY f.firm_id;

SELECT v.nombre FROM vessel v JOIN firm o ON v.owner_id = o.firm_id JOIN firm p ON o.parent_firm_id = p.firm_id WHERE p.firm_name = 'Norden';

WITH RECURSIVE below(firm_id) AS (SELECT firm_id FROM firm WHERE firm_name = 'Norden' UNION SELECT f.firm_id FROM firm f JOIN below b ON f.parent_firm_id = b.firm_id) SELECT COUNT(*) FROM vessel WHERE owner_id IN (SELECT firm_id FROM below);

SELECT pier, SUM(CASE WHEN heated = 1 THEN 1 ELSE 0 END) FROM berth GROUP BY pier HAVING SUM(CASE WHEN depth_cm > 1000 THEN 1 ELSE 0 END) >= 1;

SELECT b.pier FROM port_call c JOIN berth b ON b.berth_id = c.berth_id GROUP BY b.pier HAVING COUNT(CASE WHEN c.tugs > 1 THEN 1 END) * 2 > COUNT(*);

SELECT v.nombre, c.cargo_t FROM port_call c JOIN vessel v ON v.imo = c.imo WHERE c.cargo_t = (SELECT MAX(x.cargo_t) FROM port_call x WHERE x.imo = c.imo);

SELECT berth_id, MAX(arrived_at) FROM port_call GROUP BY berth_id;

SELECT nombre FROM (SELECT v.nombre, v.owner_id, RANK() OVER (PARTITION BY v.owner_id ORDER BY v.eslora DESC) AS r FROM vessel v) WHERE r = 1;

SELECT first_name, CAST((julianday('now') - julianday(born)) / 365.25 AS INTEGER) FROM pilot;

SELECT last_name FROM pilot WHERE (strftime('%Y', 'now') - strftime('%Y', born)) - (strftime('%m-%d', 'now') < strftime('%m-%d', born)) >= 40;

SELECT AVG(strftime('%Y', 'now') - strftime('%Y', born)) FROM pilot;

SELECT p.last_name FROM pilot p WHERE NOT EXISTS (SELECT 1 FROM speaks s WHERE s.pilot_id = p.pilot_id AND s.tongue_code = 'es');

SELECT p.last_name, COUNT(*) FROM pilot p JOIN speaks s ON s.pilot_id = p.pilot_id GROUP BY p.pilot_id;

SELECT COUNT(*) FROM pilot p JOIN speaks s ON s.pilot_id = p.pilot_id JOIN tongue t ON t.tongue_code = s.tongue_code WHERE t.tongue = 'German' AND p.born < '1990-01-01';

SELECT last_name FROM pilot WHERE pilot_id NOT IN (SELECT pilot_id FROM speaks);

SELECT COUNT(DISTINCT pilot_in) FROM port_call;

SELECT COUNT(DISTINCT owner_id) FROM vessel WHERE eslora > 100;

SELECT v.nombre FROM vessel v LEFT JOIN port_call c ON c.imo = v.imo AND c.tugs > 2 WHERE c.call_id IS NULL;

SELECT f.firm_name, IFNULL(SUM(c.cargo_t), 0) FROM firm f LEFT JOIN vessel v ON v.owner_id = f.firm_id LEFT JOIN port_call c ON c.imo = v.imo GROUP BY f.firm_id;

SELECT pier, AVG(depth_cm) - (SELECT AVG(depth_cm) FROM berth) FROM berth GROUP BY pier;

SELECT 100.0 * SUM(left_at IS NULL) / COUNT(*) FROM port_call;

SELECT SUM(cargo_t) FILTER (WHERE tugs = 0) * 100.0 / SUM(cargo_t) FROM port_call;

SELECT nombre FROM vessel ORDER BY eslora DESC LIMIT 2 OFFSET 1;

SELECT nombre FROM vessel v WHERE (SELECT COUNT(*) FROM port_call c WHERE c.imo = v.imo) = 2;

SELECT strftime('%m', arrived_at, 'unixepoch'), COUNT(*) * 1.0 / COUNT(DISTINCT imo) FROM port_call GROUP BY 1 ORDER BY 2 DESC LIMIT 1;

SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM inspection GROUP BY datum / 100);

SELECT CASE WHEN cargo_t >= 10000 THEN 'large' WHEN cargo_t >= 500 THEN 'middle' ELSE 'small' END, COUNT(*) FROM port_call GROUP BY 1;

SELECT a.nombre, b.nombre FROM vessel a JOIN vessel b ON a.owner_id = b.owner_id AND a.imo < b.imo;

SELECT nombre, bandera FROM vessel WHERE LENGTH(nombre) > 4 OR bandera LIKE '%T%' ORDER BY COALESCE(bandera, 'zz'), nombre;

SELECT firm_name FROM firm WHERE founded < date('now', '-50 years');

SELECT MIN(built), nombre FROM vessel;

SELECT SUM(cargo_t), imo FROM port_call WHERE tugs > 0;

SELECT f.firm_name FROM vessel v JOIN firm f ON v.owner_id = f.firm_id AND v.operator_id = f.firm_id WHERE v.nombre = 'Brisa';

SELECT DISTINCT p.last_name FROM pilot p JOIN berth b WHERE b.depth_cm > 1000;

SELECT v.nombre FROM vessel v WHERE v.owner_id IN (SELECT firm_id FROM firm WHERE firm_name = 'Halbmond');

SELECT nombre FROM vessel WHERE bandera = 'PT' OR bandera IS NULL;

SELECT nombre FROM vessel WHERE owner_id = 2 AND operator_id = 1 OR owner_id = 3 AND operator_id = 3;

SELECT COUNT(*) FROM (SELECT imo FROM port_call WHERE tugs > 0 GROUP BY imo);

SELECT DISTINCT b.pier FROM port_call c JOIN berth b ON b.berth_id = c.berth_id GROUP BY b.berth_id HAVING COUNT(*) > 1;

SELECT AVG(CAST(substr(tonnage, 1, instr(tonnage, ':') - 1) AS INTEGER) * 60 + CAST(substr(tonnage, instr(tonnage, ':') + 1) AS REAL)) FROM (SELECT founded AS tonnage FROM firm);
