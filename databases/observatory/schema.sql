-- Observatory: nights, exposures and measurements of a university observatory on a hill that is cloudy too often.

CREATE TABLE telescope (
  tel_id INTEGER PRIMARY KEY,
  name TEXT,
  "aperture (m)" REAL,
  mount TEXT,
  first_light TEXT,          -- YYYY-MM-DD, the oldest one YYYY only
  retired TEXT               -- YYYY-MM-DD; NULL = in use
);

CREATE TABLE instrument (
  code TEXT PRIMARY KEY,
  tel_id INTEGER REFERENCES telescope(tel_id),
  name TEXT,
  kind TEXT,                 -- I imager, S spectrograph, P photometer
  "scale [arcsec/px]" REAL,  -- NULL for what takes no pictures
  installed TEXT,            -- YYYY-MM-DD
  removed TEXT               -- YYYY-MM-DD; NULL = mounted
);

CREATE TABLE filter (
  code TEXT PRIMARY KEY,
  name TEXT,
  "centre (nm)" REAL,        -- NULL for the clear one
  "width (nm)" REAL
);

CREATE TABLE observer (
  observer_id INTEGER PRIMARY KEY,
  name TEXT,
  institute TEXT,
  country TEXT,              -- two letters
  trained TEXT               -- YYYY-MM-DD of the training on site; NULL = never, needs company
);

CREATE TABLE target_type (
  code TEXT PRIMARY KEY,
  meaning TEXT
);

CREATE TABLE target (
  target_id INTEGER PRIMARY KEY,
  name TEXT,
  type TEXT REFERENCES target_type(code),
  ra TEXT,                   -- hours minutes seconds, such as 05 34 31.9; NULL = it moves
  dec TEXT,                  -- degrees minutes seconds, such as -05 23 28
  ra_deg REAL,               -- the same in degrees
  dec_deg REAL,
  mag REAL,                  -- NULL = never measured
  constellation TEXT,        -- three letters
  same_as INTEGER REFERENCES target(target_id)   -- entered a second time under another name
);

CREATE TABLE proposal (
  proposal TEXT PRIMARY KEY, -- such as 24A-017: semester and number
  title TEXT,
  lead INTEGER REFERENCES observer(observer_id),
  requested REAL,            -- hours
  awarded REAL,              -- hours; NULL = turned down
  grade TEXT,                -- A, B, C; NULL = turned down
  override TEXT              -- Y = may interrupt others
);

CREATE TABLE night (
  night TEXT PRIMARY KEY,    -- YYYY-MM-DD of the evening
  jd INTEGER,                -- Julian date of the noon before it
  moon REAL,                 -- lit part at midnight, 0 to 1
  dome TEXT,                 -- open, closed, part
  reason TEXT,               -- why it was not open all night
  seeing REAL,               -- arcseconds; NULL = closed
  duty INTEGER REFERENCES observer(observer_id)
);

CREATE TABLE exposure (
  exposure_id INTEGER PRIMARY KEY,
  night TEXT REFERENCES night(night),
  start_jd REAL,             -- Julian date of the start
  target_id INTEGER REFERENCES target(target_id),
  instrument TEXT REFERENCES instrument(code),
  filter TEXT REFERENCES filter(code),
  seconds REAL,
  airmass REAL,
  proposal TEXT REFERENCES proposal(proposal),   -- NULL = filler
  "check" TEXT               -- OK, CLD clouds, TRL trailed, SAT saturated, FOC out of focus; NULL = not looked at
);

CREATE TABLE measurement (
  target_id INTEGER REFERENCES target(target_id),
  jd REAL,
  filter TEXT REFERENCES filter(code),
  mag REAL,
  err REAL,
  version INTEGER,           -- 1 = first reduction; a later one replaces it
  PRIMARY KEY (target_id, jd, filter, version)
);

CREATE TABLE discovery (
  designation TEXT PRIMARY KEY,
  exposure_id INTEGER REFERENCES exposure(exposure_id),
  what TEXT,                 -- asteroid, supernova, comet, variable
  announced TEXT,            -- DD/MM/YYYY
  status TEXT,               -- confirmed, lost, withdrawn, known already
  credited INTEGER REFERENCES observer(observer_id)
);

CREATE TABLE calibration (
  night TEXT REFERENCES night(night),
  instrument TEXT REFERENCES instrument(code),
  kind TEXT,                 -- bias, flat
  filter TEXT REFERENCES filter(code),           -- flats only
  frames INTEGER,
  PRIMARY KEY (night, instrument, kind)
);

-- Written by the weather mast, which was replaced in March 2024: no key.
CREATE TABLE weather (
  time TEXT,                 -- YYYY-MM-DD HH:MM, universal time
  celsius REAL,
  humidity INTEGER,          -- percent; NULL = frozen sensor
  wind REAL,
  unit TEXT                  -- of the wind: m/s, or km/h from the new mast
);
