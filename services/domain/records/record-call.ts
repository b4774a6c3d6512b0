import { hash } from 'node:crypto';
import type { FieldError } from '../../../contracts/api.ts';
import { readInteger, readNumber } from '../../../contracts/exact-json.ts';
import { domainPath } from '../../../contracts/paths.ts';
import {
  MOST_CHANGES,
  RECORD_KEY,
  RECORD_OPERATORS,
  RECORD_VERBS,
  readRecordKey,
  readRecordTool,
  recordKeyText,
} from '../../../contracts/records.ts';
import { namesOf } from '../../../contracts/wording.ts';
import { unknownField } from '../../base/arguments.ts';
import type { Caller } from '../../base/http/caller.ts';
import { objectOf } from '../../base/http/json.ts';
import { HttpProblem, invalidField, invalidFields, unknownTool } from '../../base/http/problem.ts';
import {
  type Connection,
  jsonSql,
  quoted,
  SqliteError,
  type SqlValue,
  type WritableConnection,
} from '../../base/sqlite/driver.ts';
import { JournalStep, type TableShape } from '../../base/sqlite/private-copy.ts';
import type { ApiColumn } from '../hybrid/table-call.ts';
import { answerTableCall } from '../hybrid/table-routes.ts';
import type { RuntimeContext, ServedDomain } from '../runtime.ts';
import type { CallResult, PlacedCall } from '../tools/tool-spec.ts';
import { constraintProblem, violated } from './constraints.ts';
import { againstPolicies, brokenPolicies } from './policies.ts';
import { type RecordApi, recordApis } from './resources.ts';

type Given = Readonly<Record<string, unknown>>;

/** A call of a record tool, in the state of a run if it has one. */
type RecordCall = Pick<PlacedCall, 'domain' | 'name' | 'arguments' | 'mayWrite' | 'ifMatch' | 'policies'>;

/** A record API of a domain, in the state of a run. */
export interface Records extends Pick<PlacedCall, 'policies'> {
  readonly domain: ServedDomain;
  readonly api: RecordApi;
}

/**
 * Carries out a call of a record tool. Throws UNKNOWN_TOOL, UNKNOWN_RECORD, INVALID_PARAMETERS, BAD_REQUEST,
 * WRITES_NEED_RUN, POLICY, CONSTRAINT_CONFLICT, CONSTRAINT_VIOLATED, RECORD_CHANGED, TOO_MANY_CHANGES.
 */
export async function answerRecordCall(
  context: RuntimeContext,
  { domain, name, arguments: given, mayWrite, ifMatch, policies }: RecordCall,
  asker: Caller,
): Promise<CallResult> {
  const tool = readRecordTool(name);
  const apis = recordApis(domain.service);
  const api = apis.find((each) => each.name === tool?.resource);
  if (!tool || !api) {
    const known = apis.flatMap((each) => RECORD_VERBS.map((verb) => `${verb}_${each.name}`));
    throw unknownTool(name, known);
  }
  const records: Records = { domain, api, policies };
  const args = objectOf(given ?? {}, 'the values of the record');
  if (tool.verb === 'list') return listRecords(context, records, args, asker);
  if (tool.verb !== 'get' && !mayWrite) throw writesNeedRun();
  if (tool.verb === 'create') return createRecord(records, args);
  const { [RECORD_KEY]: keyGiven, ...values } = args;
  const key = readKey(api, keyGiven);
  if (tool.verb === 'update') return updateRecord(records, key, values, ifMatch);
  const others = Object.keys(values).map((each) => unknownField(each, [RECORD_KEY], { what: 'argument' }));
  if (others.length > 0) throw invalidFields(others);
  return tool.verb === 'get' ? getRecord(records, key) : deleteRecord(records, key, ifMatch);
}

export function writesNeedRun(): HttpProblem {
  const detail =
    'Records change within a run: begin one with POST /runs at a task of the formulation records or actions, or with "writes": true at any other, and send this below its address.';
  return new HttpProblem('WRITES_NEED_RUN', detail);
}

/** A record's key: as given, and as bound values by column. */
interface Key {
  readonly text: string;
  readonly values: readonly SqlValue[];
}

/** Throws UNKNOWN_RECORD for a text that is no key of this table, and INVALID_PARAMETERS where there is none. */
function readKey(api: RecordApi, given: unknown): Key {
  const names = api.key.map(({ name }) => name).join(',');
  if (given === undefined || given === null)
    throw invalidField(RECORD_KEY, 'missing', `${RECORD_KEY} is missing: the ${names} of the record`);
  if (typeof given === 'object')
    throw invalidField(RECORD_KEY, 'wrong_type', `${RECORD_KEY} must be a text or a number: ${names}`);
  const text = String(given);
  const parts = readRecordKey(text, api.key.length) ?? [];
  const values = parts.flatMap((part, at) => keyValue(api.key[at] as ApiColumn, part) ?? []);
  if (values.length !== api.key.length) throw unknownRecord(api, text);
  return { text, values };
}

