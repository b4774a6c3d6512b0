-- Food bank: what a town's food bank takes in and gives out, its volunteers, vans and the households it helps, 2023 and 2024.

CREATE TABLE site (
  site_id INTEGER PRIMARY KEY,
  name TEXT,
  kind TEXT,                 -- warehouse, pantry, mobile
  ward TEXT,
  opened TEXT,               -- 12 Mar 2019
  cold_m3 REAL               -- cold room, NULL without one
);

-- The months as the clerks write them, for turning dates such as 12 Mar 2024 around.
CREATE TABLE month (
  abbr TEXT PRIMARY KEY,     -- Jan, Feb, …
  number TEXT                -- 01, 02, …
);

CREATE TABLE donor (
  donor_id INTEGER PRIMARY KEY,
  name TEXT,
  kind TEXT,                 -- supermarket, bakery, farm, church, school, private
  ward TEXT,
  since TEXT,                -- 12 Mar 2019
  stopped TEXT               -- 12 Mar 2024, NULL while giving
);

CREATE TABLE food (
  code TEXT PRIMARY KEY,
  name TEXT,
  "group" TEXT,              -- dry, tinned, fresh, dairy, frozen, bread, baby
  "kg per crate" REAL,
  keeps_days INTEGER,
  chilled TEXT,              -- Y or N
  kcal_per_kg INTEGER        -- NULL for what is not eaten
);

-- The book at the gate: no key, some lines copied twice; crates until the scales came on 1 Jul 2023, kg since.
CREATE TABLE intake_log (
  received TEXT,             -- 12 Mar 2024
  donor_id INTEGER,
  code TEXT,
  site_id INTEGER,
  quantity REAL,
  unit TEXT,                 -- crates or kg
  remark TEXT
);

CREATE TABLE household (
  household_id INTEGER PRIMARY KEY,
  registered TEXT,           -- 12 Mar 2024
  adults INTEGER,
  children INTEGER,
  ward TEXT,
  diet TEXT,                 -- halal, vegetarian, no gluten; NULL = anything
  checked TEXT,              -- 12 Mar 2024: last check of the income; NULL = never
  ended TEXT                 -- why we no longer see them; NULL = still coming
);

CREATE TABLE parcel (
  parcel_id INTEGER PRIMARY KEY,
  household_id INTEGER REFERENCES household(household_id),
  site_id INTEGER REFERENCES site(site_id),
  packed_by INTEGER REFERENCES volunteer(volunteer_id),
  day TEXT,                  -- YYYY-MM-DD
  size TEXT,                 -- S, M, L
  collected INTEGER          -- 1 or 0
);

CREATE TABLE parcel_line (
  parcel_id INTEGER REFERENCES parcel(parcel_id),
  code TEXT REFERENCES food(code),
  kg REAL,
  PRIMARY KEY (parcel_id, code)
);

CREATE TABLE volunteer (
  volunteer_id INTEGER PRIMARY KEY,
  name TEXT,
  born INTEGER,
  role TEXT,                 -- packer, driver, desk, cook
  joined TEXT,               -- 12 Mar 2019
  "left" TEXT,               -- 12 Mar 2024, NULL if still helping
  brought_by INTEGER REFERENCES volunteer(volunteer_id)
);

CREATE TABLE shift (
  shift_id INTEGER PRIMARY KEY,
  volunteer_id INTEGER REFERENCES volunteer(volunteer_id),
  site_id INTEGER REFERENCES site(site_id),
  day TEXT,                  -- YYYY-MM-DD
  hours REAL,
  "no-show" INTEGER          -- 1 = did not come
);

CREATE TABLE van (
  van_no INTEGER PRIMARY KEY,
  plate TEXT,
  model TEXT,
  bought INTEGER,            -- year
  chilled TEXT,              -- Y or N
  max_kg INTEGER
);

CREATE TABLE run (
  run_id INTEGER PRIMARY KEY,
  van_no INTEGER REFERENCES van(van_no),
  driver_id INTEGER REFERENCES volunteer(volunteer_id),
  from_site INTEGER REFERENCES site(site_id),
  to_site INTEGER REFERENCES site(site_id),
  day TEXT,                  -- YYYY-MM-DD
  km REAL,
  load_kg REAL               -- NULL = not weighed
);

CREATE TABLE spoilage (
  spoilage_id INTEGER PRIMARY KEY,
  site_id INTEGER REFERENCES site(site_id),
  code TEXT REFERENCES food(code),
  day TEXT,                  -- YYYY-MM-DD
  kg REAL,
  reason TEXT
);

CREATE TABLE money_gift (
  gift_id INTEGER PRIMARY KEY,
  donor_id INTEGER REFERENCES donor(donor_id),   -- NULL = anonymous
  received TEXT,             -- 12 Mar 2024
  amount TEXT,               -- £25.00, £1,200.00
  purpose TEXT
);
