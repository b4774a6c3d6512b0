import { QueryError } from '../../contracts/errors.ts';
import { parseExactJson, printExactJson } from '../../contracts/exact-json.ts';
import { RUN_SQL } from '../../contracts/formulations.ts';
import { type Executor, planAnswer } from '../../contracts/hybrid.ts';
import { domainPath } from '../../contracts/paths.ts';
import type { Service } from '../../contracts/service.ts';
import type { Augmentation, Question } from '../../contracts/split.ts';
import { API_CLASSES } from '../../contracts/vocabulary.ts';
import type { Gazetteer } from '../../services/base/scalars/gazetteer.ts';
import type { SqlValue } from '../../services/base/sqlite/driver.ts';
import { type Column, node, orderTerm, printQuery, type Select, type SqlContext } from '../../sql/index.ts';
import type { Candidate } from '../lower/candidate.ts';
import { parseGold } from '../oracle/gold-sql.ts';
import { type Oracle, unlessRefused } from '../oracle/oracle.ts';
import type { Wording } from '../synthesize/wording.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';
import { Random } from '../variants/random.ts';
import { type Expectation, isExpected } from '../verify/expectation.ts';
import { GoldAnswers, type GoldQuery } from '../verify/gold-answers.ts';
import {
  type InjectableApp,
  type Played,
  type VariantApps,
  verifyCandidate,
} from '../verify/verify-candidate.ts';
import { type AugmentableQuery, augmentableQuery, type ClassifiedColumn } from './columns.ts';
import {
  ADDED,
  type AugmentedQuestion,
  drawIdeas,
  type Eliminated,
  type Idea,
  type SeenColumn,
  withFunctions,
  withoutEach,
  withTables,
} from './ideas.ts';
import { isOneSentence, spokenOf, wordIdea } from './wording.ts';

interface QuestionContext {
  readonly seed: string;
  readonly perQuestion: number;
  readonly sql: SqlContext;
  readonly oracle: Oracle;
  readonly file: string;
  readonly places: Gazetteer;
  readonly columns: readonly ClassifiedColumn[];
  readonly wording: Wording;
  readonly served: Omit<ServedVariants, 'goldAnswers'>;
}

/** Ideas tried for each question wanted. */
const TRIES = 4;
/** Columns tried for each class. */
const COLUMNS = 3;

/** Makes questions from one, with the reason for each idea that was dropped. */
export async function augmentQuestion(
  gold: GoldQuery,
  context: QuestionContext,
): Promise<{ readonly questions: readonly AugmentedQuestion[]; readonly eliminated: readonly Eliminated[] }> {
  const { question } = gold;
  const { question_id } = question;
  const random = new Random(`${context.seed}\n${question.db_id}\n${question_id}`);
  const questions: AugmentedQuestion[] = [];
  const eliminated: Eliminated[] = [];
  const eliminate = (idea: Idea | null, error: unknown) => {
    if (!(error instanceof QueryError)) throw error;
    eliminated.push({ question_id, tried: idea && factsOf(idea), rejection: error.toRejection() });
  };
  try {
    const scene = augmentableQuery(gold.query);
    await requireVerified(gold, context);
    const named = spokenColumns(usableColumns(scene, context), scene, context);
    const seen = await seenColumns(scene, named, random, context);
    const drawn = drawIdeas(scene, seen, context.places, random);
    const isOne = isOneSentence(question.question);
    const ideas = drawn.filter(({ augmenter }) => isOne || augmenter === 'filter');
    if (ideas.length === 0)
      throw new QueryError('API_NOT_NEEDED', 'no API tells the rows of the question apart');
    for (const idea of ideas.slice(0, TRIES * context.perQuestion)) {
      if (questions.length === context.perQuestion) break;
      const id = `${question_id}.${questions.length + 1}`;
      try {
        const made = await augmented(gold, idea, { scene, id, context });
        if (questions.every((other) => other.question !== made.question)) questions.push(made);
      } catch (error) {
        eliminate(idea, error);
      }
    }
  } catch (error) {
    eliminate(null, error);
  }
  return { questions, eliminated };
}

