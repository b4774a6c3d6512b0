import { basename, extname, resolve } from 'node:path';
import type { Command } from 'commander';
import { packageVersion } from '../../contracts/package-root.ts';
import { growingFolder } from '../../generator/write/growing-farm.ts';
import { emptyFarm } from '../../services/base/farm.ts';
import { IDLE_MS, stopOnSignals } from '../../services/base/http/listen.ts';
import { readRoles } from '../../services/base/http/roles.ts';
import type { RunningServer } from '../../services/server.ts';
import { farmIn } from '../files.ts';
import { JOBS_OPTION, list, PROVE_HELP, wholeNumber } from '../options.ts';
import {
  ALLOW_CODE_HELP,
  BOARD_HELP,
  EXAM_HELP,
  openServer,
  printLine,
  runsFileOf,
  SCORE_HELP,
  type ServeFarmOptions,
  serveFarm,
  startedText,
} from '../serve-farm.ts';
import { supervise } from '../supervise.ts';
import { CommandFailed, EXIT } from '../terminal.ts';

interface StartFlags extends ServeFarmOptions {
  readonly jobs?: number;
  readonly farm?: string;
  readonly prove: boolean;
}

/** `rookery start [database]`: serves the bundled split, or generated questions on a database. */
export function register(program: Command): void {
  program
    .command('start')
    .description(
      'serve the bundled split, or your own database; its farm is generated on first use, and served as it grows',
    )
    .argument('[database]', 'SQLite file, or folder of SQLite files, for which questions are made first')
    .option('-p, --port <port>', 'port to listen on', wholeNumber(0, 65535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--only <domain>', 'this domain only (may be repeated)', list)
    .option(...JOBS_OPTION)
    .option('--prove', PROVE_HELP, false)
    .option('--farm <folder>', 'where the farm is kept (default: farm; with --only, farm-<domain>)')
    .option('--runs <place>', 'file or postgres:// address where runs are kept (default: beside the farm)')
    .option('--harness-key <key>', 'opens what is not for agents (default: generated and printed)')
    .option('--exam', EXAM_HELP)
    .option('--allow-code', ALLOW_CODE_HELP)
    .option('--score', SCORE_HELP, false)
    .option('--board <runs>', BOARD_HELP, list)
    .action(async (database: string | undefined, { farm, only, jobs, prove, ...flags }: StartFlags) => {
      const folder =
        farm ??
        (database === undefined
          ? ['farm', ...(only ?? [])].join('-')
          : `${basename(database, extname(database))}-farm`);
      const command = [
        'prepare',
        ...(database === undefined ? [] : [database]),
        `--farm=${folder}`,
        ...(only ?? []).map((domain) => `--only=${domain}`),
        ...(jobs === undefined ? [] : [`--jobs=${jobs}`]),
        ...(prove ? ['--prove'] : []),
      ];
      // The bundled split as a whole is an input that cannot be wrong.
      await serveGrowing(folder, command, flags, { atOnce: database === undefined && only === undefined });
    });
}

/**
 * Serves the farm that a command generates in a child process, each domain once it is proven. Resolves when all of it
 * is served. A signal before that ends both. `atOnce`: listen before the command has accepted its input. Throws
 * CommandFailed with the command's exit code.
 */
export async function serveGrowing(
  folder: string,
  command: readonly string[],
  options: ServeFarmOptions,
  { atOnce = false }: { readonly atOnce?: boolean } = {},
): Promise<void> {
  // Gold is read, and an exam is held, only on a complete farm; one that may be up to date is served as a whole.
  const grows = !options.score && !options.exam && farmIn(folder)?.generator_version !== packageVersion;
  const failed = new AbortController();
  let opened = atOnce && grows ? openGrowing(folder, options) : undefined;
  opened?.catch(() => failed.abort());
  let grown: Promise<void> = Promise.resolve();
  const exitCode = await supervise(command, {
    signal: failed.signal,
    onGrowth: ({ grown: place, growth }) => {
      if (!grows) return;
      opened ??= openGrowing(folder, options);
      grown = Promise.all([opened, grown]).then(([server]) =>
        place === undefined ? server.progress(growth) : server.grow(place, growth),
      );
      grown.catch(() => failed.abort());
    },
  });
  // Throws what opening the server threw.
  const server = await opened;
  if (exitCode !== EXIT.ok) {
    await server?.stop(IDLE_MS);
    throw new CommandFailed(exitCode);
  }
  if (!server) return serveFarm(folder, options);
  await grown;
  await server.grow(folder, undefined);
  stopOnSignals(server);
  process.stdout.write(startedText(server, folder, options));
}

async function openGrowing(folder: string, options: ServeFarmOptions): Promise<RunningServer> {
  const roles = readRoles(options, process.env, printLine);
  const runs = options.runs ?? runsFileOf(folder);
  const farm = emptyFarm(growingFolder(folder), basename(resolve(folder)));
  const growth = { coming: [], done: 0, total: 0, step: '' };
  const server = await openServer(farm, { ...options, ...roles, runs }, { growth });
  printLine(`Listening at ${server.address}/, where each domain is served once it is proven`);
  return server;
}
