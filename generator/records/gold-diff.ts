import type { Catalog } from '../../contracts/catalog.ts';
import { keyNames, type RecordChange } from '../../contracts/records.ts';
import { JournalStep, type RowChange } from '../../services/base/sqlite/private-copy.ts';
import { netDiff } from '../../services/domain/records/diff.ts';
import { quoteIdentifier, type Token, tokenize } from '../../sql/index.ts';
import { outermost, splitStatements } from '../oracle/gold-sql.ts';

/** The rows that SQL changes, as records; those whose keys the server made list the columns that refer to them. */
export function goldDiff(changes: readonly RowChange[], sql: string, { tables }: Catalog): RecordChange[] {
  const tableOf = (name: string) => tables.find((each) => each.name === name);
  const inserted = insertedColumns(sql);
  const updated = updatedTables(sql);
  const withKeys = changes.map((change) => ({ ...change, key: keyNames(tableOf(change.table)) }));
  return netDiff([JournalStep.of(withKeys)]).map((change) => {
    const isServerMade = change.before === null && change.after !== null && leavesKey(change.table);
    return isServerMade ? { ...change, generated: referencesTo(change.table) } : change;
  });

  /** Whether the SQL leaves it to SQLite to make the keys of new rows. */
  function leavesKey(name: string): boolean {
    const table = tableOf(name);
    const [key, ...more] = keyNames(table);
    if (key === undefined) return true;
    if (more.length > 0) return false;
    const listed = inserted.get(name.toLowerCase());
    if (listed !== undefined) return listed !== null && !listed.has(key.toLowerCase());
    // Made by a trigger, unless an UPDATE gave it another key.
    const column = table?.columns.find((each) => each.name === key);
    const isNumbered = column?.primary_key === 1 && column.declared_type.toUpperCase() === 'INTEGER';
    const refers = table?.foreign_keys.some(({ columns }) => columns.includes(key));
    return isNumbered && !refers && !updated.has(name.toLowerCase());
  }

  function referencesTo(name: string) {
    return tables.flatMap((table) =>
      table.foreign_keys
        .filter((each) => each.references_table === name && each.columns.length === 1)
        .map((each) => ({ table: table.name, column: each.columns[0] ?? '' })),
    );
  }
}

/** A gold diff with the columns that its task leaves open, each `table.column`. */
export function withOpenColumns(diff: readonly RecordChange[], open: readonly string[] = []): RecordChange[] {
  return diff.map((change) => {
    const own = Object.keys(change.after ?? {}).filter((name) => open.includes(`${change.table}.${name}`));
    return own.length > 0 ? { ...change, open: own } : change;
  });
}

/** The columns that INSERT statements list, by table, all in lower case; null for all columns of a table. */
export function insertedColumns(sql: string): ReadonlyMap<string, ReadonlySet<string> | null> {
  const tokens = tokenize(sql);
  const found = new Map<string, ReadonlySet<string> | null>();
  tokens.forEach(({ upper, kind }, at) => {
    if (kind !== 'word' || upper !== 'INTO') return;
    const table = tokens[at + 1]?.text.toLowerCase() ?? '';
    const hasList = tokens[at + 2]?.text === '(';
    const end = tokens.findIndex((token, i) => i > at && token.text === ')');
    const listed = tokens.slice(at + 3, end).map(({ text }) => text.toLowerCase());
    const before = found.get(table);
    found.set(table, hasList && before !== null ? new Set([...(before ?? []), ...listed]) : null);
  });
  return found;
}

/** Words after UPDATE, in lower case, among which are the names of the tables. */
function updatedTables(sql: string): ReadonlySet<string> {
  const tokens = tokenize(sql);
  return new Set(
    tokens.flatMap(({ kind, upper }, at) =>
      // `UPDATE OR IGNORE t`
      kind === 'word' && upper === 'UPDATE'
        ? tokens.slice(at + 1, at + 4).map(({ text }) => text.toLowerCase())
        : [],
    ),
  );
}

/**
 * The queries that decide what gold SQL changes: one for the keys of the rows that each UPDATE and DELETE finds, and every
 * nested query. Correlated ones do not run by themselves.
 */
export function decidingQueries(sql: string, catalog: Pick<Catalog, 'tables'>): string[] {
  return splitStatements(sql).flatMap((statement) => {
    const tokens = tokenize(statement);
    const words = outermost(tokens).filter(({ kind }) => kind === 'word');
    const whole = foundRows(statement, words, catalog);
    return [...(whole === null ? [] : [whole]), ...queriesWithin(statement, tokens, words)];
  });
}

/** `SELECT key FROM t WHERE …` for an UPDATE or DELETE of one table. */
function foundRows(
  statement: string,
  words: readonly Token[],
  { tables }: Pick<Catalog, 'tables'>,
): string | null {
  const at = (word: string) => words.find(({ upper }) => upper === word);
  const [verb, where, end] = [words[0]?.upper, at('WHERE'), at('RETURNING')];
  const start = verb === 'DELETE' ? at('FROM')?.end : verb === 'UPDATE' ? words[0]?.end : undefined;
  const stop = verb === 'DELETE' ? where?.start : at('SET')?.start;
  const joins = verb === 'UPDATE' && at('FROM');
  if (start === undefined || stop === undefined || !where || joins) return null;
  const from = statement
    .slice(start, stop)
    .replace(/^\s*OR\s+\w+/i, '')
    .trim();
  const name = tokenize(from)[0]?.text.toLowerCase();
  const key = keyNames(tables.find((table) => table.name.toLowerCase() === name)).map(quoteIdentifier);
  return `SELECT ${key.join(', ') || '*'} FROM ${from} ${statement.slice(where.start, end?.start).trim()}`;
}

/** What stands in brackets after SELECT, and the query of an INSERT. */
function queriesWithin(statement: string, tokens: readonly Token[], words: readonly Token[]): string[] {
  const inserted = words.find(({ upper }) => upper === 'SELECT' || upper === 'RETURNING');
  const open: (Token | null)[] = [];
  const found = inserted?.upper === 'SELECT' ? [statement.slice(inserted.start)] : [];
  tokens.forEach(({ text, start }, i) => {
    const next = tokens[i + 1];
    if (text === '(') open.push(next?.upper === 'SELECT' ? next : null);
    const query = text === ')' ? open.pop() : null;
    if (query) found.push(statement.slice(query.start, start));
  });
  return found;
}
