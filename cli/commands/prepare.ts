import type { Command } from 'commander';
import { packageVersion } from '../../contracts/package-root.ts';
import { buildBundledSplit } from '../../databases/build.ts';
import type { DomainName } from '../../databases/domains.ts';
import { readSplit } from '../../generator/read/read-split.ts';
import { farmIn } from '../farm-in.ts';
import { farmOfDatabase } from '../farm-of-database.ts';
import { BUNDLED_NAME, bundledDomains, generateBundled } from '../generate-bundled.ts';
import { JOBS_OPTION, list } from '../options.ts';
import { EXIT } from '../run.ts';

interface PrepareFlags {
  readonly farm: string;
  readonly only?: readonly string[];
  readonly jobs?: number;
}

/** `rookery prepare [database] --farm <folder>`: the farm that `rookery start` serves, made unless it is there. */
export function register(program: Command): void {
  program
    .command('prepare', { hidden: true })
    .description('make the farm that `rookery start` serves, unless it is there')
    .argument('[database]', 'as of start')
    .requiredOption('--farm <folder>', 'as of start')
    .option('--only <domain>', 'as of start', list)
    .option(...JOBS_OPTION)
    .action(async (database: string | undefined, { farm, only, jobs }: PrepareFlags) => {
      if (database !== undefined) {
        await farmOfDatabase(database, { farm, jobs, ...(only ? { only } : {}) });
      } else {
        const domains = only && bundledDomains(only);
        if (!(await isUpToDate(farm, domains))) await generateBundled(farm, { only: domains, jobs });
      }
      // What is lacking was printed; the farm is there, and can be served.
      process.exitCode = EXIT.ok;
    });
}

async function isUpToDate(folder: string, only?: readonly DomainName[]): Promise<boolean> {
  const found = farmIn(folder);
  if (found?.generator_version !== packageVersion) return false;
  const split = await buildBundledSplit(only ? { only } : {});
  const { content_hash } = await readSplit(split, { name: BUNDLED_NAME });
  return found.split.content_hash === content_hash;
}
