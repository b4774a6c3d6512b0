import type { Command } from 'commander';
import { readFarm } from '../../eval/farm/read-farm.ts';
import { farmStats } from '../stats/farm-stats.ts';
import { statsReport } from '../stats/stats-report.ts';

/** `rookery stats <farm>`: how much a farm holds. */
export function register(program: Command): void {
  program
    .command('stats')
    .description('show how much a farm holds: queries, tools, calls and slots a query, SQL constructs')
    .argument('<farm>', 'folder made by `rookery generate`')
    .option('--json', 'print the figures as JSON', false)
    .action(async (folder: string, { json }: { readonly json: boolean }) => {
      const stats = await farmStats(readFarm(folder));
      process.stdout.write(json ? `${JSON.stringify(stats)}\n` : statsReport(stats));
    });
}
