import { basename, dirname, join, resolve } from 'node:path';
import { PROTOCOLS } from '../adapters/protocols.ts';
import type { Growth } from '../contracts/api.ts';
import { OptionError } from '../contracts/errors.ts';
import type { FaultProfile } from '../contracts/faults.ts';
import type { TableApiStyle } from '../contracts/hybrid.ts';
import { counted } from '../contracts/wording.ts';
import { DATABASES } from '../deploy/databases.ts';
import { shownPlace } from '../services/agents/runs/run-store.ts';
import { readWorkers, type Workers } from '../services/agents/runs/workers.ts';
import { type LoadedFarm, readFarm } from '../services/base/farm.ts';
import { accessEnvironment } from '../services/base/http/environment.ts';
import { builtConsole } from '../services/base/http/index-page.ts';
import { type DoorPort, stopOnSignals } from '../services/base/http/listen.ts';
import { readRoles } from '../services/base/http/roles.ts';
import { telemetryEnvironment } from '../services/base/telemetry.ts';
import { type RunningServer, startServer } from '../services/server.ts';
import type { FarmScorer } from './score/farm-scorer.ts';
import { reportError } from './terminal.ts';

export interface ServeFarmOptions {
  readonly port: number;
  readonly host: string;
  readonly only?: readonly string[];
  readonly check?: boolean;
  /** File or database of the runs; true: beside the farm; false: not recorded. */
  readonly runs?: string | boolean;
  /** Additional ports for trainers' protocols. */
  readonly door?: readonly DoorPort[];
  /** Whether to score runs, which reads the farm's gold. */
  readonly score?: boolean;
  /** Folders of scored runs, for the console's leaderboard. */
  readonly board?: readonly string[];
  /** Injected faults, for calls outside runs and runs that do not specify their own. */
  readonly faults?: FaultProfile;
  /** Key for the harness's routes; generated and printed if absent. */
  readonly harnessKey?: string;
  /** Key for `/metrics` only. */
  readonly metricsKey?: string;
  /** Origins of web pages allowed to make requests. */
  readonly cors?: readonly string[];
  /** Proxies whose forwarded headers are trusted. */
  readonly trustProxy?: string;
  readonly exam?: boolean;
  /** Whether agents may run programs, in a sandbox. */
  readonly allowCode?: boolean;
  readonly tableApi?: TableApiStyle;
  /** Reports, or folders of runs, from which the difficulty of tasks is measured. */
  readonly passRates?: readonly string[];
  readonly processes?: number;
  readonly world?: string;
  /** Folders of worlds in which rewards are judged as well. */
  readonly robustIn?: readonly string[];
}

/** Help texts of `--score` and `--board`, shared by commands. */
export const SCORE_HELP =
  'read the gold, for the harness key alone: scores of runs, and the gold beside tasks and runs';
export const BOARD_HELP =
  'scored runs for the console’s leaderboard: folders of `rookery run` (may be repeated)';

export const ALLOW_CODE_HELP = 'let agents run programs, locked down (docs/code.md)';

export const EXAM_HELP = 'agents reach their runs only, and nothing there names the split (docs/exams.md)';

export function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Default folder of a farm's runs: beside the farm's folder, which is replaced on regeneration. */
export function runsFileOf(farm: string): string {
  const folder = resolve(farm);
  return join(dirname(folder), `${basename(folder)}-runs.sqlite`);
}

/** Serves a farm, prints its address, and returns once it listens; SIGTERM and Ctrl-C stop it. */
export async function serveFarm(origin: string, options: ServeFarmOptions): Promise<void> {
  try {
    await serve(origin, options);
  } catch (error) {
    // The primary process keeps workers alive until it knows.
    if (readWorkers(process.env)) process.send?.({ failed: reportError(error).exitCode });
    throw error;
  }
}

