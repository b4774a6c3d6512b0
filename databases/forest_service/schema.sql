-- Skogsvården: ett statligt skogsverk med åtta distrikt, 2005 till 2024.

CREATE TABLE distrikt (
  kod TEXT PRIMARY KEY,
  namn TEXT,
  "län" TEXT,
  kontor TEXT,
  bildat TEXT                -- ÅÅÅÅ-MM-DD
);

CREATE TABLE "anställd" (
  anst_nr INTEGER PRIMARY KEY,
  "förnamn" TEXT,
  efternamn TEXT,
  befattning TEXT,
  distrikt TEXT REFERENCES distrikt(kod),
  chef INTEGER REFERENCES "anställd"(anst_nr),
  "började" TEXT,
  slutade TEXT               -- NULL: kvar
);

CREATE TABLE skifte (
  skifte_nr TEXT PRIMARY KEY, -- NO-0042
  distrikt TEXT REFERENCES distrikt(kod),
  namn TEXT,
  areal REAL,
  enhet TEXT,                -- ha, på Godset ac
  "ägare" TEXT,              -- kronan, kyrkan, enskild
  skydd TEXT,                -- reservat, biotop; NULL: inget
  "höjd m" INTEGER           -- över havet
);

CREATE TABLE "bestånd" (
  bestand_id INTEGER PRIMARY KEY,
  skifte_nr TEXT REFERENCES skifte(skifte_nr),
  "trädslag" TEXT,           -- T tall, G gran, B björk, E ek, C contorta
  planterat INTEGER,         -- år; NULL: självsått
  bonitet TEXT,              -- T24, G30
  volym REAL,                -- m3sk per ha
  ansvarig INTEGER REFERENCES "anställd"(anst_nr)
);

CREATE TABLE "entreprenör" (
  entreprenor_id INTEGER PRIMARY KEY,
  namn TEXT,
  ort TEXT,
  "org-nr" TEXT,
  certifierad TEXT           -- ja, nej; NULL: oklart
);

CREATE TABLE avverkning (
  avverkning_id INTEGER PRIMARY KEY,
  "order" TEXT,              -- 2019/0042
  bestand_id INTEGER REFERENCES "bestånd"(bestand_id),
  entreprenor_id INTEGER REFERENCES "entreprenör"(entreprenor_id),
  typ TEXT,                  -- G gallring, S slutavverkning, U upparbetning efter storm
  datum TEXT,
  volym REAL,                -- m3fub
  "pris kr/m3" INTEGER,
  vite TEXT                  -- böter: 12 500 kr
);

CREATE TABLE plantering (
  plantering_id INTEGER PRIMARY KEY,
  bestand_id INTEGER REFERENCES "bestånd"(bestand_id),
  datum TEXT,
  plantor INTEGER,
  "överlevnad %" INTEGER     -- NULL: inte kontrollerad
);

CREATE TABLE storm (
  storm_id INTEGER PRIMARY KEY,
  namn TEXT,
  datum TEXT,
  "vindstyrka m/s" REAL      -- NULL: mätaren gick sönder
);

CREATE TABLE stormskada (
  storm_id INTEGER REFERENCES storm(storm_id),
  skifte_nr TEXT REFERENCES skifte(skifte_nr),
  "fälld volym" INTEGER,     -- m3sk
  "uppröjd" TEXT,            -- NULL: inte än
  PRIMARY KEY (storm_id, skifte_nr)
);

CREATE TABLE brand (
  brand_id INTEGER PRIMARY KEY,
  skifte_nr TEXT REFERENCES skifte(skifte_nr),
  larm TEXT,                 -- ÅÅÅÅ-MM-DD TT:MM
  "släckt" TEXT,
  areal REAL,
  enhet TEXT,                -- ha; ac på Godset
  orsak TEXT                 -- B blixt, E eldning, T tåg, M maskin; NULL: okänd
);

-- Skrivs av från fältböcker: ingen nyckel, en del rader två gånger.
CREATE TABLE "barkborrefångst" (
  "fälla" TEXT,
  skifte_nr TEXT,
  "år" INTEGER,
  vecka TEXT,                -- v. 23
  antal INTEGER              -- NULL: fällan var vält
);

CREATE TABLE artfynd (
  fynd_id INTEGER PRIMARY KEY,
  skifte_nr TEXT REFERENCES skifte(skifte_nr),
  art TEXT,
  grupp TEXT,
  datum TEXT,                -- 14 juni 2021
  antal INTEGER,             -- NULL: inte räknat
  "uppgifter" TEXT           -- JSON: rapportör, metod, säker
);

CREATE TABLE "skogsväg" (
  "väg" TEXT PRIMARY KEY,
  distrikt TEXT REFERENCES distrikt(kod),
  "längd km" TEXT,           -- 3,4
  klass INTEGER,             -- 1 till 4
  bom TEXT,                  -- ja, nej
  rustad INTEGER             -- år; NULL: aldrig
);
