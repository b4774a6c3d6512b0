import { type Command, Option } from 'commander';
import type { FaultProfile } from '../../contracts/faults.ts';
import { DEFAULT_TABLE_API_STYLE, TABLE_API_STYLES, type TableApiStyle } from '../../contracts/hybrid.ts';
import { MOST_PROCESSES } from '../../services/agents/runs/run-store.ts';
import type { DoorPort } from '../../services/base/http/listen.ts';
import { list, wholeNumber } from '../options.ts';
import { BOARD_HELP, EXAM_HELP, ROBUST_HELP, SCORE_HELP, serveFarm } from '../serve-farm.ts';
import { addProcessOptions, faultOption } from '../serve-options.ts';

const processes = wholeNumber(1, MOST_PROCESSES);

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly only?: readonly string[];
  readonly check: boolean;
  readonly runs?: string | boolean;
  readonly score: boolean;
  readonly board?: readonly string[];
  readonly faults?: FaultProfile;
  readonly harnessKey?: string;
  readonly metricsKey?: string;
  readonly cors?: readonly string[];
  readonly trustProxy?: string;
  readonly door?: readonly DoorPort[];
  readonly exam?: boolean;
  readonly world?: string;
  readonly robustIn?: readonly string[];
  readonly passRates?: readonly string[];
  readonly processes?: number;
  readonly tableApi?: TableApiStyle;
}

/** `rookery serve <farm>`: listens until it is stopped. */
export function register(program: Command): void {
  const command = program
    .command('serve')
    .description('serve a farm over HTTP, all its domains or some; keys by ROOKERY_API_KEYS')
    .argument('<farm>', 'folder made by `rookery generate`');
  addProcessOptions(command, 'serve')
    .option('--check', 'compare every file with its checksum first', false)
    .option('--no-runs', 'keep no runs')
    .option('--score', SCORE_HELP, false)
    .option('--board <runs>', BOARD_HELP, list)
    .option(
      '--faults <profile>',
      'faults on purpose wherever tools are called, but in runs that choose for themselves: flaky, slow, chaos, …',
      faultOption,
    )
    .option('--processes <n>', 'processes that share the port and the runs, one a core at most', processes)
    .option(
      '--pass-rates <run>',
      'how hard tasks are, as measured: a folder of `rookery run` or a report.json (may be repeated)',
      list,
    )
    .option('--exam', EXAM_HELP)
    .option('--robust-in <world>', ROBUST_HELP, list)
    .option('--world <seed>', 'serve the world of that seed, made on first use (docs/worlds.md)')
    .addOption(
      new Option('--table-api <style>', 'how much the APIs of tables can do (docs/hybrid.md)')
        .choices([...TABLE_API_STYLES])
        .default(DEFAULT_TABLE_API_STYLE),
    )
    .action((farm: string, flags: ServeFlags) => serveFarm(farm, flags));
}
