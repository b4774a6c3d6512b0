import { referencesIn } from './answer-rows.ts';
import type { Call } from './sample.ts';

/**
 * How calls hang together. `depth`: the longest chain in which each call takes the result of another, as deep as one
 * nested expression would be. `width`: the most calls that can be made side by side.
 */
export function callShape(calls: readonly Call[]): { readonly depth: number; readonly width: number } {
  const levels = new Map<string, number>();
  const atLevel: number[] = [];
  for (const { arguments: args, label } of calls) {
    const level = Math.max(0, ...referencesIn(args).map((used) => levels.get(used) ?? 0));
    atLevel[level] = (atLevel[level] ?? 0) + 1;
    if (label !== undefined) levels.set(label, level + 1);
  }
  return { depth: atLevel.length, width: Math.max(0, ...atLevel) };
}

/** What a gold query takes, counted in its text. */
export interface QueryNeeds {
  /** Tables beyond the first of each SELECT. */
  readonly joins: number;
  /** SELECTs beyond the first: subqueries, CTEs, parts of set operations. */
  readonly nesting: number;
  /** Kinds of operations on rows: grouping, sorting, aggregates, windows, … */
  readonly operations: number;
}

/** Each counts once. */
const OPERATIONS: readonly RegExp[] = [
  /\bGROUP BY\b/,
  /\bHAVING\b/,
  /\bORDER BY\b/,
  /\b(?:COUNT|SUM|TOTAL|AVG|MIN|MAX|GROUP_CONCAT)\s*\(/,
  /\bDISTINCT\b/,
  /\b(?:UNION|INTERSECT|EXCEPT)\b/,
  /\bOVER\s*\(/,
  /\bCASE\b/,
  /\bCAST\b|[*/] /,
];
const TEXTS = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g;
/** What ends the list of a FROM. */
const AFTER_FROM = /\b(?:WHERE|GROUP|ORDER|HAVING|LIMIT|UNION|INTERSECT|EXCEPT|WINDOW)\b/;

export function queryNeeds(sql: string): QueryNeeds {
  const text = withoutNames(sql);
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    joins: count(/\bJOIN\b/g) + commaJoins(text),
    nesting: Math.max(0, count(/\bSELECT\b/g) - 1),
    operations: OPERATIONS.filter((pattern) => pattern.test(text)).length,
  };
}

const withoutTexts = (sql: string) => sql.replace(TEXTS, ' 0 ');
const withoutNames = (sql: string) =>
  withoutTexts(sql)
    .replace(/"[^"]*"|`[^`]*`|\[[^\]]*\]/g, ' x ')
    .toUpperCase();

/** Commas between the tables of a FROM, outside of parentheses. */
function commaJoins(text: string): number {
  let commas = 0;
  for (const { index } of text.matchAll(/\bFROM\b/g)) {
    let depth = 0;
    const rest = text.slice(index + 'FROM'.length);
    const end = AFTER_FROM.exec(rest)?.index ?? rest.length;
    for (const char of rest.slice(0, end)) {
      if (char === '(') depth++;
      else if (char === ')' && --depth < 0) break;
      else if (char === ',' && depth === 0) commas++;
    }
  }
  return commas;
}

/** The names in a query that are no keywords, functions, tables or aliases. */
function columnsIn(sql: string): ReadonlySet<string> {
  const tokens = withoutTexts(sql).match(/"[^"]*"|`[^`]*`|\[[^\]]*\]|[A-Za-z_]\w*|[.,()]|\S/g) ?? [];
  const isName = (token: string | undefined) => token !== undefined && /^["`[A-Za-z_]/.test(token);
  const isWord = (token: string | undefined) =>
    isName(token) && !KEYWORDS.has((token as string).toUpperCase());
  const plain = (token: string) => token.replace(/^["`[]|["`\]]$/g, '').toLowerCase();
  const others = new Set<string>();
  const found = new Set<string>();
  let inFrom = false;
  for (const [at, token] of tokens.entries()) {
    const upper = token.toUpperCase();
    const before = tokens[at - 1]?.toUpperCase();
    const after = tokens[at + 1];
    if (['FROM', 'JOIN'].includes(upper)) inFrom = true;
    else if (KEYWORDS.has(upper) && upper !== 'AS') inFrom = false;
    if (!isWord(token)) continue;
    const isTable = inFrom && (before === 'FROM' || before === 'JOIN' || before === ',');
    const isAlias = before === 'AS' || (inFrom && (isWord(tokens[at - 1]) || before === ')'));
    const isCte = after?.toUpperCase() === 'AS' && tokens[at + 2] === '(';
    if (after === '.' || isTable || isAlias || isCte) others.add(plain(token));
    else if (after !== '(') found.add(plain(token));
  }
  return new Set([...found].filter((name) => !others.has(name)));
}

const KEYWORDS = new Set(
  `SELECT DISTINCT ALL FROM JOIN INNER LEFT RIGHT FULL OUTER CROSS NATURAL ON USING WHERE AND OR NOT IN IS NULL LIKE GLOB BETWEEN
  EXISTS CASE WHEN THEN ELSE END GROUP BY HAVING ORDER ASC DESC NULLS FIRST LAST LIMIT OFFSET UNION INTERSECT EXCEPT AS WITH
  RECURSIVE VALUES CAST INTEGER REAL TEXT NUMERIC FLOAT INT COLLATE NOCASE ESCAPE OVER PARTITION ROWS RANGE GROUPS UNBOUNDED
  PRECEDING FOLLOWING CURRENT ROW FILTER WINDOW CURRENT_DATE CURRENT_TIMESTAMP TRUE FALSE MATERIALIZED`.split(
    /\s+/,
  ),
);

/** The clauses and operations of a query in order, without names and values: queries that differ in these are alike. */
export function skeletonOf(sql: string): string {
  const tokens = withoutNames(sql).match(/[A-Z_]\w*\s*\(?|[()]/g) ?? [];
  const kept: string[] = [];
  const open: boolean[] = [];
  for (const [at, token] of tokens.entries()) {
    const word = token.replace(/\s*\(?$/, '');
    if (SHOWN.has(word) && word !== kept.at(-1)) kept.push(word);
    if (token.endsWith('(')) {
      const isQuery = /^(?:SELECT|WITH|VALUES)\b/.test(tokens[at + 1] ?? '');
      open.push(isQuery);
      if (isQuery) kept.push('(');
    } else if (token === ')' && open.pop()) kept.push(')');
  }
  return kept.join(' ');
}

const SHOWN = new Set(
  `COUNT SUM TOTAL AVG MIN MAX GROUP_CONCAT WITH RECURSIVE SELECT DISTINCT FROM JOIN LEFT WHERE OR NOT IN EXISTS LIKE BETWEEN
  NULL GROUP HAVING ORDER DESC LIMIT UNION INTERSECT EXCEPT CASE OVER CAST VALUES`.split(/\s+/),
);

/** The tables that a query names after FROM and JOIN, sorted. */
export function tablesNamedIn(sql: string): string {
  const names = withoutTexts(sql).matchAll(/\b(?:FROM|JOIN)\s+["`[]?(\w+)/gi);
  return [...new Set([...names].map(([, name = '']) => name.toLowerCase()))].sort().join(' ');
}

export const LEVELS = ['easy', 'medium', 'hard', 'extra'] as const;
export type Level = (typeof LEVELS)[number];

/** The most points of each level; more are `extra`. */
const MOST: readonly (readonly [Level, number])[] = [
  ['easy', 2],
  ['medium', 5],
  ['hard', 9],
];

/**
 * How hard a sample is by what its gold takes: a point for each join, each kind of operation, each three columns beyond
 * the first two and each doubling of the calls, and two for each nested SELECT.
 */
export function difficultyOf(
  query: string,
  calls: number,
): { readonly points: number; readonly level: Level } {
  const { joins, nesting, operations } = queryNeeds(query);
  const columns = columnsIn(query).size;
  const points =
    joins +
    2 * nesting +
    operations +
    Math.ceil(Math.max(0, columns - 2) / 3) +
    Math.floor(Math.log2(Math.max(1, calls)));
  return { points, level: MOST.find(([, most]) => points <= most)?.[0] ?? 'extra' };
}