/** null for a text that cannot be in the column. */
function keyValue({ column }: ApiColumn, text: string): SqlValue {
  if (column.type === 'string') return text;
  const integer = readInteger(text);
  if (integer !== null) return isInteger64(integer) ? integer : null;
  return readNumber(text);
}

function unknownRecord({ name, key }: RecordApi, text: string): HttpProblem {
  const names = key.map((each) => each.name).join(',');
  return new HttpProblem('UNKNOWN_RECORD', `There is no ${name} whose ${names} is ${text.slice(0, 80)}`);
}

/** A record as JSON text in the state of a connection; null if there is none. */
function readRecord(connection: Connection, api: RecordApi, key: readonly SqlValue[]): string | null {
  const columns = api.columns.map(({ column }) => quoted(column.name)).join(', ');
  const where = api.key.map(({ column }, at) => `${quoted(column.name)} = :k${at}`).join(' AND ');
  const names = api.columns.map(({ name }) => name);
  const sql = jsonSql(`SELECT ${columns} FROM ${quoted(api.table.name)} WHERE ${where} LIMIT 1`, names);
  const parameters = Object.fromEntries(key.map((value, at) => [`k${at}`, value]));
  const [text] = connection.prepare(sql).allFirst(parameters);
  return typeof text === 'string' ? text : null;
}

function etagOfRecord(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}

function getRecord({ domain, api }: Records, key: Key): CallResult {
  const text = readRecord(domain.connection(), api, key.values);
  if (text === null) throw unknownRecord(api, key.text);
  return { status: 200, headers: { etag: etagOfRecord(text) }, body: text };
}

/** A page of records: what table APIs read, under the names of this one. */
async function listRecords(context: RuntimeContext, { domain, api }: Records, given: Given, asker: Caller) {
  const { sort, cursor, ...filters } = given;
  const allowed = new Set(listNames(api));
  const asked: Record<string, unknown> = {};
  /** Names of the table's parameters → names that the caller gave. */
  const fields = new Map([['order_by', 'sort']]);
  const errors: FieldError[] = [];
  for (const [field, value] of Object.entries(filters)) {
    const name = field.replace(/\.([a-z]+)$/, '__$1');
    if (!allowed.has(name)) errors.push(unknownField(field, allowed));
    const inTable = name.replace(/__(?:gte|lte|null)$/, (suffix) => TABLE_SUFFIXES[suffix] ?? suffix);
    asked[inTable] = value;
    fields.set(inTable, field);
  }
  if (errors.length > 0) throw invalidFields(errors);
  if (sort !== undefined && sort !== null)
    asked.order_by = [sort].flat().flatMap((each) => (typeof each === 'string' ? each.split(',') : [each]));
  if (cursor !== undefined && cursor !== null) asked.offset = readCursor(cursor);
  const page = answerTableCall(context, domain, { api, style: 'rich', given: asked }, asker);
  const { text, next } = await page.catch((error: unknown) => {
    throw error instanceof HttpProblem ? inFields(error, fields) : error;
  });
  const shown = next === null ? 'null' : `"${printCursor(next)}"`;
  const paging = /"total":\d+,"next_offset":(?:null|\d+),("truncated":\w+\})$/;
  return { status: 200, body: text.replace(paging, (_, end: string) => `"next_cursor":${shown},${end}`) };
}

/** Wrong parameters under the names that the caller gave them. */
function inFields(problem: HttpProblem, fields: ReadonlyMap<string, string>): HttpProblem {
  if (problem.code !== 'INVALID_PARAMETERS') return problem;
  return invalidFields(
    problem.errors.map((error) => {
      const field = fields.get(error.field) ?? error.field;
      return { ...error, field, message: error.message.replace(error.field, field) };
    }),
  );
}

const TABLE_SUFFIXES: Readonly<Record<string, string>> = {
  __gte: '__ge',
  __lte: '__le',
  __null: '__is_null',
};

export function listNames({ columns }: RecordApi): readonly string[] {
  const compared = columns.flatMap(({ name }) => RECORD_OPERATORS.map((operator) => `${name}__${operator}`));
  return [...columns.map(({ name }) => name), ...compared, 'sort', 'limit', 'cursor'];
}

function printCursor(offset: number): string {
  return Buffer.from(`o${offset}`).toString('base64url');
}

function readCursor(cursor: unknown): number {
  const text = typeof cursor === 'string' ? Buffer.from(cursor, 'base64url').toString() : '';
  const digits = /^o(\d{1,15})$/.exec(text)?.[1];
  if (digits !== undefined) return Number(digits);
  throw invalidField('cursor', 'wrong_type', 'cursor must be the next_cursor of another page');
}

