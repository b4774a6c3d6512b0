-- Container port: one year of a terminal in the zone UTC+1 (+2 in summer), 2024.

CREATE TABLE line (
  line_code TEXT PRIMARY KEY,
  name TEXT,
  country TEXT
);

CREATE TABLE vessel (
  imo INTEGER PRIMARY KEY,
  name TEXT,
  line_code TEXT REFERENCES line(line_code),
  flag TEXT,
  teu INTEGER,               -- how many 20-foot containers it holds
  "length m" REAL
);

CREATE TABLE berth (
  berth_no INTEGER PRIMARY KEY,
  quay TEXT,
  "length m" REAL,
  "draught m" REAL
);

CREATE TABLE call (
  call_id INTEGER PRIMARY KEY,
  imo INTEGER REFERENCES vessel(imo),
  berth_no INTEGER REFERENCES berth(berth_no),   -- NULL = the call was cancelled
  due TEXT,                  -- YYYY-MM-DD HH:MM, local, no zone
  arrived TEXT,              -- YYYY-MM-DDTHH:MM+01:00
  sailed TEXT,               -- YYYY-MM-DDTHH:MM+01:00
  "from" TEXT,
  "to" TEXT
);

CREATE TABLE container_type (
  type_code TEXT PRIMARY KEY,  -- 22G1
  name TEXT,
  feet INTEGER,
  tare_kg INTEGER
);

CREATE TABLE container (
  container_no TEXT PRIMARY KEY,  -- four letters, six digits, one check digit
  line_code TEXT REFERENCES line(line_code),
  type_code TEXT REFERENCES container_type(type_code),
  built INTEGER,
  note TEXT
);

CREATE TABLE booking (
  booking_no TEXT PRIMARY KEY,
  line_code TEXT REFERENCES line(line_code),
  customer TEXT,
  way TEXT,                  -- I import, E export, T from ship to ship
  goods TEXT,
  hazard TEXT,               -- class such as 3 or 8; NULL = harmless
  "temp C" REAL              -- NULL = not cooled
);

CREATE TABLE booking_container (
  booking_no TEXT REFERENCES booking(booking_no),
  container_no TEXT REFERENCES container(container_no),
  gross REAL,
  unit TEXT,                 -- t or kg
  seal TEXT,
  PRIMARY KEY (booking_no, container_no)
);

CREATE TABLE crane (
  crane_no INTEGER PRIMARY KEY,
  kind TEXT,                 -- STS ship to shore, RTG yard
  built INTEGER,
  "max t" REAL
);

CREATE TABLE crane_stop (
  crane_no INTEGER REFERENCES crane(crane_no),
  began TEXT,                -- YYYY-MM-DD HH:MM, local, no zone
  "end" TEXT,                -- NULL = still stopped
  cause TEXT,
  PRIMARY KEY (crane_no, began)
);

CREATE TABLE move (
  move_id INTEGER PRIMARY KEY,
  booking_no TEXT REFERENCES booking(booking_no),
  container_no TEXT REFERENCES container(container_no),
  kind TEXT,                 -- DI discharged, LO loaded, GI in by the gate, GO out by the gate
  at TEXT,                   -- YYYY-MM-DD HH:MM, local, no zone
  call_id INTEGER REFERENCES call(call_id),      -- NULL at the gate
  crane_no INTEGER REFERENCES crane(crane_no),
  lifted REAL                -- t, by the crane's scale; NULL = scale out of order
);

CREATE TABLE "check" (
  check_no INTEGER PRIMARY KEY,
  container_no TEXT REFERENCES container(container_no),
  at TEXT,                   -- YYYY-MM-DDTHH:MM+01:00
  by TEXT,                   -- customs, port state, health
  how TEXT,                  -- X x-ray, O opened, P papers only
  result TEXT,               -- ok, held, fined; NULL = running
  kg INTEGER                 -- weighed; NULL = not weighed
);

CREATE TABLE storage_bill (
  bill_no INTEGER PRIMARY KEY,
  booking_no TEXT REFERENCES booking(booking_no),
  container_no TEXT REFERENCES container(container_no),
  days INTEGER,              -- beyond the free ones
  euros REAL,
  paid_on TEXT               -- YYYY-MM-DD; NULL = unpaid
);

-- Typed at the gate: no key, container numbers as typed.
CREATE TABLE truck (
  came TEXT,                 -- YYYY-MM-DD HH:MM, local, no zone
  went TEXT,                 -- HH:MM, may be after midnight
  plate TEXT,
  firm TEXT,
  container TEXT
);

-- Sent by the cooled containers themselves, in UTC.
CREATE TABLE reefer_reading (
  container_no TEXT REFERENCES container(container_no),
  at TEXT,                   -- YYYY-MM-DDTHH:MMZ
  "C" REAL,
  alarm TEXT,                -- NULL = none
  PRIMARY KEY (container_no, at)
);
