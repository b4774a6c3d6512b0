-- Airline maintenance: the records of a regional airline's engineering department, 2019 to 2024.

CREATE TABLE aircraft_type (
  type_code TEXT PRIMARY KEY,
  maker TEXT,
  model TEXT,
  seats INTEGER,
  engines INTEGER,
  "max take-off (t)" REAL
);

CREATE TABLE station (
  iata TEXT PRIMARY KEY,
  name TEXT,
  country TEXT,
  hangar TEXT,               -- Y or N
  opened TEXT,
  closed TEXT                -- NULL: in use
);

CREATE TABLE aircraft (
  msn INTEGER PRIMARY KEY,   -- manufacturer's serial number: the only name that never changes
  type_code TEXT REFERENCES aircraft_type(type_code),
  delivered TEXT,            -- YYYY-MM-DD
  home TEXT REFERENCES station(iata),
  status TEXT,               -- A active, S stored, X left the fleet
  "total time" TEXT,         -- hhhh:mm, as of the end of 2024
  cycles INTEGER
);

-- A tail number moves to another aircraft once it is free again.
CREATE TABLE registration (
  tail TEXT,
  msn INTEGER REFERENCES aircraft(msn),
  "from" TEXT,
  "to" TEXT,                 -- NULL: still worn
  PRIMARY KEY (tail, "from")
);

CREATE TABLE technician (
  staff_no TEXT PRIMARY KEY, -- five digits, leading zeros
  first_name TEXT,
  last_name TEXT,
  licence TEXT,              -- B1 mechanical, B2 avionics, C base release; NULL: unlicensed
  station TEXT REFERENCES station(iata),
  supervisor TEXT REFERENCES technician(staff_no),
  joined TEXT,
  "left" TEXT
);

CREATE TABLE part (
  part_no TEXT PRIMARY KEY,  -- 00412-07
  name TEXT,
  chapter TEXT,
  price TEXT,                -- USD 1,250.00
  "life limit" INTEGER       -- cycles; NULL: on condition
);

CREATE TABLE stock (
  part_no TEXT REFERENCES part(part_no),
  station TEXT REFERENCES station(iata),
  bin TEXT,
  quantity INTEGER,
  minimum INTEGER,
  PRIMARY KEY (part_no, station)
);

CREATE TABLE work_order (
  wo_no INTEGER PRIMARY KEY,
  msn INTEGER REFERENCES aircraft(msn),
  kind TEXT,                 -- L line, A A-check, C C-check, G aircraft on ground
  station TEXT REFERENCES station(iata),
  opened TEXT,
  closed TEXT,               -- NULL: in work
  "man-hours" TEXT           -- hh:mm
);

CREATE TABLE defect (
  defect_id INTEGER PRIMARY KEY,
  tail TEXT,                 -- as the crew wrote it, now and then without the hyphen
  msn INTEGER REFERENCES aircraft(msn),
  reported TEXT,             -- YYYY-MM-DD HH:MM
  chapter TEXT,
  complaint TEXT,
  category TEXT,             -- B, C or D if deferred, else NULL
  due TEXT,                  -- by when a deferred defect must be closed
  closed TEXT,               -- NULL: still open
  wo_no INTEGER REFERENCES work_order(wo_no)
);

CREATE TABLE task (
  wo_no INTEGER REFERENCES work_order(wo_no),
  "order" INTEGER,
  staff_no TEXT REFERENCES technician(staff_no),
  chapter TEXT,
  spent TEXT,                -- hh:mm
  inspected_by TEXT REFERENCES technician(staff_no),
  PRIMARY KEY (wo_no, "order")
);

CREATE TABLE part_change (
  change_id INTEGER PRIMARY KEY,
  wo_no INTEGER REFERENCES work_order(wo_no),
  part_no TEXT REFERENCES part(part_no),
  serial_off TEXT,
  serial_on TEXT,
  "reason" TEXT,             -- U unserviceable, L life expired, R robbed for another aircraft, M modification
  cycles_on_part INTEGER
);

-- Sent by operations every month, again if they find a mistake: no key.
CREATE TABLE utilisation (
  msn INTEGER,
  month TEXT,                -- YYYY-MM
  flown TEXT,                -- hhh:mm
  cycles INTEGER,
  revision INTEGER           -- the highest one counts
);

CREATE TABLE directive (
  number TEXT PRIMARY KEY,
  type_code TEXT REFERENCES aircraft_type(type_code),
  title TEXT,
  effective TEXT,
  due TEXT,
  chapter TEXT
);

CREATE TABLE compliance (
  number TEXT REFERENCES directive(number),
  msn INTEGER REFERENCES aircraft(msn),
  done TEXT,                 -- NULL: not yet
  wo_no INTEGER REFERENCES work_order(wo_no),
  PRIMARY KEY (number, msn)
);
