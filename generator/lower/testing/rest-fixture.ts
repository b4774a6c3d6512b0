import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Catalog } from '../../../contracts/catalog.ts';
import type { Question } from '../../../contracts/split.ts';
import { parseQuery, printQuery } from '../../../sql/index.ts';
import { readCatalog } from '../../read/catalog.ts';
import { type Member, memberOf } from '../../template/template.ts';
import { type LoweredRest, lowerRest } from '../lower-rest.ts';

export const REFERENCE_TIME = '2024-05-17 12:00:00';

/** Abbreviations, codes as text, roles, a link table, dates as text. */
const FILMS = readFileSync(join(import.meta.dirname, '../cases', 'films.schema.sql'), 'utf8');

export interface RestFixture {
  readonly db: Database.Database;
  readonly catalog: Catalog;
  /** `text` matters only for limits. */
  readonly question: (sql: string, text?: string) => Question;
  readonly member: (sql: string, text?: string) => Member;
  readonly lower: (...questions: readonly (string | readonly [sql: string, text: string])[]) => LoweredRest;
}

export function restFixture(schema = FILMS): RestFixture {
  const db = new Database(':memory:');
  db.exec(schema);
  const catalog = readCatalog('films', db);
  describe(catalog);
  const sql = { catalog, referenceTime: REFERENCE_TIME };
  let count = 0;
  const question = (text: string, wording = 'Which ones?'): Question => ({
    question_id: count++,
    db_id: 'films',
    question: wording,
    evidence: '',
    difficulty: null,
    sql: text,
  });
  return {
    db,
    catalog,
    question,
    member: (text, wording) => memberOf(question(text, wording), parseQuery(text, sql), catalog).member,
    lower: (...questions) => {
      const queries = questions
        .map((one) => (typeof one === 'string' ? question(one) : question(...one)))
        .map((one) => ({ question: one, query: parseQuery(one.sql, sql) }));
      return lowerRest(queries, { split: 'test', db: 'films', catalog });
    },
  };
}

/** Adds descriptions, as a split would. */
function describe(catalog: Catalog): void {
  const descriptions: Record<string, Partial<Catalog['tables'][number]['columns'][number]>> = {
    NumTstScr: {
      friendly_name: 'Number of Test Screenings',
      description: 'How often it was shown before it opened.',
    },
    cntry: { friendly_name: 'country', description: 'The country that the studio is in, such as fr or de.' },
    type: { value_description: 'short: less than an hour; feature: all others' },
    score: { description: 'The score of the critics.', value_description: 'unit: points' },
  };
  for (const table of catalog.tables) {
    for (const column of table.columns) Object.assign(column, descriptions[column.name] ?? {});
  }
}

/** The rows of each candidate's gold SQL and of its call, as sorted JSON. */
export function replay(
  db: Database.Database,
  catalog: Catalog,
  { endpoints, candidates }: LoweredRest,
): readonly { readonly sql: string; readonly gold: readonly string[]; readonly answer: readonly string[] }[] {
  const byName = new Map(endpoints.map((endpoint) => [endpoint.name, endpoint]));
  return candidates.map((candidate) => {
    const endpoint = byName.get(candidate.endpoint);
    const [call] = candidate.output;
    if (endpoint === undefined || call === undefined) throw new Error(`no endpoint ${candidate.endpoint}`);
    const values = endpoint.parameters.map(({ name, type, array }) => {
      const value = call.arguments[name];
      if (array) return [name, JSON.stringify(value)] as const;
      return [name, type === 'integer' ? BigInt(value as number) : value] as const;
    });
    const query = parseQuery(candidate.question.sql, { catalog, referenceTime: REFERENCE_TIME });
    const rowsOf = (sql: string, ...given: unknown[]) =>
      db
        .prepare(sql)
        .raw()
        .safeIntegers()
        .all(...given)
        .map(rowText)
        .sort();
    return {
      sql: candidate.question.sql,
      gold: rowsOf(printQuery(query)),
      answer: rowsOf(endpoint.sql, Object.fromEntries(values)),
    };
  });
}

function rowText(row: unknown): string {
  return JSON.stringify(row, (_, cell) => (typeof cell === 'bigint' ? { integer: String(cell) } : cell));
}
