import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Farm } from '../../contracts/farm.ts';
import type { Endpoint, EndpointParameter, Service } from '../../contracts/service.ts';
import type { Task } from '../../contracts/task.ts';

/** A folder that is removed after a file's tests. */
export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'rookery-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A database with features of real data: NULLs, blobs, invalid UTF-8, big integers, unusual names. */
export function makeZoo(file: string): void {
  const db = new Database(file);
  db.exec(`
    CREATE TABLE animal (
      id INTEGER PRIMARY KEY, name TEXT, "Percent (%) fed [K-12]" REAL, "order" TEXT, weight INTEGER, photo BLOB, note
    );
    INSERT INTO animal VALUES
      (1, 'Ada', 0.5, 'cats', 12, x'00ff10', NULL),
      (2, 'Bo''b "B" \\ x', 1.0, 'dogs', NULL, NULL, 9223372036854775807),
      (3, CAST(x'63e9' AS TEXT), 1e999, 'dogs', -9223372036854775808, x'', 1.5),
      (4, 'Zoë 🐘', -0.1, NULL, 9007199254740993, NULL, 'a' || char(0) || 'b'),
      (5, '', NULL, 'cats', 0, NULL, char(10) || char(9) || char(8232));
  `);
  db.close();
}

/** An endpoint with the given properties and defaults for the rest. */
export function endpoint(
  name: string,
  sql: string,
  columns: string[],
  more: Partial<Endpoint> = {},
): Endpoint {
  return {
    name,
    operation_id: `get_${name}`,
    path: `/v1/test/zoo/${name}`,
    summary: name,
    description: name,
    sql,
    parameters: [],
    columns: columns.map((column) => ({ name: column, type: 'any', nullable: true, description: column })),
    speed: 'quick',
    ...more,
  };
}

export function parameter(
  name: string,
  type: EndpointParameter['type'],
  more: Partial<EndpointParameter> = {},
): EndpointParameter {
  return { name, type, array: false, description: name, required: true, ...more };
}

/** Every column of the zoo under a plain name. */
export const all = endpoint(
  'animals',
  'SELECT id, name, "Percent (%) fed [K-12]", "order", weight, photo, note FROM animal',
  ['id', 'name', 'fed', 'order', 'weight', 'photo', 'note'],
);

/** Counts far beyond any time limit. */
export const RUNAWAY =
  'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';

export function zooService(endpoints: Endpoint[], more: Partial<Service> = {}): Service {
  return {
    format_version: 1,
    split: 'test',
    db: 'zoo',
    title: 'Zoo <of> "tests"',
    reference_time: '2024-01-01 00:00:00',
    endpoints,
    start_tables: [],
    catalog: { db: 'zoo', tables: [] },
    ...more,
  };
}

/** A farm folder in which every domain is the zoo. */
export function writeZooFarm(root: string, names: readonly string[], endpoints: Endpoint[]): void {
  const files: Record<string, string> = {};
  for (const folder of ['databases', 'services', 'openapi'])
    mkdirSync(join(root, folder), { recursive: true });
  for (const db of names) {
    makeZoo(join(root, 'databases', `${db}.sqlite`));
    writeFileSync(join(root, 'services', `${db}.json`), JSON.stringify(zooService(endpoints, { db })));
    writeFileSync(
      join(root, 'openapi', `${db}.rest.json`),
      JSON.stringify({ openapi: '3.1.0', info: { title: db } }),
    );
    for (const path of [`databases/${db}.sqlite`, `services/${db}.json`, `openapi/${db}.rest.json`]) {
      files[path] = createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex');
    }
  }
  const farm: Farm = {
    format_version: 1,
    name: 'zoo farm',
    split: {
      name: 'test',
      format: 'rookery',
      content_hash: createHash('sha256').update('test').digest('hex'),
    },
    generator_version: '0.0.0',
    reference_time: '2024-01-01 00:00:00',
    domains: names.map((db) => ({
      db,
      title: db,
      questions: 1,
      endpoints: endpoints.length,
      start_tables: 0,
      samples: { rest: 1, slot: 0, sel: 0, query: 0, hybrid: 0, records: 0, actions: 0 },
    })),
    files,
  };
  writeFileSync(join(root, 'farm.json'), JSON.stringify(farm));
}

const byId = endpoint('by_id', 'SELECT id, name FROM animal WHERE id = :id', ['id', 'name'], {
  parameters: [parameter('id', 'integer')],
});
const howMany = endpoint('how_many', 'SELECT count(*) AS n FROM animal', ['n']);

/** The relevant parts of a farm with one task. */
export interface ZooTask {
  /** The first is the gold endpoint. */
  readonly endpoints: readonly [Endpoint, ...Endpoint[]];
  readonly question: string;
}

const USUAL: ZooTask = { endpoints: [byId, howMany], question: 'What is the second animal called?' };

/** Writes a farm folder with one domain, `zoo`, and one task; returns the task. */
export function writeZooFarmWithTask(root: string, { endpoints, question }: ZooTask = USUAL): Task {
  const task: Task = {
    sample_id: 'test/zoo/1/rest',
    split: 'test',
    db: 'zoo',
    question_id: 1,
    formulation: 'rest',
    question,
    evidence: '',
    difficulty: null,
    flags: [],
    start_tables: [],
    toolset: { path: '/openapi/zoo.rest.json', size: endpoints.length },
    gold_tools: [endpoints[0].operation_id],
  };
  writeZooFarm(root, ['zoo'], [...endpoints]);
  mkdirSync(join(root, 'tasks'));
  const text = `${JSON.stringify(task)}\n`;
  writeFileSync(join(root, 'tasks', 'zoo.jsonl'), text);
  const farm = JSON.parse(readFileSync(join(root, 'farm.json'), 'utf8'));
  farm.files['tasks/zoo.jsonl'] = createHash('sha256').update(text).digest('hex');
  writeFileSync(join(root, 'farm.json'), JSON.stringify(farm));
  return task;
}
