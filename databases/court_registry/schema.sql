-- Court registry: six years of the civil side of a district court.

CREATE TABLE room (
  room TEXT PRIMARY KEY,     -- such as 0.14: floor and door
  seats INTEGER,
  step_free TEXT,            -- Y, N
  video TEXT                 -- Y = hearings can be held by video
);

CREATE TABLE judge (
  judge_id INTEGER PRIMARY KEY,
  name TEXT,
  rank TEXT,                 -- PJ presiding, J judge, PR on probation
  chamber INTEGER,
  appointed TEXT,            -- YYYY-MM-DD
  retired TEXT               -- YYYY-MM-DD; NULL = in office
);

CREATE TABLE register (
  letter TEXT PRIMARY KEY,   -- in the middle of a case number
  name TEXT,
  target_days INTEGER        -- within which a case should be closed; NULL = none set
);

CREATE TABLE matter (
  matter TEXT PRIMARY KEY,
  name TEXT,
  register TEXT REFERENCES register(letter)
);

CREATE TABLE person (
  person_id INTEGER PRIMARY KEY,
  name TEXT,                 -- NULL = sealed by order of the court
  kind TEXT,                 -- N natural person, C company, A authority
  born INTEGER,              -- year; natural persons only
  town TEXT,
  bar_no TEXT                -- lawyers only, such as M-0417
);

CREATE TABLE "case" (
  case_no TEXT PRIMARY KEY,  -- chamber, register, serial number and year: 3 C 114/2021
  filed TEXT,                -- YYYY-MM-DD
  matter TEXT REFERENCES matter(matter),
  value REAL,                -- in dispute, euros; NULL = not about money
  judge_id INTEGER REFERENCES judge(judge_id),
  sealed INTEGER,            -- 1 = the parties' names are withheld
  status TEXT,               -- open, closed, stayed, joined
  closed TEXT,               -- YYYY-MM-DD
  joined_to TEXT REFERENCES "case"(case_no)
);

CREATE TABLE party (
  case_no TEXT REFERENCES "case"(case_no),
  "no" INTEGER,
  person_id INTEGER REFERENCES person(person_id),
  role TEXT,                 -- CL claimant, DF defendant, TP third party
  PRIMARY KEY (case_no, "no")
);

CREATE TABLE representation (
  case_no TEXT REFERENCES "case"(case_no),
  party_no INTEGER,
  lawyer_id INTEGER REFERENCES person(person_id),
  "from" TEXT,               -- YYYY-MM-DD
  "to" TEXT,                 -- YYYY-MM-DD; NULL = to the end
  legal_aid INTEGER,         -- 1 = paid by the state
  PRIMARY KEY (case_no, party_no, "from")
);

CREATE TABLE hearing (
  hearing_id INTEGER PRIMARY KEY,
  case_no TEXT REFERENCES "case"(case_no),
  date TEXT,                 -- YYYY-MM-DD
  time TEXT,                 -- HH:MM
  room TEXT REFERENCES room(room),   -- NULL = by video
  result TEXT,               -- held, adjourned, settled, not reached; NULL = still to come
  minutes INTEGER
);

CREATE TABLE document (
  document_id INTEGER PRIMARY KEY,
  case_no TEXT REFERENCES "case"(case_no),
  received TEXT,             -- DD.MM.YYYY HH:MM
  kind TEXT,                 -- claim, defence, evidence, opinion, motion, letter
  pages INTEGER,
  party_no INTEGER,          -- NULL = from the court or an expert
  channel TEXT               -- E electronic, P post, D desk
);

CREATE TABLE decision (
  case_no TEXT REFERENCES "case"(case_no),
  date TEXT,                 -- YYYY-MM-DD
  kind TEXT,                 -- judgment, default judgment, settlement, order, withdrawal
  outcome TEXT,              -- CL for the claimant, DF for the defendant, PT in part; NULL = neither
  awarded REAL,              -- euros
  appeal TEXT,               -- upheld, reversed, pending; NULL = none
  PRIMARY KEY (case_no, date)
);

CREATE TABLE reassignment (
  case_no TEXT REFERENCES "case"(case_no),
  date TEXT,                 -- YYYY-MM-DD
  "from" INTEGER REFERENCES judge(judge_id),
  "to" INTEGER REFERENCES judge(judge_id),
  reason TEXT,
  PRIMARY KEY (case_no, date)
);

-- The cashier's ledger: no key, numbers of cases typed with or without blanks, wrong bookings taken back with a minus.
CREATE TABLE fee (
  case_no TEXT,              -- 3 C 114/2021 or 3C114/2021
  booked TEXT,               -- YYYY-MM-DD
  kind TEXT,                 -- filing, expert, copies, service
  amount REAL,               -- euros
  paid TEXT                  -- YYYY-MM-DD; NULL = not yet
);
