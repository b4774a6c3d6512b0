import { sameRows } from '../../contracts/answer-rows.ts';
import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { changesRecords } from '../../contracts/records.ts';
import { sameChanges } from '../../contracts/same-changes.ts';
import type { Question } from '../../contracts/split.ts';
import type { RowChange } from '../../services/base/sqlite/private-copy.ts';
import { quoteIdentifier, type Token, tokenize } from '../../sql/index.ts';
import { closing, editText, splitStatements } from '../oracle/gold-sql.ts';
import { type Oracle, unlessRefused, type WritesAnswer } from '../oracle/oracle.ts';
import { goldDiff } from './gold-diff.ts';

interface MeaningContext {
  readonly oracle: Pick<Oracle, 'run' | 'writes'>;
  readonly file: string;
  readonly catalog: Catalog;
}

/** A task with more changed rows would only be longer. */
export const MOST_ROWS = 20;

/**
 * Requires that each description fits exactly one row, and that rows change, or none if the task is to be refused;
 * `forbidden`: a rule of the domain, which SQLite does not know, refuses the changes; `own`: in a dialogue, those against
 * the turn before. Throws REFERENCE_NOT_UNIQUE, NOT_REFUSED, SQL_NOT_EXECUTABLE, NOTHING_CHANGED, CHANGES_TOO_MANY.
 */
export function requireTask(
  { refuse = false, sql, holding }: Pick<Question, 'refuse' | 'sql' | 'holding'>,
  made: WritesAnswer,
  {
    forbidden = false,
    own = made.changes,
  }: { readonly forbidden?: boolean; readonly own?: readonly RowChange[] } = {},
): void {
  const { changes, refused, unclear } = made;
  if (unclear !== null) throw new QueryError('REFERENCE_NOT_UNIQUE', unclear);
  if (refuse && !forbidden) {
    if (changes.length > 0) throw new QueryError('NOT_REFUSED', `${changes.length} rows change`);
    return;
  }
  if (refused !== null) throw new QueryError('SQL_NOT_EXECUTABLE', refused);
  const onlyAsks = holding !== undefined && sql !== '' && !changesRecords(sql);
  if (own.length === 0 && !onlyAsks)
    throw new QueryError('NOTHING_CHANGED', 'no row is another one afterwards');
  if (changes.length > MOST_ROWS)
    throw new QueryError('CHANGES_TOO_MANY', `${changes.length} rows change; ${MOST_ROWS} are possible`);
}

/**
 * Requires that ties decide nothing and that an answer depends on the changes. In drawn tasks every condition must matter;
 * people may write one that happens to hold. Throws CHANGES_LEFT_OPEN, IDLE_CLAUSE, NOTHING_CHANGED, ANSWER_UNCHANGED.
 */
export async function requireOneMeaning(
  { sql, refuse = false, kind, holding }: Pick<Question, 'sql' | 'refuse' | 'kind' | 'holding'>,
  made: WritesAnswer,
  { oracle, file, catalog }: MeaningContext,
): Promise<void> {
  const gold = goldDiff(made.changes, sql, catalog);
  const isSame = (other: WritesAnswer | null) =>
    other !== null &&
    other.unclear === null &&
    other.refused === made.refused &&
    sameChanges(gold, goldDiff(other.changes, sql, catalog)) &&
    sameRows(made.answer?.rows ?? [], other.answer?.rows ?? [], null);
  const others = [oracle.writes(file, sql, { reversed: true })];
  for (const each of withTiesBroken(sql)) others.push(oracle.writes(file, each));
  for (const other of await Promise.all(others.map(unlessRefused)))
    if (other !== null && !isSame(other))
      throw new QueryError('CHANGES_LEFT_OPEN', 'with rows in another order, others change');
  // What a constraint refuses has no changes that a condition could decide.
  if (kind !== undefined && made.refused === null) {
    const without = withoutEachCondition(sql);
    const isIdle: boolean[] = [];
    for (const each of without)
      isIdle.push(
        isSame(await unlessRefused(oracle.writes(file, each.sql, { atMost: made.changes.length + 1 }))),
      );
    if (refuse && isIdle.every(Boolean))
      throw new QueryError('NOTHING_CHANGED', 'no row is another one, whatever the conditions');
    const idle = without.find((each, at) => isIdle[at] && !each.isGuard);
    if (idle && !refuse)
      throw new QueryError('IDLE_CLAUSE', `the same rows change without: ${idle.condition}`);
  }
  const query = splitStatements(sql).at(-1);
  if (made.answer === null || query === undefined || refuse || holding !== undefined) return;
  const { rows } = await oracle.run(file, query);
  if (sameRows(rows, made.answer.rows, null))
    throw new QueryError('ANSWER_UNCHANGED', 'the query finds the same before');
}

