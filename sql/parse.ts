import 'sqlglot-ts/dialects/sqlite';
import { Dialect, type Parser, TokenType } from 'sqlglot-ts';
import { SQLiteParser } from 'sqlglot-ts/dialects/sqlite';
import { DPipe, Expression } from 'sqlglot-ts/expressions';
import { QueryError } from '../contracts/errors.ts';

/** The kind of a parenthesis, which decides what the words inside can mean. */
interface Frame {
  readonly opener: 'cast' | 'window' | 'in_query' | 'join' | 'other';
  /** Number of CASEs open inside. */
  cases: number;
  limit: boolean;
  /** Whether a WINDOW clause has begun inside. */
  windows: boolean;
  /** Written as the only table of a SELECT. */
  readonly wrapped: boolean;
}

/** A position in the tokens, and what decides whether a word is a keyword there. */
class TokenCursor {
  protected readonly sql: string;
  protected readonly tokens: readonly Token[];
  protected readonly out: string[] = [];
  protected readonly frames: Frame[] = [
    { opener: 'other', cases: 0, limit: false, windows: false, wrapped: false },
  ];
  /** Whether the last token ended an operand, so that an operator or alias follows. */
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
        return this.peekIs(-1, ')') && (this.peekIs(1, '(') || this.isNameNext());
      case 'FILTER':
        return this.peekIs(-1, ')') && this.peekIs(1, '(');
      case 'WINDOW':
        return this.operandEnded && this.peekIs(2, 'AS') && this.peekIs(3, '(');
      case 'PARTITION':
        return this.peekIs(-1, '(') && this.peekIs(1, 'BY');
      case 'MATERIALIZED':
        return this.peekIs(-1, 'AS', 'NOT') && this.peekIs(1, '(');
      default:
        return FRAME_WORDS.has(word) && this.frame.opener === 'window' && this.isFrameWord(word);
    }
  }

  /** Whether a name follows, rather than a keyword or a mark. */
  protected isNameNext(): boolean {
    const next = this.peek(1);
    if (next?.kind === 'quoted') return true;
    return next?.kind === 'word' && !RESERVED.has(next.upper) && !JOIN_WORDS.has(next.upper);
  }

  protected isFrameWord(word: string): boolean {
    if (['ROWS', 'RANGE', 'GROUPS'].includes(word)) {
      return this.peekIs(1, 'BETWEEN', 'UNBOUNDED', 'CURRENT') || this.peek(1)?.kind === 'number';
    }
    return this.out
      .slice(Math.max(this.out.lastIndexOf('OVER'), this.out.lastIndexOf('WINDOW')))
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

/** In SQLite `||` binds tighter than arithmetic; sqlglot has it beside `+`. */
class ExactParser extends SQLiteParser {
  static override TERM = new Map([...SQLiteParser.TERM].filter(([type]) => type !== TokenType.DPIPE));
  static override EXPONENT = new Map([[TokenType.DPIPE, DPipe]]);
}

class ExactDialect extends Dialect {
  static override readonly name: string = 'sqlite-exact';
  protected static override ParserClass: typeof Parser = ExactParser;
}

Dialect.register(ExactDialect);

/** Throws SQL_NOT_PARSED. */
export function parseCarrier(carrier: Carrier): Expression {
  try {
    return Dialect.getOrThrow('sqlite-exact').parseOne(carrier.text);
  } catch (error) {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    // Its lines and columns are those of the carrier.
    throw new QueryError('SQL_NOT_PARSED', reason.replace(/\. Line \d+, Col: \d+\.$/, ''));
  }
}

/** null when there is none. */
export function child(node: Expression, key: string): Expression | null {
  const value = node.args[key];
  return value instanceof Expression ? value : null;
}

/** Throws SQL_NOT_PARSED when sqlglot left it out. */
export function need(node: Expression, key: string): Expression {
  const value = child(node, key);
  if (value === null) throw new QueryError('SQL_NOT_PARSED', `${node.key} without ${key}`);
  return value;
}

/** Empty when there are none. */
export function children(node: Expression, key: string): Expression[] {
  const value = node.args[key];
  if (!Array.isArray(value)) return [];
  return value.filter((item) => item instanceof Expression);
}

/** '' when there is none. */
export function textOf(node: Expression, key: string): string {
  const value = node.args[key];
  return typeof value === 'string' ? value : '';
}

/** Without parentheses around it. */
export function unwrap(node: Expression): Expression {
  return node.key === 'paren' ? unwrap(need(node, 'this')) : node;
}

/** A token of SQLite's SQL; comments and white space are skipped. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'blob' | 'operator' | 'parameter';
  /** Without quotes and doubled quotes; words and numbers as written. */
  readonly text: string;
  /** Upper-case text of a word, for comparison with keywords. */
  readonly upper: string;
  /** Which quotes a `quoted` token had. */
  readonly quote: '"' | '`' | '[' | null;
  /** UTF-16 offsets, end exclusive. */
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

/** As SQLite's own tokenizer; throws SQL_NOT_PARSED on an invalid character. */
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
  throw new QueryError('SQL_NOT_PARSED', unreadable(sql[at] ?? ''), sql.slice(at, at + 20));
}

