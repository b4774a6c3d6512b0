import type { Catalog } from '../../contracts/catalog.ts';
import type { Verdict } from '../../contracts/farm.ts';
import type { HiddenShare } from '../../contracts/hybrid.ts';
import type { Formulation, Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import type { Query } from '../../sql/index.ts';
import type { Candidate, OnBug } from '../lower/candidate.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';
import type { GoldAnswers, GoldQuery } from '../verify/gold-answers.ts';
import type { VariantApps } from '../verify/play.ts';
import type { Proof, Refutation } from '../verify/verify-candidate.ts';

/** How the samples of a formulation are made; several that share a lowering share their maker. */
export interface SampleMaker {
  /** Lowers the gold queries of a domain. Questions that cannot be lowered are reported by `prove`, as rejected. */
  lower(golds: DomainGolds, context: LowerDomainContext): LoweredDomain;
}

/** The gold queries of a domain that SQLite runs and rookery understands. */
export interface DomainGolds {
  readonly golds: readonly GoldQuery[];
  /** The same queries, in the same order, with ties broken, so that any copy of the rows gives the same answers. */
  readonly tieBroken: readonly TieBrokenGold[];
  /** Of questions that name the call of the `query` tool that answers them; no other formulation takes these. */
  readonly called: readonly GoldQuery[];
  /** Of questions whose SQL calls scalar APIs; in the other lists there are none of these. */
  readonly withScalars: {
    readonly golds: readonly GoldQuery[];
    readonly tieBroken: readonly TieBrokenGold[];
  };
}

/** A gold query with ties broken, so that any copy of the rows gives the same answer, and other ways to break them. */
export interface TieBrokenGold extends GoldQuery {
  readonly others: readonly Query[];
}

export interface LowerDomainContext {
  readonly split: string;
  readonly db: string;
  /** The domain's title. */
  readonly title: string;
  readonly catalog: Catalog;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  /** The original database. */
  readonly file: string;
  /** The served copy, with its indexes. */
  readonly database: string;
  readonly goldAnswers: GoldAnswers;
  /** Whether parameters of endpoints stand in the path where they can. */
  readonly pathParameters: boolean;
  /** The shares of the tables that are hidden from the tools of `hybrid`; without them there is no such formulation. */
  readonly hidden?: readonly HiddenShare[] | undefined;
  /** Without it, the first bug ends the run. */
  readonly onBug?: OnBug | undefined;
}

export interface LoweredDomain {
  /** What the domain's service must offer for the calls to be answered. */
  readonly offers: Offers;
  /** Proves what was lowered through the apps of all variants, and calls `onVerdict` for each candidate. */
  prove(context: ProveContext): Promise<ProvenDomain>;
}

export interface ProvenDomain {
  /** The parts that some sample needs, kept or not. Anything else is not served. */
  readonly offers: Offers;
  /** Kept samples, in any order. */
  readonly samples: readonly Sample[];
  /** One for each gold query and formulation of this maker, in any order. */
  readonly verdicts: readonly Verdict[];
}

/** The parts of a domain's service that formulations fill. */
export type Offers = Pick<Service, 'endpoints' | 'start_tables'>;

/** A domain ready to be proven: its service, running over the original data and the neighbours'. */
export interface ProveContext {
  readonly split: string;
  readonly db: string;
  readonly catalog: Catalog;
  readonly service: Service;
  readonly goldAnswers: GoldAnswers;
  readonly variants: readonly [DatabaseVariant, ...DatabaseVariant[]];
  readonly apps: VariantApps;
  /** Questions proven at once. */
  readonly jobs: number;
  readonly signal?: AbortSignal;
  /** Called once for each candidate that is decided. */
  readonly onVerdict?: () => void;
}

/** The sample of a proven candidate. */
export function makeSample(
  candidate: Candidate,
  proof: Proof,
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
    ...(question.origin ? { origin: question.origin } : {}),
    ...(question.canary ? { canary: question.canary } : {}),
    ...(question.augmentation ? { augmentation: question.augmentation } : {}),
    ...(question.correction ? { correction: question.correction } : {}),
  };
}

/** The outcome of a question in one formulation. */
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

/** The part of a verdict about calls, for a question that has none. */
export const NOTHING_MADE: Pick<Verdict, 'constructs' | 'calls' | 'tools'> = {
  constructs: [],
  calls: 0,
  tools: 0,
};
