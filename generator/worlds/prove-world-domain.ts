import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import pMap from 'p-map';
import type { Catalog } from '../../contracts/catalog.ts';
import { domainsOf } from '../../contracts/dialogue.ts';
import { QueryError } from '../../contracts/errors.ts';
import type { Rejection } from '../../contracts/farm.ts';
import { AMBIGUOUS_PLACE, atShare } from '../../contracts/hybrid.ts';
import { changesRecords, writeFacts } from '../../contracts/records.ts';
import type { Flag, Sample } from '../../contracts/sample.ts';
import type { Question } from '../../contracts/split.ts';
import { isOfDialogue } from '../../contracts/task.ts';
import { PrivateCopy } from '../../services/base/sqlite/private-copy.ts';
import { type Query, quoteIdentifier } from '../../sql/index.ts';
import { markGuessable } from '../audit/baselines.ts';
import { planOf } from '../formulations/hybrid.ts';
import { playList } from '../formulations/records.ts';
import type { Candidate } from '../lower/candidate.ts';
import { lowerToList } from '../lower/lower-list.ts';
import { copyWritable, openUnsafely } from '../oracle/engines.ts';
import { parseGold } from '../oracle/gold-sql.ts';
import type { Oracle } from '../oracle/oracle.ts';
import { dropSearchIndexes } from '../oracle/served-copy.ts';
import { decidingQueries } from '../records/gold-diff.ts';
import { proveAction } from '../records/prove-action.ts';
import { type LoweredWrites, lowerWrites, type WritesContext } from '../records/prove-writes.ts';
import { applyChanges } from '../variants/changes.ts';
import {
  type DatabaseVariant,
  type KillMutants,
  makeNeighbour,
  planNeighbours,
} from '../variants/neighbours.ts';
import { GoldAnswers, type GoldQuery, inFlagOrder } from '../verify/gold-answers.ts';
import { proveSilentFaults } from '../verify/silent-faults.ts';
import {
  buildVariantApps,
  playCalls,
  type VariantApps,
  type VerifyContext,
  verifyCandidate,
} from '../verify/verify-candidate.ts';
import { proveAcceptedValues } from '../verify/verify-rest.ts';
import type { FarmOptions } from '../write/write-folder.ts';
import type { OriginDomain, Way } from './read-origin.ts';

/** One domain for the child to alter. */
export interface AlterRequest {
  /** The served database; only read. */
  readonly served: string;
  readonly catalog: Catalog;
  /** By table. */
  readonly growth: ReadonlyMap<string, Way>;
  readonly seed: string;
  readonly referenceTime: string;
  /** Gold SQL as given, in a fixed order. */
  readonly questions: readonly string[];
  /** Files to write: as served, and without indexes and statistics. */
  readonly target: { readonly served: string; readonly plain: string };
}

/** A number in the farm and in its world. */
export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

export interface AlterReply {
  readonly literals: readonly BeforeAfter[];
  readonly rowCounts: readonly BeforeAfter[];
}

export interface ProveWorldOptions {
  /** Any text; the farm and its seed reproduce the world. */
  readonly seed: string;
  readonly timeoutMs: number;
  readonly jobs?: number;
  /** On the disk of the output. */
  readonly scratch: string;
  /** Prove silent faults anew, or have none. Default true. */
  readonly silentFaults?: boolean;
  /**
   * `plausible` (default) is as hard as the farm's data; `near` and `sharpened` data kill mutants: rows that
   * nearly meet conditions, or searched changes.
   */
  readonly data?: 'plausible' | 'near' | 'sharpened';
  /** The samples to prove, all by default; the data do not depend on it. */
  readonly choose?: (sample: Sample) => boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: FarmOptions<'world'>['onProgress'];
}

interface WorldDomainContext
  extends Required<
    Pick<ProveWorldOptions, 'seed' | 'timeoutMs' | 'jobs' | 'scratch' | 'silentFaults' | 'choose'>
  > {
  /** By table. */
  readonly growth: ReadonlyMap<string, Way>;
  readonly referenceTime: string;
  readonly oracle: Oracle;
  /** Makes the world's database; `queries` are the gold queries of the request. */
  readonly alter: (request: AlterRequest, queries: readonly Query[]) => Promise<AlterReply>;
  readonly signal?: AbortSignal | undefined;
  readonly onSample?: () => void;
}

export type WorldVerdict =
  | { readonly origin: Sample; readonly sample: Sample }
  | { readonly origin: Sample; readonly rejection: Rejection; readonly flags: readonly Flag[] };

export interface WorldDomain extends AlterReply {
  readonly origin: OriginDomain;
  /** The served copy. */
  readonly database: string;
  readonly verdicts: readonly WorldVerdict[];
}

