-- Orchestra: five seasons of a city's symphony orchestra, from the library, the personnel and the ticket office.

CREATE TABLE composer (
  composer_id INTEGER PRIMARY KEY,
  name TEXT,
  sort_name TEXT,            -- without accents, last name first
  country TEXT,
  born INTEGER,              -- year; NULL = unknown
  died INTEGER               -- year; NULL = living, or unknown when born is unknown too
);

CREATE TABLE work (
  work_id INTEGER PRIMARY KEY,
  composer_id INTEGER REFERENCES composer(composer_id),   -- NULL = traditional
  title TEXT,
  opus TEXT,                 -- op. 21, op. posth.; NULL = none
  kind TEXT,                 -- symphony, concerto, overture, suite, poem, choral
  year INTEGER,
  duration TEXT,             -- mm:ss, also over an hour: 78:30; NULL = never timed
  scoring TEXT               -- wind by number, such as 2222-4230
);

CREATE TABLE movement (
  work_id INTEGER REFERENCES work(work_id),
  "no" INTEGER,
  tempo TEXT,
  duration TEXT,             -- mm:ss
  PRIMARY KEY (work_id, "no")
);

CREATE TABLE section (
  code TEXT PRIMARY KEY,
  name TEXT,
  family TEXT                -- strings, woodwind, brass, percussion, other
);

CREATE TABLE musician (
  musician_id INTEGER PRIMARY KEY,
  name TEXT,
  section TEXT REFERENCES section(code),
  chair TEXT,                -- L leader, P principal, A associate, T tutti, X on trial
  joined TEXT,               -- YYYY-MM-DD
  "left" TEXT,               -- YYYY-MM-DD; NULL = still here
  grade INTEGER,             -- of pay, 1 to 6
  instrument_owner TEXT      -- own, orchestra, foundation
);

CREATE TABLE guest (
  guest_id INTEGER PRIMARY KEY,
  name TEXT,
  role TEXT,                 -- conductor, violin, piano, cello, soprano, baritone, clarinet
  country TEXT,
  agent TEXT,                -- NULL = books without one
  fee INTEGER                -- euros an evening; NULL = kept secret
);

CREATE TABLE hall (
  hall_id INTEGER PRIMARY KEY,
  name TEXT,
  city TEXT,
  seats INTEGER,             -- NULL = open air
  organ TEXT                 -- Y, N
);

CREATE TABLE concert (
  concert_id INTEGER PRIMARY KEY,
  season TEXT,               -- such as 2023/24
  date TEXT,                 -- YYYY-MM-DD
  begins TEXT,               -- HH:MM
  hall_id INTEGER REFERENCES hall(hall_id),
  series TEXT,               -- A, B, F family, T tour, S special
  conductor_id INTEGER REFERENCES guest(guest_id),
  status TEXT,               -- played, cancelled, moved
  moved_to INTEGER REFERENCES concert(concert_id),
  interval INTEGER           -- minutes; 0 = none
);

-- What was on in the end; what had been announced before is in programme_change.
CREATE TABLE programme (
  concert_id INTEGER REFERENCES concert(concert_id),
  place INTEGER,
  work_id INTEGER REFERENCES work(work_id),
  soloist_id INTEGER REFERENCES guest(guest_id),
  encore INTEGER,            -- 1 = not announced, played at the end
  PRIMARY KEY (concert_id, place)
);

CREATE TABLE programme_change (
  change_id INTEGER PRIMARY KEY,
  concert_id INTEGER REFERENCES concert(concert_id),
  place INTEGER,
  changed TEXT,              -- DD.MM.YYYY HH:MM
  what TEXT,                 -- work, soloist, conductor
  "from" TEXT,               -- number of the work or the guest before
  "to" TEXT,                 -- and after it
  reason TEXT                -- NULL = not given
);

CREATE TABLE rehearsal (
  concert_id INTEGER REFERENCES concert(concert_id),
  date TEXT,                 -- YYYY-MM-DD
  begins TEXT,               -- HH:MM
  length TEXT,               -- h:mm
  who TEXT,                  -- tutti, or the family of instruments
  PRIMARY KEY (concert_id, date, begins)
);

-- Kept by the orchestra's attendant in a notebook: no key, some lines twice.
CREATE TABLE absence (
  musician_id INTEGER REFERENCES musician(musician_id),
  concert_id INTEGER REFERENCES concert(concert_id),
  reason TEXT,               -- ill, leave, parental, substitute elsewhere; NULL = no excuse
  substitute TEXT            -- NULL = the chair stayed empty
);

CREATE TABLE ticket_sale (
  concert_id INTEGER REFERENCES concert(concert_id),
  category TEXT,             -- I to IV, and ST for standing or students
  price REAL,                -- euros
  sold INTEGER,
  returned INTEGER,          -- handed back; NULL = not counted yet
  PRIMARY KEY (concert_id, category)
);

CREATE TABLE subscriber (
  subscriber_no TEXT PRIMARY KEY,   -- six digits, leading zeros kept
  name TEXT,
  series TEXT,
  seats INTEGER,
  since TEXT,                -- the season, such as 2019/20
  ended TEXT                 -- the last season; NULL = still subscribes
);