function unreadable(character: string): string {
  return /['"`[]/.test(character)
    ? `a ${character} that is never closed`
    : `unexpected character ${character}`;
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

/** Words that SQLite never treats as names. */
const RESERVED = new Set(
  `ALL ALTER AND AS BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE DISTINCT
   DROP ELSE ESCAPE EXCEPT EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN
   LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER PRIMARY REFERENCES SELECT SET TABLE THEN TO TRANSACTION UNION
   UNIQUE UPDATE USING VALUES WHEN WHERE`.split(/\s+/),
);

/** Words before a join that are names elsewhere. */
const JOIN_WORDS = new Set(['CROSS', 'FULL', 'INNER', 'LEFT', 'NATURAL', 'OUTER', 'RIGHT']);

/** Comparison operators spelled as words, names elsewhere. */
const PATTERN_WORDS = new Set(['LIKE', 'GLOB', 'REGEXP', 'MATCH']);

/** Words of a window frame, names outside of one. */
const FRAME_WORDS = new Set(
  'ROWS RANGE GROUPS UNBOUNDED PRECEDING FOLLOWING CURRENT ROW EXCLUDE NO OTHERS TIES'.split(' '),
);

/** Function names in the IR for CURRENT_DATE and the like. */
const CURRENT_WORDS = new Set(['CURRENT_DATE', 'CURRENT_TIME', 'CURRENT_TIMESTAMP']);

/** `LIMIT a, b` as `LIMIT b OFFSET a`, with anything longer than a token in brackets for the parser. */
function swapLimits(out: readonly string[]): string[] {
  const result = [...out];
  for (let at = result.indexOf('LIMIT'); at >= 0; at = result.indexOf('LIMIT', at + 1)) {
    let depth = 0;
    let comma = -1;
    let word = -1;
    let end = at + 1;
    for (; end < result.length; end++) {
      if (result[end] === '(') depth++;
      if (result[end] === ')' && depth-- === 0) break;
      if (result[end] === ',' && depth === 0) comma = end;
      if (result[end] === 'OFFSET' && depth === 0) word = end;
    }
    const between = Math.max(comma, word);
    if (between < 0) {
      result.splice(at + 1, end - at - 1, ...bracketed(result.slice(at + 1, end)));
      continue;
    }
    const first = bracketed(result.slice(at + 1, between));
    const second = bracketed(result.slice(between + 1, end));
    const [count, offset] = comma < 0 ? [first, second] : [second, first];
    result.splice(at + 1, end - at - 1, ...count, 'OFFSET', ...offset);
  }
  return result;
}

function bracketed(tokens: readonly string[]): readonly string[] {
  return tokens.length > 1 ? ['(', ...tokens, ')'] : tokens;
}

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
  /** Types of CAST, by index of the AS token. */
  readonly castTypes: ReadonlyMap<number, string>;
}

/** Rewrites one SELECT for sqlglot; throws SQL_UNSUPPORTED. */
export function carry(sql: string): Carrier {
  const tokens = tokenize(sql);
  while (tokens.at(-1)?.text === ';' && tokens.at(-1)?.kind === 'operator') tokens.pop();
  const writer = new Writer(sql, tokens);
  return { text: writer.write(), tokens, castTypes: writer.castTypes };
}

class Writer extends TokenCursor {
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

  /** One at a time, since parentheses are counted later. */
  private emitEach(texts: string, operandEnded: boolean): void {
    for (const text of texts.split(' ')) this.emit(text, operandEnded);
  }

  /** A string is a literal, but a name where only a name is allowed: as a table or an alias, or next to a dot. */
  private string(token: Token): void {
    const isTable = ['FROM', 'JOIN'].includes(this.out.at(-1) ?? '');
    if (isTable || this.operandEnded || this.peekIs(-1, 'AS', '.') || this.peekIs(1, '.')) this.name(token);
    else this.emit(String(this.at), true);
  }

  private name(token: Token): void {
    // sqlglot reads no name of another window at the beginning of one.
    if (this.frame.opener === 'window' && this.peekIs(-1, '('))
      return this.emitEach(`PARTITION BY f_window ( ${this.at} )`, true);
    // A name before a parenthesis is a function, unless it is a CTE with a column list.
    if (this.peekIs(1, '(') && !this.peekIs(-1, '.') && !this.operandEnded && !this.isCteName()) {
      this.emit(`f_${token.text.toLowerCase()}`, false);
      return;
    }
    const mark = token.quote === '"' ? 'd' : 'i';
    // The name is read back from its token; this one serves sqlglot's messages.
    this.emit(`"${mark}${this.at}:${token.text.replaceAll('"', "'")}"`, true);
  }

  private operator(token: Token): void {
    switch (token.text) {
      case '(': {
        const opener = this.openerKind();
        // sqlglot reads WITH in a table only,
        const wrapped = this.peekIs(1, 'WITH') && !this.peekIs(-1, 'FROM', 'JOIN', 'AS', 'MATERIALIZED');
        this.frames.push({ opener, cases: 0, limit: false, windows: false, wrapped });
        // and neither an empty list nor a set operation directly after IN.
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
    // `FROM (a JOIN b …)`: first in its FROM, parentheses have no meaning.
    const isFirst = previous?.upper === 'FROM' || (previous?.text === '(' && this.frame.opener === 'join');
    if (isFirst && !this.peekIs(1, 'SELECT', 'WITH', 'VALUES')) return 'join';
    if (previous?.kind !== 'word') return 'other';
    if (previous.upper === 'CAST') return 'cast';
    if (previous.upper === 'IN' && this.peekIs(1, 'SELECT', 'WITH', 'VALUES')) return 'in_query';
    if (previous.upper === 'AS' && this.frame.windows) return 'window';
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

  /** sqlglot reads VALUES only as a table; elsewhere it becomes a SELECT from one. */
  private values(): void {
    if (this.peekIs(-1, '(') && !this.peekIs(-2, 'AS', 'MATERIALIZED')) return this.emit('VALUES', false);
    let last = this.at;
    do last = this.closing(last + 1);
    while (this.tokens[last + 1]?.text === ',');
    this.valuesEnd = last;
    this.emitEach('SELECT * FROM ( VALUES', false);
  }

  /** sqlglot has IS only before NULL; elsewhere ILIKE, which SQLite lacks, carries it. */
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

  /** `x || f_collate(n)`, n being the token of the collation. */
  private collate(): void {
    this.at++;
    this.emit(`|| f_collate ( ${this.at} )`, true);
  }

  /** `f_cast(x, n)`, n being the AS token. */
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
    if (word === 'WINDOW') this.frame.windows = true;
    if (word === 'GROUPS' || word === 'EXCLUDE') throw this.unsupported(`${word} in a window frame`);
    if (word === 'MATERIALIZED') {
      if (this.peekIs(-1, 'NOT')) this.out.pop();
      return;
    }
    this.emit(word, word === 'END' || word === 'ROW' || word === 'ASC' || word === 'DESC');
  }
}

/** Reads `i<n>:name` or `d<n>:name`; SQLite takes a double-quoted name that names nothing for a string. */
export function readName(carrier: Carrier, identifier: Expression) {
  const found = /^([id])(\d+):/.exec(textOf(identifier, 'this'));
  const token = carrier.tokens[Number(found?.[2])];
  if (!found || !token) throw new QueryError('SQL_NOT_PARSED', 'a name was expected', identifier.sql());
  return { name: token.text, doubleQuoted: found[1] === 'd', token };
}

/** The token that a number node stands for. */
export function readToken(carrier: Carrier, literal: Expression): Token {
  const token = carrier.tokens[Number(textOf(literal, 'this'))];
  if (!token) throw new QueryError('SQL_NOT_PARSED', 'a literal was expected', literal.sql());
  return token;
}

/** In lower case; null for any node but a carried function. */
export function readFunction(node: Expression): string | null {
  if (node.key !== 'anonymous') return null;
  const name = textOf(node, 'this');
  return name.startsWith('f_') ? name.slice(2) : null;
}