/** The SQL with rows that a LIMIT cuts through in either order; SQLite's own order, reversed, leaves sorted rows alone. */
function withTiesBroken(sql: string): string[] {
  const tokens = tokenize(sql);
  const ends: { readonly at: number; readonly table: string }[] = [];
  const open: { from: string; isSorted: boolean }[] = [{ from: '', isSorted: false }];
  tokens.forEach(({ kind, text, upper, start }, at) => {
    const level = open.at(-1);
    if (text === '(') open.push({ from: '', isSorted: false });
    if (text === ')') open.pop();
    if (kind !== 'word' || !level) return;
    if (upper === 'FROM') level.from = nameOf(tokens, at + 1);
    if (upper === 'ORDER') level.isSorted = true;
    if (upper === 'LIMIT' && level.isSorted && level.from !== '') ends.push({ at: start, table: level.from });
  });
  if (ends.length === 0) return [];
  const sorted = (direction: string) =>
    editText(
      sql,
      ends.map(({ at, table }) => ({ start: at, end: at, text: `, ${table}.rowid ${direction} ` })),
    );
  return [sorted('ASC'), sorted('DESC')];
}

function nameOf(tokens: readonly Token[], at: number): string {
  const [table, second, third] = tokens.slice(at);
  if (!table || table.text === '(') return '';
  const next = second?.upper === 'AS' ? third : second;
  const isAlias = next?.kind === 'quoted' || (next?.kind === 'word' && !NO_ALIAS.has(next.upper));
  return quoteIdentifier(isAlias ? next.text : table.text);
}

const NO_ALIAS = new Set('WHERE INNER JOIN LEFT CROSS NATURAL ON ORDER GROUP LIMIT'.split(' '));

export interface WithoutCondition {
  readonly sql: string;
  readonly condition: string;
  /** Whether the condition is about the whole database, so that it lets everything happen or nothing. */
  readonly isGuard: boolean;
}

const ENDS = new Set('GROUP ORDER LIMIT RETURNING WINDOW UNION EXCEPT INTERSECT HAVING ON WHERE'.split(' '));

/** The SQL without each condition of its WHERE and HAVING clauses, those of subqueries included. */
export function withoutEachCondition(sql: string): WithoutCondition[] {
  const tokens = tokenize(sql);
  const found: WithoutCondition[] = [];
  const leaveOut = (from: number, to: number, neutral: string) => {
    const [first, last] = [tokens[from], tokens[to - 1]];
    if (!first || !last) return;
    const edit = { start: first.start, end: last.end, text: neutral };
    const opening = tokens[first.upper === 'NOT' ? from + 1 : from];
    found.push({
      sql: editText(sql, [edit]),
      condition: sql.slice(first.start, last.end),
      isGuard: opening?.upper === 'EXISTS' || (opening?.text === '(' && tokens[from + 1]?.upper === 'SELECT'),
    });
  };
  const visit = (from: number, to: number, neutral: string): void => {
    const either = parts(tokens, from, to, 'OR');
    if (either.length > 1) {
      for (const [a, b] of either) visit(a, b, '0');
      return;
    }
    const all = parts(tokens, from, to, 'AND');
    if (all.length > 1) {
      for (const [a, b] of all) visit(a, b, '1');
      return;
    }
    const isBracketed =
      tokens[from]?.text === '(' && closing(tokens, from) === to - 1 && tokens[from + 1]?.upper !== 'SELECT';
    if (isBracketed) visit(from + 1, to - 1, neutral);
    if (!isBracketed || parts(tokens, from + 1, to - 1, 'OR').length > 1) leaveOut(from, to, neutral);
  };
  tokens.forEach(({ kind, upper }, at) => {
    if (kind !== 'word' || (upper !== 'WHERE' && upper !== 'HAVING')) return;
    visit(at + 1, endOfClause(tokens, at + 1), '1');
  });
  return found;
}

function endOfClause(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const { kind, text, upper } = tokens[at] as Token;
    if (text === '(') depth++;
    if (text === ')' && --depth < 0) return at;
    if (depth === 0 && ((kind === 'word' && ENDS.has(upper)) || text === ';')) return at;
  }
  return tokens.length;
}

/** The ranges of tokens between a connective, outside brackets and CASE. */
function parts(
  tokens: readonly Token[],
  from: number,
  to: number,
  connective: 'AND' | 'OR',
): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let [depth, start, isBetween] = [0, from, false];
  for (let at = from; at < to; at++) {
    const { kind, text, upper } = tokens[at] as Token;
    const word = kind === 'word' ? upper : '';
    if (text === '(' || word === 'CASE') depth++;
    if (text === ')' || word === 'END') depth--;
    if (depth > 0) continue;
    if (word === 'BETWEEN') isBetween = true;
    else if (word === 'AND' && isBetween) isBetween = false;
    else if (word === connective) {
      found.push([start, at]);
      start = at + 1;
    }
  }
  return [...found, [start, to]];
}
