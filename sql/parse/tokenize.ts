import { QueryError } from '../../contracts/errors.ts';

/** One token of SQLite's SQL, with its position in the text. Comments and white space are left out. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'blob' | 'operator' | 'parameter';
  /** Decoded: without quotes and doubled quotes; words and numbers as written. */
  readonly text: string;
  /** Upper-case text of a word, else the text: what keywords are compared with. */
  readonly upper: string;
  /** Which quotes a `quoted` token had. */
  readonly quote: '"' | '`' | '[' | null;
  /** UTF-16 offsets in the SQL, end exclusive. */
  readonly start: number;
  readonly end: number;
}

const PATTERNS: readonly (readonly [Token['kind'] | 'space', RegExp])[] = [
  ['space', /(?:[ \t\n\f\r\ufeff]+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))/y],
  ['blob', /[xX]'(?:[0-9a-fA-F]{2})*'/y],
  ['string', /'(?:[^']|'')*'/y],
  ['quoted', /"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]/y],
  ['number', /0[xX][0-9a-fA-F]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y],
  ['parameter', /\?\d*|[:@$][A-Za-z_0-9]+/y],
  ['word', /[A-Za-z_\u0080-\uffff][A-Za-z_0-9$\u0080-\uffff]*/y],
  ['operator', /->>|->|\|\||<<|>>|<=|>=|<>|!=|==|[-+*/%&|~<>=.,();]/y],
];

/** Splits SQL into tokens as SQLite's own tokenizer does; throws SQL_NOT_PARSED on an invalid character. */
export function tokenize(sql: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < sql.length) {
    const [kind, raw] = match(sql, at);
    if (kind !== 'space') tokens.push(toToken(kind, raw, at));
    at += raw.length;
  }
  return tokens;
}

function match(sql: string, at: number): readonly [Token['kind'] | 'space', string] {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = at;
    const found = pattern.exec(sql);
    if (found) return [kind, found[0]];
  }
  throw new QueryError('SQL_NOT_PARSED', `unexpected character at ${at}`, sql.slice(at, at + 20));
}

function toToken(kind: Token['kind'], raw: string, start: number): Token {
  const text = decode(kind, raw);
  return {
    kind,
    text,
    upper: kind === 'word' ? text.toUpperCase() : text,
    quote: kind === 'quoted' ? quoteOf(raw) : null,
    start,
    end: start + raw.length,
  };
}

function decode(kind: Token['kind'], raw: string): string {
  if (kind === 'string') return raw.slice(1, -1).replaceAll("''", "'");
  if (kind === 'blob') return raw.slice(2, -1).toUpperCase();
  if (kind !== 'quoted') return raw;
  const quote = quoteOf(raw);
  const inside = raw.slice(1, -1);
  return quote === '[' ? inside : inside.replaceAll(quote + quote, quote);
}

function quoteOf(raw: string): '"' | '`' | '[' {
  return raw[0] === '"' ? '"' : raw[0] === '`' ? '`' : '[';
}
