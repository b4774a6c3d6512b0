import pMap from 'p-map';
import type { Catalog } from '../../contracts/catalog.ts';
import type { OnBug } from '../../contracts/errors.ts';
import type { Verdict } from '../../contracts/farm.ts';
import type { HiddenShare } from '../../contracts/hybrid.ts';
import type { Call, Formulation, Sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import type { Question } from '../../contracts/split.ts';
import { constructsOf, type Query } from '../../sql/index.ts';
import type { Candidate } from '../lower/candidate.ts';
import type { Oracle } from '../oracle/oracle.ts';
import type { DatabaseVariant } from '../variants/neighbours.ts';
import type { GoldAnswers, GoldQuery } from '../verify/gold-answers.ts';
import type { Proof, Refutation, VariantApps } from '../verify/verify-candidate.ts';

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

/** Plain data, to be sent to child processes. */
export interface DomainOptions {
  readonly split: string;
  readonly dataLicence: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  /** Processor time of one statement. */
  readonly timeoutMs: number;
  /** Put parameters of endpoints into the path where possible. */
  readonly pathParameters: boolean;
  /** Shares of tables hidden in `hybrid`; without any, the formulation is skipped. */
  readonly hidden?: readonly HiddenShare[] | undefined;
  /** Whether questions that one call lists the rows of are tasks of `records` too. */
  readonly reads?: boolean | undefined;
  /** A temporary folder on the disk of the output. */
  readonly scratch: string;
  readonly jobs: number;
  /** Child processes of each kind. */
  readonly children: number;
}

interface LowerDomainContext
  extends Pick<DomainOptions, 'split' | 'referenceTime' | 'pathParameters' | 'hidden' | 'reads'> {
  readonly db: string;
  readonly catalog: Catalog;
  readonly file: string;
  readonly database: string;
  readonly goldAnswers: GoldAnswers;
  /** If absent, the first bug ends the run. */
  readonly onBug?: OnBug | undefined;
}

/** The parts of a service that formulations fill. */
export type Offers = Pick<Service, 'endpoints' | 'start_tables' | 'actions'>;

/** With the parts of the service that the calls need. */
export interface LoweredDomain extends Partial<Offers> {
  /** Calls `onVerdict` for each candidate. */
  prove(context: ProveContext): Promise<ProvenDomain>;
}

/** With the parts that some sample needs; no others are served. */
export interface ProvenDomain extends Partial<Offers>, Proven {}

export interface Proven {
  readonly samples: readonly Sample[];
  readonly verdicts: readonly Verdict[];
}

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
  readonly signal?: AbortSignal | undefined;
  readonly onVerdict?: () => void;
}

export async function proveEach<Item>(
  items: readonly Item[],
  { jobs, signal }: ProveContext,
  prove: (item: Item) => Promise<Proven>,
): Promise<Proven> {
  const proveOne = async (item: Item) => {
    signal?.throwIfAborted();
    return prove(item);
  };
  return collected(await pMap(items, proveOne, { concurrency: jobs }));
}

export function collected(proven: readonly Proven[]): Proven {
  return {
    samples: proven.flatMap(({ samples }) => samples),
    verdicts: proven.flatMap(({ verdicts }) => verdicts),
  };
}

/** A candidate of one call that needs no start table. */
export function singleCall<F extends Formulation>(question: Question, formulation: F, call: Call) {
  return { question, formulation, initialization_step: null, output: [call] } as const;
}

/** The verdict on a candidate, and its sample if it is kept. */
export function judged(
  candidate: Candidate,
  { question, query }: GoldQuery,
  outcome: Proof | Refutation,
  about: { readonly split: string; readonly toolset: Sample['toolset'] },
): Proven {
  const { formulation, output } = candidate;
  const facts = { constructs: constructsOf(query), calls: output.length, tools: about.toolset.size };
  return {
    samples: outcome.kept ? [makeSample(candidate, outcome, about)] : [],
    verdicts: [makeVerdict(question, formulation, outcome, facts)],
  };
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
  facts: VerdictFacts,
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

type VerdictFacts = Pick<Verdict, 'constructs' | 'calls' | 'tools'>;

/** For a question without calls. */
export const NOTHING_MADE: VerdictFacts = { constructs: [], calls: 0, tools: 0 };
