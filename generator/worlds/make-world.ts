import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { sameRows } from '../../contracts/answer-rows.ts';
import { UserError } from '../../contracts/errors.ts';
import type { Distance, Farm, Verdict, World, WorldMark } from '../../contracts/farm.ts';
import { openapiFile } from '../../contracts/openapi.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import { formulation, type Sample } from '../../contracts/sample.ts';
import { gazetteerMark } from '../../services/base/scalars/gazetteer.ts';
import { ChildPool, TimeoutError } from '../../services/base/sqlite/child-pool.ts';
import { Oracle, PATIENCE } from '../oracle/oracle.ts';
import { MutantKiller } from '../variants/neighbours.ts';
import { countSamples, type EmittedFarm, emitListed, sampleFiles } from '../write/emit-farm.ts';
import { type FarmFile, type FarmOptions, isFarm, printJson, writeFolder } from '../write/write-folder.ts';
import {
  type AlterReply,
  type AlterRequest,
  type BeforeAfter,
  flagGuessable,
  makeKillingData,
  type ProveWorldOptions,
  proveWorldDomain,
  type WorldDomain,
  type WorldVerdict,
} from './prove-world-domain.ts';
import { commitmentOf, type Origin, readOrigin } from './read-origin.ts';

interface MakeWorldOptions
  extends FarmOptions<'world'>,
    Pick<ProveWorldOptions, 'seed' | 'timeoutMs' | 'jobs'> {
  readonly only?: readonly string[];
}

export interface WorldSummary {
  readonly farm: Farm;
  readonly world: World;
}

/**
 * A farm with the same questions, endpoints and tools over other data, with proven gold of its own.
 * Deterministic by farm and seed. Throws UserErrors.
 */
export async function makeWorld(folder: string, options: MakeWorldOptions): Promise<WorldSummary> {
  const { out, only, signal } = options;
  const origin = await readOrigin(folder, only);
  const { farm, world } = await writeFolder(out, { isOurs: isFarm, signal }, async (scratch) => {
    const domains = flagGuessable(await proveWorld(origin, { ...options, scratch }));
    return emitWorld(origin, domains, options);
  });
  return { farm, world };
}

/** The work is bounded by rows visited; this stops only a process that hangs. */
const ALTER_LIMIT_MS = 1_800_000;

/** Alters each domain's data and proves its samples; domains are in the order of the farm. */
export async function proveWorld(origin: Origin, options: ProveWorldOptions): Promise<WorldDomain[]> {
  const { seed, timeoutMs, scratch, silentFaults = true, choose = () => true, signal, onProgress } = options;
  const jobs = options.jobs ?? availableParallelism();
  const referenceTime = origin.farm.reference_time;
  const total = origin.domains.reduce((sum, { samples }) => sum + samples.filter(choose).length, 0);
  let done = 0;
  const oracle = new Oracle({ referenceTime, children: jobs, limitMs: timeoutMs });
  const pool = new ChildPool<AlterRequest, AlterReply>({
    module: new URL('./alter-child.ts', import.meta.url),
    size: jobs,
    patience: PATIENCE,
  });
  const killer = new MutantKiller(jobs);
  const killMutants = options.data === 'sharpened' ? killer.killMutants : null;
  const close = () => Promise.all([oracle.close(), pool.close(), killer.close()]);
  const stop = () => void close();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await pMap(
      origin.domains,
      (domain) =>
        proveWorldDomain(domain, {
          seed,
          growth: origin.growth.get(domain.db) ?? new Map(),
          referenceTime,
          timeoutMs,
          jobs,
          oracle,
          scratch,
          silentFaults,
          choose,
          alter: (request, queries) =>
            options.data === undefined || options.data === 'plausible'
              ? alter(pool, request)
              : makeKillingData(request, queries, { oracle, killMutants }),
          signal,
          onSample: () => onProgress?.({ stage: 'world', done: ++done, total, label: domain.db }),
        }),
      { concurrency: jobs },
    );
  } finally {
    signal?.removeEventListener('abort', stop);
    await close();
  }
}

async function alter(pool: ChildPool<AlterRequest, AlterReply>, request: AlterRequest): Promise<AlterReply> {
  try {
    return await pool.run(request, ALTER_LIMIT_MS);
  } catch (error) {
    if (!(error instanceof TimeoutError)) throw error;
    const fault = `altering it took longer than ${ALTER_LIMIT_MS / 60_000} minutes; run again on a less busy machine`;
    throw new UserError('GENERATION_TOO_SLOW', request.served, fault);
  }
}

/** Endpoints, tools and specifications are those of the original farm. */
async function emitWorld(
  origin: Origin,
  domains: readonly WorldDomain[],
  { seed, extraFiles }: Pick<MakeWorldOptions, 'seed' | 'extraFiles'>,
): Promise<EmittedFarm & { readonly world: World }> {
  const mark: WorldMark = { commitment: commitmentOf(seed), origin: origin.hash };
  const world = describeWorld(mark, domains);
  const listed: FarmFile[] = [
    ...domains.flatMap((domain) => [...domainFiles(origin, domain)]),
    { path: 'coverage.json', content: printJson(coverageOf(origin, domains), { compact: true }) },
    { path: 'world.json', content: printJson(world) },
  ];
  const byDb = new Map(domains.map((domain) => [domain.origin.db, domain]));
  const describe = (files: Farm['files']): Farm => ({
    ...origin.farm,
    generator_version: packageVersion,
    gazetteer: gazetteerMark(),
    world: mark,
    domains: origin.farm.domains.flatMap((about) => {
      const domain = byDb.get(about.db);
      return domain ? [{ ...about, samples: countSamples(samplesOf(domain)) }] : [];
    }),
    files,
  });
  return { ...(await emitListed(listed, describe, extraFiles)), world };
}

