import { createHash } from 'node:crypto';
import { copyFileSync, linkSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Catalog } from '../contracts/catalog.ts';
import { type Farm, farm as farmSchema } from '../contracts/farm.ts';
import {
  type Endpoint,
  type EndpointParameter,
  type Service,
  service as serviceSchema,
} from '../contracts/service.ts';
import { DEFAULT_REFERENCE_TIME } from '../contracts/split.ts';
import { buildBundledSplit } from '../databases/build.ts';
import { SMALL_DOMAINS } from '../databases/domains.ts';
import { generate } from '../generator/generate.ts';

/** Generates the farm of the bundled split without output; returns the folder. */
export async function bundledFarm(out: string): Promise<string> {
  const referenceTime = DEFAULT_REFERENCE_TIME;
  await generate(await buildBundledSplit({ only: SMALL_DOMAINS, handWritten: true }), {
    out,
    name: 'bundled',
    referenceTime,
    timeoutMs: 30_000,
  });
  return out;
}

/** Writes a farm that repeats another one's domains and tasks under new names until it has this many. */
export function repeatDomains(source: string, to: string, most: { domains?: number; endpoints?: number }) {
  const farm = farmSchema.parse(JSON.parse(readFileSync(join(source, 'farm.json'), 'utf8')));
  if (farm.domains.every(({ endpoints }) => endpoints === 0)) throw new Error('the farm has no endpoints');
  for (const folder of ['services', 'databases', 'tasks']) mkdirSync(join(to, folder), { recursive: true });
  const {
    domains: mostDomains = Number.POSITIVE_INFINITY,
    endpoints: mostEndpoints = Number.POSITIVE_INFINITY,
  } = most;
  const domains: Farm['domains'] = [];
  let endpoints = 0;
  for (let n = 0; domains.length < mostDomains && endpoints < mostEndpoints; n++) {
    const domain = farm.domains[n % farm.domains.length] as Farm['domains'][number];
    const { db } = domain;
    const renamed = `${db}_${Math.floor(n / farm.domains.length)}`;
    const rename = (file: string) =>
      readFileSync(join(source, file), 'utf8')
        .replaceAll(`/${db}/`, `/${renamed}/`)
        .replaceAll(new RegExp(`("db":\\s*)"${db}"`, 'g'), `$1"${renamed}"`);
    const service: Service = serviceSchema.parse(JSON.parse(rename(`services/${db}.json`)));
    const own = service.endpoints.slice(0, mostEndpoints - endpoints);
    writeFileSync(join(to, 'services', `${renamed}.json`), JSON.stringify({ ...service, endpoints: own }));
    writeFileSync(join(to, 'tasks', `${renamed}.jsonl`), rename(`tasks/${db}.jsonl`));
    const database = join(to, 'databases', `${renamed}.sqlite`);
    if (n < farm.domains.length) copyFileSync(resolve(source, 'databases', `${db}.sqlite`), database);
    else linkSync(join(to, 'databases', `${db}_0.sqlite`), database);
    domains.push({ ...domain, db: renamed, endpoints: own.length });
    endpoints += own.length;
  }
  writeFileSync(join(to, 'farm.json'), JSON.stringify({ ...farm, domains, files: {} }));
  return { domains, endpoints };
}

/** Endpoints per synthetic domain, as in a typical public split. */
export const ENDPOINTS_PER_DOMAIN = 100;

export const CUSTOMERS = 5000;

/** Writes a farm with this many domains over one small shop database, as a generator would. */
export function writeSyntheticFarm(folder: string, domains: number): void {
  const names = Array.from({ length: domains }, (_, at) => `shop_${String(at).padStart(3, '0')}`);
  const files: Record<string, string> = {};
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
    files[path] = hash(text);
  };
  mkdirSync(join(folder, 'databases'), { recursive: true });
  const original = join(folder, 'databases', `${names[0]}.sqlite`);
  makeShop(original);
  const database = hash(readFileSync(original));
  for (const db of names) {
    const file = join(folder, 'databases', `${db}.sqlite`);
    if (file !== original) linkSync(original, file);
    files[`databases/${db}.sqlite`] = database;
    put(`services/${db}.json`, JSON.stringify(shopService(db)));
    put(
      `openapi/${db}.rest.json`,
      JSON.stringify({ openapi: '3.1.0', info: { title: db, version: '1' }, paths: {} }),
    );
  }
  const farm: Farm = {
    format_version: 1,
    name: 'bench',
    split: { name: 'bench', format: 'rookery', content_hash: hash('bench') },
    generator_version: '0.0.0',
    reference_time: '2024-01-01 00:00:00',
    domains: names.map((db) => ({
      db,
      title: db,
      questions: ENDPOINTS_PER_DOMAIN,
      endpoints: ENDPOINTS_PER_DOMAIN,
      start_tables: 0,
      samples: { rest: ENDPOINTS_PER_DOMAIN, slot: 0, sel: 0, query: 0, hybrid: 0, records: 0, actions: 0 },
    })),
    files,
  };
  writeFileSync(join(folder, 'farm.json'), JSON.stringify(farm));
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

