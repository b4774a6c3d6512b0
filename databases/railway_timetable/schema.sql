-- Railway timetable: a regional rail authority, two timetable years, exported from its planning system.

CREATE TABLE operator (
  operator_id INTEGER PRIMARY KEY,
  name TEXT,
  founded INTEGER,           -- year
  "contract until" TEXT      -- YYYY-MM-DD; NULL = open access, no contract
);

CREATE TABLE station (
  code TEXT PRIMARY KEY,     -- three letters
  name TEXT,
  zone TEXT,
  platforms INTEGER,
  opened INTEGER,            -- year; NULL = before records
  elevation INTEGER,         -- metres
  step_free TEXT,            -- Y, N, P partly
  on_request INTEGER         -- 1 = trains stop only when asked
);

CREATE TABLE line (
  line_no TEXT PRIMARY KEY,
  name TEXT,
  operator_id INTEGER REFERENCES operator(operator_id),
  colour TEXT,
  electrified TEXT           -- Y, N, P partly
);

CREATE TABLE leg (
  line_no TEXT REFERENCES line(line_no),
  seq INTEGER,
  "from" TEXT REFERENCES station(code),
  "to" TEXT REFERENCES station(code),
  km REAL,
  minutes INTEGER,
  single_track INTEGER,
  PRIMARY KEY (line_no, seq)
);

CREATE TABLE calendar (
  calendar_id TEXT PRIMARY KEY,
  label TEXT,
  mon INTEGER, tue INTEGER, wed INTEGER, thu INTEGER, fri INTEGER, sat INTEGER, sun INTEGER,
  start_date TEXT,           -- YYYYMMDD
  end_date TEXT              -- YYYYMMDD
);

CREATE TABLE calendar_exception (
  calendar_id TEXT REFERENCES calendar(calendar_id),
  date TEXT,                 -- YYYYMMDD
  type INTEGER,              -- 1 = runs although it would not, 2 = does not run although it would
  reason TEXT,
  PRIMARY KEY (calendar_id, date)
);

CREATE TABLE unit_class (
  class TEXT PRIMARY KEY,
  traction TEXT,             -- E electric, D diesel, B battery
  seats INTEGER,
  bikes INTEGER,
  "max km/h" INTEGER,
  built TEXT                 -- years of construction, such as 1998-2003
);

CREATE TABLE trip (
  trip_id INTEGER PRIMARY KEY,
  train_no TEXT,             -- five digits, leading zeros kept; used again the next timetable year
  line_no TEXT REFERENCES line(line_no),
  calendar_id TEXT REFERENCES calendar(calendar_id),
  direction TEXT,            -- O outbound, I inbound
  class TEXT REFERENCES unit_class(class),
  note TEXT
);

CREATE TABLE stop_time (
  trip_id INTEGER REFERENCES trip(trip_id),
  seq INTEGER,
  station TEXT REFERENCES station(code),
  arr TEXT,                  -- HH:MM of the day the train set out, past midnight 24:05, 25:10; NULL at the first stop
  dep TEXT,                  -- likewise; NULL at the last stop
  platform TEXT,
  PRIMARY KEY (trip_id, seq)
);

CREATE TABLE delay_cause (
  code TEXT PRIMARY KEY,
  meaning TEXT,
  blamed TEXT                -- infrastructure, operator, outside
);

-- Typed in by the control room: no key, some reports twice.
CREATE TABLE delay_report (
  trip_id INTEGER REFERENCES trip(trip_id),
  run_date TEXT,             -- DD.MM.YYYY
  station TEXT REFERENCES station(code),
  minutes INTEGER,           -- late; NULL = the train was cancelled
  cause TEXT                 -- NULL = still being looked into
);

CREATE TABLE engineering_work (
  work_id INTEGER PRIMARY KEY,
  line_no TEXT REFERENCES line(line_no),
  "from" TEXT REFERENCES station(code),
  "to" TEXT REFERENCES station(code),
  begins TEXT,               -- YYYY-MM-DD
  ends TEXT,                 -- YYYY-MM-DD; NULL = until further notice
  replacement TEXT           -- bus, taxi; NULL = none
);

CREATE TABLE passenger_count (
  station TEXT REFERENCES station(code),
  month TEXT,                -- YYYY-MM
  boardings INTEGER,         -- NULL = the counter was out of order
  alightings INTEGER,
  PRIMARY KEY (station, month)
);

CREATE TABLE fare (
  "from" TEXT,               -- zone
  "to" TEXT,                 -- zone
  valid_from TEXT,           -- YYYY-MM-DD
  valid_to TEXT,             -- YYYY-MM-DD; NULL = in force
  single TEXT,               -- EUR 4.20
  "day ticket" TEXT,         -- EUR 8.40; NULL = not sold
  PRIMARY KEY ("from", "to", valid_from)
);

-- What sets off an announcement on a platform.
CREATE TABLE "trigger" (
  trigger_id INTEGER PRIMARY KEY,
  station TEXT REFERENCES station(code),
  "when" TEXT,               -- arrival, departure, delay, platform change
  text TEXT,
  repeat INTEGER,            -- seconds until it is said again; 0 = once
  disabled TEXT              -- YYYY-MM-DD; NULL = in use
);
