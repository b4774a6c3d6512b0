-- Vet clinics: a chain of eleven animal clinics, exported from its practice software.

CREATE TABLE clinic (
  clinic_id INTEGER PRIMARY KEY,
  name TEXT,
  city TEXT,
  opened TEXT,               -- YYYY-MM-DD
  beds INTEGER,
  "24h?" TEXT,               -- Y or N; NULL for the mobile clinic
  "group" TEXT               -- North, South, Coast: the accounting group
);

CREATE TABLE staff (
  staff_id INTEGER PRIMARY KEY,
  clinic_id INTEGER REFERENCES clinic(clinic_id),
  first_name TEXT,
  last_name TEXT,
  role TEXT,                 -- VET, NUR nurse, REC reception, MGR clinic manager
  salary INTEGER,            -- a year, GBP
  hired TEXT,                -- YYYY-MM-DD
  "license-no" TEXT,         -- vets only
  manager_id INTEGER REFERENCES staff(staff_id)
);

CREATE TABLE owner (
  owner_id INTEGER PRIMARY KEY,
  name TEXT,                 -- Last, First
  phone TEXT,
  email TEXT,
  city TEXT,
  postcode TEXT,             -- five digits, leading zeros kept
  joined TEXT,               -- DD/MM/YYYY
  notes TEXT                 -- some rows come from an old system in another encoding
);

CREATE TABLE patient (
  patient_id INTEGER PRIMARY KEY,
  owner_id INTEGER REFERENCES owner(owner_id),
  name TEXT,
  species TEXT,
  breed TEXT,
  sex TEXT,                  -- M, F, MN neutered male, FS spayed female, U unknown
  born TEXT,                 -- YYYY-MM-DD, or only YYYY when the owner was not sure
  "weight (kg)" REAL,
  "character" TEXT,
  deceased TEXT,             -- YYYY-MM-DD
  dam_id INTEGER REFERENCES patient(patient_id)
);

CREATE TABLE visit (
  visit_id INTEGER PRIMARY KEY,
  patient_id INTEGER REFERENCES patient(patient_id),
  clinic_id INTEGER REFERENCES clinic(clinic_id),
  staff_id INTEGER REFERENCES staff(staff_id),
  date TEXT,                 -- YYYY-MM-DD
  time TEXT,                 -- HH:MM
  type TEXT,                 -- C check-up, E emergency, S surgery, V vaccination, F follow-up
  reason TEXT,
  "paid by" TEXT
);

CREATE TABLE procedure (
  proc_code TEXT PRIMARY KEY,
  name TEXT,
  category TEXT,
  "list price" TEXT          -- GBP 45.00
);

CREATE TABLE visit_procedure (
  visit_id INTEGER REFERENCES visit(visit_id),
  "order" INTEGER,           -- line on the bill
  proc_code TEXT REFERENCES procedure(proc_code),
  qty INTEGER,
  "discount %" REAL,
  amount REAL,               -- GBP, after discount
  PRIMARY KEY (visit_id, "order")
);

-- Comes from the laboratory's own files: no key, and some visit numbers are mistyped.
CREATE TABLE lab_result (
  visit_id INTEGER,
  test TEXT,
  value TEXT,                -- a number, or neg / pos / <0.1 / haemolysed
  unit TEXT,
  "ref-low" REAL,
  "ref-high" REAL,
  taken TEXT                 -- DD/MM/YYYY
);

CREATE TABLE vaccination (
  patient_id INTEGER REFERENCES patient(patient_id),
  vaccine TEXT,
  given TEXT,                -- YYYY-MM-DD
  due TEXT,                  -- YYYY-MM-DD
  batch TEXT,
  PRIMARY KEY (patient_id, vaccine, given)
);
