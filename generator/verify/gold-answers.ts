import { AsyncLocalStorage } from 'node:async_hooks';
import type { Catalog, Row } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import { onceFor } from '../../contracts/grouping.ts';
import { type Flag, flag, type Sample } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';
import { printQuery, type Query } from '../../sql/index.ts';
import { type Oracle, togetherOf, unlessRefused } from '../oracle/oracle.ts';
import { type Ambiguity, ambiguitiesOf, tieBrokenVersions } from '../tie-breaking.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';
import { VisitLimit } from '../variants/visits.ts';
import {
  type Cut,
  cutsInnerTie,
  type Expectation,
  expectAnswer,
  isExpected,
  isExpectedUpToTies,
  otherAnswers,
  statementsFor,
  tiedRows,
} from './expectation.ts';

export interface GoldQuery {
  readonly question: Question;
  readonly query: Query;
}

/** The answers of other choices among tied rows, as a sample stores them. */
export type Ties = Pick<Sample, 'tied_rows' | 'other_answers'>;

/** The gold answers of one domain, computed once for all formulations. */
export class GoldAnswers {
  readonly #oracle: Oracle;
  readonly #catalog: Catalog;
  readonly #known = new Map<string, Promise<Expectation>>();
  readonly #flags = new Map<string, Promise<readonly Flag[]>>();
  readonly #ties = new Map<string, Promise<Ties>>();
  readonly #visits: VisitLimit;
  readonly #ambiguities = new Map<Query, readonly Ambiguity[]>();

  constructor(oracle: Oracle, catalog: Catalog) {
    this.#oracle = oracle;
    this.#catalog = catalog;
    this.#visits = new VisitLimit(oracle, catalog);
  }

