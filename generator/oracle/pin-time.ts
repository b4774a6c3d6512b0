import { type Token, tokenize } from '../../sql/index.ts';
import { editText, type TextEdit } from './edit-text.ts';

const KEYWORDS: Record<string, (reference: string) => string> = {
  CURRENT_TIMESTAMP: (reference) => reference,
  CURRENT_DATE: (reference) => reference.slice(0, 10),
  CURRENT_TIME: (reference) => reference.slice(11),
};
const DATE_FUNCTIONS = new Set([
  'DATE',
  'TIME',
  'DATETIME',
  'JULIANDAY',
  'UNIXEPOCH',
  'STRFTIME',
  'TIMEDIFF',
]);

/** An open bracket: the date function it belongs to (or '' or SELECT), and what was seen in it so far. */
interface Bracket {
  readonly name: string;
  readonly opened: number;
  commas: number;
}

/**
 * SQL in which every "now" is the reference time (`YYYY-MM-DD HH:MM:SS`): the time string `'now'` inside a
 * date function, date functions called without a time, CURRENT_DATE, CURRENT_TIME, CURRENT_TIMESTAMP.
 * `pinned` says whether there was one. Works on the text alone, so it does not depend on parsing.
 */
export function pinTime(sql: string, reference: string): { readonly sql: string; readonly pinned: boolean } {
  const tokens = tokenize(sql);
  const edits: TextEdit[] = [];
  const open: Bracket[] = [];
  const replace = (token: Token, text: string) =>
    edits.push({ start: token.start, end: token.end, text: `'${text}'` });

  tokens.forEach((token, i) => {
    const before = tokens[i - 1];
    const inner = open.at(-1);
    if (token.kind === 'operator') {
      if (token.text === '(') open.push({ name: functionName(before), opened: i, commas: 0 });
      else if (token.text === ',' && inner) inner.commas++;
      else if (token.text === ')') {
        open.pop();
        if (inner && lacksTime(inner, i)) {
          const separator = inner.opened === i - 1 ? '' : ', ';
          edits.push({ start: token.start, end: token.start, text: `${separator}'${reference}'` });
        }
      }
    } else if (token.kind === 'word') {
      const keyword = KEYWORDS[token.upper];
      if (keyword && isExpression(before, tokens[i + 1])) replace(token, keyword(reference));
      // Strings of a subquery are data, not time strings of the function around it.
      if (token.upper === 'SELECT' && inner)
        open[open.length - 1] = { name: 'SELECT', opened: -2, commas: 0 };
    } else if (isNow(token) && insideDateFunction(open)) {
      replace(token, reference);
    }
  });
  return { sql: editText(sql, edits), pinned: edits.length > 0 };
}

function functionName(token: Token | undefined): string {
  return token?.kind === 'word' && DATE_FUNCTIONS.has(token.upper) ? token.upper : '';
}

/** Whether the call that ends at token `closed` leaves its time out, which means now. */
function lacksTime({ name, opened, commas }: Bracket, closed: number): boolean {
  if (name === 'STRFTIME') return commas === 0 && opened !== closed - 1;
  return DATE_FUNCTIONS.has(name) && name !== 'TIMEDIFF' && opened === closed - 1;
}

function isNow(token: Token): boolean {
  const text = token.kind === 'string' || token.quote === '"';
  return text && token.text.toUpperCase() === 'NOW';
}

function insideDateFunction(open: readonly Bracket[]): boolean {
  const nearest = open.findLast(({ name }) => name !== '')?.name;
  return nearest !== undefined && nearest !== 'SELECT';
}

/** CURRENT_DATE is also a name where a name is expected: `t.current_date`, `AS current_date`. */
function isExpression(before: Token | undefined, after: Token | undefined): boolean {
  return before?.text !== '.' && before?.upper !== 'AS' && after?.text !== '.';
}
