import type { Catalog } from '../../contracts/catalog.ts';
import { keyNames } from '../../contracts/records.ts';
import { quoteIdentifier, type Token, tokenize } from '../../sql/index.ts';
import { splitStatements } from '../oracle/gold-sql.ts';

/**
 * The queries that decide what gold SQL changes: for the keys of the rows that UPDATE and DELETE find, and every query
 * within, of which those that refer to what is around them stand for nothing by themselves.
 */
export function decidingQueries(sql: string, catalog: Pick<Catalog, 'tables'>): string[] {
  return splitStatements(sql).flatMap((statement) => {
    const tokens = tokenize(statement);
    const whole = foundRows(statement, tokens, catalog);
    return [...(whole === null ? [] : [whole]), ...queriesWithin(statement, tokens)];
  });
}

/** `SELECT key FROM t WHERE …` for an UPDATE or DELETE of one table. */
function foundRows(
  statement: string,
  tokens: readonly Token[],
  { tables }: Pick<Catalog, 'tables'>,
): string | null {
  const words = outermost(tokens);
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
function queriesWithin(statement: string, tokens: readonly Token[]): string[] {
  const inserted = outermost(tokens).find(({ upper }) => upper === 'SELECT' || upper === 'RETURNING');
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

/** The words outside brackets. */
function outermost(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter(({ kind, text }) => {
    if (text === '(') depth++;
    if (text === ')') depth--;
    return depth === 0 && kind === 'word';
  });
}
