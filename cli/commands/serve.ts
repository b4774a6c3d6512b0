import { resolve } from 'node:path';
import type { Command } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import { DEFAULT_TABLE_API_STYLE, TABLE_API_STYLES } from '../../contracts/hybrid.ts';
import { MOST_PROCESSES } from '../../services/agents/runs/run-store.ts';
import { choice, list, ROBUST_HELP, wholeNumber } from '../options.ts';
import {
  ALLOW_CODE_HELP,
  BOARD_HELP,
  EXAM_HELP,
  SCORE_HELP,
  type ServeFarmOptions,
  serveFarm,
} from '../serve-farm.ts';
import { addProcessOptions, faultOption } from '../serve-options.ts';
import { serveGrowing } from './start.ts';

const processes = wholeNumber(1, MOST_PROCESSES);

/** `rookery serve <farm>`: serves until stopped. */
export function register(program: Command): void {
  const command = program
    .command('serve')
    .description('serve a farm over HTTP, all its domains or some; keys by ROOKERY_API_KEYS')
    .argument('<farm>', 'folder made by `rookery generate`');
  addProcessOptions(command, 'serve')
    .option(
      '--generate <split>',
      'generate the farm from this split unless it is up to date; serves it as it grows',
    )
    .option('--check', 'compare every file with its checksum first', false)
    .option('--no-runs', 'do not record runs')
    .option('--score', SCORE_HELP, false)
    .option('--board <runs>', BOARD_HELP, list)
    .option(
      '--faults <profile>',
      'inject faults into tool calls, except in runs with their own setting: flaky, slow, chaos, …',
      faultOption,
    )
    .option('--processes <n>', 'processes that share the port and the runs, at most one per core', processes)
    .option(
      '--pass-rates <run>',
      'measure difficulty from a folder of `rookery run` or a report.json (may be repeated)',
      list,
    )
    .option('--exam', EXAM_HELP)
    .option('--allow-code', ALLOW_CODE_HELP)
    .option('--robust-in <world>', ROBUST_HELP, list)
    .option('--world <seed>', 'serve the world of that seed, made on first use (docs/worlds.md)')
    .addOption(
      choice(
        '--table-api <style>',
        'how much the APIs of tables can do (docs/hybrid.md)',
        TABLE_API_STYLES,
        DEFAULT_TABLE_API_STYLE,
      ),
    )
    .action((farm: string, { generate, ...options }: ServeFarmOptions & { readonly generate?: string }) => {
      if (generate === undefined) return serveFarm(farm, options);
      if (options.world !== undefined || (options.processes ?? 1) > 1) {
        throw new OptionError('--generate', 'cannot be combined with --world or --processes');
      }
      return serveGrowing(farm, ['prepare', `--split=${resolve(generate)}`, `--farm=${farm}`], options);
    });
}
