CREATE TABLE "客户" ("编号" INTEGER PRIMARY KEY, "姓名" TEXT, "城市" TEXT);
CREATE TABLE "订单" ("订单号" INTEGER PRIMARY KEY, "客户编号" INTEGER REFERENCES "客户" ("编号"), "日期" TEXT, "金额" REAL);
CREATE TABLE "Города" ("Код" TEXT PRIMARY KEY, "НазваниеГорода" TEXT, "Население" INTEGER);
CREATE TABLE "Straße" ("Straßen-Nr." INTEGER PRIMARY KEY, "Länge (m)" REAL, "É" TEXT, "é" TEXT);
INSERT INTO "客户" VALUES (1, '王伟', '北京'), (2, '李娜', '上海'), (3, '张敏', '北京');
INSERT INTO "订单" VALUES (1, 1, '2023-01-05', 12.5), (2, 1, '2023-02-06', 80), (3, 2, '2022-11-07', 7), (4, 3, '2023-03-08', 30);
INSERT INTO "Города" VALUES ('K', 'Казань', 1308660), ('E', 'Ейск', 82943), ('M', 'Москва', 13010112);
INSERT INTO "Straße" VALUES (1, 120.5, 'a', 'b'), (2, 300, 'b', 'a'), (3, 80, 'b', 'b');
