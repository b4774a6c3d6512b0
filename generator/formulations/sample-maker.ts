import type { Catalog } from '../../contracts/catalog.ts';
import type { Verdict } from '../../contracts/farm.ts';
import type { HiddenShare } from '../../contracts/hybrid.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import type { Query } from '../../sql/index.ts';
import type { Candidate, OnBug } from '../lower/candidate.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';
import type { GoldAnswers, GoldQuery } from '../verify/gold-answers.ts';
import type { VariantApps } from '../verify/play.ts';
import type { Proof, Refutation } from '../verify/verify-candidate.ts';

/** How the samples of a formulation are made; formulations with a common lowering share a maker. */
export interface SampleMaker {
  /** `prove` reports the questions that could not be lowered, as rejected. */
  lower(golds: DomainGolds, context: LowerDomainContext): LoweredDomain;
}

/** A domain's gold queries that SQLite runs and rookery understands. */
interface DomainGolds {
  readonly golds: readonly GoldQuery[];
  /** The same queries in the same order, with ties broken. */
  readonly tieBroken: readonly TieBrokenGold[];
  /** Questions that name their call of the `query` tool; only that formulation takes them. */
  readonly called: readonly GoldQuery[];
  /** Questions whose SQL changes rows; not in the other lists. */
  readonly writes: readonly Question[];
  /** Questions whose SQL calls scalar APIs; not in the other lists. */
  readonly withScalars: {
    readonly golds: readonly GoldQuery[];
    readonly tieBroken: readonly TieBrokenGold[];
  };
}

/** A gold query with ties broken, so that any copy of the rows gives the same answer. */
export interface TieBrokenGold extends GoldQuery {
  readonly others: readonly Query[];
}

interface LowerDomainContext {
  readonly split: string;
  readonly db: string;
  readonly catalog: Catalog;
  readonly referenceTime: string;
  readonly file: string;
  readonly database: string;
  readonly goldAnswers: GoldAnswers;
  /** Put parameters of endpoints into the path where possible. */
  readonly pathParameters: boolean;
  /** Shares of tables hidden in `hybrid`; without any, the formulation is skipped. */
  readonly hidden?: readonly HiddenShare[] | undefined;
  /** If absent, the first bug ends the run. */
  readonly onBug?: OnBug | undefined;
}

export interface LoweredDomain {
  /** The parts of the service that the calls need. */
  readonly offers: Offers;
  /** Calls `onVerdict` for each candidate. */
  prove(context: ProveContext): Promise<ProvenDomain>;
}

export interface ProvenDomain {
  /** The parts that some sample needs; no others are served. */
  readonly offers: Offers;
  readonly samples: readonly Sample[];
  /** One for each gold query and formulation, in any order. */
  readonly verdicts: readonly Verdict[];
}

/** The parts of a service that formulations fill. */
export type Offers = Pick<Service, 'endpoints' | 'start_tables'>;

/** A domain with its service running over all variants. */
export interface ProveContext {
  readonly split: string;
  readonly db: string;
  readonly catalog: Catalog;
  readonly service: Service;
  readonly goldAnswers: GoldAnswers;
  readonly oracle: Oracle;
  readonly variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
  readonly apps: VariantApps;
  /** Questions proven at once. */
  readonly jobs: number;
  readonly signal?: AbortSignal;
  readonly onVerdict?: () => void;
}

export function makeSample(
  candidate: Candidate,
  proof: Omit<Proof, 'kept' | 'gold'> & {
    readonly gold: Pick<Proof['gold'], 'columns' | 'rows' | 'orderGroups'>;
  },
  { split, toolset }: { readonly split: string; readonly toolset: Sample['toolset'] },
): Sample {
  const { question, formulation } = candidate;
  const { gold } = proof;
  return {
    sample_id: `${split}/${question.db_id}/${question.question_id}/${formulation}`,
    dataset_name: question.db_id,
    question_id: question.question_id,
    formulation,
    input: question.question,
    evidence: question.evidence,
    difficulty: question.difficulty,
    query: question.sql,
    gold_answer: gold.rows.map((row) => [...row]),
    gold_columns: [...gold.columns],
    ordered: gold.orderGroups !== null,
    order_groups: gold.orderGroups === null ? null : [...gold.orderGroups],
    ...proof.ties,
    initialization_step: candidate.initialization_step,
    output: [...candidate.output],
    output_after_executing_api: proof.body,
    toolset,
    flags: [...proof.flags],
    origin: question.origin,
    canary: question.canary,
    augmentation: question.augmentation,
    correction: question.correction,
  };
}

export function makeVerdict(
  question: Question,
  formulation: Formulation,
  outcome: Pick<Proof, 'kept' | 'flags'> | Pick<Refutation, 'kept' | 'rejection' | 'flags'>,
  facts: Pick<Verdict, 'constructs' | 'calls' | 'tools'>,
): Verdict {
  return {
    question_id: question.question_id,
    db: question.db_id,
    formulation,
    kept: outcome.kept,
    rejection: outcome.kept ? null : outcome.rejection,
    flags: [...outcome.flags],
    constructs: facts.constructs,
    calls: outcome.kept ? facts.calls : 0,
    tools: outcome.kept ? facts.tools : 0,
  };
}

/** For a question without calls. */
export const NOTHING_MADE: Pick<Verdict, 'constructs' | 'calls' | 'tools'> = {
  constructs: [],
  calls: 0,
  tools: 0,
};
