import { callRecord, runRecord } from '../../services/agents/runs/run-store.ts';

/**
 * The first version of the tables of runs, in their own schema; `MIGRATIONS` has all later changes. Texts, flags and
 * times have the format of a file of runs, so that one reader serves both; integers within the range of doubles are
 * stored as doubles, which the driver returns as numbers.
 */
export const FIRST_SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS rookery;
  CREATE TABLE rookery.version (version integer NOT NULL);
  CREATE TABLE rookery.run (
    /* The order in which runs were begun. */
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id text NOT NULL UNIQUE,
    batch_id text,
    sample_id text NOT NULL,
    agent text NOT NULL,
    model text,
    settings text NOT NULL,
    list_options text NOT NULL,
    checksum text,
    tools text,
    budget text NOT NULL,
    faults text,
    evidence integer NOT NULL,
    answer_tool integer NOT NULL,
    farm_hash text NOT NULL,
    exam_key text,
    created_at double precision NOT NULL,
    started_at double precision,
    ended_at double precision,
    status text NOT NULL,
    end_reason text,
    answer text
  );
  CREATE INDEX run_batch ON rookery.run (batch_id);
  CREATE TABLE rookery.call (
    run_id text NOT NULL REFERENCES rookery.run (run_id) ON DELETE CASCADE,
    n integer NOT NULL,
    at double precision NOT NULL,
    tool text NOT NULL,
    arguments text NOT NULL,
    real_tool text,
    real_arguments text,
    status integer NOT NULL,
    code text,
    row_count double precision,
    bytes double precision NOT NULL,
    latency_ms double precision NOT NULL,
    fault text,
    handle text,
    PRIMARY KEY (run_id, n)
  );
  INSERT INTO rookery.version VALUES (1);
