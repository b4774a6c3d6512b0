-- Marketplace: an online market for makers and sellers of old things, in two currencies, 2023 and 2024.
-- Ids are drawn by the platform and have 19 digits. Money is in cents of the euro or pence of the pound.

CREATE TABLE category (
  category_id INTEGER PRIMARY KEY,
  name TEXT,
  parent_id INTEGER REFERENCES category(category_id)
);

CREATE TABLE seller (
  seller_id INTEGER PRIMARY KEY,
  shop TEXT,
  country TEXT,              -- GB, IE, DE, FR, NL
  joined TEXT,               -- YYYY-MM-DD
  tier TEXT,                 -- basic, silver, gold; NULL = not rated yet
  status TEXT                -- A active, S suspended, M merged into another shop
);

CREATE TABLE seller_merge (
  old_seller_id INTEGER PRIMARY KEY REFERENCES seller(seller_id),
  new_seller_id INTEGER REFERENCES seller(seller_id),
  merged_on TEXT             -- YYYY-MM-DD
);

CREATE TABLE buyer (
  buyer_id INTEGER PRIMARY KEY,
  nickname TEXT,
  country TEXT,
  since TEXT,                -- YYYY-MM-DD
  newsletter INTEGER,        -- 1 or 0; NULL = never asked
  closed TEXT                -- YYYY-MM-DD, account closed
);

CREATE TABLE listing (
  listing_id INTEGER PRIMARY KEY,
  seller_id INTEGER REFERENCES seller(seller_id),
  category_id INTEGER REFERENCES category(category_id),
  title TEXT,
  price_cents INTEGER,
  currency TEXT,             -- EUR or GBP
  condition TEXT,            -- H handmade, N new, U used, V vintage
  listed_on TEXT,            -- YYYY-MM-DD
  ended_on TEXT,             -- YYYY-MM-DD; NULL = still listed
  stock INTEGER              -- NULL = made to order
);

CREATE TABLE price_change (
  listing_id INTEGER REFERENCES listing(listing_id),
  changed_on TEXT,           -- YYYY-MM-DD
  from_cents INTEGER,
  to_cents INTEGER,
  PRIMARY KEY (listing_id, changed_on)
);

CREATE TABLE sale (
  sale_id INTEGER PRIMARY KEY,
  buyer_id INTEGER REFERENCES buyer(buyer_id),
  placed_at TEXT,            -- YYYY-MM-DD HH:MM:SS, UTC
  status TEXT,               -- P paid, S shipped, D delivered, C cancelled, R returned
  currency TEXT,
  shipping_cents INTEGER,
  voucher TEXT,
  cancel_reason TEXT
);

CREATE TABLE sale_item (
  sale_id INTEGER REFERENCES sale(sale_id),
  item_no INTEGER,
  listing_id INTEGER REFERENCES listing(listing_id),
  qty INTEGER,
  price_cents INTEGER,       -- each, at the time of the sale
  PRIMARY KEY (sale_id, item_no)
);

CREATE TABLE shipment (
  tracking TEXT PRIMARY KEY,
  sale_id INTEGER REFERENCES sale(sale_id),
  carrier TEXT,
  sent_on TEXT,              -- YYYY-MM-DD
  arrived_on TEXT,           -- YYYY-MM-DD; NULL = on its way or lost
  grams INTEGER
);

CREATE TABLE return_case (
  case_id INTEGER PRIMARY KEY,
  sale_id INTEGER REFERENCES sale(sale_id),
  opened_on TEXT,            -- YYYY-MM-DD
  reason TEXT,               -- DMG damaged, DIF not as described, LAT too late, MND changed mind
  outcome TEXT,              -- refund, partial, rejected; NULL = open
  refund_cents INTEGER,
  decided_on TEXT
);

CREATE TABLE review (
  sale_id INTEGER PRIMARY KEY REFERENCES sale(sale_id),
  stars INTEGER,
  words TEXT,
  written_on TEXT,           -- YYYY-MM-DD
  hidden TEXT                -- why it was hidden; NULL = shown
);

CREATE TABLE payout (
  payout_id INTEGER PRIMARY KEY,
  seller_id INTEGER REFERENCES seller(seller_id),
  month TEXT,                -- YYYY-MM
  currency TEXT,
  gross_cents INTEGER,
  fee_cents INTEGER,
  paid_on TEXT               -- YYYY-MM-DD; NULL = held back
);

-- Typed over from the bank's page each month: no key, and one month is there twice.
CREATE TABLE exchange_rate (
  month TEXT,                -- MM/YYYY
  "EUR per GBP" TEXT         -- 1,1437
);
