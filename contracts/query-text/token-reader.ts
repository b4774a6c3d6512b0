import { QueryTextError } from './query-text-error.ts';
import type { Token } from './tokens.ts';

/** Goes through the tokens of a query text; what is not as it should be throws QueryTextError. */
export class TokenReader {
  readonly #tokens: readonly Token[];
  #at = 0;

  /** `tokens` end with `end`. */
  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  peek(): Token {
    return this.#tokens[this.#at] ?? END;
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  take(kind: Token['kind'], what: string): Token {
    const token = this.next();
    if (token.kind !== kind) throw expected(token, what);
    return token;
  }

  name(what: string): string {
    return this.take('name', `${what}, in "…" where it is no plain word`).value;
  }

  /** Goes past a keyword or symbol if it is next. */
  takes(value: string): boolean {
    const token = this.peek();
    const isNext = (token.kind === 'keyword' || token.kind === 'symbol') && token.value === value;
    if (isNext) this.#at++;
    return isNext;
  }

  require(value: string): void {
    if (!this.takes(value)) throw expected(this.peek(), value);
  }

  end(clauses: readonly string[]): void {
    const token = this.peek();
    if (token.kind === 'end') return;
    throw expected(token, [...clauses, 'the end'].join(', or ').replace(/, or (?=.*, or )/g, ', '));
  }
}

const END: Token = { kind: 'end', value: '', source: 'the end', at: 0 };

/** That a token is not what was expected. */
export function expected({ at, source }: Token, what: string): QueryTextError {
  return new QueryTextError(at, source.length > 40 ? `${source.slice(0, 39)}…` : source, what);
}
