-- Hospital laboratory: orders from the wards, samples, results as the machines print them, controls and the machines themselves, 2023 and 2024.

CREATE TABLE ward (
  ward TEXT PRIMARY KEY,     -- ICU, ER, M1, …
  name TEXT,
  "group" TEXT,              -- surgery, medicine, children, outside
  beds INTEGER,              -- NULL for outpatients and outside senders
  phone TEXT
);

CREATE TABLE patient (
  patient_id INTEGER PRIMARY KEY,
  initials TEXT,             -- names stay with the hospital
  sex TEXT,                  -- F, M, X
  born TEXT,                 -- YYYY-MM-DD; only the year for who came in unconscious
  blood TEXT                 -- A+, 0-, …; NULL = never typed
);

CREATE TABLE analyte (
  code TEXT PRIMARY KEY,     -- NA, K, GLU, …
  name TEXT,
  section TEXT,              -- chemistry, haematology, clotting, serology, urine
  unit TEXT,                 -- the unit of today
  old_unit TEXT,             -- until the change, NULL = never changed
  factor REAL,               -- value in the unit of today = value in the old one times this
  low REAL,                  -- normal range, in the unit of today; NULL = no lower end
  high REAL,
  minutes INTEGER            -- promised from sample in to result out
);

CREATE TABLE "order" (
  order_no INTEGER PRIMARY KEY,
  patient_id INTEGER REFERENCES patient(patient_id),
  ward TEXT REFERENCES ward(ward),
  placed TEXT,               -- YYYY-MM-DD HH:MM
  urgency TEXT,              -- R routine, U urgent, L life-threatening
  doctor TEXT,
  cancelled TEXT             -- why; NULL = not cancelled
);

CREATE TABLE sample (
  sample_id TEXT PRIMARY KEY,  -- 23-000123
  order_no INTEGER REFERENCES "order"(order_no),
  tube TEXT,                 -- serum, EDTA, citrate, urine
  drawn TEXT,                -- YYYY-MM-DD HH:MM, NULL = the ward did not write it down
  arrived TEXT,              -- YYYY-MM-DD HH:MM
  quality TEXT               -- ok, haemolysed, clotted, too little, mislabelled
);

CREATE TABLE machine (
  machine_id INTEGER PRIMARY KEY,
  name TEXT,
  section TEXT,
  installed TEXT,            -- YYYY-MM-DD
  retired TEXT               -- YYYY-MM-DD, NULL while running
);

CREATE TABLE technician (
  technician_id INTEGER PRIMARY KEY,
  name TEXT,
  grade TEXT,                -- T1, T2, S senior, H head
  section TEXT,              -- NULL = works everywhere
  since TEXT,                -- YYYY-MM-DD
  trained_by INTEGER REFERENCES technician(technician_id)
);

CREATE TABLE result (
  sample_id TEXT REFERENCES sample(sample_id),
  code TEXT REFERENCES analyte(code),
  value TEXT,                -- 4.1, <0.5, >1.7, neg, pos, pos ++, see comment
  unit TEXT,                 -- as printed: the old unit until the change
  flag TEXT,                 -- H, L, HH, LL; NULL = normal
  machine_id INTEGER REFERENCES machine(machine_id),   -- NULL = by hand
  released TEXT,             -- YYYY-MM-DD HH:MM
  released_by INTEGER REFERENCES technician(technician_id),  -- NULL = released by the machine
  PRIMARY KEY (sample_id, code)
);

-- A released result is never overwritten: what changed is written here.
CREATE TABLE correction (
  correction_id INTEGER PRIMARY KEY,
  sample_id TEXT,
  code TEXT,
  old_value TEXT,
  new_value TEXT,
  at TEXT,                   -- YYYY-MM-DD HH:MM
  reason TEXT
);

CREATE TABLE control (
  control_id INTEGER PRIMARY KEY,
  machine_id INTEGER REFERENCES machine(machine_id),
  code TEXT REFERENCES analyte(code),
  day TEXT,                  -- YYYY-MM-DD
  level INTEGER,             -- 1 normal, 2 high
  target REAL,
  measured REAL,             -- NULL = material missing
  passed INTEGER             -- 1 or 0, NULL = not measured
);

-- Typed in by whoever picks up the phone: no key.
CREATE TABLE phone_log (
  "when" TEXT,               -- DD.MM.YYYY HH:MM
  ward TEXT,
  sample_id TEXT,            -- as heard: some do not exist
  told_to TEXT,
  read_back TEXT             -- y, n; NULL = not noted
);

CREATE TABLE downtime (
  downtime_id INTEGER PRIMARY KEY,
  machine_id INTEGER REFERENCES machine(machine_id),
  begins TEXT,               -- YYYY-MM-DD HH:MM
  ends TEXT,                 -- YYYY-MM-DD HH:MM, NULL = still down
  cause TEXT,
  service_cost REAL          -- EUR; NULL = repaired by ourselves
);