function makeShop(file: string): void {
  const db = new Database(file);
  db.exec(`
    CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, city TEXT, birth_date TEXT, credit REAL);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer(id), placed TEXT, status TEXT, total REAL);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CUSTOMERS})
      INSERT INTO customer SELECT i, 'Customer ' || i, 'City ' || (i * 7919 % 40), date('1950-01-01', (i * 31 % 20000) || ' days'), round(i * 13.37 % 5000, 2) FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${CUSTOMERS * 8})
      INSERT INTO orders SELECT i, i * 7907 % ${CUSTOMERS} + 1, date('2020-01-01', (i % 1400) || ' days'), CASE i % 5 WHEN 0 THEN 'open' ELSE 'paid' END, round(i * 3.77 % 900, 2) FROM n;
    CREATE INDEX orders_customer ON orders(customer_id);
    CREATE INDEX customer_city ON customer(city);
    ANALYZE;
    DROP TABLE IF EXISTS sqlite_stat4;
  `);
  db.close();
}

/** The endpoints that the bench calls by name; others of a domain resemble them. */
const SHAPES: readonly {
  name: string;
  sql: string;
  parameters: [string, 'integer' | 'string'][];
  columns: string[];
}[] = [
  {
    name: 'customer_by_id',
    sql: 'SELECT T1.name AS name, T1.city AS city, T1.credit AS credit FROM customer AS T1 WHERE T1.id = :id',
    parameters: [['id', 'integer']],
    columns: ['name', 'city', 'credit'],
  },
  {
    name: 'orders_of_customer',
    sql: 'SELECT T1.name AS name, T2.id AS order_id, T2.placed AS placed, T2.total AS total FROM customer AS T1 INNER JOIN orders AS T2 ON T1.id = T2.customer_id WHERE T1.id = :id AND T2.status = :status ORDER BY T2.placed DESC',
    parameters: [
      ['id', 'integer'],
      ['status', 'string'],
    ],
    columns: ['name', 'order_id', 'placed', 'total'],
  },
  {
    name: 'customers_of_city',
    sql: 'SELECT T1.id AS id, T1.name AS name, T1.birth_date AS birth_date, T1.credit AS credit FROM customer AS T1 WHERE T1.city = :city',
    parameters: [['city', 'string']],
    columns: ['id', 'name', 'birth_date', 'credit'],
  },
];

/** Its running time depends on `steps` only, not on the data. */
const COUNTING = {
  name: 'about_a_second',
  sql: 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :steps) SELECT count(*) AS steps FROM n',
  parameters: [['steps', 'integer']] as [string, 'integer' | 'string'][],
  columns: ['steps'],
};

function shopService(db: string): Service {
  const endpoints = Array.from({ length: ENDPOINTS_PER_DOMAIN - 2 }, (_, at) => {
    const shape = SHAPES[at % SHAPES.length] as (typeof SHAPES)[number];
    const copy = Math.floor(at / SHAPES.length);
    return describeEndpoint(
      db,
      copy === 0
        ? shape
        : { ...shape, name: `${shape.name}_${copy}`, sql: `${shape.sql} LIMIT ${copy * 1000}` },
    );
  });
  endpoints.push({ ...describeEndpoint(db, COUNTING), speed: 'slow' });
  // Deliberately marked wrong, to show why the mark matters.
  endpoints.push(describeEndpoint(db, { ...COUNTING, name: 'about_a_second_here' }));
  return {
    format_version: 1,
    split: 'bench',
    db,
    title: `Shop ${db}`,
    reference_time: '2024-01-01 00:00:00',
    endpoints,
    start_tables: [],
    catalog: shopCatalog(db),
  };
}

function describeEndpoint(db: string, shape: (typeof SHAPES)[number]): Endpoint {
  return {
    name: shape.name,
    operation_id: `get_${shape.name}_v1_bench_${shape.name}_get`.slice(0, 64),
    path: `/v1/bench/${db}/${shape.name}`,
    summary: `The ${shape.columns.join(', ')} of what ${shape.name.replaceAll('_', ' ')} selects`,
    description: `Reads customers and their orders of one shop, and gives ${shape.columns.join(', ')} for each row that the parameters select, in no particular order unless one is named.`,
    sql: shape.sql,
    parameters: shape.parameters.map(
      ([name, type]): EndpointParameter => ({
        name,
        type,
        array: false,
        description: `Only rows whose ${name} equals this value, as the column of that name in the shop's records holds it.`,
        required: true,
      }),
    ),
    columns: shape.columns.map((name) => ({
      name,
      type: 'any',
      nullable: true,
      description: `The ${name.replaceAll('_', ' ')} as the shop's records hold it.`,
    })),
    speed: 'quick',
  };
}

/** Eight tables of ten columns: the size of a typical domain of a public split. */
function shopCatalog(db: string): Catalog {
  const statistics = {
    rows: 5000,
    nulls: 12,
    distinct: 4000,
    min: 'Aachen',
    max: 'Zwolle',
    storage: { integer: 0, real: 0, text: 4988, blob: 0 },
  };
  const tables = Array.from({ length: 8 }, (_, table) => ({
    name: `table_${table}`,
    friendly_name: `table ${table}`,
    description: null,
    rows: 5000,
    has_rowid: true,
    view: false,
    foreign_keys: [],
    columns: Array.from({ length: 10 }, (_, column) => ({
      name: `column_${column}`,
      declared_type: 'TEXT',
      type: 'string' as const,
      not_null: false,
      primary_key: 0,
      collation: 'BINARY',
      friendly_name: `column number ${column}`,
      description: `What column ${column} of table ${table} holds, in a sentence of usual length.`,
      value_description: null,
      statistics,
    })),
  }));
  return { db, tables };
}
