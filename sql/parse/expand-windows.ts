import { QueryError } from '../../contracts/errors.ts';
import type { Token } from './tokenize.ts';

/** A window that a WINDOW clause names: the tokens between its parentheses. */
interface NamedWindow {
  readonly name: string;
  readonly definition: readonly Token[];
}

/**
 * Tokens with every named window expanded where it is used, and without the WINDOW clause: `OVER w` and `OVER (w ORDER
 * BY x)` become `OVER (…)`. Tokens keep their places in the SQL; those of a window used twice are there twice.
 */
export function expandWindows(tokens: readonly Token[]): Token[] {
  let result = [...tokens];
  for (let at = result.findLastIndex(isClause); at >= 0; at = result.findLastIndex(isClause)) {
    const { windows, end } = readClause(result, at);
    const start = selectBefore(result, at);
    const stop = endOfSelect(result, end);
    const select = [...result.slice(start, at), ...result.slice(end, stop)];
    result = [...result.slice(0, start), ...useIn(select, windows), ...result.slice(stop)];
  }
  return result;
}

/** `WINDOW name AS (` is the clause; elsewhere the word is a name. */
function isClause(token: Token, at: number, tokens: readonly Token[]): boolean {
  return (
    token.kind === 'word' &&
    token.upper === 'WINDOW' &&
    isName(tokens[at + 1]) &&
    tokens[at + 2]?.upper === 'AS' &&
    tokens[at + 3]?.text === '('
  );
}

function readClause(tokens: readonly Token[], at: number): { windows: NamedWindow[]; end: number } {
  const windows: NamedWindow[] = [];
  let next = at + 1;
  for (;;) {
    const name = tokens[next]?.text ?? '';
    const close = closing(tokens, next + 2);
    const definition = based(tokens.slice(next + 3, close), windows);
    windows.push({ name: name.toLowerCase(), definition });
    next = close + 1;
    if (tokens[next]?.text !== ',') return { windows, end: next };
    next++;
  }
}

/** Where the SELECT ends, whose ORDER BY may use its windows too. */
function endOfSelect(tokens: readonly Token[], from: number): number {
  let depth = 0;
  const end = tokens.findIndex((token, i) => {
    if (i < from || token.kind !== 'operator') return false;
    if (token.text === '(') depth++;
    return token.text === ')' && depth-- === 0;
  });
  return end < 0 ? tokens.length : end;
}

/** The SELECT that the token belongs to: the nearest before it outside of all parentheses closed since. */
function selectBefore(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from - 1; at >= 0; at--) {
    const token = tokens[at] as Token;
    if (token.kind === 'operator' && token.text === ')') depth++;
    if (token.kind === 'operator' && token.text === '(') depth--;
    if (depth === 0 && token.kind === 'word' && token.upper === 'SELECT') return at;
  }
  return 0;
}

function useIn(tokens: readonly Token[], windows: readonly NamedWindow[]): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    result.push(token);
    if (token.kind !== 'word' || token.upper !== 'OVER' || tokens[at - 1]?.text !== ')') continue;
    const next = tokens[at + 1];
    if (next?.text === '(' && next.kind === 'operator') {
      const close = closing(tokens, at + 1);
      result.push(next, ...based(tokens.slice(at + 2, close), windows), tokens[close] as Token);
      at = close;
    } else if (next !== undefined && isName(next)) {
      const named = windows.find(({ name }) => name === next.text.toLowerCase());
      if (!named) throw new QueryError('SQL_NOT_BOUND', `no window is called ${next.text}`, next.text);
      result.push(bracket('(', next), ...named.definition, bracket(')', next));
      at++;
    }
  }
  return result;
}

/** A definition that may begin with the name of a window that it adds to. */
function based(definition: readonly Token[], windows: readonly NamedWindow[]): readonly Token[] {
  const [first, ...rest] = definition;
  const base = isName(first) && windows.find(({ name }) => name === first.text.toLowerCase());
  return base ? [...base.definition, ...rest] : definition;
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    const token = tokens[at] as Token;
    if (token.kind !== 'operator') continue;
    if (token.text === '(') depth++;
    if (token.text === ')' && --depth === 0) return at;
  }
  throw new QueryError('SQL_NOT_PARSED', 'unbalanced parenthesis', '(');
}

function isName(token: Token | undefined): token is Token {
  return token?.kind === 'word' || token?.kind === 'quoted';
}

function bracket(text: '(' | ')', { start, end }: Token): Token {
  return { kind: 'operator', text, upper: text, quote: null, start, end };
}
