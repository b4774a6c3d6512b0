import { QueryError } from '../../contracts/errors.ts';
import { expandWindows } from './expand-windows.ts';
import { CURRENT_WORDS, JOIN_WORDS, PATTERN_WORDS, RESERVED } from './keywords.ts';
import { type Frame, Place } from './place.ts';
import { swapLimits } from './swap-limits.ts';
import { type Token, tokenize } from './tokenize.ts';

/**
 * SQL rewritten so that sqlglot reads it exactly, and what is needed to map its tree back.
 *
 * sqlglot stumbles over names that are keywords elsewhere, turns functions and types into its own, and does
 * not tell `"x"` from `x`. So every name is carried as `"i<n>:name"` (or `"d<n>:name"` when it stood in double
 * quotes), every function as `f_<name>`, every literal as the number n of its token, and the few operators
 * that sqlglot lacks (or reads in its own way) by ones that SQLite lacks, or by functions.
 */
export interface Carrier {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** The type named by CAST, by the number of its AS token. */
  readonly castTypes: ReadonlyMap<number, string>;
}

/** Rewrites one SELECT statement for sqlglot; throws SQL_UNSUPPORTED on constructs that cannot be carried. */
export function carry(sql: string): Carrier {
  const written = tokenize(sql);
  while (written.at(-1)?.text === ';' && written.at(-1)?.kind === 'operator') written.pop();
  const tokens = expandWindows(written);
  const writer = new Writer(sql, tokens);
  return { text: writer.write(), tokens, castTypes: writer.castTypes };
}

class Writer extends Place {
  readonly castTypes = new Map<number, string>();
  /** Where the rows of VALUES end that are carried as a table. */
  private valuesEnd = -1;

  write(): string {
    while (this.at < this.tokens.length) {
      const token = this.tokens[this.at] as Token;
      switch (token.kind) {
        case 'string':
          this.string(token);
          break;
        case 'number':
        case 'blob':
          this.emit(String(this.at), true);
          break;
        case 'quoted':
          this.name(token);
          break;
        case 'word':
          this.word(token);
          break;
        case 'operator':
          this.operator(token);
          break;
        case 'parameter':
          throw this.unsupported('a parameter');
      }
      if (this.at === this.valuesEnd) this.emit(')', true);
      this.at++;
    }
    return swapLimits(this.out).join(' ');
  }

  private emit(text: string, operandEnded: boolean): void {
    this.out.push(text);
    this.operandEnded = operandEnded;
  }

  /** Several tokens, one at a time: parentheses are counted later. */
  private emitEach(texts: string, operandEnded: boolean): void {
    for (const text of texts.split(' ')) this.emit(text, operandEnded);
  }

  /** A string is a literal, but a name where only a name is allowed: as an alias, or next to a dot. */
  private string(token: Token): void {
    if (this.operandEnded || this.peekIs(-1, 'AS', '.') || this.peekIs(1, '.')) this.name(token);
    else this.emit(String(this.at), true);
  }

  private name(token: Token): void {
    // A name before a parenthesis is a function, unless it is a CTE with a column list.
    if (this.peekIs(1, '(') && !this.peekIs(-1, '.') && !this.operandEnded && !this.isCteName()) {
      this.emit(`f_${token.text.toLowerCase()}`, false);
      return;
    }
    const mark = token.quote === '"' ? 'd' : 'i';
    // The name itself is read from its token; here it only serves sqlglot's messages.
    this.emit(`"${mark}${this.at}:${token.text.replaceAll('"', "'")}"`, true);
  }

  private operator(token: Token): void {
    switch (token.text) {
      case '(': {
        const opener = this.openerKind();
        // sqlglot reads WITH in a table only.
        const wrapped = this.peekIs(1, 'WITH') && !this.peekIs(-1, 'FROM', 'JOIN', 'AS', 'MATERIALIZED');
        this.frames.push({ opener, cases: 0, limit: false, wrapped });
        // Nor an empty list, or a set operation, directly after IN.
        if (this.peekIs(-1, 'IN') && this.peekIs(1, ')')) return this.emitEach('( f_nothing ( )', false);
        const opening = opener === 'in_query' ? '( f_query ( (' : opener === 'join' ? '' : '(';
        return this.emitEach(wrapped ? `${opening} SELECT * FROM (` : opening, false);
      }
      case ')': {
        const frame = this.frames.pop();
        if (frame === undefined || this.frames.length === 0) {
          throw new QueryError('SQL_NOT_PARSED', 'unbalanced parenthesis', ')');
        }
        const closing = frame.opener === 'in_query' ? ') ) )' : frame.opener === 'join' ? '' : ')';
        return this.emitEach(frame.wrapped ? `) ${closing}` : closing, true);
      }
      case ';':
        throw this.unsupported('more than one statement');
      case '->':
      case '->>':
        return this.emit(`|| f_arrow ( ${this.at} ) ||`, false);
      case '+':
        // sqlglot has no unary plus; `|/`, which SQLite lacks, carries it. Before a literal it means nothing.
        if (this.operandEnded) return this.emit('+', false);
        if (this.peek(1)?.kind === 'number') return;
        return this.emit('|/', false);
      case '*':
        return this.emit('*', !this.operandEnded);
      case '==':
        return this.emit('=', false);
      case '<>':
        return this.emit('!=', false);
      default:
        return this.emit(token.text, false);
    }
  }

