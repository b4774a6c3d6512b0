-- Energy cooperative: a rural grid owned by its members, exported from a billing system of the nineties.

CREATE TABLE SUBSTATION (
  SUB_ID INTEGER PRIMARY KEY,
  NAME TEXT,
  DISTRICT TEXT,
  "kV" TEXT,                 -- 110/20, 20/0.4
  COMMISSIONED TEXT          -- DD.MM.YYYY
);

CREATE TABLE FEEDER (
  FEEDER_ID TEXT PRIMARY KEY,
  SUB_ID INTEGER REFERENCES SUBSTATION(SUB_ID),
  TYPE TEXT,                 -- O overhead, U underground, M mixed
  "LENGTH km" REAL,
  "LOSS %" REAL,
  "RATED A" INTEGER
);

CREATE TABLE MEMBER (
  MEMBER_NO INTEGER PRIMARY KEY,
  NAME TEXT,
  TYPE TEXT,                 -- R household, F farm, C commercial, I industry, 09 unknown
  "GROUP" TEXT,              -- voting group
  DISTRICT TEXT,
  JOINED TEXT,               -- MM/DD/YYYY
  "SHARES (EUR)" TEXT,       -- 1.250,00 as printed by the old system
  EMAIL TEXT
);

CREATE TABLE METER (
  SERIAL TEXT PRIMARY KEY,
  MEMBER_NO INTEGER REFERENCES MEMBER(MEMBER_NO),
  FEEDER_ID TEXT REFERENCES FEEDER(FEEDER_ID),
  MODEL TEXT,
  PHASES TEXT,               -- 1 or 3
  INSTALLED TEXT,            -- YYYY-MM-DD
  REMOVED TEXT,              -- YYYY-MM-DD, NULL while in use
  REPLACES TEXT REFERENCES METER(SERIAL)
);

CREATE TABLE READING (
  SERIAL TEXT REFERENCES METER(SERIAL),
  PERIOD TEXT,               -- YYYY-MM
  "kWh" REAL,
  "PEAK kW (15-min)" REAL,
  QUALITY TEXT,              -- A actual, E estimated, X rejected
  PRIMARY KEY (SERIAL, PERIOD)
);

CREATE TABLE TARIFF (
  CODE TEXT PRIMARY KEY,
  NAME TEXT,
  "ENERGY [c/kWh]" REAL,
  "STANDING [EUR/month]" REAL,
  VALID_FROM TEXT,           -- YYYY-MM-DD
  VALID_TO TEXT
);

CREATE TABLE INVOICE (
  INVOICE_NO TEXT PRIMARY KEY,
  MEMBER_NO INTEGER REFERENCES MEMBER(MEMBER_NO),
  TARIFF_CODE TEXT REFERENCES TARIFF(CODE),
  QUARTER TEXT,              -- 2024/Q3
  NET REAL,
  "VAT-%" INTEGER,
  DUE TEXT,                  -- YYYY-MM-DD
  PAID_ON TEXT,              -- YYYY-MM-DD
  STATUS TEXT                -- P paid, O open, R reminded, W written off
);

-- The control room's log: typed by hand, no key, some lines twice.
CREATE TABLE OUTAGE (
  FEEDER_ID TEXT REFERENCES FEEDER(FEEDER_ID),
  "START" TEXT,              -- YYYY-MM-DD HH:MM
  "END" TEXT,                -- YYYY-MM-DD HH:MM, NULL if nobody noted it
  CAUSE TEXT,                -- W weather, T tree, A animal, E equipment, P planned, D digger; NULL unknown
  "CUSTOMERS AFFECTED" TEXT, -- a whole number, or ?
  REMARK TEXT
);

CREATE TABLE PV_SITE (
  SITE_ID INTEGER PRIMARY KEY,
  MEMBER_NO INTEGER REFERENCES MEMBER(MEMBER_NO),
  "kWp" REAL,
  "TILT/AZIMUTH" TEXT,       -- degrees: 35/180
  "DATE" TEXT,               -- connected, YYYY-MM-DD
  "FEED-IN [c/kWh]" REAL,
  "2023 kWh" REAL,
  "2024 kWh" REAL
);
