import type Database from 'better-sqlite3';
import { QueryError } from '../../contracts/errors.ts';
import { isList, SCALARS_BY_NAME } from '../../services/base/scalars/scalars.ts';
import { TIME_KEYWORDS } from '../../services/base/sqlite/driver.ts';
import { withListApis } from '../../services/domain/hybrid/hybrid-tools.ts';
import {
  exprsOf,
  parseQuery,
  type Query,
  queriesOf,
  quoteText,
  type SqlContext,
  type Token,
  tokenize,
} from '../../sql/index.ts';

const DATE_FUNCTIONS = new Set('DATE TIME DATETIME JULIANDAY UNIXEPOCH STRFTIME TIMEDIFF'.split(' '));

/** An open bracket: the date function before it (or '' or SELECT), and the commas inside so far. */
interface Bracket {
  readonly name: string;
  readonly opened: number;
  commas: number;
}

/** Replaces every "now" by the reference time, without parsing; `pinned` is whether there was one. */
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
      const keyword = TIME_KEYWORDS.get(token.upper);
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

/** Whether the call that ends at token `closed` omits its time, which means now. */
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

/** CURRENT_DATE is also allowed as a name: `t.current_date`, `AS current_date`. */
function isExpression(before: Token | undefined, after: Token | undefined): boolean {
  return before?.text !== '.' && before?.upper !== 'AS' && after?.text !== '.';
}

/** Returns SQLite's error, or null when it accepts the SQL. */
export type TryPrepare = (sql: string) => string | null;

/** Turns each `"text"` that names no column, according to SQLite's errors, into a string. */
export function requote(sql: string, tryPrepare: TryPrepare): string {
  const doubtful = new Set(tokenize(sql).filter(({ quote }) => quote === '"'));
  const strings = new Set<Token>();
  const written = (those: ReadonlySet<Token>) =>
    editText(
      sql,
      [...those].map(({ start, end, text }) => ({ start, end, text: quoteText(text) })),
    );
  /** Whether SQLite rejects this token once its other errors are resolved. */
  const isRejected = (token: Token, away: Set<Token>): boolean => {
    for (;;) {
      const name = unknownName(tryPrepare(written(away)));
      if (name === null || name === token.text) return name !== null;
      const more = [...doubtful].filter(({ text }) => text === name);
      if (more.length === 0) return false;
      for (const each of more) away.add(each);
    }
  };
  for (;;) {
    const name = unknownName(tryPrepare(written(strings)));
    const alike = [...doubtful].filter(({ text }) => text === name);
    if (name === null || alike.length === 0) return written(strings);
    for (const token of alike) {
      const namesakes = alike.filter((each) => each !== token);
      if (isRejected(token, new Set([...strings, ...namesakes]))) strings.add(token);
    }
    for (const token of alike) doubtful.delete(token);
  }
}

function unknownName(error: string | null): string | null {
  return /^no such column: "([\s\S]*)" - should this be a string literal/.exec(error ?? '')?.[1] ?? null;
}

/** Parses and binds gold SQL, which may read APIs of lists as tables. */
export function parseGold(sql: string, { catalog, referenceTime }: SqlContext): Query {
  return parseQuery(sql, { catalog: withListApis(catalog), referenceTime });
}

/** The scalar APIs that a query calls as functions, or reads as tables if they answer lists; in subqueries too. */
export function scalarApisIn(query: Query): string[] {
  const called = exprsOf(query).flatMap((expr) => (expr.kind === 'call' ? [expr.name] : []));
  const read = queriesOf(query).flatMap((one) =>
    one.kind === 'select'
      ? one.from.flatMap(({ source }) => (source.kind === 'table' ? [source.table] : []))
      : [],
  );
  const isRead = (name: string) => {
    const api = SCALARS_BY_NAME.get(name);
    return api !== undefined && isList(api);
  };
  return [...new Set([...called.filter((name) => SCALARS_BY_NAME.has(name)), ...read.filter(isRead)])];
}

export function callsScalarApi(query: Query): boolean {
  return scalarApisIn(query).length > 0;
}

/** Whether the SQL uses a scalar API, as a function or as a virtual table. */
export function namesScalarApi(sql: string): boolean {
  return tokenize(sql).some(
    ({ kind, text }) => (kind === 'word' || kind === 'quoted') && SCALARS_BY_NAME.has(text.toLowerCase()),
  );
}

