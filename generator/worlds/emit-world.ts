import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Verdict } from '../../contracts/coverage.ts';
import type { Farm } from '../../contracts/farm.ts';
import { openapiFile } from '../../contracts/openapi-file.ts';
import { sameRows } from '../../contracts/same-rows.ts';
import { formulation, type Sample } from '../../contracts/sample.ts';
import type { World, WorldMark } from '../../contracts/world.ts';
import { gazetteerMark } from '../../services/base/scalars/world.ts';
import { countSamples, type EmittedFarm, hashFiles } from '../emit/emit-farm.ts';
import { sampleFiles } from '../emit/sample-files.ts';
import type { FarmFile } from '../write/farm-file.ts';
import { printJson } from '../write/print-json.ts';
import { commitmentOf } from './commitment.ts';
import { distanceOf, type Pair } from './distance.ts';
import type { WorldDomain, WorldVerdict } from './prove-world-domain.ts';
import type { Origin } from './read-origin.ts';

/** A world's files: a farm's, with the endpoints, tools and specifications of the farm that it was made from. */
export async function emitWorld(
  origin: Origin,
  domains: readonly WorldDomain[],
  {
    seed,
    generatorVersion,
    extraFiles,
  }: {
    readonly seed: string;
    readonly generatorVersion: string;
    readonly extraFiles: (farm: Farm) => Iterable<FarmFile>;
  },
): Promise<EmittedFarm & { readonly world: World }> {
  const mark: WorldMark = { commitment: commitmentOf(seed), origin: origin.hash };
  const world = describeWorld(mark, domains);
  const listed: FarmFile[] = [
    ...domains.flatMap((domain) => [...domainFiles(origin, domain)]),
    { path: 'coverage.json', content: printJson(coverageOf(origin, domains), { compact: true }) },
    { path: 'world.json', content: printJson(world) },
  ];
  const files = await hashFiles(listed);
  const byDb = new Map(domains.map((domain) => [domain.origin.db, domain]));
  const farm: Farm = {
    ...origin.farm,
    generator_version: generatorVersion,
    gazetteer: gazetteerMark(),
    world: mark,
    domains: origin.farm.domains.flatMap((about) => {
      const domain = byDb.get(about.db);
      return domain ? [{ ...about, samples: countSamples(samplesOf(domain)) }] : [];
    }),
    files,
  };
  const description = { path: 'farm.json', content: printJson(farm) };
  return { farm, world, files: [...listed, description, ...extraFiles(farm)] };
}

/** The samples that a world keeps. */
export function samplesOf({ verdicts }: WorldDomain): Sample[] {
  return verdicts.flatMap((verdict) => ('sample' in verdict ? [verdict.sample] : []));
}

function* domainFiles({ folder, farm: originFarm }: Origin, domain: WorldDomain): Iterable<FarmFile> {
  const { origin, database } = domain;
  const { db, service } = origin;
  const asBefore = (path: string): FarmFile => ({ path, content: readFileSync(join(folder, path)) });
  yield { path: `databases/${db}.sqlite`, moveFrom: database };
  yield asBefore(`services/${db}.json`);
  for (const kind of formulation.options) {
    const path = `openapi/${openapiFile(db, kind)}`;
    // A farm may be older than a formulation.
    if (path in originFarm.files) yield asBefore(path);
  }
  yield* sampleFiles(samplesOf(domain), service);
}

/** The farm's verdicts, with what changed in the world. */
function coverageOf({ coverage }: Origin, domains: readonly WorldDomain[]) {
  const decided = new Map<string, WorldVerdict>();
  for (const verdict of domains.flatMap(({ verdicts }) => verdicts)) {
    const key = keyOf(verdict.origin);
    const known = decided.get(key);
    // A question is kept if it is at every share.
    if (!known || 'sample' in known) decided.set(key, verdict);
  }
  const dbs = new Set(domains.map(({ origin }) => origin.db));
  return {
    ...coverage,
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

function hasOldAnswer(verdict: WorldVerdict): boolean {
  if (!('sample' in verdict)) return false;
  const { gold_answer, order_groups } = verdict.sample;
  return sameRows(gold_answer, verdict.origin.gold_answer, order_groups);
}

/** One pair a question. */
function answerSizes(verdicts: readonly WorldVerdict[]): Pair[] {
  const pairs = new Map<Sample['question_id'], Pair>();
  for (const verdict of verdicts) {
    if (!('sample' in verdict)) continue;
    const { origin, sample } = verdict;
    pairs.set(origin.question_id, { before: origin.gold_answer.length, after: sample.gold_answer.length });
  }
  return [...pairs.values()];
}
