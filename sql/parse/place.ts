import { QueryError } from '../../contracts/errors.ts';
import { FRAME_WORDS, JOIN_WORDS } from './keywords.ts';
import type { Token } from './tokenize.ts';

/** The kind of a parenthesis, which decides what the words inside can mean. */
export interface Frame {
  readonly opener: 'cast' | 'window' | 'in_query' | 'join' | 'other';
  /** Number of CASEs open inside. */
  cases: number;
  limit: boolean;
  /** Written as the only table of a SELECT. */
  readonly wrapped: boolean;
}

/** A position in the SQL's tokens, with enough of the tokens before it to decide whether a word is a keyword here. */
export class Place {
  protected readonly sql: string;
  protected readonly tokens: readonly Token[];
  protected readonly out: string[] = [];
  protected readonly frames: Frame[] = [{ opener: 'other', cases: 0, limit: false, wrapped: false }];
  /** Whether the token just written ends an operand, so that what follows is an operator or an alias. */
  protected operandEnded = false;
  protected at = 0;

  constructor(sql: string, tokens: readonly Token[]) {
    this.sql = sql;
    this.tokens = tokens;
  }

  protected get frame(): Frame {
    return this.frames.at(-1) as Frame;
  }

  protected peek(offset: number): Token | undefined {
    return this.tokens[this.at + offset];
  }

  protected peekIs(offset: number, ...words: string[]): boolean {
    const token = this.peek(offset);
    return (
      token !== undefined &&
      (token.kind === 'word' || token.kind === 'operator') &&
      words.includes(token.upper)
    );
  }

  protected unsupported(what: string): QueryError {
    const token = this.tokens[this.at] as Token;
    return new QueryError(
      'SQL_UNSUPPORTED',
      `${what} is not read`,
      this.sql.slice(token.start, token.end + 30),
    );
  }

  protected isCteName(): boolean {
    let depth = 0;
    for (let offset = 1; ; offset++) {
      const token = this.peek(offset);
      if (token === undefined) return false;
      if (token.kind !== 'operator') continue;
      if (token.text === '(') depth++;
      if (token.text === ')' && --depth === 0) {
        return this.peekIs(offset + 1, 'AS') && this.peekIs(offset + 2, '(', 'NOT', 'MATERIALIZED');
      }
    }
  }

  /** The place of the parenthesis that closes the one at `open`. */
  protected closing(open: number): number {
    let depth = 0;
    for (let at = open; at < this.tokens.length; at++) {
      const { kind, text } = this.tokens[at] as Token;
      if (kind === 'operator' && text === '(') depth++;
      if (kind === 'operator' && text === ')' && --depth === 0) return at;
    }
    return this.tokens.length;
  }

  protected isJoinWord(): boolean {
    return this.operandEnded || JOIN_WORDS.has(this.tokens[this.at - 1]?.upper ?? '')
      ? this.peekIs(1, 'JOIN', ...JOIN_WORDS)
      : false;
  }

  protected isPatternOperator(): boolean {
    if (this.peekIs(1, '(') && !this.operandEnded && !this.peekIs(-1, 'NOT')) return false;
    return this.operandEnded || (this.peekIs(-1, 'NOT') && this.tokens[this.at - 2] !== undefined);
  }

  protected isContextualKeyword(word: string): boolean {
    switch (word) {
      case 'BY':
        return this.peekIs(-1, 'GROUP', 'ORDER', 'PARTITION');
      case 'END':
        return this.frame.cases > 0 && this.operandEnded;
      case 'ASC':
      case 'DESC':
        return this.operandEnded && this.endsOrderTerm(1);
      case 'NULLS':
        return this.peekIs(1, 'FIRST', 'LAST');
      case 'FIRST':
      case 'LAST':
        return this.peekIs(-1, 'NULLS') && this.out.at(-1) === 'NULLS';
      case 'WITH':
        return this.at === 0 || this.peekIs(-1, '(', 'AS');
      case 'RECURSIVE':
        return this.peekIs(-1, 'WITH') && this.peek(1)?.kind !== 'operator' && !this.peekIs(1, 'AS');
      case 'OFFSET':
        return this.operandEnded && this.frame.limit;
      case 'OVER':
      case 'FILTER':
        return this.peekIs(-1, ')') && this.peekIs(1, '(');
      case 'PARTITION':
        return this.peekIs(-1, '(') && this.peekIs(1, 'BY');
      case 'MATERIALIZED':
        return this.peekIs(-1, 'AS', 'NOT') && this.peekIs(1, '(');
      default:
        return FRAME_WORDS.has(word) && this.frame.opener === 'window' && this.isFrameWord(word);
    }
  }

  protected isFrameWord(word: string): boolean {
    if (['ROWS', 'RANGE', 'GROUPS'].includes(word)) {
      return this.peekIs(1, 'BETWEEN', 'UNBOUNDED', 'CURRENT') || this.peek(1)?.kind === 'number';
    }
    return this.out
      .slice(this.out.lastIndexOf('OVER'))
      .some((text) => ['ROWS', 'RANGE', 'GROUPS'].includes(text));
  }

  protected endsOrderTerm(offset: number): boolean {
    return (
      this.peek(offset) === undefined ||
      this.peekIs(
        offset,
        ',',
        ')',
        'LIMIT',
        'NULLS',
        'ROWS',
        'RANGE',
        'GROUPS',
        'UNION',
        'INTERSECT',
        'EXCEPT',
      )
    );
  }
}
