import type { Catalog } from '../../contracts/catalog.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { Flag } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';
import type { Row } from '../../contracts/value.ts';
import { printQuery, type Query } from '../sql/index.ts';
import { type Ambiguity, ambiguitiesOf } from '../tie-breaking/ambiguities.ts';
import { tieBrokenVersions } from '../tie-breaking/break-ties.ts';
import {
  cutsInnerTie,
  type Expectation,
  expectAnswer,
  isExpected,
  isExpectedUpToTies,
} from './answer/expectation.ts';
import { flagsOf } from './answer/flags.ts';
import type { Oracle } from './oracle/oracle.ts';
import type { World } from './world.ts';

/** A question with its gold SQL understood. */
export interface GoldQuery {
  readonly question: Question;
  readonly query: Query;
}

/** The gold answers of one domain, computed once for all formulations. */
export class GoldBook {
  readonly #oracle: Oracle;
  readonly #catalog: Catalog;
  readonly #known = new Map<string, Promise<Expectation>>();
  readonly #flags = new Map<string, Promise<readonly Flag[]>>();
  readonly #open = new Map<Query, readonly Ambiguity[]>();

  constructor(oracle: Oracle, catalog: Catalog) {
    this.#oracle = oracle;
    this.#catalog = catalog;
  }

  /** The gold answer in a world. Throws QueryErrors of the oracle. */
  expect({ question, query }: GoldQuery, world: World): Promise<Expectation> {
    const key = `${world.label}\0${question.question_id}`;
    const known = this.#known.get(key) ?? this.expectVariant(question.sql, query, world.plain);
    this.#known.set(key, known);
    return known;
  }

  /** The answer to a variant of the gold SQL; not remembered. */
  expectVariant(sql: string, query: Query, file: string, reversed = false): Promise<Expectation> {
    return expectAnswer(sql, query, file, { oracle: this.#oracle, catalog: this.#catalog, reversed });
  }

  /**
   * Whether the rows are an answer that the SQL allows in a world: the expected one, or, where SQL leaves the
   * answer open, one with other tied rows, or one that SQLite itself gives when it visits rows otherwise: by
   * indexes, backwards, or in an order spelled out.
   */
  async allows(
    rows: readonly Row[],
    { expected, sql, query, world }: { expected: Expectation; sql: string; query: Query; world: World },
  ): Promise<boolean> {
    if (isExpected(expected, rows)) return true;
    if (this.openings(query).length === 0) return false;
    if (await isExpectedUpToTies(expected, rows)) return true;
    for (const [file, reversed] of [
      [world.served, false],
      [world.plain, true],
      [world.served, true],
    ] as const) {
      try {
        if (isExpected(await this.expectVariant(sql, query, file, reversed), rows)) return true;
      } catch (error) {
        if (!(error instanceof QueryError)) throw error;
      }
    }
    for (const version of tieBrokenVersions(query, this.openings(query), world.plain, this.#catalog)) {
      const answer = await this.#oracle.run(world.plain, printQuery(version));
      if (isExpected({ ...expected, rows: answer.rows }, rows)) return true;
    }
    return false;
  }

  /** The flags of a gold answer in a world; computed once. */
  flags(gold: GoldQuery, world: World): Promise<readonly Flag[]> {
    const key = `${world.label}\0${gold.question.question_id}`;
    const known = this.#flags.get(key) ?? this.#flagsOf(gold, world);
    this.#flags.set(key, known);
    return known;
  }

  async #flagsOf(gold: GoldQuery, world: World): Promise<readonly Flag[]> {
    const context = { oracle: this.#oracle, catalog: this.#catalog };
    return flagsOf(await this.expect(gold, world), gold.query, this.openings(gold.query), (inner) =>
      cutsInnerTie(inner, gold.query, world.plain, context),
    );
  }

  /** Where SQL leaves the gold answer open. */
  openings(query: Query): readonly Ambiguity[] {
    const known = this.#open.get(query) ?? ambiguitiesOf(query, this.#catalog);
    this.#open.set(query, known);
    return known;
  }
}