  private openerKind(): Frame['opener'] {
    const previous = this.tokens[this.at - 1];
    // `FROM (a JOIN b …)`: first in its FROM, the parentheses mean nothing.
    const isFirst = previous?.upper === 'FROM' || (previous?.text === '(' && this.frame.opener === 'join');
    if (isFirst && !this.peekIs(1, 'SELECT', 'WITH', 'VALUES')) return 'join';
    if (previous?.kind !== 'word') return 'other';
    if (previous.upper === 'CAST') return 'cast';
    if (previous.upper === 'IN' && this.peekIs(1, 'SELECT', 'WITH', 'VALUES')) return 'in_query';
    return previous.upper === 'OVER' && this.out.at(-1) === 'OVER' ? 'window' : 'other';
  }

  private word(token: Token): void {
    if (this.peekIs(-1, '.') || this.peekIs(1, '.')) return this.name(token);
    const word = token.upper;
    if (RESERVED.has(word)) return this.reserved(word);
    if (JOIN_WORDS.has(word) && this.isJoinWord()) return this.emit(word, false);
    if (PATTERN_WORDS.has(word) && this.isPatternOperator()) {
      if (word === 'MATCH') throw this.unsupported('MATCH');
      return this.emit(word === 'REGEXP' ? 'RLIKE' : word, false);
    }
    if (word === 'CAST' && this.peekIs(1, '(')) return this.emit('f_cast', false);
    if (CURRENT_WORDS.has(word) && !this.operandEnded) {
      this.emit(`f_${word.toLowerCase()}()`, true);
      return;
    }
    if (this.isContextualKeyword(word)) return this.contextual(word);
    this.name(token);
  }

  private reserved(word: string): void {
    switch (word) {
      case 'CASE':
        this.frame.cases++;
        return this.emit(word, false);
      case 'NULL':
        return this.emit(word, true);
      case 'DISTINCT':
        // sqlglot reads no ORDER BY after the DISTINCT of an aggregate.
        if (this.out.at(-1) === '(' && this.out.at(-2)?.startsWith('f_')) {
          return this.emit('f_distinct ( ) ,', false);
        }
        return this.emit(word, false);
      case 'LIMIT':
        this.frame.limit = true;
        return this.emit(word, false);
      case 'ISNULL':
        return this.emit('IS NULL', true);
      case 'NOTNULL':
        return this.emit('IS NOT NULL', true);
      case 'NOT':
        if (this.operandEnded && this.peekIs(1, 'NULL')) {
          this.at++;
          return this.emit('IS NOT NULL', true);
        }
        // A hint to the planner.
        if (this.operandEnded && this.peekIs(1, 'INDEXED')) {
          this.at++;
          return;
        }
        return this.emit(word, false);
      case 'VALUES':
        return this.values();
      case 'IS':
        return this.is();
      case 'COLLATE':
        return this.collate();
      case 'AS':
        if (this.frame.opener === 'cast' && this.frame.cases === 0) return this.castType();
        return this.emit(word, false);
      default:
        return this.emit(word, false);
    }
  }

  /** sqlglot reads VALUES only as a table; elsewhere it is carried as a SELECT from such a table. */
  private values(): void {
    if (this.peekIs(-1, '(') && !this.peekIs(-2, 'AS', 'MATERIALIZED')) return this.emit('VALUES', false);
    let last = this.at;
    do last = this.closing(last + 1);
    while (this.tokens[last + 1]?.text === ',');
    this.valuesEnd = last;
    this.emitEach('SELECT * FROM ( VALUES', false);
  }

  /** sqlglot knows IS only before NULL; elsewhere ILIKE, which SQLite lacks, carries it. */
  private is(): void {
    let negated = false;
    if (this.peekIs(1, 'NOT')) {
      negated = true;
      this.at++;
    }
    if (this.peekIs(1, 'DISTINCT') && this.peekIs(2, 'FROM')) {
      negated = !negated;
      this.at += 2;
    }
    const operator = this.peekIs(1, 'NULL') ? (negated ? 'IS NOT' : 'IS') : negated ? 'NOT ILIKE' : 'ILIKE';
    this.emit(operator, false);
  }

  /** `x COLLATE c` is carried as `x || f_collate(n)`, n being the token of c. */
  private collate(): void {
    this.at++;
    this.emit(`|| f_collate ( ${this.at} )`, true);
  }

  /** `CAST(x AS t)` is carried as `f_cast(x, n)`, n being the AS token. */
  private castType(): void {
    const as = this.at;
    let depth = 0;
    let end = as + 1;
    for (; end < this.tokens.length; end++) {
      const text = this.tokens[end]?.text;
      if (text === '(') depth++;
      if (text === ')' && depth-- === 0) break;
    }
    const last = this.tokens[end - 1] as Token;
    this.castTypes.set(as, this.sql.slice((this.tokens[as + 1] as Token).start, last.end).toUpperCase());
    this.emit(`, ${as}`, true);
    this.at = end - 1;
  }

  private contextual(word: string): void {
    if (word === 'END') this.frame.cases--;
    if (word === 'GROUPS' || word === 'EXCLUDE') throw this.unsupported(`${word} in a window frame`);
    if (word === 'MATERIALIZED') {
      if (this.peekIs(-1, 'NOT')) this.out.pop();
      return;
    }
    this.emit(word, word === 'END' || word === 'ROW' || word === 'ASC' || word === 'DESC');
  }
}
