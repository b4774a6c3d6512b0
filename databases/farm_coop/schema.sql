-- Agrargenossenschaft: Mitglieder, Höfe, Anbau, Anlieferungen, Milch und Maschinen einer bäuerlichen Genossenschaft.

CREATE TABLE mitglied (
  mitglied_nr TEXT PRIMARY KEY,   -- fünf Stellen, führende Nullen bleiben
  name TEXT,                      -- Nachname, Vorname; oder eine GbR
  ort TEXT,
  plz TEXT,
  beitritt TEXT,                  -- JJJJ-MM-TT
  austritt TEXT,                  -- JJJJ-MM-TT; NULL = noch Mitglied
  anteile INTEGER                 -- Geschäftsanteile zu 250 EUR
);

CREATE TABLE hof (
  hof_id INTEGER PRIMARY KEY,
  mitglied_nr TEXT REFERENCES mitglied(mitglied_nr),
  name TEXT,
  "höhe_m" INTEGER,               -- über dem Meer
  wirtschaftsweise TEXT,          -- konventionell, bio, Umstellung
  bio_seit INTEGER                -- Jahr; NULL = nicht bio
);

CREATE TABLE kultur (
  code TEXT PRIMARY KEY,
  name TEXT,
  art TEXT,                       -- Getreide, Ölsaat, Hackfrucht, Eiweißpflanze, Futter
  grundfeuchte REAL               -- Prozent, darüber wird getrocknet; NULL = spielt keine Rolle
);

CREATE TABLE schlag (
  schlag_id INTEGER PRIMARY KEY,
  hof_id INTEGER REFERENCES hof(hof_id),
  bezeichnung TEXT,
  hektar REAL,
  bodenpunkte INTEGER,            -- 1 bis 100; NULL = nie geschätzt
  pacht REAL                      -- EUR je Hektar und Jahr; NULL = Eigentum
);

CREATE TABLE anbau (
  schlag_id INTEGER REFERENCES schlag(schlag_id),
  jahr INTEGER,                   -- der Ernte
  kultur TEXT REFERENCES kultur(code),   -- NULL = Brache
  sorte TEXT,
  aussaat TEXT,                   -- TT.MM.JJJJ
  PRIMARY KEY (schlag_id, jahr)
);

CREATE TABLE lager (
  lager_id INTEGER PRIMARY KEY,
  name TEXT,
  ort TEXT,
  "kapazität_t" INTEGER,
  trocknung TEXT                  -- J, N
);

CREATE TABLE anlieferung (
  lieferschein INTEGER PRIMARY KEY,
  mitglied_nr TEXT REFERENCES mitglied(mitglied_nr),
  lager_id INTEGER REFERENCES lager(lager_id),
  kultur TEXT REFERENCES kultur(code),
  datum TEXT,                     -- JJJJ-MM-TT
  uhrzeit TEXT,                   -- HH:MM
  netto_kg INTEGER,
  feuchte TEXT,                   -- Prozent mit Komma: 14,5; NULL = nicht gemessen
  klasse TEXT,                    -- E, A, B, C; NULL = wird nicht eingeteilt
  storniert INTEGER               -- 1 = verwogen und neu gebucht
);

CREATE TABLE preis (
  kultur TEXT REFERENCES kultur(code),
  klasse TEXT,                    -- leer, wo nicht eingeteilt wird
  von TEXT,                       -- JJJJ-MM-TT
  bis TEXT,                       -- JJJJ-MM-TT; NULL = gilt noch
  eur_je_t REAL,
  PRIMARY KEY (kultur, klasse, von)
);

CREATE TABLE milchmenge (
  mitglied_nr TEXT REFERENCES mitglied(mitglied_nr),
  monat TEXT,                     -- JJJJ-MM
  kg INTEGER,                     -- NULL = Tankwagen ausgefallen
  PRIMARY KEY (mitglied_nr, monat)
);

-- Aus dem Labor: kein Schlüssel, manche Probe zweimal.
CREATE TABLE milchprobe (
  mitglied_nr TEXT REFERENCES mitglied(mitglied_nr),
  entnommen TEXT,                 -- TT.MM.JJJJ
  fett REAL,
  "eiweiß" REAL,
  zellzahl INTEGER,               -- tausend je ml
  hemmstoff TEXT                  -- neg., pos.; NULL = nicht untersucht
);

CREATE TABLE maschine (
  maschine_id INTEGER PRIMARY KEY,
  bezeichnung TEXT,
  typ TEXT,
  baujahr INTEGER,
  tagessatz REAL,                 -- EUR
  defekt_seit TEXT                -- JJJJ-MM-TT; NULL = einsatzbereit
);

CREATE TABLE ausleihe (
  ausleihe_id INTEGER PRIMARY KEY,
  maschine_id INTEGER REFERENCES maschine(maschine_id),
  mitglied_nr TEXT REFERENCES mitglied(mitglied_nr),
  von TEXT,                       -- JJJJ-MM-TT
  bis TEXT,                       -- JJJJ-MM-TT; NULL = noch nicht zurück
  stunden REAL,                   -- Betriebsstunden
  schaden TEXT                    -- NULL = keiner
);
