import type { Endpoint } from '../../../contracts/service.ts';
import type { OtherEndpoint } from '../../../contracts/silent-fault.ts';
import { type Token, tokenize } from '../../../sql/index.ts';

/** Another endpoint that reads the rows that an endpoint reads, with the same arguments. */
export interface SameRows extends Pick<OtherEndpoint, 'tells' | 'columns'> {
  readonly endpoint: Endpoint;
}

/** What an endpoint's SELECT is made of, as texts. */
interface Reading {
  /** The expressions of its result columns, in order. */
  readonly results: readonly string[];
  /** FROM and what follows, but for the order. */
  readonly rows: string;
  /** Whether its one result is how many rows there are. */
  readonly counts: boolean;
}

/**
 * The endpoints whose SQL has the same FROM and WHERE, with parameters of the same names: their descriptions say so, and
 * an agent can hold one against the other. Those with most columns in common come first.
 */
export function endpointsOfSameRows(endpoint: Endpoint, all: readonly Endpoint[]): SameRows[] {
  const own = readSelect(endpoint);
  if (!own || own.counts) return [];
  const names = new Set(endpoint.parameters.map(({ name }) => name));
  const found = all.flatMap((other): SameRows[] => {
    if (other === endpoint || !other.parameters.every(({ name }) => names.has(name))) return [];
    const read = readSelect(other);
    if (!read || read.rows !== own.rows) return [];
    if (read.counts) return [{ endpoint: other, tells: 'count', columns: [] }];
    const columns = own.results.flatMap((result, i) => {
      const at = read.results.indexOf(result);
      const [mine, theirs] = [endpoint.columns[i]?.name, other.columns[at]?.name];
      return mine === undefined || theirs === undefined ? [] : [{ own: mine, other: theirs }];
    });
    return [{ endpoint: other, tells: 'rows', columns }];
  });
  return found.sort(
    (a, b) => b.columns.length - a.columns.length || (a.endpoint.name < b.endpoint.name ? -1 : 1),
  );
}

/** Words after which rows are no longer those of FROM and WHERE. */
const OTHER_ROWS = ['LIMIT', 'GROUP', 'HAVING', 'UNION', 'INTERSECT', 'EXCEPT', 'WINDOW'];
const AGGREGATES = [
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'total',
  'group_concat',
  'string_agg',
  'json_group_array',
];

/** null for SQL whose rows are not simply those of its FROM and WHERE. */
function readSelect({ sql }: Pick<Endpoint, 'sql'>): Reading | null {
  const tokens = withDepth(tokenize(sql));
  const outer = tokens.filter(({ depth }) => depth === 0);
  const from = outer.find(({ upper, kind }) => kind === 'word' && upper === 'FROM');
  const [first, second] = outer;
  if (first?.upper !== 'SELECT' || second?.upper === 'DISTINCT' || !from) return null;
  if (outer.some(({ kind, upper }) => kind === 'word' && OTHER_ROWS.includes(upper))) return null;
  const order = outer.find(
    ({ kind, upper, start }) => kind === 'word' && upper === 'ORDER' && start > from.start,
  );
  const results = resultsOf(sql, tokens, first.end, from.start);
  const rows = sql.slice(from.start, order?.start ?? sql.length).trim();
  const counts = results.length === 1 && /^count\((?!DISTINCT)[^()]*\)$/i.test(results[0] as string);
  return !counts && aggregates(tokens, from.start) ? null : { results, rows, counts };
}

interface PlacedToken extends Token {
  readonly depth: number;
}

function withDepth(tokens: readonly Token[]): PlacedToken[] {
  let depth = 0;
  return tokens.map((token) => {
    if (token.text === '(' && token.kind === 'operator') return { ...token, depth: depth++ };
    if (token.text === ')' && token.kind === 'operator') return { ...token, depth: --depth };
    return { ...token, depth };
  });
}

/** The result columns' expressions, without their names. */
function resultsOf(sql: string, tokens: readonly PlacedToken[], start: number, end: number): string[] {
  const outer = tokens.filter((token) => token.depth === 0 && token.start >= start && token.start < end);
  const commas = outer.filter(({ kind, text }) => kind === 'operator' && text === ',');
  const edges = [start, ...commas.map((comma) => comma.end)];
  return edges.map((edge, i) => {
    const until = commas[i]?.start ?? end;
    const as = outer.findLast((token) => token.upper === 'AS' && token.start >= edge && token.start < until);
    return sql.slice(edge, as?.start ?? until).trim();
  });
}

/** Whether an aggregate or a window stands among the results. */
function aggregates(tokens: readonly PlacedToken[], end: number): boolean {
  return tokens.some(
    ({ kind, text, upper, start }, i) =>
      start < end &&
      kind === 'word' &&
      (upper === 'OVER' || (AGGREGATES.includes(text.toLowerCase()) && tokens[i + 1]?.text === '(')),
  );
}
