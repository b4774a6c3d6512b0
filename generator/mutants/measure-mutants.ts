import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { ChildPool } from '../../services/base/sqlite/child-pool.ts';
import { constructsOf, printQuery } from '../../sql/index.ts';
import { parseGold } from '../oracle/gold-sql.ts';
import { Oracle, unlessRefused } from '../oracle/oracle.ts';
import { type Mutant, mutantsOf } from '../variants/mutants.ts';
import {
  type KillMutants,
  type KillRequest,
  MutantKiller,
  makeVariants,
  NEIGHBOURS,
} from '../variants/neighbours.ts';
import { type Expectation, expectAnswer, isExpected } from '../verify/expectation.ts';
import { makePlainCopy } from '../worlds/prove-world-domain.ts';
import type { Origin, OriginDomain } from '../worlds/read-origin.ts';

const SEARCH_LIMIT_MS = 1_800_000;

export interface MutantVerdict {
  readonly question_id: string | number;
  readonly db: string;
  /** The kind of change, as `mutantsOf` names it. */
  readonly slip: string;
  readonly constructs: readonly string[];
  /** Killed by the farm's data, by its neighbours, or only by searched data; `none`: counts as equivalent. */
  readonly killedBy: 'original' | 'neighbours' | 'search' | 'none';
}

interface MeasureMutantsOptions {
  /** Every n-th question of a domain; 1 for all. */
  readonly every: number;
  readonly jobs?: number;
  readonly onProgress?: (done: number, total: number, db: string) => void;
}

/** Measures how many mutants of the gold SQL the farm's databases kill. Failing mutants are left out. */
export async function measureMutants(
  origin: Origin,
  { every, jobs = availableParallelism(), onProgress }: MeasureMutantsOptions,
): Promise<MutantVerdict[]> {
  const referenceTime = origin.farm.reference_time;
  const oracle = new Oracle({ referenceTime, children: jobs, limitMs: 5000, maxRows: 20_000 });
  const pool = new ChildPool<SearchRequest, SearchReply>({
    module: new URL('./search-child.ts', import.meta.url),
    size: jobs,
  });
  const killer = new MutantKiller(jobs);
  const folder = mkdtempSync(join(tmpdir(), 'rookery-mutants-'));
  let done = 0;
  try {
    const verdicts = await pMap(
      origin.domains,
      async (domain) => {
        const own = join(folder, domain.db);
        mkdirSync(own);
        const measured = await measureDomain(domain, {
          split: origin.farm.split.name,
          referenceTime,
          every,
          jobs,
          oracle,
          killMutants: killer.killMutants,
          search: (request) => pool.run(request, SEARCH_LIMIT_MS),
          folder: own,
        });
        rmSync(own, { recursive: true });
        onProgress?.(++done, origin.domains.length, domain.db);
        return measured;
      },
      { concurrency: jobs },
    );
    return verdicts.flat();
  } finally {
    await Promise.all([oracle.close(), pool.close(), killer.close()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface DomainContext {
  readonly split: string;
  readonly referenceTime: string;
  readonly every: number;
  readonly jobs: number;
  readonly oracle: Oracle;
  readonly killMutants: KillMutants;
  readonly search: (request: SearchRequest) => Promise<SearchReply>;
  readonly folder: string;
}

async function measureDomain(
  { db, service: { catalog }, database, samples }: OriginDomain,
  { split, referenceTime, every, jobs, oracle: shared, killMutants, search, folder }: DomainContext,
): Promise<MutantVerdict[]> {
  const oracle = shared.over(catalog);
  const questions = [...new Map(samples.map((sample) => [sample.question_id, sample])).values()];
  const queries = new Map(
    questions.map(({ question_id, query }) => [question_id, parseGold(query, { catalog, referenceTime })]),
  );
  const plain = join(folder, 'plain.sqlite');
  makePlainCopy(database, plain);
  const [original, ...neighbours] = await makeVariants({
    catalog,
    queries: [...queries.values()],
    original: { label: 'original', plain, served: database },
    folder: join(folder, 'variants'),
    seed: split,
    oracle,
    killMutants,
  });
  const files = [original, ...neighbours.slice(0, NEIGHBOURS)].map((variant) => variant.plain);

  const selected = questions.filter((_, i) => i % every === 0);
  const judged = await pMap(
    selected,
    async ({ question_id, query: sql }) => {
      const query = queries.get(question_id);
      if (!query) return [];
      const golds = await Promise.all(
        files.map((file) => unlessRefused(expectAnswer(sql, query, file, { oracle, catalog }))),
      );
      const mutants = [...mutantsOf(query, catalog).entries()];
      const verdicts = await pMap(mutants, (mutant) => judge(mutant, golds), { concurrency: jobs });
      return verdicts.flatMap((verdict) =>
        verdict ? [{ ...verdict, question_id, db, constructs: constructsOf(query), sql }] : [],
      );
    },
    { concurrency: jobs },
  );

  async function judge(
    [index, { kind, query }]: readonly [number, Mutant],
    golds: readonly (Expectation | null)[],
  ) {
    for (const [i, file] of files.entries()) {
      const gold = golds[i];
      if (!gold) continue;
      const answer = await unlessRefused(oracle.run(file, printQuery(query), { engine: 'native' }));
      if (!answer) return null;
      if (!isExpected(gold, answer.rows))
        return { index, slip: kind, killedBy: i === 0 ? ('original' as const) : ('neighbours' as const) };
    }
    return { index, slip: kind, killedBy: 'none' as const };
  }

  const survivors = judged.map((verdicts) => verdicts.filter(({ killedBy }) => killedBy === 'none'));
  const suspects = survivors.flatMap((verdicts) =>
    verdicts[0] ? [{ sql: verdicts[0].sql, mutants: verdicts.map(({ index }) => index) }] : [],
  );
  const found = await search({
    file: database,
    scratch: join(folder, 'search.sqlite'),
    catalog,
    seed: split,
    referenceTime,
    suspects,
  });
  const bySql = new Map(suspects.map(({ sql }, i) => [sql, new Set(found[i])]));
  return judged.flat().map(({ index, sql, killedBy, ...verdict }) => ({
    ...verdict,
    killedBy: killedBy === 'none' && bySql.get(sql)?.has(index) ? 'search' : killedBy,
  }));
}

/** Gold SQL and some of its mutants, by index in `mutantsOf`. */
interface Suspect {
  readonly sql: string;
  readonly mutants: readonly number[];
}

/** Asks a child which mutants can be killed by changing a few rows. */
export interface SearchRequest extends Pick<KillRequest, 'file' | 'scratch' | 'catalog' | 'seed'> {
  readonly referenceTime: string;
  readonly suspects: readonly Suspect[];
}

/** For each suspect, the mutants that some change kills. */
export type SearchReply = readonly (readonly number[])[];