/** Makes the world's database and keeps the samples whose calls give the gold rows there. */
export async function proveWorldDomain(
  origin: OriginDomain,
  context: WorldDomainContext,
): Promise<WorldDomain> {
  const { service, db } = origin;
  // The turns of a dialogue that changes records have gold only one after the other, and what a turn carries into
  // another domain are values of the farm.
  const samples = origin.samples.filter(
    (sample) =>
      !(sample.gold_diff && isOfDialogue(sample)) &&
      domainsOf(sample.dataset_name, sample.turns).length === 1,
  );
  const { seed, referenceTime, jobs, scratch, timeoutMs } = context;
  const { catalog } = service;
  const oracle = context.oracle.over(catalog);
  const sql = { catalog, referenceTime };
  const golds = new Map<Sample['question_id'], GoldQuery>();
  const isWrite = ({ gold_diff, query }: Sample) => gold_diff !== undefined && changesRecords(query);
  for (const sample of samples) {
    const question = questionOf(sample);
    if (!isWrite(sample) && !golds.has(question.question_id))
      golds.set(question.question_id, { question, query: parseGold(question.sql, sql) });
  }
  const world: DatabaseVariant = {
    label: 'this world',
    plain: join(scratch, `${db}-plain.sqlite`),
    served: join(scratch, `${db}.sqlite`),
  };
  const deciding = samples.filter(isWrite).flatMap(({ query }) => decidingQueries(query, catalog));
  const request: AlterRequest = {
    served: origin.database,
    catalog,
    growth: context.growth,
    seed,
    referenceTime,
    questions: [...[...golds.values()].map(({ question }) => question.sql), ...deciding],
    target: world,
  };
  const altered = await context.alter(
    request,
    [...golds.values()].map(({ query }) => query),
  );
  const before: DatabaseVariant = { label: 'the farm', plain: origin.database, served: origin.database };
  const apps = await buildVariantApps(service, [world, before], { timeoutMs, children: jobs });
  const copy = new PrivateCopy(world.served);
  try {
    const goldAnswers = new GoldAnswers(oracle, catalog);
    const verdicts = await pMap(
      samples.filter(context.choose),
      async (sample) => {
        context.signal?.throwIfAborted();
        const gold = golds.get(sample.question_id);
        const verdict = gold
          ? await proveSample(sample, gold, { origin, world, before, goldAnswers, apps, context })
          : await proveWrites(sample, { service, oracle, variants: [world], apps, copy });
        context.onSample?.();
        return verdict;
      },
      { concurrency: jobs * 2 },
    );
    return { ...altered, origin, database: world.served, verdicts };
  } finally {
    copy.close();
    await apps.close();
  }
}

interface Proving {
  readonly origin: OriginDomain;
  readonly world: DatabaseVariant;
  readonly before: DatabaseVariant;
  readonly goldAnswers: GoldAnswers;
  readonly apps: VariantApps;
  readonly context: WorldDomainContext;
}

async function proveSample(
  origin: Sample,
  gold: GoldQuery,
  { origin: domain, world, before, goldAnswers, apps, context }: Proving,
): Promise<WorldVerdict> {
  const service = atShare(domain.service, origin.plan);
  const candidate: Candidate = {
    question: gold.question,
    formulation: origin.formulation,
    initialization_step: origin.initialization_step,
    output: origin.output,
  };
  const listed = origin.formulation === 'records' ? lowerToList(gold.query, service) : null;
  const [call] = origin.output;
  const proving: VerifyContext = {
    goldAnswers,
    variants: [world],
    play:
      listed && call
        ? playList({ ...listed, call }, service, apps)
        : (calls, variant) => playCalls(apps.app(variant), service, calls),
  };
  const outcome = await verifyCandidate(candidate, gold, proving);
  const slow = origin.flags.filter((flag) => flag === 'slow');
  const flags = [...outcome.flags, ...slow];
  if (!outcome.kept) {
    return { origin, rejection: await inThisWorld(outcome.rejection), flags };
  }
  const { silent_faults: _, tied_rows: __, other_answers: ___, accepted_values = {}, ...rest } = origin;
  const planned = origin.plan ? planOf(outcome.body, origin.plan) : null;
  const sample: Sample = {
    ...rest,
    gold_answer: outcome.gold.rows.map((row) => [...row]),
    gold_columns: [...outcome.gold.columns],
    order_groups: outcome.gold.orderGroups === null ? null : [...outcome.gold.orderGroups],
    ...outcome.ties,
    output_after_executing_api: outcome.body,
    accepted_values: await proveAcceptedValues(candidate, accepted_values, gold, proving),
    ...(planned ? { plan: planned.plan } : {}),
    flags: inFlagOrder(planned?.choosesPlaces ? [...flags, AMBIGUOUS_PLACE] : flags),
  };
  if (!context.silentFaults) return { origin, sample };
  const silent_faults = await proveSilentFaults(sample, {
    service,
    app: apps.app(world),
    neighbours: [apps.app(before)],
    gold,
  });
  return { origin, sample: silent_faults ? { ...sample, silent_faults } : sample };

  /** Calls with another answer are only wrong where SQL allows no other. */
  async function inThisWorld(rejection: Rejection): Promise<Rejection> {
    if (rejection.code !== 'WRONG_ROWS') return rejection;
    const { rows } = await proving.play(candidate, world);
    const expected = await goldAnswers.expect(gold, world);
    const { question, query } = gold;
    const open = await goldAnswers.allows(rows, { expected, sql: question.sql, query, variant: world });
    const code = open ? 'WORLD_ANSWER_OPEN' : 'WRONG_ROWS_IN_WORLD';
    return new QueryError(code, `in this world: ${rejection.reason}`).toRejection();
  }
}

