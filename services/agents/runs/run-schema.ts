/** Of the tables below; a file with another one is refused. */
export const RUN_SCHEMA_VERSION = 3;

/** Open runs are counted at every look at the metrics; old ones are looked for again and again, first of all at the start. */
export const INDEXES = `
  CREATE INDEX IF NOT EXISTS run_open ON run (started_at, run_id, budget) WHERE status = 'open';
  CREATE INDEX IF NOT EXISTS run_created ON run (created_at);
`;

/** The tables of a run store. Times are milliseconds since 1970; JSON is text. */
export const RUN_SCHEMA = `
  CREATE TABLE run (
    /* The order in which runs were begun. */
    seq INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    batch_id TEXT,
    sample_id TEXT NOT NULL,
    agent TEXT NOT NULL,
    model TEXT,
    settings TEXT NOT NULL,
    list_options TEXT NOT NULL,
    /* Of the list of tools; NULL until the run starts. */
    checksum TEXT,
    /* Real names of the tools offered when they are not the whole toolset, else NULL. */
    tools TEXT,
    budget TEXT NOT NULL,
    faults TEXT,
    evidence INTEGER NOT NULL,
    answer_tool INTEGER NOT NULL,
    farm_hash TEXT NOT NULL,
    /* Of the names and orders of an exam, else NULL. */
    exam_key TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    status TEXT NOT NULL,
    end_reason TEXT,
    answer TEXT
  );
  CREATE INDEX run_batch ON run (batch_id);
  CREATE TABLE call (
    run_id TEXT NOT NULL REFERENCES run (run_id) ON DELETE CASCADE,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    /* As the agent knows the tool and its arguments. */
    tool TEXT NOT NULL,
    arguments TEXT NOT NULL,
    /* As the service knows them; NULL when it does not. */
    real_tool TEXT,
    real_arguments TEXT,
    status INTEGER NOT NULL,
    code TEXT,
    row_count INTEGER,
    bytes INTEGER NOT NULL,
    latency_ms REAL NOT NULL,
    fault TEXT,
    handle TEXT,
    PRIMARY KEY (run_id, n)
  ) WITHOUT ROWID;
`;