/** Throws WRONG_ROWS where the bound query does not give the rows of the gold SQL. */
async function requireVerified({ question, query }: GoldQuery, { oracle, file, sql }: QuestionContext) {
  const answers = new GoldAnswers(oracle, sql.catalog);
  const expected = await answers.expectAnswerTo(question.sql, query, file);
  const { rows } = await oracle.run(file, printQuery(query));
  if (!isExpected(expected, rows))
    throw new QueryError('WRONG_ROWS', 'the gold SQL leaves its answer open, or is read wrongly');
}

type UsableColumn = Pick<SeenColumn, 'column' | 'classes'>;

/** The columns that APIs apply to. Throws COLUMN_UNFIT where there are none. */
function usableColumns({ sources }: AugmentableQuery, { columns }: QuestionContext): UsableColumn[] {
  const usable = sources.flatMap(({ id, table }) =>
    columns
      .filter((each) => each.table.name === table)
      .map(({ column, classes }) => ({
        column: node({ kind: 'column', source: id, name: column.name } as const),
        classes,
      })),
  );
  if (usable.length > 0) return usable;
  throw new QueryError('COLUMN_UNFIT', 'its tables have no column of words, whole numbers or places');
}

/** The columns that can be put into words. Throws COLUMN_UNCLEAR where there are none. */
function spokenColumns(
  usable: readonly UsableColumn[],
  scene: AugmentableQuery,
  { wording }: QuestionContext,
): UsableColumn[] {
  let unclear: unknown = null;
  const spoken = usable.filter(({ column }) => {
    try {
      return spokenOf(column, 'lexical', scene, wording);
    } catch (error) {
      unclear ??= error;
      return false;
    }
  });
  if (spoken.length === 0) throw unclear;
  return spoken;
}

/** A few columns for each class, with their values in the rows of the query. */
async function seenColumns(
  { select }: AugmentableQuery,
  usable: readonly UsableColumn[],
  random: Random,
  { oracle, file }: QuestionContext,
): Promise<SeenColumn[]> {
  const chosen = API_CLASSES.flatMap((kind) =>
    random.sample(
      usable.filter(({ classes }) => classes.classes.has(kind)),
      COLUMNS,
    ),
  );
  const seen: SeenColumn[] = [];
  for (const { column, classes } of new Set(chosen)) {
    const { rows } = await oracle.run(file, printQuery(valuesOf(select, column)));
    seen.push({ column, classes, values: rows.map(([value]) => (value ?? null) as SqlValue) });
  }
  return seen;
}

function valuesOf(select: Select, column: Column): Select {
  return node({
    ...select,
    distinct: true,
    columns: [node({ expr: column, name: 'value', alias: null })],
    groupBy: [],
    having: null,
    orderBy: [orderTerm(column)],
    limit: null,
  });
}

interface Attempt {
  readonly scene: AugmentableQuery;
  readonly id: string;
  readonly context: QuestionContext;
}

/** The question that an idea makes. Throws the QueryError that rules it out. */
async function augmented(
  gold: GoldQuery,
  idea: Idea,
  { scene, id, context }: Attempt,
): Promise<AugmentedQuestion> {
  const { select, sources } = scene;
  const { file, oracle, sql, served } = context;
  const spoken = spokenOf(idea.column, idea.composition.class, scene, context.wording);
  const text = wordIdea(gold.question.question, idea, spoken);
  const print = (query: Select) => printQuery(query, { outputNames: query.columns.map(({ name }) => name) });
  const table = sources.find((source) => source.id === idea.column.source)?.table ?? '';
  const question: AugmentedQuestion = {
    ...withoutCorrection(gold.question),
    question_id: id,
    question: text,
    sql: print(withFunctions(select, idea)),
    origin: 'augmented',
    augmentation: {
      original: originalOf(gold.question),
      ...factsOf(idea),
      column: { table, name: idea.column.name },
      virtual_sql: print(withTables(select, idea)),
    },
  };
  const query = parseGold(question.sql, sql);
  const made = { question, query };
  const goldAnswers = new GoldAnswers(oracle, sql.catalog);
  const [original] = served.variants;
  const expected = await goldAnswers.expect(made, original);
  const flags = await goldAnswers.flags(made, original);
  const at = expected.columns.indexOf(ADDED);
  const isFigure = idea.augmenter === 'aggregation';
  const isNothing =
    at >= 0 && expected.rows.every((row) => row[at] === null || (isFigure && Number(row[at]) === 0));
  if (isNothing || flags.some((flag) => NOTHING.has(flag)))
    throw new QueryError('NOTHING_FOUND', 'the answer is empty, NULL or 0');
  if (flags.includes('limit_tie') || flags.includes('unordered_limit'))
    throw new QueryError('NONDETERMINISTIC', 'LIMIT cuts through rows that are tied', 'LIMIT');
  if (await goldAnswers.isOpen(made, original))
    throw new QueryError('NONDETERMINISTIC', 'the answer depends on the order in which SQLite visits rows');
  await requireNeeded(select, idea, expected, { oracle, file });
  await requireAgreement(made, question.augmentation.virtual_sql, { ...served, goldAnswers });
  return question;
}

