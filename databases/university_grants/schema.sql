-- University grants: the research office of a university, 2012 to 2024.

CREATE TABLE faculty (
  code TEXT PRIMARY KEY,
  name TEXT,
  dean TEXT                  -- NULL: vacant
);

CREATE TABLE department (
  dept_id INTEGER PRIMARY KEY,
  name TEXT,
  faculty TEXT REFERENCES faculty(code),
  "group" TEXT,              -- A laboratory, B computing and field, C desk
  founded INTEGER,
  closed INTEGER             -- NULL: exists
);

CREATE TABLE researcher (
  researcher_id TEXT PRIMARY KEY,  -- R0042
  first_name TEXT,
  surname TEXT,              -- today's
  dept_id INTEGER REFERENCES department(dept_id),
  "rank" TEXT,               -- PROF, READ, SEN, LECT, POST
  born INTEGER,
  joined TEXT,               -- YYYY-MM-DD
  "left" TEXT
);

CREATE TABLE name_change (
  researcher_id TEXT REFERENCES researcher(researcher_id),
  changed TEXT,              -- YYYY-MM-DD
  old_surname TEXT,
  new_surname TEXT,
  PRIMARY KEY (researcher_id, changed)
);

CREATE TABLE funder (
  funder_id INTEGER PRIMARY KEY,
  name TEXT,
  country TEXT,
  kind TEXT,                 -- P public, C charity, I industry, E international
  "overhead %" REAL          -- NULL: not agreed
);

CREATE TABLE call (
  call_no TEXT PRIMARY KEY,  -- 2019-07
  funder_id INTEGER REFERENCES funder(funder_id),
  scheme TEXT,
  opens TEXT,
  closes TEXT,
  "limit" INTEGER,           -- largest award; NULL: none
  unit TEXT                  -- kEUR to 2016, EUR since
);

CREATE TABLE application (
  app_id INTEGER PRIMARY KEY,
  call_no TEXT REFERENCES call(call_no),
  researcher_id TEXT REFERENCES researcher(researcher_id),
  title TEXT,
  submitted TEXT,            -- YYYY-MM-DD
  asked INTEGER,             -- EUR
  score REAL,                -- 0 to 10; NULL: not reviewed
  outcome TEXT,              -- F funded, D declined, W withdrawn; NULL: pending
  resubmits INTEGER REFERENCES application(app_id)
);

CREATE TABLE "grant" (
  grant_no TEXT PRIMARY KEY, -- UG/2019/0042
  app_id INTEGER REFERENCES application(app_id),
  pi TEXT REFERENCES researcher(researcher_id),
  pi_name TEXT,              -- as it stands in the contract
  start TEXT,
  "end" TEXT,
  status TEXT                -- A active, C closed, S suspended, T terminated
);

CREATE TABLE team (
  grant_no TEXT REFERENCES "grant"(grant_no),
  researcher_id TEXT REFERENCES researcher(researcher_id),
  role TEXT,                 -- CO co-investigator, PD postdoc, PHD student
  share REAL,                -- of working time, 0 to 1
  PRIMARY KEY (grant_no, researcher_id)
);

CREATE TABLE budget_revision (
  grant_no TEXT REFERENCES "grant"(grant_no),
  revision INTEGER,          -- 0 is the budget as awarded; the highest one counts
  category TEXT,             -- staff, equipment, travel, consumables, overhead
  amount INTEGER,            -- EUR
  approved TEXT,
  reason TEXT,
  PRIMARY KEY (grant_no, revision, category)
);

CREATE TABLE expense (
  voucher INTEGER PRIMARY KEY,
  grant_no TEXT REFERENCES "grant"(grant_no),
  booked TEXT,               -- DD/MM/YYYY
  category TEXT,
  amount REAL,               -- EUR; negative: taken back
  payee TEXT,
  reverses INTEGER REFERENCES expense(voucher)
);

CREATE TABLE report (
  grant_no TEXT REFERENCES "grant"(grant_no),
  kind TEXT,                 -- interim 1, interim 2, final
  due TEXT,
  received TEXT,             -- NULL: not yet
  grade TEXT,                -- A to D
  PRIMARY KEY (grant_no, kind)
);

-- Typed in by the departments: no key, and some papers twice.
CREATE TABLE publication (
  doi TEXT,
  grant_no TEXT,
  title TEXT,
  journal TEXT,
  year INTEGER,
  citations INTEGER,
  "open access" TEXT         -- gold, green, closed; NULL: not checked
);
