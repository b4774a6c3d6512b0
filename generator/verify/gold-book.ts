import type { Catalog } from '../../contracts/catalog.ts';
import type { Question } from '../../contracts/split.ts';
import { type Ambiguity, ambiguities } from '../served-copy/settle/ambiguity.ts';
import type { Query } from '../sql/index.ts';
import { type Expectation, expectAnswer } from './answer/expectation.ts';
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
  readonly #open = new Map<Query, readonly Ambiguity[]>();

  constructor(oracle: Oracle, catalog: Catalog) {
    this.#oracle = oracle;
    this.#catalog = catalog;
  }

  /** The gold answer in a world. Throws QueryErrors of the oracle. */
  expect({ question, query }: GoldQuery, world: World): Promise<Expectation> {
    return this.#expect(`${world.label}\0${question.question_id}`, question.sql, query, world.plain);
  }

  /** The gold answer on the served copy: another that SQL allows, where it leaves something open. */
  expectServed({ question, query }: GoldQuery, world: World): Promise<Expectation> {
    return this.#expect(`${world.label}\0${question.question_id}\0served`, question.sql, query, world.served);
  }

  /** The answer to a variant of the gold SQL; not remembered. */
  expectVariant(sql: string, query: Query, file: string): Promise<Expectation> {
    return expectAnswer(sql, query, file, { oracle: this.#oracle, catalog: this.#catalog });
  }

  /** Where SQL leaves the gold answer open. */
  openings(query: Query): readonly Ambiguity[] {
    const known = this.#open.get(query) ?? ambiguities(query, this.#catalog);
    this.#open.set(query, known);
    return known;
  }

  #expect(key: string, sql: string, query: Query, file: string): Promise<Expectation> {
    const known = this.#known.get(key) ?? this.expectVariant(sql, query, file);
    this.#known.set(key, known);
    return known;
  }
}
