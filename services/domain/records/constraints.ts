import type { FieldError } from '../../../contracts/api.ts';
import { HttpProblem } from '../../base/http/problem.ts';
import { quoted, type SqliteError, type SqlValue } from '../../base/sqlite/driver.ts';
import { asProblem, type ServedDomain } from '../runtime.ts';
import { type RecordApi, recordApis } from './resources.ts';

interface Refused {
  readonly domain: ServedDomain;
  readonly api: RecordApi;
  /** The values that were given, by column; none for a deletion. */
  readonly values: ReadonlyMap<string, SqlValue>;
}

/** CONSTRAINT_VIOLATED: values that the table can never hold. */
export function violated(errors: readonly FieldError[]): HttpProblem {
  return new HttpProblem('CONSTRAINT_VIOLATED', errors.map(({ message }) => message).join('; '), { errors });
}

/** SQLite's refusal of a change as a problem that names the constraint, the columns and the rule. */
export function constraintProblem(error: SqliteError, refused: Refused): unknown {
  const { api } = refused;
  const subject = error.message.replace(/^(?:[A-Za-z ]+? failed: |cannot store .* column )/, '');
  const columns = columnsIn(subject, api);
  switch (error.code) {
    case 'SQLITE_CONSTRAINT_UNIQUE':
    case 'SQLITE_CONSTRAINT_PRIMARYKEY':
    case 'SQLITE_CONSTRAINT_ROWID': {
      const names = columns.length > 0 ? columns : api.key.map(({ name }) => name);
      const message = `another ${api.name} has this ${names.join(' and ')}: ${names.length > 1 ? 'together they are' : 'it is'} unique`;
      return conflict(names.map((field) => ({ field, code: 'unique', message })));
    }
    case 'SQLITE_CONSTRAINT_FOREIGNKEY':
      return conflict(brokenReferences(refused));
    case 'SQLITE_CONSTRAINT_NOTNULL': {
      const [field = subject] = columns;
      return violated([{ field, code: 'not_null', message: `${field} must have a value` }]);
    }
    case 'SQLITE_CONSTRAINT_CHECK': {
      const rule = checkNamed(subject, refused) ?? subject;
      const mentioned = api.columns.filter(({ column }) => rule.includes(column.name));
      const [field = api.name] = mentioned.map(({ name }) => name);
      return violated([{ field, code: 'check', message: `the rule ${rule.slice(0, 300)} must hold` }]);
    }
    case 'SQLITE_CONSTRAINT_DATATYPE':
    case 'SQLITE_MISMATCH': {
      const [field = api.key[0]?.name ?? api.name] = columns;
      return violated([{ field, code: 'wrong_type', message: `${field} cannot hold a value of this type` }]);
    }
    case 'SQLITE_CONSTRAINT_TRIGGER':
      // SQLite carries out RESTRICT by a trigger of its own.
      if (error.message === 'FOREIGN KEY constraint failed') return conflict(brokenReferences(refused));
      return violated([{ field: api.name, code: 'rule', message: error.message.slice(0, 300) }]);
    case 'SQLITE_TOOBIG':
      return violated([{ field: api.name, code: 'out_of_range', message: 'a value is too long' }]);
    default:
      if (error.code.startsWith('SQLITE_CONSTRAINT') || error.code === 'SQLITE_ERROR')
        return violated([{ field: api.name, code: 'rule', message: error.message.slice(0, 300) }]);
      return asProblem(error);
  }
}

function conflict(errors: readonly FieldError[]): HttpProblem {
  const detail = [...new Set(errors.map(({ message }) => message))].join('; ');
  return new HttpProblem('CONSTRAINT_CONFLICT', detail, { errors });
}

/** The condition of a CHECK that SQLite calls by the name of its constraint, or by no more than its first quoted word. */
function checkNamed(name: string, { domain, api }: Refused): string | undefined {
  const definition = domain
    .connection()
    .prepareAdHoc("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = :name")
    .allFirst({ name: api.table.name });
  const [sql = ''] = definition.map(String);
  const quotedName = quoted(name);
  for (const { 0: head, 1: constraint, index } of sql.matchAll(CHECK)) {
    const rule = bracketed(sql.slice(index + head.length));
    if (constraint === undefined ? rule.startsWith(quotedName) : [name, quotedName].includes(constraint))
      return rule;
  }
  return undefined;
}

const CHECK = /(?:\bCONSTRAINT\s+(\w+|"(?:[^"]|"")*")\s+)?\bCHECK\s*\(/gi;

/** The text before the bracket that closes one opened before. */
function bracketed(text: string): string {
  let open = 1;
  for (const { 0: part, index } of text.matchAll(/'[^']*'|"[^"]*"|[()]/g)) {
    if (part === '(') open++;
    else if (part === ')') open--;
    if (open === 0) return text.slice(0, index).trim();
  }
  return text;
}

/** The columns in a message such as `visit.pet_id, visit.day`, as callers name them. */
function columnsIn(subject: string, { table, columns }: RecordApi): string[] {
  return columns
    .filter(({ column }) =>
      subject.split(', ').some((part) => part.toLowerCase() === `${table.name}.${column.name}`.toLowerCase()),
    )
    .map(({ name }) => name);
}

/** The references that a change would break, which SQLite does not name. */
function brokenReferences({ domain, api, values }: Refused): FieldError[] {
  const connection = domain.connection();
  const nameOf = (column: string) => api.columns.find((each) => each.column.name === column)?.name ?? column;
  const missing = api.table.foreign_keys.flatMap((key): FieldError[] => {
    const given = key.columns.map((column) => values.get(column) ?? null);
    if (given.some((value) => value === null)) return [];
    const where = key.references_columns.map((column, at) => `${quoted(column)} = :v${at}`).join(' AND ');
    const parameters = Object.fromEntries(given.map((value, at) => [`v${at}`, value]));
    const sql = `SELECT 1 FROM ${quoted(key.references_table)} WHERE ${where} LIMIT 1`;
    if (connection.prepareAdHoc(sql).allFirst(parameters).length > 0) return [];
    const names = key.columns.map(nameOf);
    const message = `there is no ${key.references_table} with this ${key.references_columns.join(' and ')}`;
    return names.map((field) => ({ field, code: 'foreign_key', message }));
  });
  if (missing.length > 0) return missing;
  const referring = recordApis(domain.service)
    .filter(({ table }) => table.foreign_keys.some((key) => key.references_table === api.table.name))
    .map(({ name }) => name);
  const message = `other records refer to this ${api.name}${referring.length > 0 ? `: ${referring.join(', ')}` : ''}`;
  return [{ field: api.key[0]?.name ?? api.name, code: 'foreign_key', message }];
}