`;

/** Each migrates one version to the next, starting with the first. New databases run all of them. */
export const MIGRATIONS: readonly string[] = [
  // Every scrape of the metrics counts open runs by age.
  `CREATE INDEX run_open ON rookery.run (created_at) WHERE status = 'open'`,
  // Runs that change records.
  `ALTER TABLE rookery.run ADD COLUMN writes integer NOT NULL DEFAULT 0;
   ALTER TABLE rookery.call ADD COLUMN changes text, ADD COLUMN idempotency text`,
];

/** The version of the tables after all migrations. */
export const POSTGRES_SCHEMA_VERSION = 1 + MIGRATIONS.length;

/** The columns of a record as it is stored; those that have no type here are texts. */
const columnsOf = (shape: object, types: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, types[name] ?? 'text']));
const NUMBER = 'double precision';
const FLAG = 'integer';
const TIMES = { created_at: NUMBER, started_at: NUMBER, ended_at: NUMBER };
const RUN_COLUMNS = columnsOf(runRecord.shape, { ...TIMES, evidence: FLAG, answer_tool: FLAG, writes: FLAG });
const COUNTS = { at: NUMBER, row_count: NUMBER, bytes: NUMBER, latency_ms: NUMBER };
const CALL_COLUMNS = columnsOf(callRecord.shape, { ...COUNTS, n: 'integer', status: 'integer' });

/** Rows from the statement's one parameter, a JSON array of objects. */
const given = (columns: Readonly<Record<string, string>>) =>
  `given AS (SELECT * FROM json_to_recordset($1::text::json) AS row (${Object.entries(columns)
    .map(([name, type]) => `${name} ${type}`)
    .join(', ')}))`;
const names = (columns: object) => Object.keys(columns).join(', ');

/**
 * Writes of each kind, for a group of rows. Rows are locked in the order of their runs, so that processes do not
 * deadlock; the second one rereads what the first has left.
 */
export const WRITES = {
  addRuns: `
    WITH ${given(RUN_COLUMNS)}
    INSERT INTO rookery.run (${names(RUN_COLUMNS)}) SELECT ${names(RUN_COLUMNS)} FROM given
    RETURNING run_id AS key`,
  start: `
    WITH ${given({ key: 'text', at: 'double precision', checksum: 'text', tools: 'text' })},
    due AS (
      SELECT run_id FROM rookery.run WHERE run_id IN (SELECT key FROM given) AND started_at IS NULL
      ORDER BY run_id FOR NO KEY UPDATE)
    UPDATE rookery.run AS run SET started_at = given.at, checksum = given.checksum, tools = given.tools
    FROM given JOIN due ON due.run_id = given.key WHERE run.run_id = given.key
    RETURNING run.run_id AS key`,
  end: `
    WITH ${given({ key: 'text', at: 'double precision', status: 'text', reason: 'text', answer: 'text' })},
    due AS (
      SELECT run_id FROM rookery.run WHERE run_id IN (SELECT key FROM given) AND status = 'open'
      ORDER BY run_id FOR NO KEY UPDATE)
    UPDATE rookery.run AS run
    SET ended_at = given.at, status = given.status, end_reason = given.reason, answer = given.answer
    FROM given JOIN due ON due.run_id = given.key WHERE run.run_id = given.key
    RETURNING run.run_id AS key`,
  addCall: `
    WITH ${given(CALL_COLUMNS)},
    open AS (
      SELECT run_id FROM rookery.run WHERE run_id IN (SELECT run_id FROM given) AND status = 'open'
      ORDER BY run_id FOR SHARE)
    INSERT INTO rookery.call (${names(CALL_COLUMNS)})
    SELECT ${names(CALL_COLUMNS)} FROM given JOIN open USING (run_id) ORDER BY run_id, n
    ON CONFLICT DO NOTHING
    RETURNING run_id || ' ' || n AS key`,
} as const;
export type Write = keyof typeof WRITES;

const HEARD_AT = `coalesce(
  ended_at, (SELECT max(at) FROM rookery.call WHERE call.run_id = run.run_id), started_at, created_at)`;

/** Stored bytes of columns, computed without reading values that are stored out of line. */
const bytesOf = (columns: object) =>
  Object.keys(columns)
    .map((name) => `coalesce(pg_column_size(${name}), 0)`)
    .join(' + ');

/** The bytes of each run with its calls, without indexes. */
const SIZED = `
  WITH calls AS (
    SELECT run_id, sum(${bytesOf(CALL_COLUMNS)}) AS bytes FROM rookery.call GROUP BY run_id),
  sized AS (
    SELECT seq, ${HEARD_AT} AS heard_at, ${bytesOf(RUN_COLUMNS)} + coalesce(calls.bytes, 0) AS bytes
    FROM rookery.run LEFT JOIN calls USING (run_id))`;

/** Columns are not named, since a reader does not migrate an older database. */
export const READS = {
  run: `SELECT * FROM rookery.run WHERE run_id = $1::text`,
  runs: `
    SELECT run.*, seq::text AS seq FROM rookery.run AS run
    WHERE ($1::text IS NULL OR run_id = $1) AND ($2::text IS NULL OR batch_id = $2)
      AND ($3::text IS NULL OR agent = $3) AND seq > $4::text::bigint
    ORDER BY run.seq LIMIT $5::text::integer`,
  calls: `SELECT * FROM rookery.call WHERE run_id = $1::text ORDER BY n`,
  handles: `SELECT DISTINCT handle FROM rookery.call WHERE run_id = $1::text AND handle IS NOT NULL`,
  usage: `
    SELECT coalesce(max(n), 0) AS calls, coalesce(sum(bytes), 0) AS bytes FROM rookery.call WHERE run_id = $1::text`,
  open: `
    SELECT count(*) AS open, count(*) FILTER (
      WHERE started_at < $2::text::double precision AND coalesce(
        (SELECT at FROM rookery.call WHERE call.run_id = run.run_id ORDER BY n DESC LIMIT 1), started_at
      ) BETWEEN $3::text::double precision AND $2::text::double precision) AS stuck
    FROM rookery.run
    WHERE status = 'open' AND coalesce(
      started_at + 1000 * (budget::json ->> 'seconds')::double precision > $1::text::double precision, TRUE)`,
  /** Size of the tables on disk, with indexes and reusable space: an upper bound of the data. */
  size: `SELECT pg_total_relation_size('rookery.run') + pg_total_relation_size('rookery.call') AS bytes`,
  bytes: `${SIZED} SELECT coalesce(sum(bytes), 0) AS bytes FROM sized`,
  /** The last inactive run, in order of age, that must be deleted to get below a size limit. */
  lastTooMany: `${SIZED}, idle AS (
      SELECT seq, sum(bytes) OVER (ORDER BY seq) - bytes AS dropped FROM sized WHERE heard_at < $1::text::double precision)
    SELECT max(seq)::text AS seq FROM idle
    WHERE dropped < (SELECT sum(bytes) FROM sized) - $2::text::double precision`,
} as const;

/** Deletes runs up to a sequence number that were last active before a time. */
export const PRUNE = `
  DELETE FROM rookery.run WHERE seq IN (
    SELECT seq FROM rookery.run
    WHERE seq <= $1::text::bigint AND ${HEARD_AT} < $2::text::double precision
    ORDER BY seq LIMIT $3::text::integer FOR UPDATE SKIP LOCKED)`;
