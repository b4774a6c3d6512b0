-- City library: six branches, their books and readers, four years of loans, moved to a new card system in June 2022.

CREATE TABLE branch (
  branch_id INTEGER PRIMARY KEY,
  name TEXT,
  quarter TEXT,
  opened TEXT,               -- YYYY-MM-DD
  area_m2 INTEGER,
  "step-free" TEXT           -- yes, no, ramp
);

CREATE TABLE librarian (
  staff_no INTEGER PRIMARY KEY,
  branch_id INTEGER REFERENCES branch(branch_id),  -- NULL = head office
  name TEXT,                 -- Last, First
  role TEXT,                 -- HEAD, LIB, ASST, CHILD, IT
  hours REAL,                -- a week
  since TEXT,                -- YYYY-MM-DD
  reports_to INTEGER REFERENCES librarian(staff_no)
);

CREATE TABLE reader (
  reader_id INTEGER PRIMARY KEY,
  name TEXT,
  old_card TEXT UNIQUE,      -- K-04217, NULL for who joined after the move
  card TEXT UNIQUE,          -- 2022/004217/3, NULL for who never fetched the new card
  category TEXT,             -- A adult, C child, S student, P pensioner, I institution
  born INTEGER,              -- year; NULL for institutions
  quarter TEXT,
  joined TEXT,               -- YYYY-MM-DD
  blocked TEXT               -- why; NULL = not blocked
);

CREATE TABLE author (
  author_id INTEGER PRIMARY KEY,
  name TEXT,                 -- Last, First
  born INTEGER,
  died INTEGER,              -- NULL = living or unknown
  country TEXT
);

CREATE TABLE title (
  title_id INTEGER PRIMARY KEY,
  isbn TEXT,                 -- leading zeros kept; NULL before 1970
  name TEXT,
  author_id INTEGER REFERENCES author(author_id),  -- NULL = several or none
  published INTEGER,
  language TEXT,             -- en, de, fr, tr, pl
  genre TEXT,
  pages INTEGER,
  "for" TEXT                 -- A adults, Y young people, C children
);

CREATE TABLE copy (
  barcode TEXT PRIMARY KEY,
  title_id INTEGER REFERENCES title(title_id),
  branch_id INTEGER REFERENCES branch(branch_id),
  bought TEXT,               -- YYYY-MM-DD
  price REAL,                -- EUR, NULL = donated
  state TEXT                 -- OK, WORN, REPAIR, LOST, SOLD
);

-- Scanned slips: a few were keyed in with a return before the day of lending.
CREATE TABLE loan (
  loan_no INTEGER PRIMARY KEY,
  barcode TEXT REFERENCES copy(barcode),
  card TEXT,                 -- as shown at the desk: the old format until June 2022, the new one after
  lent TEXT,                 -- YYYY-MM-DD
  due TEXT,                  -- YYYY-MM-DD
  "return" TEXT,             -- YYYY-MM-DD, NULL = still out
  renewals INTEGER
);

CREATE TABLE fine (
  fine_no INTEGER PRIMARY KEY,
  loan_no INTEGER REFERENCES loan(loan_no),
  reason TEXT,               -- late, damaged, lost
  amount_cents INTEGER,
  paid TEXT,                 -- YYYY-MM-DD, NULL = unpaid
  waived INTEGER             -- 1 or 0
);

CREATE TABLE reservation (
  reservation_id INTEGER PRIMARY KEY,
  title_id INTEGER REFERENCES title(title_id),
  reader_id INTEGER REFERENCES reader(reader_id),
  branch_id INTEGER REFERENCES branch(branch_id),
  placed TEXT,               -- YYYY-MM-DD HH:MM
  ready TEXT,                -- YYYY-MM-DD, NULL = not yet
  fetched TEXT               -- YYYY-MM-DD, NULL = not fetched
);

CREATE TABLE event (
  event_id INTEGER PRIMARY KEY,
  branch_id INTEGER REFERENCES branch(branch_id),
  name TEXT,
  kind TEXT,
  "when" TEXT,               -- YYYY-MM-DD HH:MM
  seats INTEGER,
  came INTEGER               -- NULL = cancelled or not counted
);

-- The gate counters, a month a line.
CREATE TABLE gate_count (
  branch_id INTEGER REFERENCES branch(branch_id),
  month TEXT,                -- YYYY-MM
  visits INTEGER,            -- NULL = gate broken
  "open days" INTEGER,       -- 0 = shut for building work
  PRIMARY KEY (branch_id, month)
);

-- The suggestion box: no key, some notes typed in twice.
CREATE TABLE suggestion (
  day TEXT,                  -- DD.MM.YYYY
  branch TEXT,               -- name of the branch, as on the note
  text TEXT,
  answered TEXT              -- y or n
);
