SELECT COUNT(*) FROM kennel WHERE "how it came" = 'gift';

SELECT COUNT(*) FROM kennel WHERE "whether heated" = 1;

SELECT SUBSTR(booked, 7, 4), COUNT(*) FROM stay GROUP BY SUBSTR(booked, 7, 4);

SELECT stay_id FROM stay WHERE SUBSTR(booked, 12) >= '09:00';

SELECT stay_id FROM stay ORDER BY SUBSTR(booked, 7, 4) || '-' || SUBSTR(booked, 4, 2) || '-' || SUBSTR(booked, 1, 2) DESC LIMIT 1;

SELECT COUNT(*) FROM stay WHERE SUBSTR(arrived, -4) = '2021';

SELECT stay_id, picked_up FROM stay WHERE picked_up IS NOT NULL;

SELECT COUNT(*), SUM(dogs) FROM stay WHERE picked_up IS NULL;

SELECT COUNT(*) FROM stay WHERE JSON_EXTRACT(details, '$.food') = 'raw';

SELECT a.stay_id FROM stay a JOIN stay b ON b.kennel_id = a.kennel_id AND b.stay_id > a.stay_id AND b.dogs = a.dogs;

SELECT town FROM kennel WHERE LOWER(town) = 'lund';