function createRecord(records: Records, given: Given): CallResult {
  const { domain, api } = records;
  const { split, db, reference_time } = domain.service;
  const shape = requireWritable(records);
  const values = readValues(api, shape, given);
  const { result, step } = change(records, values, (db) => {
    const row = new Map<string, SqlValue>([
      ...shape.timed.map(([column, timeAt]) => [column, timeAt(reference_time)] as const),
      ...values,
    ]);
    for (const { name, column } of api.key) {
      if ((row.get(column.name) ?? null) !== null || column.name === shape.numbered) continue;
      const next = api.key.length === 1 ? nextKey(db, api) : null;
      if (next === null) throw violated([{ field: name, code: 'missing', message: `${name} is missing` }]);
      row.set(column.name, next);
    }
    const columns = [...row.keys()].map(quoted).join(', ');
    const places = [...row].map(() => '?').join(', ');
    const list = columns === '' ? 'DEFAULT VALUES' : `(${columns}) VALUES (${places})`;
    const names = api.key.map(({ column }) => quoted(column.name)).join(', ');
    const [key = []] = db.rows(`INSERT INTO ${quoted(api.table.name)} ${list} RETURNING ${names}`, [
      ...row.values(),
    ]);
    requireOwnKey(db, api, key);
    return { key, text: readRecord(db, api, key) ?? '{}' };
  });
  const { key, text } = result;
  const location = `${domainPath(split, db)}/records/${api.name}/${encodeURIComponent(recordKeyText(key))}`;
  return { status: 201, headers: { location, etag: etagOfRecord(text) }, body: text, step };
}

function updateRecord(records: Records, key: Key, given: Given, ifMatch: string | undefined): CallResult {
  const { api } = records;
  const values = readValues(api, requireWritable(records), given);
  const after = api.key.map(({ column }, at) => values.get(column.name) ?? key.values[at] ?? null);
  const { result: text, step } = change(records, values, (db) => {
    requireMatch(readRecord(db, api, key.values), records, key, ifMatch);
    if (values.size > 0) {
      const list = [...values.keys()].map((column) => `${quoted(column)} = ?`).join(', ');
      const where = api.key.map(({ column }) => `${quoted(column.name)} = ?`).join(' AND ');
      db.run(`UPDATE ${quoted(api.table.name)} SET ${list} WHERE ${where}`, [
        ...values.values(),
        ...key.values,
      ]);
      requireOwnKey(db, api, after);
    }
    return readRecord(db, api, after) ?? '{}';
  });
  return { status: 200, headers: { etag: etagOfRecord(text) }, body: text, step };
}

function deleteRecord(records: Records, key: Key, ifMatch: string | undefined): CallResult {
  const { api } = records;
  requireWritable(records);
  const { step } = change(records, new Map(), (db) => {
    requireMatch(readRecord(db, api, key.values), records, key, ifMatch);
    const where = api.key.map(({ column }) => `${quoted(column.name)} = ?`).join(' AND ');
    db.run(`DELETE FROM ${quoted(api.table.name)} WHERE ${where}`, key.values);
  });
  // A model wants to read something; over HTTP the status says it.
  return { status: 200, body: '{"deleted":true}', step };
}

/** The shape of a table that can be written. Throws CONSTRAINT_VIOLATED for another one. */
export function requireWritable({ domain, api }: Records): TableShape {
  const shape = domain.copy().shape(api.table.name);
  if (shape && !shape.replaces) return shape;
  throw violated([
    { field: 'table', code: 'read_only', message: `the records of ${api.name} cannot be changed` },
  ]);
}