const NOTHING: ReadonlySet<string> = new Set(['empty_gold', 'null_gold', 'zero_gold']);

function factsOf({
  augmenter,
  composition,
}: Idea): Pick<Augmentation, 'augmenter' | 'class' | 'depth' | 'apis'> {
  const { steps } = composition;
  return { augmenter, class: composition.class, depth: steps.length, apis: steps.map(({ api }) => api) };
}

function originalOf({ question_id, question, sql }: Question): Augmentation['original'] {
  return { question_id, question, sql };
}

function withoutCorrection({ correction: _, ...question }: Question): Question {
  return question;
}

interface ServedVariants {
  readonly service: Service;
  readonly goldAnswers: GoldAnswers;
  readonly variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
  readonly apps: VariantApps;
  readonly signal?: AbortSignal | undefined;
}

/** Runs the query in three ways: SQLite with functions, virtual tables, and HTTP. Throws if they disagree. */
async function requireAgreement(gold: GoldQuery, tables: string, served: ServedVariants): Promise<void> {
  const ways = [
    { executor: 'functions', sql: tables, share: 0, what: 'virtual tables in SQLite' },
    { executor: 'http', sql: gold.question.sql, share: 100, what: 'functions over HTTP' },
  ] as const;
  for (const { what, ...way } of ways) {
    const outcome = await verifyCandidate(candidateOf(gold.question, way.sql), gold, {
      goldAnswers: served.goldAnswers,
      variants: served.variants,
      play: (_, variant) => runSql(served.apps.app(variant), served.service, way),
      signal: served.signal,
    });
    if (outcome.kept) continue;
    const { code, reason, clause } = outcome.rejection;
    throw new QueryError(code as QueryError['code'], `${what}: ${reason}`, clause);
  }
}

function candidateOf(question: Question, sql: string): Candidate {
  return {
    question,
    formulation: 'hybrid',
    initialization_step: null,
    output: [{ name: RUN_SQL, arguments: { sql } }],
  };
}

async function runSql(
  app: InjectableApp,
  { split, db }: Service,
  way: { readonly sql: string; readonly share: number; readonly executor: Executor },
): Promise<Played> {
  const answer = await app.inject({
    method: 'POST',
    url: `${domainPath(split, db)}/sql`,
    headers: { 'content-type': 'application/json' },
    payload: printExactJson(way),
  });
  if (answer.statusCode !== 200)
    throw new QueryError('CALL_FAILED', `answered with ${answer.statusCode}: ${answer.body.slice(0, 200)}`);
  const body = parseExactJson(answer.body);
  const { columns, data, truncated } = planAnswer.parse(body);
  if (truncated) throw new QueryError('SQL_TOO_LARGE', 'the answer was cut off');
  return { rows: data.map((row) => columns.map((name) => row[name] ?? null)), body };
}

interface RunContext {
  readonly oracle: Oracle;
  readonly file: string;
}

/** Throws API_NOT_NEEDED where leaving out all APIs, or any one of them, gives the same answer. */
async function requireNeeded(
  select: Select,
  idea: Idea,
  expected: Expectation,
  place: RunContext,
): Promise<void> {
  const { steps } = idea.composition;
  const versions = withoutEach(steps).map((fewer) => withFunctions(select, idea, fewer));
  for (const [i, version] of [select, ...versions].entries()) {
    if (!(await isSame(version, expected, place))) continue;
    const api = steps[i - 1]?.api ?? null;
    throw new QueryError('API_NOT_NEEDED', `without ${api ?? 'the APIs'} the answer is the same`, api);
  }
}

async function isSame(query: Select, expected: Expectation, { oracle, file }: RunContext): Promise<boolean> {
  const answer = await unlessRefused(oracle.run(file, printQuery(query)));
  return answer !== null && isExpected(expected, answer.rows);
}