  /** Throws QueryErrors of the oracle. */
  expect({ question, query }: GoldQuery, variant: DatabaseVariant): Promise<Expectation> {
    return onceFor(this.#known, `${variant.label}\0${question.question_id}`, () =>
      onBehalfOf(question, () => this.#expectOn(variant, question.sql, query)),
    );
  }

  async #expectOn(variant: DatabaseVariant, sql: string, query: Query): Promise<Expectation> {
    if (variant.isNeighbour && (await this.#visits.isExceeded(query, variant.plain)))
      throw new QueryError('SQL_TOO_LARGE', 'the rows of its tables multiply each other');
    await this.expectAhead([{ sql, query }], variant.plain);
    return this.expectAnswerTo(sql, query, variant.plain);
  }

  /** For gold SQL with other values; not cached. */
  expectAnswerTo(sql: string, query: Query, file: string, reversed = false): Promise<Expectation> {
    return expectAnswer(sql, query, file, { oracle: this.#oracle, catalog: this.#catalog, reversed });
  }

  /** As `expectAhead`, for the gold SQL that is quick on a neighbour. */
  async expectAllAhead(golds: readonly GoldQuery[], { plain }: DatabaseVariant): Promise<void> {
    const some = golds
      .filter(({ query }) => !this.#visits.isRisky(query, plain))
      .map(({ question: { sql }, query }) => ({ sql, query }));
    await Promise.all(togetherOf(some).map((part) => this.expectAhead(part, plain)));
  }

  /** Runs the statements of several expected answers in one message. */
  expectAhead(
    golds: readonly { readonly sql: string; readonly query: Query }[],
    file: string,
  ): Promise<void> {
    const statements = golds.flatMap(({ sql, query }) => statementsFor(sql, query, this.#catalog));
    return this.#oracle.runAhead(file, statements);
  }

  /** Whether the rows are the expected answer, one with other tied rows, or one in another row order. */
  async allows(
    rows: readonly Row[],
    {
      expected,
      sql,
      query,
      variant,
    }: { expected: Expectation; sql: string; query: Query; variant: DatabaseVariant },
  ): Promise<boolean> {
    if (isExpected(expected, rows)) return true;
    if (this.ambiguitiesOf(query).length === 0) return false;
    if (await isExpectedUpToTies(expected, rows)) return true;
    for (const [file, reversed] of otherVisits(variant)) {
      const other = await unlessRefused(this.expectAnswerTo(sql, query, file, reversed));
      if (other && isExpected(other, rows)) return true;
    }
    for await (const other of this.#tieBrokenRows(query, variant))
      if (isExpected({ ...expected, rows: other }, rows)) return true;
    return false;
  }

  async *#tieBrokenRows(query: Query, { plain }: DatabaseVariant): AsyncGenerator<readonly Row[]> {
    for (const version of tieBrokenVersions(query, this.ambiguitiesOf(query), plain, this.#catalog))
      yield (await this.#oracle.run(plain, printQuery(version))).rows;
  }

  /** Whether SQLite gives other rows when it visits them by indexes, backwards or sorted. */
  async isOpen(gold: GoldQuery, variant: DatabaseVariant): Promise<boolean> {
    const { question, query } = gold;
    if (this.ambiguitiesOf(query).length === 0) return false;
    const expected = await this.expect(gold, variant);
    for (const [file, reversed] of otherVisits(variant)) {
      const { rows } = await this.expectAnswerTo(question.sql, query, file, reversed);
      if (!isExpected(expected, rows)) return true;
    }
    for await (const rows of this.#tieBrokenRows(query, variant))
      if (!isExpected(expected, rows)) return true;
    return false;
  }

  /** The flags of the gold answer, computed once. */
  flags(gold: GoldQuery, variant: DatabaseVariant): Promise<readonly Flag[]> {
    const key = `${variant.label}\0${gold.question.question_id}`;
    return onceFor(this.#flags, key, () => this.#flagsOf(gold, variant));
  }

  async #flagsOf(gold: GoldQuery, variant: DatabaseVariant): Promise<readonly Flag[]> {
    const context = { oracle: this.#oracle, catalog: this.#catalog };
    return flagsOf(await this.expect(gold, variant), gold.query, this.ambiguitiesOf(gold.query), (inner) =>
      cutsInnerTie(inner, gold.query, variant.plain, context),
    );
  }

  /** Other rows and answers, where the gold answer has the flag `limit_tie`. */
  ties(gold: GoldQuery, variant: DatabaseVariant): Promise<Ties> {
    const key = `${variant.label}\0${gold.question.question_id}`;
    return onceFor(this.#ties, key, () => this.#tiesOf(gold, variant));
  }

  async #tiesOf(gold: GoldQuery, variant: DatabaseVariant): Promise<Ties> {
    if (!(await this.flags(gold, variant)).includes('limit_tie')) return {};
    const expected = await this.expect(gold, variant);
    const context = { oracle: this.#oracle, catalog: this.#catalog };
    const tied = await tiedRows(expected);
    const others: Row[][] = [];
    for (const inner of orderedCutsIn(gold.query, this.ambiguitiesOf(gold.query)))
      others.push(...(await otherAnswers(inner, gold.query, expected, variant.plain, context)));
    return {
      ...(tied.length > 0 ? { tied_rows: tied } : {}),
      ...(others.length > 0 ? { other_answers: others } : {}),
    };
  }

  ambiguitiesOf(query: Query): readonly Ambiguity[] {
    return onceFor(this.#ambiguities, query, () => ambiguitiesOf(query, this.#catalog));
  }
}

/** Databases with the same rows, and whether to visit them backwards. */
function otherVisits({
  plain,
  served,
}: DatabaseVariant): readonly (readonly [file: string, reversed: boolean])[] {
  return [
    [served, false],
    [plain, true],
    [served, true],
  ];
}

/** `cutsInnerTie` looks in the data for ties that LIMIT cuts through in a subquery. */
async function flagsOf(
  expected: Expectation,
  query: Query,
  open: readonly Ambiguity[],
  cutsInnerTie: (inner: Cut) => Promise<boolean>,
): Promise<Flag[]> {
  const { rows, pinned, cutsTie } = expected;
  const ordered = query.kind !== 'values' && query.orderBy.length > 0;
  const cutsOrder = ordered && (await cutsTie());
  const unordered = cutsOf(open).some(({ orderBy }) => orderBy.length === 0);
  const innerTies = await Promise.all(orderedCutsIn(query, open).map(cutsInnerTie));
  const holds: Readonly<Record<Flag, boolean>> = {
    empty_gold: rows.length === 0,
    null_gold: rows.length > 0 && rows.every((row) => row.every((cell) => cell === null)),
    zero_gold: rows.length === 1 && rows[0]?.length === 1 && rows[0][0] === 0,
    limit_tie: innerTies.includes(true) || cutsOrder,
    pinned_time: pinned,
    unordered_limit: unordered,
    // Set after its APIs are called.
    ambiguous_place: false,
    slow: false,
    // Set for the whole farm at once.
    guessable: false,
    dialogue: false,
    turn: false,
  };
  return flag.options.filter((each) => holds[each]);
}

/** The subqueries in which LIMIT picks among sorted rows. */
function orderedCutsIn(query: Query, open: readonly Ambiguity[]): Cut[] {
  return cutsOf(open).filter((each) => each !== query && each.orderBy.length > 0);
}

function cutsOf(open: readonly Ambiguity[]): Cut[] {
  return open.flatMap((each) => (each.kind === 'limit' && each.query.limit !== null ? [each.query] : []));
}

/** The flags in the order of their definition, each once. */
export function inFlagOrder(flags: readonly Flag[]): Flag[] {
  return flag.options.filter((each) => flags.includes(each));
}

/** From this share of its limit on, a statement may exceed it on another machine. */
const NEAR = 1 / 3;

const currentQuestion = new AsyncLocalStorage<Question['question_id']>();

/** Attributes the statements that `work` runs to the question. */
export function onBehalfOf<T>({ question_id }: Question, work: () => Promise<T>): Promise<T> {
  return currentQuestion.run(question_id, work);
}

export class NearLimit {
  readonly #questions = new Set<Question['question_id']>();

  /** Records a statement's share of its limit for the current question. */
  readonly note = (share: number): void => {
    const question = currentQuestion.getStore();
    if (share >= NEAR && question !== undefined) this.#questions.add(question);
  };

  of(questions: readonly Question[]): Question['question_id'][] {
    return questions.map(({ question_id }) => question_id).filter((id) => this.#questions.has(id));
  }
}
