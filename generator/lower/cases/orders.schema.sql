-- A shop with what makes SQL hard: NULLs, ties, mixed types, odd names, digits as text, no primary key.
CREATE TABLE customer (id INTEGER PRIMARY KEY, "first name" TEXT, last_name TEXT COLLATE NOCASE, city TEXT,
  born DATE, "Percent (%) off" REAL, type TEXT, "group" TEXT, referred_by INTEGER REFERENCES customer(id));
CREATE TABLE product (sku TEXT PRIMARY KEY, title TEXT, price REAL, stock INTEGER, kind TEXT, "order" INTEGER) WITHOUT ROWID;
CREATE TABLE "order" (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), date TEXT, status TEXT, total NUMERIC);
CREATE TABLE line (order_id INTEGER REFERENCES "order"(id), sku TEXT REFERENCES product(sku), quantity INTEGER, note);
CREATE TABLE rating (customer_id INTEGER, sku TEXT, stars TEXT, PRIMARY KEY (customer_id, sku));

INSERT INTO customer VALUES
  (1,'Ada','Byron','London','1815-12-10',0.5,'A','x',NULL),(2,'Grace','Hopper','New York','1906-12-09',NULL,'B','y',1),
  (3,'Alan','Turing','London','1912-06-23',0.25,'A','x',1),(4,'Edsger','Dijkstra','Rotterdam','1930-05-11',0,'C',NULL,2),
  (5,'Barbara','Liskov','Los Angeles','1939-11-07',1.5,'B','y',3),(6,'Ada','byron',NULL,NULL,NULL,NULL,'x',NULL),
  (7,'O''Neil','D"Arcy','Paris','1815-12-10',0.5,'a','x',1);
INSERT INTO product VALUES
  ('a1','Loom',100,5,'tool',3),('b2','Compiler',0.5,NULL,'tool',1),('c3','Bombe',2500.75,1,'machine',2),
  ('d4','Semaphore',12,12,NULL,3),('e5','Type','9.5',7,'machine',NULL);
INSERT INTO "order" VALUES
  (1,1,'2020-01-05','open',120.5),(2,1,'2020-02-11','done',10),(3,2,'2021-01-05','done',2500.75),
  (4,3,'2021-07-30','open',12),(5,5,'2022-03-01','lost',NULL),(6,NULL,'2022-03-01','done',9.5),(7,2,'2022-12-31 10:00:00','done',10);
INSERT INTO line VALUES
  (1,'a1',1,NULL),(1,'b2',41,'x'),(2,'b2',20,7),(3,'c3',1,'y'),(4,'d4',1,1.5),(6,'e5',1,NULL),(7,'b2',20,'x'),(7,'b2',20,'x'),(NULL,'a1',2,'');
INSERT INTO rating VALUES (1,'a1','5'),(1,'b2','10'),(2,'c3','9'),(3,'d4',NULL),(5,'a1','5'),(7,'zz','1');
