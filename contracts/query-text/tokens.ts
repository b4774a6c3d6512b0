import { QueryTextError } from './query-text-error.ts';

/** Words of the language; a name that is one of them has to be quoted. */
export const KEYWORDS = ['SEARCH', 'WHERE', 'AND', 'LIKE', 'AGGREGATE', 'GROUP', 'BY', 'TRUE', 'FALSE'];

export interface Token {
  readonly kind: 'keyword' | 'name' | 'text' | 'number' | 'symbol' | 'end';
  /** Keywords in capitals; names and texts without their quotes. */
  readonly value: string;
  /** As it was written. */
  readonly source: string;
  /** Of its first character, from 0. */
  readonly at: number;
}

const TOKEN =
  /(?<text>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*")|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<symbol><=|>=|!=|[=<>(),:])/uy;
const SPACE = /\s*/y;
const BARE_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/** The tokens of a query text, `end` last. Throws QueryTextError for characters that are none. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = skipSpace(text, 0);
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    if (match === null) throw unreadable(text, at);
    tokens.push(toToken(match));
    at = skipSpace(text, TOKEN.lastIndex);
  }
  return [...tokens, { kind: 'end', value: '', source: 'the end', at: text.length }];
}

/** A name as the language has it: quoted where it could be taken for anything else. */
export function writeName(name: string): string {
  if (BARE_NAME.test(name) && !KEYWORDS.includes(name.toUpperCase())) return name;
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text as the language has it. */
export function writeText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function skipSpace(text: string, from: number): number {
  SPACE.lastIndex = from;
  SPACE.test(text);
  return SPACE.lastIndex;
}

function toToken({ 0: source, index: at, groups = {} }: RegExpExecArray): Token {
  const { text, quoted, number, word } = groups;
  if (text !== undefined) {
    return { kind: 'text', value: text.slice(1, -1).replaceAll("''", "'"), source, at };
  }
  if (quoted !== undefined) {
    return { kind: 'name', value: quoted.slice(1, -1).replaceAll('""', '"'), source, at };
  }
  if (number !== undefined) return { kind: 'number', value: number, source, at };
  if (word === undefined) return { kind: 'symbol', value: source, source, at };
  const upper = word.toUpperCase();
  return KEYWORDS.includes(upper)
    ? { kind: 'keyword', value: upper, source, at }
    : { kind: 'name', value: word, source, at };
}

function unreadable(text: string, at: number): QueryTextError {
  const first = text[at];
  if (first === "'" || first === '"') {
    return new QueryTextError(at, `a ${first} that is not closed`, `${first} at the end of it, too`);
  }
  return new QueryTextError(
    at,
    String.fromCodePoint(text.codePointAt(at) ?? 0),
    "a name, a number, a text in '…', or an operator",
  );
}