/** The samples that a world keeps; dialogues only with all their turns. */
export function samplesOf({ verdicts }: Pick<WorldDomain, 'verdicts'>): Sample[] {
  const kept = verdicts.flatMap((verdict) => ('sample' in verdict ? [verdict.sample] : []));
  const ids = new Set(kept.map(({ sample_id }) => sample_id));
  return kept.filter(({ turns = [] }) => turns.every(({ sample_id }) => ids.has(sample_id)));
}

function* domainFiles({ folder, farm: originFarm }: Origin, domain: WorldDomain): Iterable<FarmFile> {
  const { origin, database } = domain;
  const { db, service } = origin;
  const copied = (path: string): FarmFile => ({ path, content: readFileSync(join(folder, path)) });
  yield { path: `databases/${db}.sqlite`, moveFrom: database };
  yield copied(`services/${db}.json`);
  for (const kind of formulation.options) {
    const path = `openapi/${openapiFile(db, kind)}`;
    // A farm may be older than a formulation.
    if (path in originFarm.files) yield copied(path);
  }
  yield* sampleFiles(samplesOf(domain), service);
}

/** The farm's verdicts, updated for the world. */
function coverageOf({ coverage }: Origin, domains: readonly WorldDomain[]) {
  const decided = new Map<string, WorldVerdict>();
  for (const verdict of domains.flatMap(({ verdicts }) => verdicts)) {
    const key = keyOf(verdict.origin);
    const known = decided.get(key);
    // Kept only if kept at every share.
    if (!known || 'sample' in known) decided.set(key, verdict);
  }
  const dbs = new Set(domains.map(({ origin }) => origin.db));
  // What has no answer in the farm may have one in the world.
  const { unanswerable: _, ...rest } = coverage;
  return {
    ...rest,
    verdicts: coverage.verdicts
      .filter(({ db }) => dbs.has(db))
      .map((verdict): Verdict => {
        const here = verdict.kept ? decided.get(keyOf({ ...verdict, dataset_name: verdict.db })) : undefined;
        if (!here) return verdict;
        if ('sample' in here) return { ...verdict, flags: [...here.sample.flags] };
        const { rejection, flags } = here;
        return { ...verdict, kept: false, rejection, flags: [...flags], calls: 0, tools: 0 };
      }),
  };
}

function keyOf({
  dataset_name,
  question_id,
  formulation: kind,
}: Pick<Sample, 'dataset_name' | 'question_id' | 'formulation'>): string {
  return `${dataset_name}/${question_id}/${kind}`;
}

function describeWorld(mark: WorldMark, domains: readonly WorldDomain[]): World {
  const kept = domains.flatMap(({ verdicts }) => verdicts).filter((verdict) => 'sample' in verdict);
  return {
    ...mark,
    distances: {
      literals: distanceOf(domains.flatMap(({ literals }) => literals)),
      row_counts: distanceOf(domains.flatMap(({ rowCounts }) => rowCounts)),
      answer_sizes: distanceOf(domains.flatMap(({ verdicts }) => answerSizes(verdicts))),
    },
    samples: kept.length,
    same_answer: kept.filter(hasOldAnswer).length,
    domains: domains.map(({ origin, verdicts }) => {
      const having = (holds: (verdict: WorldVerdict) => boolean) => [
        ...new Set(verdicts.filter(holds).map((verdict) => verdict.origin.question_id)),
      ];
      return {
        db: origin.db,
        empty: having(
          (verdict) =>
            'sample' in verdict &&
            verdict.sample.gold_answer.length === 0 &&
            verdict.origin.gold_answer.length > 0,
        ),
        undefined: having((verdict) => 'rejection' in verdict),
        same: having(hasOldAnswer),
      };
    }),
  };
}

/** Whether the farm's answer is right here, and where records change, its calls. */
function hasOldAnswer(verdict: WorldVerdict): boolean {
  if (!('sample' in verdict)) return false;
  const { gold_answer, gold_diff, order_groups, output } = verdict.sample;
  const { origin } = verdict;
  return (
    sameRows(gold_answer, origin.gold_answer, order_groups) &&
    (gold_diff === undefined || isDeepStrictEqual(output, origin.output))
  );
}

function sizeOf({ gold_answer, gold_diff }: Sample): number {
  return (gold_diff ?? gold_answer).length;
}

/** One pair per question. */
function answerSizes(verdicts: readonly WorldVerdict[]): BeforeAfter[] {
  const pairs = new Map<Sample['question_id'], BeforeAfter>();
  for (const verdict of verdicts) {
    if (!('sample' in verdict)) continue;
    const { origin, sample } = verdict;
    pairs.set(origin.question_id, { before: sizeOf(origin), after: sizeOf(sample) });
  }
  return [...pairs.values()];
}

/** The Kolmogorov–Smirnov distance; 0 without any numbers. */
export function distanceOf(pairs: readonly BeforeAfter[]): Distance {
  const n = pairs.length;
  const before = pairs.map((pair) => pair.before).sort((a, b) => a - b);
  const after = pairs.map((pair) => pair.after).sort((a, b) => a - b);
  let ks = 0;
  let [i, j] = [0, 0];
  while (i < n && j < n) {
    const x = Math.min(before[i] as number, after[j] as number);
    while (i < n && before[i] === x) i++;
    while (j < n && after[j] === x) j++;
    ks = Math.max(ks, Math.abs(i - j) / n);
  }
  return { ks, n };
}
