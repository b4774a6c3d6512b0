import type { Command } from 'commander';
import type { FaultProfile } from '../../contracts/fault.ts';
import { faultOption } from '../fault-option.ts';
import { list, wholeNumber } from '../options.ts';
import { serveFarm } from '../serve-farm.ts';

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly only?: readonly string[];
  readonly check: boolean;
  readonly runs?: string | boolean;
  readonly score: boolean;
  readonly faults?: FaultProfile;
}

/** `rookery serve <farm>`: listens until it is stopped. */
export function register(program: Command): void {
  program
    .command('serve')
    .description('serve a farm over HTTP, all its domains or some')
    .argument('<farm>', 'folder made by `rookery generate`')
    .option('-p, --port <port>', 'port to listen on', wholeNumber(0, 65535), 8080)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--only <db>', 'serve this domain only (may be repeated)', list)
    .option('--check', 'compare every file with its checksum first', false)
    .option('--runs <file>', "where agents' runs are kept (default: beside the farm)")
    .option('--no-runs', 'keep no runs')
    .option('--score', 'score runs at /runs/<id>/score; reads the gold of the farm', false)
    .option(
      '--faults <profile>',
      'faults on purpose wherever tools are called, but in runs that choose for themselves: flaky, slow, chaos, …',
      faultOption,
    )
    .action((farm: string, flags: ServeFlags) => serveFarm(farm, flags));
}
