import { basename, extname } from 'node:path';
import type { Command } from 'commander';
import { CommandFailed, EXIT } from '../exit.ts';
import { JOBS_OPTION, list, wholeNumber } from '../options.ts';
import { BOARD_HELP, EXAM_HELP, SCORE_HELP, type ServeFarmOptions, serveFarm } from '../serve-farm.ts';
import { supervise } from '../supervise.ts';

type StartFlags = ServeFarmOptions & { readonly jobs?: number; readonly farm?: string };

/** `rookery start [database]`: serves the bundled split, or generated questions on a database. */
export function register(program: Command): void {
  program
    .command('start')
    .description('serve the bundled split, or your own database; the farm is generated on first use')
    .argument('[database]', 'SQLite file, or folder of SQLite files, for which questions are made first')
    .option('-p, --port <port>', 'port to listen on', wholeNumber(0, 65535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--only <domain>', 'this domain only (may be repeated)', list)
    .option(...JOBS_OPTION)
    .option('--farm <folder>', 'where the farm is kept (default: farm; with --only, farm-<domain>)')
    .option('--runs <place>', 'file or postgres:// address where runs are kept (default: beside the farm)')
    .option('--harness-key <key>', 'opens what is not for agents (default: generated and printed)')
    .option('--exam', EXAM_HELP)
    .option('--score', SCORE_HELP, false)
    .option('--board <runs>', BOARD_HELP, list)
    .action(async (database: string | undefined, { farm, only, jobs, ...flags }: StartFlags) => {
      const folder =
        farm ??
        (database === undefined
          ? ['farm', ...(only ?? [])].join('-')
          : `${basename(database, extname(database))}-farm`);
      const exitCode = await supervise([
        'prepare',
        ...(database === undefined ? [] : [database]),
        `--farm=${folder}`,
        ...(only ?? []).map((domain) => `--only=${domain}`),
        ...(jobs === undefined ? [] : [`--jobs=${jobs}`]),
      ]);
      if (exitCode !== EXIT.ok) throw new CommandFailed(exitCode);
      await serveFarm(folder, flags);
    });
}
