-- Payroll: the pay office of a joinery with six sites, January 2023 to June 2024.
-- Ids come from the group's personnel system and have 19 digits. Money is in cents.

CREATE TABLE site (
  code TEXT PRIMARY KEY,
  name TEXT,
  town TEXT,
  opened TEXT,               -- YYYY-MM-DD
  closed TEXT                -- YYYY-MM-DD; NULL while open
);

CREATE TABLE grade (
  grade TEXT PRIMARY KEY,    -- G1 to G7
  title TEXT,
  min_cents INTEGER,         -- a month, full time
  max_cents INTEGER,
  "default" INTEGER          -- hours a week unless a contract says otherwise
);

CREATE TABLE employee (
  employee_id INTEGER PRIMARY KEY,
  name TEXT,                 -- First Last
  born TEXT,                 -- YYYY-MM-DD
  site_code TEXT REFERENCES site(code),
  hired TEXT,                -- YYYY-MM-DD
  "left" TEXT,               -- YYYY-MM-DD; NULL while employed
  tax_class INTEGER,         -- 1 single, 2 family, 3 second job
  payee_account TEXT,        -- last four characters; NULL = paid by cheque
  lead_id INTEGER REFERENCES employee(employee_id)
);

CREATE TABLE contract (
  contract_id INTEGER PRIMARY KEY,
  employee_id INTEGER REFERENCES employee(employee_id),
  kind TEXT,                 -- P permanent, T temporary, A apprentice
  grade TEXT REFERENCES grade(grade),
  hours REAL,                -- a week
  salary_cents INTEGER,      -- a month
  start TEXT,                -- YYYY-MM-DD
  "end" TEXT                 -- YYYY-MM-DD, last day; NULL = in force
);

CREATE TABLE pay_element (
  code TEXT PRIMARY KEY,
  label TEXT,
  kind TEXT,                 -- E earning, D deduction, C contribution of the employer
  taxable TEXT,              -- Y or N
  "default" INTEGER          -- cents a month; NULL = worked out anew each time
);

CREATE TABLE pay_run (
  run_id INTEGER PRIMARY KEY,
  period TEXT,               -- YYYY-MM
  type TEXT,                 -- R regular, B bonus, K correction
  paid_on TEXT,              -- YYYY-MM-DD; NULL = not yet paid
  approved_by TEXT
);

CREATE TABLE payslip (
  slip_id INTEGER PRIMARY KEY,
  run_id INTEGER REFERENCES pay_run(run_id),
  employee_id INTEGER REFERENCES employee(employee_id),
  gross_cents INTEGER,
  net_cents INTEGER,
  corrects INTEGER REFERENCES payslip(slip_id)
);

CREATE TABLE payslip_line (
  slip_id INTEGER REFERENCES payslip(slip_id),
  "line" INTEGER,
  element TEXT REFERENCES pay_element(code),
  cents INTEGER,             -- deductions are negative
  for_period TEXT,           -- YYYY-MM; earlier than the run's = a correction
  remark TEXT,
  PRIMARY KEY (slip_id, "line")
);

CREATE TABLE absence (
  absence_id INTEGER PRIMARY KEY,
  employee_id INTEGER REFERENCES employee(employee_id),
  reason TEXT,               -- S sick, H holiday, P parental, U unpaid
  start TEXT,                -- YYYY-MM-DD
  "end" TEXT,                -- YYYY-MM-DD; NULL = not back yet
  days REAL,                 -- working days; NULL = not back yet
  certificate TEXT           -- Y or N, sick leave only
);

-- As the time clocks send it: no key, and some lines come twice.
CREATE TABLE overtime (
  employee_id INTEGER,
  worked TEXT,               -- DD.MM.YYYY
  hours TEXT,                -- 2,5
  reason TEXT
);

CREATE TABLE staff_loan (
  loan_id INTEGER PRIMARY KEY,
  employee_id INTEGER REFERENCES employee(employee_id),
  granted TEXT,              -- YYYY-MM-DD
  cents INTEGER,
  monthly_cents INTEGER,
  purpose TEXT,
  "end" TEXT                 -- YYYY-MM, last instalment
);

CREATE TABLE returned_payment (
  slip_id INTEGER PRIMARY KEY REFERENCES payslip(slip_id),
  returned_on TEXT,          -- YYYY-MM-DD
  bank_code TEXT,            -- AC01 unknown account, AC04 closed account, MS03 no reason given
  paid_again TEXT            -- YYYY-MM-DD; NULL = still open
);
