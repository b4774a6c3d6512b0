-- Insurer's claims: a small insurer's policies, claims with the history of their status, payments and reserves, 2021 to 2024.

CREATE TABLE customer (
  customer_id INTEGER PRIMARY KEY,
  name TEXT,
  kind TEXT,                 -- P private, F firm, M municipality
  born TEXT,                 -- YYYY-MM-DD, private customers only
  town TEXT,
  customer_since INTEGER     -- year
);

CREATE TABLE product (
  code TEXT PRIMARY KEY,     -- MOT, HOM, TRA, PET, LIA, GLA
  name TEXT,
  excess_cents INTEGER,      -- what the customer bears of every claim
  commission REAL            -- percent of the premium
);

CREATE TABLE agent (
  agent_id INTEGER PRIMARY KEY,
  name TEXT,
  office TEXT,               -- NULL = works from home
  since TEXT,                -- YYYY-MM-DD
  recruited_by INTEGER REFERENCES agent(agent_id)
);

CREATE TABLE policy (
  policy_no TEXT PRIMARY KEY,  -- the number of today: N-2023-01234
  customer_id INTEGER REFERENCES customer(customer_id),
  product TEXT REFERENCES product(code),
  agent_id INTEGER REFERENCES agent(agent_id),   -- NULL = bought online
  begins TEXT,               -- YYYY-MM-DD
  ends TEXT,                 -- YYYY-MM-DD, NULL = runs on
  insured_cents INTEGER,     -- sum insured, NULL = unlimited
  "group" TEXT               -- bonus group A to E
);

-- On 1 January 2023 the policies taken over from Albion Mutual got new numbers.
CREATE TABLE renumbering (
  old_no TEXT PRIMARY KEY,   -- AM/12345
  new_no TEXT REFERENCES policy(policy_no),
  changed TEXT               -- YYYY-MM-DD
);

CREATE TABLE premium (
  booking INTEGER PRIMARY KEY,
  policy_no TEXT REFERENCES policy(policy_no),
  year INTEGER,
  booked TEXT,               -- YYYY-MM-DD
  cents INTEGER,             -- negative = given back
  "text" TEXT
);

CREATE TABLE handler (
  handler_id INTEGER PRIMARY KEY,
  name TEXT,
  team TEXT,                 -- Motor, Property, People
  limit_cents INTEGER,       -- may decide alone up to
  reports_to INTEGER REFERENCES handler(handler_id)
);

CREATE TABLE catastrophe (
  cat_id INTEGER PRIMARY KEY,
  name TEXT,
  kind TEXT,                 -- storm, hail, flood
  "from" TEXT,               -- YYYY-MM-DD
  "to" TEXT                  -- YYYY-MM-DD
);

CREATE TABLE claim (
  claim_no INTEGER PRIMARY KEY,
  policy_no TEXT,            -- as on the claim form: the number of that time
  happened TEXT,             -- YYYY-MM-DD
  reported TEXT,             -- YYYY-MM-DD
  cause TEXT,
  town TEXT,
  cat_id INTEGER REFERENCES catastrophe(cat_id),
  handler_id INTEGER REFERENCES handler(handler_id),   -- NULL = not yet assigned
  estimate_cents INTEGER     -- the customer's own, NULL = none given
);

CREATE TABLE claim_status (
  claim_no INTEGER REFERENCES claim(claim_no),
  step INTEGER,
  status TEXT,               -- REP reported, PAP papers wanted, REV review, APP approved, REJ rejected, CLO closed, REO reopened
  since TEXT,                -- YYYY-MM-DD HH:MM
  PRIMARY KEY (claim_no, step)
);

-- A wrong payment is not deleted: a line with the same amount below zero takes it back.
CREATE TABLE payment_line (
  line INTEGER PRIMARY KEY,
  claim_no INTEGER REFERENCES claim(claim_no),
  booked TEXT,               -- YYYY-MM-DD
  kind TEXT,                 -- DAM damage, LAW lawyer, REG recovered from others (below zero)
  cents INTEGER,
  corrects INTEGER REFERENCES payment_line(line)
);

CREATE TABLE reserve (
  claim_no INTEGER REFERENCES claim(claim_no),
  set_on TEXT,               -- YYYY-MM-DD
  cents INTEGER,             -- what we expect still to pay
  PRIMARY KEY (claim_no, set_on)
);

CREATE TABLE expert (
  expert_id INTEGER PRIMARY KEY,
  name TEXT,
  field TEXT,                -- vehicles, buildings, animals, medicine
  town TEXT
);

CREATE TABLE report (
  report_id INTEGER PRIMARY KEY,
  claim_no INTEGER REFERENCES claim(claim_no),
  expert_id INTEGER REFERENCES expert(expert_id),
  ordered TEXT,              -- YYYY-MM-DD
  delivered TEXT,            -- YYYY-MM-DD, NULL = not yet
  damage_cents INTEGER,      -- NULL until delivered
  finding TEXT
);
