import type { Catalog } from '../../contracts/catalog.ts';
import { keyNames } from '../../contracts/records.ts';
import { quoteIdentifier, type Token, tokenize } from '../../sql/index.ts';
import { outermost, splitStatements } from '../oracle/gold-sql.ts';

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
