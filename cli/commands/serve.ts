import type { Command } from 'commander';
import { list, wholeNumber } from '../options.ts';
import { serveFarm } from '../serve-farm.ts';

interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly only?: readonly string[];
  readonly check: boolean;
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
    .action((farm: string, flags: ServeFlags) => serveFarm(farm, flags));
}
