CREATE TABLE pilot (
  id INTEGER PRIMARY KEY, pilot_reg_code INTEGER UNIQUE, licence_code INTEGER UNIQUE, pilot_name TEXT, height REAL
);
CREATE TABLE pilot_mark (
  id INTEGER PRIMARY KEY, speed INTEGER,
  pilot_reg_code INTEGER REFERENCES pilot(pilot_reg_code), licence_code INTEGER REFERENCES pilot(licence_code)
);
CREATE TABLE worker (
  id INTEGER PRIMARY KEY, first_name TEXT, last_name TEXT,
  reports_to INTEGER REFERENCES worker(id), trained_by INTEGER REFERENCES worker(id)
);
CREATE TABLE race (
  id INTEGER PRIMARY KEY, field TEXT,
  home_pilot_reg_code INTEGER REFERENCES pilot(pilot_reg_code),
  away_pilot_reg_code INTEGER REFERENCES pilot(pilot_reg_code)
);
