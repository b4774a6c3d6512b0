SELECT COUNT(*) FROM 客户 WHERE 城市 = '北京';

SELECT T1.姓名 FROM 客户 AS T1 INNER JOIN 订单 AS T2 ON T1.编号 = T2.客户编号 WHERE T2.金额 > 20;

SELECT STRFTIME('%Y', 日期), SUM(金额) FROM 订单 GROUP BY STRFTIME('%Y', 日期);

SELECT НазваниеГорода FROM Города WHERE Население > 1000000 ORDER BY Население DESC;

SELECT "Länge (m)" FROM "Straße" WHERE "É" = 'b' AND "é" = 'a';
