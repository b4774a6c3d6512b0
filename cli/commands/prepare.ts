import { existsSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import type { Command } from 'commander';
import { packageVersion } from '../../contracts/package-root.ts';
import { DEFAULT_REFERENCE_TIME, DEFAULT_TIMEOUT } from '../../contracts/split.ts';
import { buildBundledSplit } from '../../databases/build.ts';
import type { DomainName } from '../../databases/domains.ts';
import { readSplit } from '../../generator/read/read-split.ts';
import { removeGrowth } from '../../generator/write/growing-farm.ts';
import { farmIn } from '../files.ts';
import { BUNDLED_NAME, bundledDomains, generateBundled, generateFarm } from '../generate-farm.ts';
import { synthesizeWithProgress } from '../make-splits.ts';
import { JOBS_OPTION, list, PROVE_HELP } from '../options.ts';
import { EXIT } from '../terminal.ts';

interface PrepareFlags {
  readonly farm: string;
  readonly split?: string;
  readonly only?: readonly string[];
  readonly jobs?: number;
  readonly prove: boolean;
}

/** `rookery prepare [database] --farm <folder>`: makes the farm for `rookery start` unless it exists. */
export function register(program: Command): void {
  program
    .command('prepare', { hidden: true })
    .description('make the farm for `rookery start` unless it exists')
    .argument('[database]', 'as of start')
    .requiredOption('--farm <folder>', 'as of start')
    .option('--split <split>', 'as of serve --generate')
    .option('--only <domain>', 'as of start', list)
    .option(...JOBS_OPTION)
    .option('--prove', PROVE_HELP, false)
    .action(async (database: string | undefined, { farm, split, only, jobs, prove }: PrepareFlags) => {
      if (split !== undefined) {
        if (await isOfSplit(farm, split)) removeGrowth(farm);
        else {
          const times = { referenceTime: DEFAULT_REFERENCE_TIME, timeout: DEFAULT_TIMEOUT };
          await generateFarm(split, { out: farm, jobs, grows: true, ...times });
        }
      } else if (database !== undefined) {
        await farmOfDatabase(database, { farm, jobs, only });
      } else {
        const domains = only && bundledDomains(only);
        if (!prove && (await isBundled(farm, domains))) removeGrowth(farm);
        else await generateBundled(farm, { only: domains, jobs, grows: true, anew: prove });
      }
      // Failures were printed; the farm exists and can be served.
      process.exitCode = EXIT.ok;
    });
}

/** Whether the folder has the farm of the bundled split as it is now, made by this version. */
async function isBundled(folder: string, only?: readonly DomainName[]): Promise<boolean> {
  // Building the split takes seconds.
  if (farmIn(folder)?.generator_version !== packageVersion) return false;
  return isOfSplit(folder, await buildBundledSplit({ only }), BUNDLED_NAME);
}

/** Whether the folder has the farm of a split as it is now, made by this version. */
async function isOfSplit(folder: string, split: string, name?: string): Promise<boolean> {
  const found = farmIn(folder);
  if (found?.generator_version !== packageVersion) return false;
  const { content_hash } = await readSplit(split, { name });
  return found.split.content_hash === content_hash;
}

const QUESTIONS = 200;
const TIMEOUT_SECONDS = 2;

/**
 * Makes a farm for a database without questions, via `<name>-split` in the working folder. Both are reused
 * until the database is newer than they are.
 */
export async function farmOfDatabase(
  database: string,
  {
    farm: folder,
    only,
    jobs,
  }: { readonly farm: string; readonly only?: readonly string[]; readonly jobs?: number | undefined },
): Promise<void> {
  const name = basename(database, extname(database));
  const split = `${name}-split`;
  const referenceTime = DEFAULT_REFERENCE_TIME;
  const made = join(split, 'synthesis.json');
  if (!isNewer(made, database)) {
    await synthesizeWithProgress(database, {
      out: split,
      questions: QUESTIONS,
      seed: '7',
      like: 'bird',
      referenceTime,
      timeoutMs: TIMEOUT_SECONDS * 1000,
      only,
    });
  }
  if (!isNewer(join(folder, 'farm.json'), made) || farmIn(folder)?.generator_version !== packageVersion) {
    const timeout = DEFAULT_TIMEOUT;
    await generateFarm(split, { out: folder, name, referenceTime, timeout, jobs, grows: true });
  } else removeGrowth(folder);
}

function isNewer(file: string, than: string): boolean {
  return existsSync(file) && existsSync(than) && statSync(file).mtimeMs >= statSync(than).mtimeMs;
}
