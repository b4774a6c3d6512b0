-- City permits: the permit office of a harbour town, 2022 to 2024. Money is in euros.

CREATE TABLE ward (
  ward_no INTEGER PRIMARY KEY,
  name TEXT,
  people INTEGER
);

CREATE TABLE permit_type (
  code TEXT PRIMARY KEY,
  name TEXT,
  "group" TEXT,              -- works, street, trade
  base_fee REAL,
  days_allowed INTEGER       -- for a decision; NULL = no limit
);

CREATE TABLE status_code (
  code INTEGER PRIMARY KEY,
  label TEXT,
  final TEXT                 -- Y or N
);

CREATE TABLE ground_code (
  code TEXT PRIMARY KEY,     -- why a neighbour objects
  label TEXT
);

CREATE TABLE applicant (
  applicant_id INTEGER PRIMARY KEY,
  name TEXT,
  kind TEXT,                 -- P person, B business, C the city itself
  phone TEXT,
  register_no TEXT           -- businesses only
);

CREATE TABLE officer (
  officer_id INTEGER PRIMARY KEY,
  name TEXT,
  desk TEXT,
  since TEXT,                -- YYYY-MM-DD
  "until" TEXT               -- YYYY-MM-DD; NULL = still here
);

CREATE TABLE permit (
  permit_no TEXT PRIMARY KEY,  -- BLD-2023-0117
  type_code TEXT REFERENCES permit_type(code),
  applicant_id INTEGER REFERENCES applicant(applicant_id),
  officer_id INTEGER REFERENCES officer(officer_id),
  address TEXT,              -- as the applicant wrote it
  ward_no INTEGER REFERENCES ward(ward_no),
  filed_on TEXT,             -- YYYY-MM-DD
  decided_on TEXT,
  status INTEGER REFERENCES status_code(code),
  works_value REAL,          -- thousands until the end of 2022, then euros
  superseded_by TEXT REFERENCES permit(permit_no)
);

CREATE TABLE status_history (
  permit_no TEXT REFERENCES permit(permit_no),
  at TEXT,                   -- YYYY-MM-DD HH:MM
  status INTEGER REFERENCES status_code(code),
  officer_id INTEGER REFERENCES officer(officer_id),
  PRIMARY KEY (permit_no, at)
);

CREATE TABLE fee (
  fee_id INTEGER PRIMARY KEY,
  permit_no TEXT REFERENCES permit(permit_no),
  what TEXT,                 -- base, inspection, late
  amount REAL,
  billed_on TEXT,            -- YYYY-MM-DD
  paid_on TEXT,              -- NULL = unpaid
  waived TEXT                -- Y, else NULL
);

CREATE TABLE inspection (
  inspection_id INTEGER PRIMARY KEY,
  permit_no TEXT REFERENCES permit(permit_no),
  officer_id INTEGER REFERENCES officer(officer_id),
  held_on TEXT,              -- YYYY-MM-DD
  result TEXT,               -- P passed, F failed, N nobody let us in
  note TEXT,
  repeats INTEGER REFERENCES inspection(inspection_id)
);

CREATE TABLE objection (
  objection_id INTEGER PRIMARY KEY,
  permit_no TEXT REFERENCES permit(permit_no),
  neighbour TEXT,            -- NULL = asked not to be named
  received_on TEXT,          -- YYYY-MM-DD
  ground TEXT REFERENCES ground_code(code),
  upheld TEXT                -- Y or N; NULL = not decided
);

CREATE TABLE permit_condition (
  permit_no TEXT REFERENCES permit(permit_no),
  no INTEGER,
  wording TEXT,
  met_on TEXT,               -- YYYY-MM-DD
  PRIMARY KEY (permit_no, no)
);

-- Kept by whoever answers the telephone: no key, dates as DD.MM.YY, some calls noted twice.
CREATE TABLE phone_log (
  day TEXT,
  caller TEXT,
  "where" TEXT,
  about TEXT,
  permit_no TEXT             -- if the caller knew it; may be wrong
);