/** Functions whose value depends on chance, the connection or SQLite's version. */
const FUNCTIONS = new Set(
  (
    'RANDOM RANDOMBLOB CHANGES TOTAL_CHANGES LAST_INSERT_ROWID SQLITE_VERSION SQLITE_SOURCE_ID ' +
    'SQLITE_COMPILEOPTION_USED SQLITE_COMPILEOPTION_GET SQLITE_OFFSET'
  ).split(' '),
);

/** The first function called whose value is not repeatable, as written, or null. */
export function nondeterministicFunction(sql: string): string | null {
  const tokens = tokenize(sql);
  const found = tokens.find(
    (token, i) => token.kind === 'word' && FUNCTIONS.has(token.upper) && tokens[i + 1]?.text === '(',
  );
  return found?.text ?? null;
}

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The edits must not overlap. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  let edited = '';
  let at = 0;
  for (const edit of [...edits].sort((a, b) => a.start - b.start)) {
    edited += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return edited + text.slice(at);
}

/** The statements of a gold SQL that changes rows. Throws QueryError for any that does something else. */
export function splitStatements(sql: string): string[] {
  const tokens = tokenize(sql);
  const statements: string[] = [];
  let start = 0;
  for (const { kind, text, start: at, end } of [...tokens, endOf(sql)]) {
    if (kind !== 'operator' || text !== ';') continue;
    const statement = sql.slice(start, at).trim();
    if (tokenize(statement).length > 0) statements.push(statement);
    start = end;
  }
  for (const statement of statements) {
    const [first] = tokenize(statement);
    if (!ALLOWED.has(first?.upper ?? ''))
      throw new QueryError('SQL_UNSUPPORTED', `a task cannot ask for ${first?.text}`, first?.text ?? null);
    const chance = nondeterministicFunction(statement);
    if (chance) throw new QueryError('NONDETERMINISTIC', `${chance}() has no fixed value`, chance);
  }
  return statements;
}

function endOf(sql: string) {
  return { kind: 'operator' as const, text: ';', start: sql.length, end: sql.length };
}

const ALLOWED = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE', 'WITH', 'SELECT']);

/** The tokens outside brackets, and the brackets that close there. */
export function outermost(tokens: readonly Token[]): Token[] {
  let depth = 0;
  return tokens.filter(({ text }) => {
    if (text === '(') depth++;
    if (text === ')') depth--;
    return depth === 0;
  });
}

/** The index of the bracket that closes the one at `from`; that after the last token if none does. */
export function closing(tokens: readonly Token[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    if (tokens[at]?.text === '(') depth++;
    if (tokens[at]?.text === ')' && --depth === 0) return at;
  }
  return tokens.length;
}

/** Gives the reference time to what tables and triggers take from the clock. */
export function pinSchema(db: Database.Database, reference: string): void {
  const schema = db.prepare(
    "SELECT rowid, type, sql FROM sqlite_schema WHERE type IN ('table', 'trigger') AND sql IS NOT NULL",
  );
  const rows = schema.raw().all() as [rowid: number, type: 'table' | 'trigger', sql: string][];
  const edits = rows.flatMap(([rowid, type, sql]) => {
    const pinned = pinDefinition(type, sql, reference);
    return pinned === sql ? [] : [[pinned, rowid]];
  });
  if (edits.length === 0) return;
  db.unsafeMode(true);
  db.pragma('writable_schema = on');
  const update = db.prepare('UPDATE sqlite_schema SET sql = ? WHERE rowid = ?');
  for (const edit of edits) update.run(...edit);
  // Reads the schema again.
  db.pragma('writable_schema = reset');
  db.unsafeMode(false);
}

/** The definition of a table with the time in its defaults, or of a trigger with the time in its statements. */
export function pinDefinition(type: 'table' | 'trigger', sql: string, reference: string): string {
  const tokens = tokenize(sql);
  const edits: TextEdit[] = [];
  const pin = (from: number, to: number) => {
    const [start, end] = [tokens[from]?.start ?? 0, tokens[to]?.end ?? sql.length];
    edits.push({ start, end, text: pinTime(sql.slice(start, end), reference).sql });
  };
  const isWord = (at: number, word: string) => tokens[at]?.kind === 'word' && tokens[at]?.upper === word;
  const words = (word: string) => [...tokens.keys()].filter((at) => isWord(at, word));
  if (type === 'trigger') pin(words('BEGIN')[0] ?? 0, tokens.length - 1);
  for (const at of type === 'table' ? words('DEFAULT') : []) {
    const from = at + 1;
    pin(from, tokens[from]?.text === '(' ? closing(tokens, from) : from);
  }
  return editText(sql, edits);
}
