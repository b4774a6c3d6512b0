SELECT DISTINCT p.pilot_name FROM pilot p JOIN pilot_mark m ON p.pilot_reg_code = m.pilot_reg_code WHERE m.speed = 5;

SELECT p.id, p.pilot_reg_code FROM pilot p JOIN pilot_mark m ON p.pilot_reg_code = m.pilot_reg_code;

SELECT p.height FROM race r JOIN pilot p ON r.home_pilot_reg_code = p.pilot_reg_code WHERE r.field = 'x';

SELECT m.first_name, m.last_name FROM worker w JOIN worker m ON w.reports_to = m.id GROUP BY m.id ORDER BY COUNT(*) DESC LIMIT 1;

SELECT w.last_name FROM worker w JOIN worker t ON w.trained_by = t.id WHERE t.last_name = 'x';
