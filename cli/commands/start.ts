import type { Command } from 'commander';
import { packageVersion } from '../../contracts/package-root.ts';
import { buildBundledSplit } from '../../databases/build.ts';
import type { DomainName } from '../../databases/domains.ts';
import { readSplit } from '../../generator/read/read-split.ts';
import { farmIn } from '../farm-in.ts';
import { farmOfDatabase } from '../farm-of-database.ts';
import { BUNDLED_NAME, bundledDomains, generateBundled } from '../generate-bundled.ts';
import { JOBS_OPTION, list, wholeNumber } from '../options.ts';
import { BOARD_HELP, EXAM_HELP, SCORE_HELP, serveFarm } from '../serve-farm.ts';

interface StartFlags {
  readonly port: number;
  readonly host: string;
  readonly jobs?: number;
  readonly farm?: string;
  readonly only?: readonly string[];
  readonly runs?: string;
  readonly harnessKey?: string;
  readonly exam?: boolean;
  readonly score: boolean;
  readonly board?: readonly string[];
}

/** `rookery start [database]`: the bundled split, or questions made for a database; generated on first use, served. */
export function register(program: Command): void {
  program
    .command('start')
    .description('serve the bundled split, or a database of yours; the farm is generated on first use')
    .argument('[database]', 'SQLite file, or folder of SQLite files, for which questions are made first')
    .option('-p, --port <port>', 'port to listen on', wholeNumber(0, 65535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--only <domain>', 'this domain only (may be repeated)', list)
    .option(...JOBS_OPTION)
    .option('--farm <folder>', 'where the farm is kept (default: farm; with --only, farm-<domain>)')
    .option('--runs <place>', 'file or postgres:// address where runs are kept (default: beside the farm)')
    .option('--harness-key <key>', 'opens what is not for agents (default: one that is made and printed)')
    .option('--exam', EXAM_HELP)
    .option('--score', SCORE_HELP, false)
    .option('--board <runs>', BOARD_HELP, list)
    .action(async (database: string | undefined, { farm, only, jobs, ...flags }: StartFlags) => {
      if (database !== undefined) {
        const folder = await farmOfDatabase(database, {
          ...(farm ? { farm } : {}),
          ...(only ? { only } : {}),
          jobs,
        });
        return serveFarm(folder, flags);
      }
      const domains = only && bundledDomains(only);
      const folder = farm ?? ['farm', ...(domains ?? [])].join('-');
      if (!(await isUpToDate(folder, domains))) await generateBundled(folder, { only: domains, jobs });
      await serveFarm(folder, flags);
    });
}

async function isUpToDate(folder: string, only?: readonly DomainName[]): Promise<boolean> {
  const found = farmIn(folder);
  if (found?.generator_version !== packageVersion) return false;
  const split = await buildBundledSplit(only ? { only } : {});
  const { content_hash } = await readSplit(split, { name: BUNDLED_NAME });
  return found.split.content_hash === content_hash;
}
