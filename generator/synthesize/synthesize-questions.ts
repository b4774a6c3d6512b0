import { sameRows } from '../../contracts/answer-rows.ts';
import type { Catalog, Row } from '../../contracts/catalog.ts';
import { unlessQueryError } from '../../contracts/errors.ts';
import type { Domain, Question } from '../../contracts/split.ts';
import { constructsOf, parseQuery, printQuery, type Query, quoteText } from '../../sql/index.ts';
import { type Oracle, unlessRefused } from '../oracle/oracle.ts';
import { openReadonly } from '../read/open-database.ts';
import { mutantsOf } from '../variants/mutants.ts';
import { Random } from '../variants/random.ts';
import { profileOfAsked } from './asked-columns.ts';
import { type DrawnQuery, drawQuery, STYLES, type Style, type StyleName } from './draw-query.ts';
import type { SynthesisDomain } from './find-databases.ts';
import { type Profile, profileDatabase } from './profile.ts';
import { ask, evidenceOf, isStilted, templateOf, wordingOf } from './wording.ts';

export interface SynthesizeOptions {
  readonly questions: number;
  readonly seed: string;
  readonly like: StyleName;
  /** Overrides the style's weights. */
  readonly weights?: Partial<Style['weights']>;
  readonly referenceTime: string;
  /** Existing questions, not to be repeated, even with other values. */
  readonly asked?: readonly Question[];
  readonly signal?: AbortSignal | undefined;
  /** Called after each draw. */
  readonly onProgress?: (done: number) => void;
}

interface SynthesizedQuestion extends Question {
  readonly origin: 'synthesized';
}

export interface Synthesis {
  readonly questions: readonly SynthesizedQuestion[];
  /** Rejected draws, by reason. */
  readonly refused: ReadonlyMap<string, number>;
  readonly leftOut: Profile['leftOut'];
}

/** Rejected draws in a row after which a database is given up. */
const TRIES_IN_VAIN = 400;

/** Draws questions with SQL. Deterministic by database, seed and options; may find fewer than wanted. */
export async function synthesizeQuestions(
  { db, file, catalog, tried = file }: Domain & Partial<SynthesisDomain>,
  oracle: Oracle,
  options: SynthesizeOptions,
): Promise<Synthesis> {
  const connection = openReadonly(tried);
  const profile = profileOfAsked(profileDatabase(catalog, connection));
  connection.close();
  const like: Style = STYLES[options.like];
  const style = { ...like, weights: { ...like.weights, ...options.weights } };
  const wording = wordingOf(catalog);
  const random = new Random(`${options.seed}\n${db}`);
  const questions: SynthesizedQuestion[] = [];
  const refused = new Map<string, number>();
  const refuse = (reason: string) => refused.set(reason, (refused.get(reason) ?? 0) + 1);
  const texts = new Set(options.asked?.map(({ question }) => question));
  const templates = new Set<string>();
  const parse = (sql: string) =>
    unlessQueryError(() => parseQuery(sql, { catalog, referenceTime: options.referenceTime }));
  for (const { sql } of options.asked ?? []) {
    const query = parse(sql);
    if (query !== null) templates.add(templateOf(sql, query, catalog));
  }

  for (let inVain = 0; inVain < TRIES_IN_VAIN && questions.length < options.questions; inVain++) {
    if (options.signal?.aborted || profile.tables.length === 0) break;
    const drawn = drawQuery(profile, random, style);
    if (drawn === null) {
      refuse('the database does not offer it');
      continue;
    }
    const query = parse(drawn.sql);
    if (query === null) {
      refuse('is not read');
      continue;
    }
    const { question, template } = ask(drawn.sql, query, wording, random);
    if (isStilted(question)) {
      refuse('cannot be said plainly');
      continue;
    }
    if (templates.has(template) || texts.has(question)) {
      refuse('was asked already');
      continue;
    }
    const candidate = { ...drawn, query, catalog };
    const reason =
      (await whyNotAsk(candidate, { oracle, file: tried })) ??
      (tried === file ? null : onTheWhole(await whyNotAnswered(candidate, { oracle, file })));
    if (reason !== null) {
      refuse(reason);
      continue;
    }
    templates.add(template);
    texts.add(question);
    questions.push({
      question_id: questions.length,
      db_id: db,
      question,
      evidence: evidenceOf(query, catalog),
      difficulty: difficultyOf(query),
      sql: drawn.sql,
      origin: 'synthesized',
    });
    options.onProgress?.(questions.length);
    inVain = 0;
  }
  return { questions, refused, leftOut: profile.leftOut };
}