async function serve(origin: string, options: ServeFarmOptions): Promise<void> {
  const { score = false, robustIn = [], harnessKey, exam } = options;
  if (robustIn.length > 0 && !score) {
    throw new OptionError('--robust-in', 'applies to rewards: also give --score');
  }
  readFarm(origin);
  // Validate before making a world, which is slow.
  accessEnvironment(process.env, options);
  const roles = readRoles({ harnessKey, exam }, process.env, printLine);
  // A world beside the farm, which is made if it is missing.
  const folder =
    options.world === undefined
      ? origin
      : await (await import('./world-beside.ts')).worldBeside(origin, options.world);
  const siblings = readWorkers(process.env);
  if (siblings === null && options.processes !== undefined && options.processes > 1) {
    const { startWorkers } = await import('./workers.ts');
    return startWorkers(options.processes, options, { ROOKERY_HARNESS_KEY: roles.harnessKey });
  }
  const scorer = score ? await loadScorer(folder, { origin, robustIn }) : undefined;
  const server = await openServer(folder, { ...options, ...siblings?.ports, ...roles }, { siblings, scorer });
  stopOnSignals(server);
  const text = startedText(server, folder, options);
  // A worker reports its start to the primary process, which prints it.
  if (process.send && siblings) process.send({ started: text });
  else process.stdout.write(text);
}

/**
 * Starts the server of a farm: its folder or, for one that is being generated, what there is of it, with its `growth`.
 */
export async function openServer(
  farm: string | LoadedFarm,
  options: ServeFarmOptions,
  {
    siblings = null,
    scorer,
    growth,
  }: { readonly siblings?: Workers | null; readonly scorer?: FarmScorer; readonly growth?: Growth } = {},
): Promise<RunningServer> {
  const { port, host, only, check, board, faults, harnessKey, exam, door } = options;
  const place = runsPlace(typeof farm === 'string' ? farm : farm.folder, options);
  return startServer(farm, {
    port,
    host,
    only,
    door,
    checkHashes: check,
    tableApi: options.tableApi,
    access: accessEnvironment(process.env, options),
    watch: await telemetryEnvironment(process.env, 'serve'),
    console: builtConsole(),
    growth,
    agents: {
      runs: place === false ? undefined : { place, databases: DATABASES },
      siblings: siblings ?? undefined,
      ...scorer,
      board: board && (await loadBoard(board)),
      faults,
      protocols: PROTOCOLS,
      passRates: options.passRates && (await import('./run/find-runs.ts')).readPassRates(options.passRates),
      harnessKey,
      exam,
      allowCode: options.allowCode,
    },
  });
}

function runsPlace(folder: string, { runs = true }: ServeFarmOptions): string | false {
  return runs === true ? runsFileOf(folder) : runs;
}

/** What a server prints when the whole farm is served. */
export function startedText(server: RunningServer, folder: string, options: ServeFarmOptions): string {
  const { faults } = options;
  const place = runsPlace(folder, options);
  const { domains } = server.farm;
  const endpoints = domains.reduce((sum, { service }) => sum + service.endpoints.length, 0);
  return (
    `${counted(domains.length, 'domain')}, ${counted(endpoints, 'REST endpoint')} at ${server.address}/ (API reference: ${server.address}/docs/${domains[0]?.service.db ?? ''})\n` +
    `Tasks for agents at ${server.address}/tasks${place === false ? '' : `; their runs are kept in ${shownPlace(place)}`}\n` +
    Object.entries(server.doorAddresses)
      .map(([name, address]) => `${name} at ${address}\n`)
      .join('') +
    (faults ? `Injecting faults into tool calls: ${faults.name}, seed ${faults.seed}\n` : '')
  );
}

/** Loads scoring code only when needed. */
async function loadScorer(
  folder: string,
  { origin, robustIn }: { readonly origin: string; readonly robustIn: readonly string[] },
): Promise<FarmScorer> {
  const loaded = await import('./score/farm-scorer.ts');
  // For a world, the original farm is one more state of the data.
  const worlds = [...(folder === origin ? [] : [origin]), ...robustIn];
  loaded.requireWorlds(folder, worlds);
  return loaded.farmScorer(folder, worlds);
}

/** Reads the runs once; runs scored later are not included. */
async function loadBoard(places: readonly string[]): Promise<(path: string) => string | undefined> {
  const { openBoard } = await import('./board.ts');
  const board = openBoard(places, { title: 'Leaderboard', gold: true, published: 'fitting' });
  return (path) => board.text(path);
}
