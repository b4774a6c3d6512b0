-- River freight: a barge operator on three rivers and a canal, exported from its dispatching system.

CREATE TABLE port (
  port_code TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  river TEXT,
  "river km" REAL,
  country TEXT,
  type TEXT,                 -- S seaport, I inland, B bunkering only
  cranes INTEGER,            -- NULL: never surveyed
  "max draught (m)" REAL
);

CREATE TABLE vessel (
  eni TEXT PRIMARY KEY,      -- eight digits, leading zeros kept
  name TEXT,
  class TEXT,
  type TEXT,                 -- MV motor vessel, TV tanker, PB pusher, BR barge without engine
  built INTEGER,
  "dwt (t)" INTEGER,
  "length/beam" TEXT,        -- metres, as typed: 110.0x11.4
  status TEXT,               -- A active, L laid up, X sold
  home_port TEXT REFERENCES port(port_code),
  pushed_by TEXT REFERENCES vessel(eni)
);

CREATE TABLE crew (
  crew_id INTEGER PRIMARY KEY,
  full_name TEXT,
  rank TEXT,
  born TEXT,                 -- YYYY-MM-DD
  hired TEXT,                -- DD.MM.YYYY, from the payroll system
  day_rate TEXT,             -- EUR 245.00
  mentor_id INTEGER REFERENCES crew(crew_id)
);

CREATE TABLE crew_assignment (
  eni TEXT REFERENCES vessel(eni),
  crew_id INTEGER REFERENCES crew(crew_id),
  from_date TEXT,
  to_date TEXT,              -- NULL: still on board
  role TEXT,
  PRIMARY KEY (eni, crew_id, from_date)
);

CREATE TABLE customer (
  customer_no INTEGER PRIMARY KEY,
  name TEXT,
  country TEXT,
  "group" TEXT,              -- parent company, blank or NULL when independent
  since INTEGER,
  "credit-limit" REAL,
  email TEXT
);

CREATE TABLE commodity (
  code TEXT PRIMARY KEY,     -- two digits
  name TEXT,
  type TEXT,
  hazard TEXT,
  "t/m3" REAL
);

CREATE TABLE "order" (
  order_no INTEGER PRIMARY KEY,
  customer_no INTEGER REFERENCES customer(customer_no),
  date TEXT,                 -- YYYY-MM-DD
  "character" TEXT,          -- contract or spot, typed by hand
  commodity_code TEXT REFERENCES commodity(code),
  tonnes REAL,
  from_port TEXT REFERENCES port(port_code),
  to_port TEXT REFERENCES port(port_code),
  "rate EUR/t" REAL,
  status TEXT                -- D delivered, P under way, O open, C cancelled
);

CREATE TABLE voyage (
  voyage_id INTEGER PRIMARY KEY,
  order_no INTEGER REFERENCES "order"(order_no),
  eni TEXT REFERENCES vessel(eni),
  departed TEXT,             -- YYYY-MM-DD HH:MM:SS
  arrived TEXT,              -- NULL: still under way, or never reported
  "fuel (l)" INTEGER,
  "load %" REAL,
  delay_code TEXT            -- W water level, L lock, E engine, P paperwork; blank or NULL: none
);

-- Sent in by the lock keepers; no key, and some passages arrive twice.
CREATE TABLE lock_passage (
  voyage_id INTEGER REFERENCES voyage(voyage_id),
  lock TEXT,
  "order" INTEGER,           -- first, second, ... lock of the voyage
  passed_at TEXT,            -- DD/MM/YYYY HH:MM
  wait_min TEXT,             -- a whole number, n/a or blank
  fee TEXT                   -- 34.50 EUR
);