function onTheWhole(reason: string | null): string | null {
  return reason && `${reason} (on the whole database, of which a sample was read)`;
}

/** The difficulty by the number of constructs, roughly as people rate it. */
function difficultyOf(query: Query): string {
  const constructs = constructsOf(query).length;
  if (constructs <= 2) return 'simple';
  return constructs <= 5 ? 'moderate' : 'challenging';
}

/** Longer answers are hard to check by hand. */
const MAX_ROWS = 100;

/** Mutants that leave a clause out; if one has the same answer, the clause is idle. */
const LEFT_OUT = new Set([
  'dropped condition',
  'dropped HAVING',
  'dropped LIMIT',
  'dropped group key',
  'AND for OR',
  'OR for AND',
  'sort direction',
]);

interface Drawn extends DrawnQuery {
  readonly query: Query;
  readonly catalog: Catalog;
}

interface RunContext {
  readonly oracle: Oracle;
  readonly file: string;
}

/** The reason to reject a query, or null: it runs, is neither trivial nor decided by ties, and needs every clause. */
async function whyNotAsk(drawn: Drawn, place: RunContext): Promise<string | null> {
  const rows = await run(drawn.sql, place);
  const reason = await whyNotAnswered(drawn, place, rows);
  if (reason !== null || rows === null) return reason;
  const { query, catalog } = drawn;
  for (const { kind, query: mutant } of mutantsOf(query, catalog)) {
    // Reversing a sort of the whole answer always shows.
    if (!LEFT_OUT.has(kind) || (kind === 'sort direction' && isWhole(query))) continue;
    if (isSame(rows, await run(printQuery(mutant), place), query)) return `${kind}: changes nothing`;
  }
  return null;
}

/** The reason to reject an answer, or null: it exists, and is neither trivial nor decided by ties. */
async function whyNotAnswered(
  { kind, sql, query }: Drawn,
  place: RunContext,
  known?: readonly Row[] | null,
): Promise<string | null> {
  if (query.kind === 'values') return 'asks nothing of the data';
  const rows = known === undefined ? await run(sql, place) : known;
  if (rows === null) return 'does not run';
  const trivial = whyTrivial(rows);
  if (trivial !== null) return trivial;
  // The highest price of one product
  if (kind === 'aggregate' && (await countOf(sql, place)) < FEW_ROWS) return 'aggregates too few rows';
  if (kind === 'difference' && Number(rows[0]?.[0]) < 0) return 'is fewer, not more';
  // The district of schools in a district.
  const isGiven = (value: unknown) => typeof value === 'string' && sql.includes(quoteText(value));
  if (rows[0]?.some((_, i) => rows.every((row) => isGiven(row[i])))) return 'answers itself';
  return isSame(rows, await run(sql, place, true), query) ? null : 'its answer depends on ties';
}

/** Of fewer rows people ask for the values, not for their mean. */
const FEW_ROWS = 3;

/** How many rows a query without a subquery aggregates. */
async function countOf(sql: string, place: RunContext): Promise<number> {
  const rows = await run(`SELECT COUNT(*) ${sql.slice(sql.indexOf(' FROM '))}`, place);
  return Number(rows?.[0]?.[0] ?? 0);
}

/** null when the query fails or takes too long. */
async function run(
  sql: string,
  { oracle, file }: RunContext,
  reversed = false,
): Promise<readonly Row[] | null> {
  return (await unlessRefused(oracle.run(file, sql, { reversed })))?.rows ?? null;
}

function isSame(rows: readonly Row[], other: readonly Row[] | null, query: Query): boolean {
  const ordered = query.kind !== 'values' && query.orderBy.length > 0;
  return other !== null && sameRows(rows, other, ordered ? rows.map((_, i) => i) : null);
}

function isWhole(query: Query): boolean {
  return query.kind !== 'values' && query.limit === null;
}

function whyTrivial(rows: readonly Row[]): string | null {
  if (rows.length === 0) return 'finds nothing';
  if (rows.length > MAX_ROWS) return 'finds too much';
  const cells = rows.flat();
  if (cells.every((cell) => cell === null)) return 'finds only NULL';
  const [only] = cells;
  const [first] = rows;
  if (rows.length === 1 && first?.length === 1 && (Number(only) === 0 || Number(only) === 100))
    return 'finds all or nothing';
  if (rows.length === 1 && first?.length === 1 && typeof only !== 'string' && Number(only) === 1)
    return 'counts one row';
  const distinct = new Set(
    rows.map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
  );
  return distinct.size < rows.length ? 'repeats rows' : null;
}
