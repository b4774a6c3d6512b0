-- Bakery chain: the books of Halloran & Pym, bakers: shops, people, recipes, flour deliveries and two years of tills.

-- A code goes to a new shop some time after the old one has closed: `code` alone does not say which shop is meant.
CREATE TABLE shop (
  shop_key INTEGER PRIMARY KEY,
  code TEXT,                 -- B01, B02, …: painted on the van boxes
  name TEXT,
  town TEXT,
  district TEXT,
  opened TEXT,               -- YYYY-MM-DD
  closed TEXT,               -- YYYY-MM-DD, NULL while open
  seats INTEGER,             -- of the café corner, NULL without one
  "open Su" TEXT             -- Y or N
);

CREATE TABLE employee (
  emp_no INTEGER PRIMARY KEY,
  shop_key INTEGER REFERENCES shop(shop_key),  -- NULL for the drivers
  full_name TEXT,
  position TEXT,             -- BK baker, AP apprentice, SA sales, SM shop manager, DR driver
  hourly_rate REAL,          -- EUR
  hours INTEGER,             -- a week
  started TEXT,              -- YYYY-MM-DD
  left_on TEXT,              -- YYYY-MM-DD, NULL if still with us
  trained_by INTEGER REFERENCES employee(emp_no)
);

CREATE TABLE product (
  sku TEXT PRIMARY KEY,
  name TEXT,
  family TEXT,               -- bread, rolls, pastry, cake, seasonal
  weight REAL,
  unit TEXT,                 -- g or kg
  price_cents INTEGER,
  launched TEXT,             -- YYYY-MM-DD
  dropped TEXT               -- YYYY-MM-DD, NULL while we bake it
);

CREATE TABLE ingredient (
  ingredient_id INTEGER PRIMARY KEY,
  name TEXT,
  kind TEXT,
  allergen TEXT,             -- G gluten, M milk, E egg, N nuts, S sesame; NULL = none
  organic INTEGER            -- 1 or 0
);

CREATE TABLE recipe (
  sku TEXT REFERENCES product(sku),
  ingredient_id INTEGER REFERENCES ingredient(ingredient_id),
  amount REAL,               -- for a batch of 40
  unit TEXT,                 -- g or kg
  PRIMARY KEY (sku, ingredient_id)
);

CREATE TABLE supplier (
  supplier_id INTEGER PRIMARY KEY,
  name TEXT,
  town TEXT,
  "payment days" INTEGER,
  since TEXT                 -- YYYY
);

-- Typed in from paper slips: a few slips twice.
CREATE TABLE delivery (
  delivery_id INTEGER PRIMARY KEY,
  supplier_id INTEGER REFERENCES supplier(supplier_id),
  ingredient_id INTEGER REFERENCES ingredient(ingredient_id),
  slip TEXT,                 -- number on the paper
  delivered TEXT,            -- YYYY-MM-DD
  quantity REAL,
  unit TEXT,                 -- kg, or g for spices and yeast
  cost REAL,                 -- EUR
  rejected TEXT              -- why it was sent back; NULL = accepted
);

CREATE TABLE holiday (
  day TEXT PRIMARY KEY,      -- YYYY-MM-DD
  name TEXT,
  shut INTEGER               -- 1 = all shops closed
);

-- One line per till and day, known only by the shop's code.
CREATE TABLE day_total (
  shop_code TEXT,
  day TEXT,                  -- YYYY-MM-DD
  customers INTEGER,         -- NULL when the counter was broken
  takings_cents INTEGER,
  till_diff_cents INTEGER,   -- counted minus expected; NULL = not counted
  note TEXT,
  PRIMARY KEY (shop_code, day)
);

-- What was baked and what was left over, counted in the last week of each month.
CREATE TABLE tally (
  shop_key INTEGER REFERENCES shop(shop_key),
  sku TEXT REFERENCES product(sku),
  month TEXT,                -- YYYY-MM
  baked INTEGER,
  unsold INTEGER,            -- NULL = the bin was emptied before counting
  PRIMARY KEY (shop_key, sku, month)
);

CREATE TABLE cake_order (
  order_no INTEGER PRIMARY KEY,
  shop_key INTEGER REFERENCES shop(shop_key),
  sku TEXT REFERENCES product(sku),
  customer TEXT,
  ordered TEXT,              -- YYYY-MM-DD
  pickup TEXT,               -- YYYY-MM-DD
  inscription TEXT,
  price_cents INTEGER,
  deposit_cents INTEGER,
  status TEXT                -- C collected, X cancelled, N never collected, O open
);
