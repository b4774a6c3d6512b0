-- Charity donors: a trust that runs night shelters and village schools, 2022 to 2024. Money is in pounds.

CREATE TABLE donor (
  donor_id INTEGER PRIMARY KEY,
  name TEXT,                 -- as first written down
  kind TEXT,                 -- P person, C company, F foundation, E estate
  email TEXT,
  town TEXT,
  postcode TEXT,
  first_contact TEXT,        -- YYYY-MM-DD
  "no mail" TEXT,            -- X = wants no letters
  died TEXT,                 -- YYYY-MM-DD, or only the year
  same_as INTEGER REFERENCES donor(donor_id)
);

CREATE TABLE donor_alias (
  donor_id INTEGER REFERENCES donor(donor_id),
  spelling TEXT,
  seen_in TEXT,              -- bank, letter, web form, event list
  PRIMARY KEY (donor_id, spelling)
);

CREATE TABLE fund (
  fund_code TEXT PRIMARY KEY,
  name TEXT,
  restricted TEXT,           -- Y or N
  opened TEXT,               -- YYYY-MM-DD
  closed TEXT
);

CREATE TABLE appeal (
  appeal_code TEXT PRIMARY KEY,
  title TEXT,
  channel TEXT,              -- mail, web, radio, gala, street
  launched TEXT,             -- YYYY-MM-DD
  ended TEXT,
  cost REAL,
  target REAL                -- NULL = none set
);

CREATE TABLE pledge (
  pledge_id INTEGER PRIMARY KEY,
  donor_id INTEGER REFERENCES donor(donor_id),
  fund_code TEXT REFERENCES fund(fund_code),
  appeal_code TEXT REFERENCES appeal(appeal_code),
  pledged_on TEXT,           -- YYYY-MM-DD
  amount REAL,               -- each time
  every TEXT,                -- M month, Q quarter, Y year, 1 once
  times INTEGER,             -- NULL = until told otherwise
  status TEXT,               -- A active, F fulfilled, L lapsed, C cancelled
  why_ended TEXT
);

CREATE TABLE gift (
  gift_id INTEGER PRIMARY KEY,
  donor_id INTEGER REFERENCES donor(donor_id),   -- NULL = anonymous
  pledge_id INTEGER REFERENCES pledge(pledge_id),
  fund_code TEXT REFERENCES fund(fund_code),
  appeal_code TEXT REFERENCES appeal(appeal_code),
  received TEXT,             -- DD/MM/YYYY
  amount REAL,
  method TEXT,               -- DD direct debit, BT bank transfer, CH cheque, CA cash, CC card
  tax_aid TEXT,              -- Y or N; NULL = not asked
  in_memory_of TEXT
);

CREATE TABLE reversal (
  gift_id INTEGER PRIMARY KEY REFERENCES gift(gift_id),
  reversed_on TEXT,          -- YYYY-MM-DD
  reason TEXT
);

CREATE TABLE tax_claim (
  claim_no INTEGER PRIMARY KEY,
  "from" TEXT,               -- YYYY-MM-DD
  "to" TEXT,
  sent_on TEXT,
  paid_on TEXT,              -- NULL = waiting
  paid REAL
);

CREATE TABLE tax_claim_line (
  claim_no INTEGER REFERENCES tax_claim(claim_no),
  gift_id INTEGER REFERENCES gift(gift_id),
  claimed REAL,              -- a quarter of the gift
  PRIMARY KEY (claim_no, gift_id)
);

CREATE TABLE event (
  event_id INTEGER PRIMARY KEY,
  name TEXT,
  venue TEXT,
  held_on TEXT,              -- YYYY-MM-DD
  ticket REAL,               -- 0 = free
  seats INTEGER
);

CREATE TABLE event_guest (
  event_id INTEGER REFERENCES event(event_id),
  donor_id INTEGER REFERENCES donor(donor_id),
  seats INTEGER,
  paid REAL,
  came TEXT,                 -- Y or N; NULL = nobody ticked the list
  PRIMARY KEY (event_id, donor_id)
);

CREATE TABLE letter (
  letter_id INTEGER PRIMARY KEY,
  donor_id INTEGER REFERENCES donor(donor_id),
  kind TEXT,                 -- T thanks, R reminder, A appeal, N newsletter
  sent_on TEXT,              -- YYYY-MM-DD
  came_back TEXT             -- why the post returned it
);

-- From the guest books of the depots: no key, names as people wrote them.
CREATE TABLE goods (
  giver TEXT,
  day TEXT,                  -- YYYY-MM-DD
  what TEXT,
  worth TEXT                 -- £40, ca. 15, ?
);
