import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shippedProofs } from '../../cli/generate-farm.ts';
import type { Dialogue } from '../../contracts/dialogue.ts';
import type { Farm } from '../../contracts/farm.ts';
import { type Formulation, formulation } from '../../contracts/sample.ts';
import { DEFAULT_REFERENCE_TIME } from '../../contracts/split.ts';
import { isOfChanges } from '../../contracts/vocabulary.ts';
import { buildBundledSplit } from '../../databases/build.ts';
import { type DomainName, SMALL_DOMAINS } from '../../databases/domains.ts';
import { deploymentFiles } from '../../deploy/deploy.ts';
import { type GenerateOptions, generate } from '../../generator/generate.ts';
import { initSplit } from '../../generator/init-split.ts';
import { cached } from './cache.ts';
import { RUNS_ALL } from './extent.ts';
import { hasPublished, type PublishedName, publishedSplit, withPublished } from './published-splits.ts';

export type FarmName = 'bundled' | PublishedName;

/** The farms that a test of whole farms goes through: the bundled one, and with `npm run test:all` published splits. */
export const TESTED_FARMS: readonly FarmName[] = RUNS_ALL
  ? ['bundled', 'bird-dev', 'spider-dev']
  : ['bundled'];

/** The formulations of these farms: none of them hides tables, or has questions that write. */
export const FARM_FORMULATIONS: readonly Formulation[] = formulation.options.filter(
  (kind) => kind !== 'hybrid' && !isOfChanges(kind),
);

/** Whether the split of that name is on this machine. */
export function hasSplit(name: FarmName): boolean {
  return name === 'bundled' || hasPublished(name);
}

/** The name of a test that is skipped without the split, in which case it names what to set. */
export function withSplit(name: FarmName, test: string): string {
  return name === 'bundled' ? test : withPublished(name, test);
}

/** The folder of a split: see `hasSplit`. */
export function splitFolder(name: FarmName): Promise<string> {
  return name === 'bundled'
    ? buildBundledSplit({ only: SMALL_DOMAINS })
    : Promise.resolve(publishedSplit(name));
}

/** Of the questions of a published split, tests of whole farms take one in so many. */
const EVERY = Number(process.env.ROOKERY_TEST_EVERY ?? 4);

/** The folder of a split with the questions that tests of whole farms take: all of the bundled one's. */
function testedSplit(name: FarmName): Promise<string> {
  if (name === 'bundled' || EVERY === 1) return splitFolder(name);
  return cached(`split-${name}-${EVERY}`, async (to) => {
    const split = publishedSplit(name);
    mkdirSync(to);
    for (const entry of readdirSync(split)) symlinkSync(join(split, entry), join(to, entry));
    const file = join(to, 'dev.json');
    const questions = JSON.parse(readFileSync(file, 'utf8')) as unknown[];
    rmSync(file);
    writeFileSync(file, JSON.stringify(questions.filter((_, i) => i % EVERY === 0)));
  });
}

/** Made by one process at a time, since tests run in as many as there are cores. */
const OPTIONS = {
  referenceTime: DEFAULT_REFERENCE_TIME,
  timeoutMs: 30_000,
  jobs: 1,
  extraFiles: (farm: Farm) => deploymentFiles(farm, {}),
} as const;

/**
 * The farm of bundled domains with all their questions, drawn ones too: a part of what `npm start` serves, and as that
 * made from the proofs that ship while the code is theirs.
 */
export function farmOfDomains(...domains: readonly DomainName[]): Promise<string> {
  return cached(`farm-${domains.join('-')}`, (out) => makeBundled(out, domains, { known: shippedProofs }));
}

/** The same farm of one domain, proven anew. */
export function provenFarmOf(domain: DomainName): Promise<string> {
  return cached(`farm-proven-${domain}`, (out) => makeBundled(out, [domain]));
}

async function makeBundled(
  out: string,
  only: readonly DomainName[],
  more: Pick<GenerateOptions, 'known'> = {},
): Promise<void> {
  await generate(await buildBundledSplit({ only }), { out, name: 'bundled', ...OPTIONS, ...more });
}

/** The farm of the split that `rookery init` writes. Read it, never change it. */
export function starterFarm(): Promise<string> {
  return cached('farm-starter', async (out) => {
    const folder = mkdtempSync(join(tmpdir(), 'rookery-starter-'));
    try {
      const split = join(folder, 'split');
      await initSplit(split);
      await generate(split, { out, referenceTime: DEFAULT_REFERENCE_TIME, timeoutMs: 30_000, jobs: 1 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

/**
 * The farm of a split with the questions that tests take, made once for all tests of the same sources; the bundled one from
 * the proofs that ship, unless all tests are run. Read it, never change it.
 */
export function farmOf(name: FarmName): Promise<string> {
  return cached(name === 'bundled' ? 'farm-bundled' : `farm-${name}-${EVERY}`, async (out) =>
    generate(await testedSplit(name), {
      out,
      name,
      followLinks: true,
      ...OPTIONS,
      ...(name === 'bundled' && !RUNS_ALL ? { known: shippedProofs } : {}),
    }),
  );
}

/**
 * The farm of a split whose endpoints have parameters in their paths: one domain of the bundled split, every third of a
 * published one. Their other farms have proven them all before.
 */
export function pathFarmOf(name: FarmName): Promise<string> {
  return cached(`farm-paths-${name}`, async (out) =>
    generate(await testedSplit(name), {
      out,
      name,
      followLinks: true,
      ...OPTIONS,
      pathParameters: true,
      only: name === 'bundled' ? ['vet_clinics'] : everyThirdDomain(name),
    }),
  );
}

/** One in three of a published split's domains, for tests that need not see them all; with `ROOKERY_TEST_EVERY=1` each. */
export function everyThirdDomain(name: PublishedName): string[] {
  const file = join(publishedSplit(name), 'dev.json');
  const questions = JSON.parse(readFileSync(file, 'utf8')) as readonly { readonly db_id: string }[];
  return [...new Set(questions.map(({ db_id }) => db_id))].filter((_, i) => EVERY === 1 || i % 3 === 0);
}

/** A farm of some bundled dialogues of these domains: `choose` picks from all of them. Made once, under `key`. */
export function dialogueFarm(
  key: string,
  only: readonly DomainName[],
  choose: (all: readonly DialogueLine[]) => readonly DialogueLine[],
): Promise<string> {
  return cached(key, async (out) => {
    const split = `${out}-split`;
    mkdirSync(split, { recursive: true });
    cpSync(await buildBundledSplit({ only, dialogues: true }), split, { recursive: true });
    const questions = join(split, 'questions.jsonl');
    const lines = readFileSync(questions, 'utf8').trimEnd().split('\n');
    const all = lines.map((line) => ({ line, dialogue: JSON.parse(line).dialogue as Dialogue }));
    writeFileSync(
      questions,
      choose(all)
        .map(({ line }) => `${line}\n`)
        .join(''),
    );
    return generate(split, {
      out,
      name: 'bundled',
      referenceTime: DEFAULT_REFERENCE_TIME,
      timeoutMs: 30_000,
      jobs: 1,
    });
  });
}

/** A line of `questions.jsonl`, and the dialogue in it. */
export interface DialogueLine {
  readonly line: string;
  readonly dialogue: Dialogue;
}