/** Throws UNKNOWN_RECORD where there is no record, and RECORD_CHANGED where it is another than was expected. */
function requireMatch(
  text: string | null,
  { api }: Records,
  key: Key,
  ifMatch: string | undefined,
): asserts text is string {
  if (text === null) throw unknownRecord(api, key.text);
  const wanted = ifMatch?.split(',').map((each) => each.trim().replace(/^W\//, ''));
  if (!wanted || wanted.includes('*') || wanted.includes(etagOfRecord(text))) return;
  const detail = `${api.name} ${key.text.slice(0, 80)} has changed since: its ETag is ${etagOfRecord(text)}`;
  throw new HttpProblem('RECORD_CHANGED', detail);
}

/** SQLite enforces a declared key; one that was found in the data is enforced here. */
function requireOwnKey(db: WritableConnection, { name, table, key }: RecordApi, values: readonly SqlValue[]) {
  const isDeclared = key.every(({ column }) => column.primary_key > 0);
  const field = key[0]?.name ?? RECORD_KEY;
  if (values.some((value) => value === null))
    throw violated([
      { field, code: 'not_null', message: `${field} is the key of ${name} and cannot be null` },
    ]);
  if (isDeclared) return;
  const where = key.map(({ column }) => `${quoted(column.name)} = ?`).join(' AND ');
  const [row] = db.rows(`SELECT count(*) FROM ${quoted(table.name)} WHERE ${where}`, values);
  if (Number(row?.[0]) < 2) return;
  const message = `another ${name} has this ${field}`;
  throw new HttpProblem('CONSTRAINT_CONFLICT', message, { errors: [{ field, code: 'unique', message }] });
}

/** Carries out a change in the run's state. Nothing has changed when it throws. */
export function change<Result>(
  { domain, api, policies }: Records,
  values: ReadonlyMap<string, SqlValue>,
  work: (db: WritableConnection) => Result,
): { readonly result: Result; readonly step: JournalStep | undefined } {
  try {
    const { result, changes } = domain.copy().write(domain.journal, work);
    const before = domain.journal.reduce((sum, step) => sum + step.changes.length, 0);
    if (changes.length > 0 && before + changes.length > MOST_CHANGES) {
      const detail = `A run may change ${MOST_CHANGES} rows; ${before} are changed, and this would change ${changes.length} more.`;
      throw new HttpProblem('TOO_MANY_CHANGES', detail);
    }
    if (changes.length === 0) return { result, step: undefined };
    const broken = brokenPolicies(domain, changes);
    if (broken.length > 0 && policies !== 'recorded') throw againstPolicies(broken);
    const broke = broken.map(({ id }) => id);
    return {
      result,
      step: JournalStep.of(broken.length > 0 ? changes.map((each) => ({ ...each, broke })) : changes),
    };
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error;
    throw constraintProblem(error, { domain, api, values });
  }
}

/** The given values by column. Throws INVALID_PARAMETERS for their form, CONSTRAINT_VIOLATED for their type. */
function readValues({ columns }: RecordApi, shape: TableShape, given: Given): Map<string, SqlValue> {
  const malformed: FieldError[] = [];
  const mistyped: FieldError[] = [];
  const values = new Map<string, SqlValue>();
  for (const [field, value] of Object.entries(given)) {
    const found = columns.find(({ name }) => name === field);
    if (!found) {
      malformed.push(unknownField(field, namesOf(columns), { what: 'column' }));
      continue;
    }
    const { column } = found;
    if (!shape.columns.includes(column.name) || column.statistics.storage.blob > 0) {
      malformed.push({ field, code: 'read_only', message: `${field} cannot be written` });
      continue;
    }
    if (typeof value === 'object' && value !== null)
      malformed.push({ field, code: 'wrong_type', message: `${field} must be one value` });
    else if (fitsType(column.type, value)) values.set(column.name, asStored(value));
    else
      mistyped.push({
        field,
        code: 'wrong_type',
        message: `${field} must be ${TYPE_NAMES[column.type]}, or null`,
      });
  }
  if (malformed.length > 0) throw invalidFields(malformed);
  if (mistyped.length > 0) throw violated(mistyped);
  return values;
}

const TYPE_NAMES = { string: 'a text', integer: 'an integer', number: 'a number' } as const;

function fitsType(type: keyof typeof TYPE_NAMES, value: unknown): boolean {
  if (value === null) return true;
  if (type === 'string') return typeof value === 'string';
  if (typeof value !== 'bigint' && (typeof value !== 'number' || !Number.isFinite(value))) return false;
  return type === 'number' || isInteger64(value);
}

function isInteger64(value: bigint | number): boolean {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value;
  return Number.isInteger(value) && isInteger64(BigInt(value));
}

function asStored(value: unknown): SqlValue {
  if (typeof value === 'bigint' && !isInteger64(value)) return Number(value);
  return Number.isSafeInteger(value) ? BigInt(value as number) : (value as SqlValue);
}

/** The key that follows the greatest one: a number, or the number at the end of a text such as `INV-00042`. */
function nextKey(db: WritableConnection, { table, key }: RecordApi): SqlValue {
  const column = quoted(key[0]?.column.name ?? '');
  const from = `FROM ${quoted(table.name)} WHERE ${column} IS NOT NULL`;
  if (key[0]?.column.type !== 'string') {
    const [row] = db.rows(`SELECT max(${column}) + 1 ${from}`);
    return typeof row?.[0] === 'bigint' ? row[0] : null;
  }
  const [row] = db.rows(`SELECT ${column} ${from} ORDER BY length(${column}) DESC, ${column} DESC LIMIT 1`);
  const [, prefix, digits] = /^(.*?)(\d{1,15})$/s.exec(String(row?.[0] ?? '')) ?? [];
  if (digits === undefined) return null;
  return `${prefix}${String(Number(digits) + 1).padStart(digits.length, '0')}`;
}