/** A task that changes records has gold of its own in a world: the records that its words describe have other keys there. */
async function proveWrites(origin: Sample, context: WritesContext): Promise<WorldVerdict> {
  // Whether every condition matters was checked for the farm.
  const { kind: _kind, ...facts } = writeFacts.parse(origin);
  const question = { ...questionOf(origin), ...facts };
  const refuse = question.refuse ?? false;
  const lower = async (each: Question) => (await lowerWrites([each], context))[0] as LoweredWrites;
  const asBefore = await lower(question);
  // The words of a pair fit both its tasks, and here this one may be the other.
  const turned =
    asBefore.kept || question.pair === undefined ? null : await lower({ ...question, refuse: !refuse });
  const outcome = turned?.kept ? turned : asBefore;
  if (!outcome.kept) {
    const { rejection, flags } = outcome;
    return { origin, rejection: { ...rejection, reason: `in this world: ${rejection.reason}` }, flags };
  }
  const [call] = origin.output;
  const isAction = origin.formulation === 'actions' && call !== undefined;
  const proof = isAction ? await proveAction(question, call, context) : null;
  if (proof?.kept === false) return { origin, rejection: proof.rejection, flags: outcome.flags };
  const mustRefuse = outcome === turned ? !refuse : refuse;
  const { refuse: _, ...rest } = origin;
  const sample: Sample = {
    ...rest,
    ...(mustRefuse ? { refuse: true } : {}),
    gold_answer: (outcome.answer?.rows ?? []).map((row) => [...row]),
    gold_columns: [...(outcome.answer?.columns ?? [])],
    output: isAction ? origin.output : [...outcome.calls],
    gold_diff: [...outcome.diff],
    flags: [...outcome.flags],
  };
  return { origin, sample };
}

function questionOf({ question_id, dataset_name, input, evidence, difficulty, query }: Sample): Question {
  return { question_id, db_id: dataset_name, question: input, evidence, difficulty, sql: query };
}

/** Flags the samples that trivial baselines pass in this world. */
export function flagGuessable(domains: readonly WorldDomain[]): WorldDomain[] {
  const marked = markGuessable(
    domains.map(({ database, verdicts, origin }) => ({
      database,
      // Nothing is answered where records change.
      samples: verdicts.flatMap((verdict) =>
        'sample' in verdict && !verdict.sample.gold_diff ? [verdict.sample] : [],
      ),
      tables: origin.service.catalog.tables,
    })),
  );
  return domains.map((domain) => ({
    ...domain,
    verdicts: domain.verdicts.map((verdict) =>
      'sample' in verdict ? { ...verdict, sample: marked.get(verdict.sample) ?? verdict.sample } : verdict,
    ),
  }));
}

/** Near misses or, with `killMutants`, changes that killed mutants; not plausible. Deterministic. */
export async function makeKillingData(
  { served, catalog, seed, target }: AlterRequest,
  queries: readonly Query[],
  { oracle, killMutants }: { readonly oracle: Oracle; readonly killMutants: KillMutants | null },
): Promise<AlterReply> {
  const request = { file: served, catalog, queries, seed, oracle };
  const [planned = []] = await (killMutants ? planNeighbours(request, 0) : planNeighbours(request, 1, 0));
  const more = await killMutants?.({
    ...{ file: served, catalog, queries, seed },
    scratch: `${target.served}-draft`,
    plans: [planned],
  });
  const changes = [...planned, ...(more ?? [])];
  makeNeighbour(served, target.served, changes);
  makePlainCopy(served, target.plain);
  applyChanges(target.plain, changes);
  for (const file of [target.served, target.plain]) chmodSync(file, 0o444);
  return { literals: [], rowCounts: [] };
}

/** Copies a served database without its indexes and statistics, so that gold SQL visits rows as in the split's file. */
export function makePlainCopy(served: string, target: string): void {
  copyWritable(served, target);
  const db = openUnsafely(target);
  try {
    const added = db.prepare(
      "SELECT name FROM sqlite_master WHERE type = 'index' AND name LIKE 'rookery\\_%' ESCAPE '\\' AND sql IS NOT NULL",
    );
    for (const name of added.pluck().all() as string[]) db.exec(`DROP INDEX ${quoteIdentifier(name)}`);
    dropSearchIndexes(db);
    db.exec('DROP TABLE IF EXISTS sqlite_stat1');
    db.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}
