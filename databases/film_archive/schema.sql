-- Film archive: films, the people in them, the reels in the vaults, and what is done with these; copied from index cards.

CREATE TABLE film (
  film_id INTEGER PRIMARY KEY,
  title TEXT,                -- in its own language, quotes and accents kept
  year TEXT,                 -- 1931, c. 1931, 1931?, 1928/29; NULL = unknown
  country TEXT,              -- FR, DE, ES, SE, PT, IT; two with a slash are co-productions
  language TEXT,             -- fr, de, es, sv, pt, it
  minutes REAL,              -- NULL = lost or never timed
  silent INTEGER,            -- 1 or 0
  colour TEXT,               -- b/w, tinted, colour
  genre TEXT,
  "cast" TEXT                -- as on the index card: Last, First; Last, First
);

CREATE TABLE other_title (
  film_id INTEGER REFERENCES film(film_id),
  "index" INTEGER,           -- 1, 2, …
  title TEXT,
  language TEXT,             -- of the title; NULL = working title
  PRIMARY KEY (film_id, "index")
);

CREATE TABLE person (
  person_id INTEGER PRIMARY KEY,
  name TEXT,                 -- Last, First
  born TEXT,                 -- year, some with c.
  died TEXT,                 -- year; NULL = living or unknown
  country TEXT
);

CREATE TABLE credit (
  film_id INTEGER REFERENCES film(film_id),
  person_id INTEGER REFERENCES person(person_id),
  job TEXT,                  -- DIR director, SCR script, CAM camera, MUS music, EDT editing
  PRIMARY KEY (film_id, person_id, job)
);

CREATE TABLE appearance (
  film_id INTEGER REFERENCES film(film_id),
  "index" INTEGER,           -- place in the credits
  person_id INTEGER REFERENCES person(person_id),
  role TEXT,                 -- NULL = role unknown
  uncredited INTEGER,        -- 1 or 0
  PRIMARY KEY (film_id, "index")
);

CREATE TABLE vault (
  vault_id TEXT PRIMARY KEY, -- A1, …
  building TEXT,
  celsius REAL,
  humidity INTEGER,          -- percent
  nitrate TEXT,              -- Y = may hold nitrate film
  cans INTEGER               -- room for so many
);

CREATE TABLE print (
  can TEXT PRIMARY KEY,      -- FA-000123
  film_id INTEGER REFERENCES film(film_id),   -- NULL = not yet identified
  gauge TEXT,                -- 35mm, 16mm, 9.5mm
  base TEXT,                 -- N nitrate, A acetate, P polyester
  element TEXT,              -- negative, positive, sound
  metres REAL,
  feet REAL,                 -- for cans from overseas, which are measured in feet
  reels INTEGER,
  vault_id TEXT REFERENCES vault(vault_id),   -- NULL = missing
  came TEXT,                 -- YYYY-MM-DD
  "from" TEXT                -- gift, purchase, deposit, found
);

CREATE TABLE employee (
  employee_id INTEGER PRIMARY KEY,
  name TEXT,
  job TEXT,
  since TEXT,                -- YYYY-MM-DD
  until TEXT                 -- YYYY-MM-DD, NULL if still here
);

CREATE TABLE inspection (
  inspection_id INTEGER PRIMARY KEY,
  can TEXT REFERENCES print(can),
  employee_id INTEGER REFERENCES employee(employee_id),
  day TEXT,                  -- YYYY-MM-DD
  grade INTEGER,             -- 1 good … 5 beyond help
  shrinkage TEXT,            -- 0,8 % with a comma; NULL = not measured
  vinegar INTEGER,           -- 0 to 3, acetate only
  remark TEXT
);

CREATE TABLE restoration (
  project TEXT PRIMARY KEY,  -- R-2021-04
  film_id INTEGER REFERENCES film(film_id),
  led_by INTEGER REFERENCES employee(employee_id),
  begun TEXT,                -- YYYY-MM-DD
  ended TEXT,                -- YYYY-MM-DD, NULL while running
  eur INTEGER,
  funder TEXT
);

CREATE TABLE borrower (
  borrower_id INTEGER PRIMARY KEY,
  name TEXT,
  city TEXT,
  country TEXT,
  kind TEXT                  -- festival, museum, cinema, television
);

CREATE TABLE shipment (
  shipment_id INTEGER PRIMARY KEY,
  can TEXT REFERENCES print(can),
  borrower_id INTEGER REFERENCES borrower(borrower_id),
  sent TEXT,                 -- YYYY-MM-DD
  due TEXT,                  -- YYYY-MM-DD
  back TEXT,                 -- YYYY-MM-DD, NULL = still away
  fee INTEGER,               -- EUR; NULL = free
  damage TEXT                -- NULL = none seen
);

CREATE TABLE screening (
  screening_id INTEGER PRIMARY KEY,
  film_id INTEGER REFERENCES film(film_id),
  starts TEXT,               -- YYYY-MM-DD HH:MM
  hall TEXT,
  tickets INTEGER,           -- NULL = private
  pianist TEXT               -- silent films only
);
