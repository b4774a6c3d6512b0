-- Telecom tickets: two years of the help desk of a regional telephone, internet and television company.
-- All times called ..._ms are milliseconds since 1970-01-01 00:00 UTC.

CREATE TABLE priority (
  code INTEGER PRIMARY KEY,  -- 1 to 5, 1 being the most urgent
  name TEXT,
  response_min INTEGER,      -- promised minutes to the first answer
  solve_h INTEGER            -- promised hours to the solution; NULL = no promise
);

CREATE TABLE region (
  region TEXT PRIMARY KEY,   -- two letters and a digit
  name TEXT,
  homes INTEGER,             -- homes passed by the network
  fibre_since TEXT           -- YYYY-MM; NULL = copper only
);

CREATE TABLE product (
  product_id INTEGER PRIMARY KEY,
  name TEXT,
  kind TEXT,                 -- fibre, dsl, mobile, tv, phone
  monthly_ct INTEGER,        -- cents a month
  mbit INTEGER,              -- down; NULL for what carries no data
  sold_until TEXT            -- YYYY-MM-DD; NULL = still sold
);

CREATE TABLE customer (
  customer_id INTEGER PRIMARY KEY,
  name TEXT,
  kind TEXT,                 -- P private, B business, W wholesale
  region TEXT REFERENCES region(region),
  since TEXT,                -- YYYY-MM-DD
  vip INTEGER,               -- 1 = answered first
  phone TEXT                 -- as given: +49 ..., 0049..., 0...
);

CREATE TABLE subscription (
  customer_id INTEGER REFERENCES customer(customer_id),
  product_id INTEGER REFERENCES product(product_id),
  start_ms INTEGER,
  end_ms INTEGER,            -- NULL = running
  PRIMARY KEY (customer_id, product_id)
);

CREATE TABLE agent (
  agent_id INTEGER PRIMARY KEY,
  name TEXT,
  team TEXT,                 -- L1, L2, NOC, FIELD
  hired TEXT,                -- YYYY-MM-DD
  "left" TEXT,               -- YYYY-MM-DD; NULL = still here
  mentor_id INTEGER REFERENCES agent(agent_id)
);

CREATE TABLE outage (
  outage_id INTEGER PRIMARY KEY,
  region TEXT REFERENCES region(region),
  kind TEXT,                 -- of the products hit
  began_ms INTEGER,
  ended_ms INTEGER,          -- NULL = not over
  cause TEXT                 -- NULL = never found
);

CREATE TABLE ticket (
  ticket_id INTEGER PRIMARY KEY,
  customer_id INTEGER REFERENCES customer(customer_id),
  product_id INTEGER REFERENCES product(product_id),
  opened_ms INTEGER,
  closed_ms INTEGER,         -- NULL = not closed
  priority INTEGER REFERENCES priority(code),
  status TEXT,               -- new, open, waiting, solved, closed, merged
  channel TEXT,              -- phone, mail, app, shop
  topic TEXT,                -- NULL = nobody chose one
  agent_id INTEGER REFERENCES agent(agent_id),
  merged_into INTEGER REFERENCES ticket(ticket_id),
  outage_id INTEGER REFERENCES outage(outage_id),
  "limit" INTEGER            -- hours promised to this customer; NULL = as the priority says
);

CREATE TABLE event (
  event_id INTEGER PRIMARY KEY,
  ticket_id INTEGER REFERENCES ticket(ticket_id),
  at_ms INTEGER,
  kind TEXT,                 -- assigned, answered, note, escalated, waiting, priority, solved, reopened
  agent_id INTEGER,          -- NULL = the machine
  "from" TEXT,               -- what was before: a priority or an agent
  "to" TEXT
);

CREATE TABLE visit (
  visit_id INTEGER PRIMARY KEY,
  ticket_id INTEGER REFERENCES ticket(ticket_id),
  planned TEXT,              -- YYYY-MM-DD
  slot TEXT,                 -- 08-12, 12-16, 16-20
  technician_id INTEGER REFERENCES agent(agent_id),
  result TEXT                -- fixed, nobody home, parts missing; NULL = still to come
);

CREATE TABLE credit (
  credit_id INTEGER PRIMARY KEY,
  ticket_id INTEGER REFERENCES ticket(ticket_id),
  cents INTEGER,             -- below zero = taken back
  granted_ms INTEGER,
  approved_by INTEGER REFERENCES agent(agent_id)   -- NULL = small enough to need nobody
);

-- Answers to the e-mail after a ticket: no key, some people answer twice. The scale changed in 2024.
CREATE TABLE survey (
  ticket_id INTEGER,
  answered_ms INTEGER,
  score INTEGER,             -- NULL = only a comment
  scale INTEGER,             -- 5 = 1 to 5 until the end of 2023, 10 = 0 to 10 since
  comment TEXT
);
