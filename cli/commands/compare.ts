import type { Command } from 'commander';
import { compareReports } from '../../eval/compare/compare-reports.ts';
import { comparisonTables } from '../../eval/compare/compare-tables.ts';
import { readReport } from '../../eval/compare/read-report.ts';
import { DEFAULT_OPTIONS } from '../../eval/score/score-farm.ts';
import { wholeNumber } from '../options.ts';
import { textTable } from '../text-table.ts';

/** `rookery compare <first> <second>`: two reports of one farm, sample by sample. */
export function register(program: Command): void {
  program
    .command('compare')
    .description('compare two reports of one farm, with significance tests on paired samples')
    .argument('<first>', 'report written by `rookery score --out`')
    .argument('<second>', 'another one')
    .option('--json', 'print the comparison as JSON', false)
    .option('--seed <n>', 'seed of the bootstrap', wholeNumber(0), DEFAULT_OPTIONS.seed)
    .option('--resamples <n>', 'redraws of the bootstrap', wholeNumber(0, 100_000), DEFAULT_OPTIONS.resamples)
    .action((first: string, second: string, flags: { json: boolean; seed: number; resamples: number }) => {
      const comparison = compareReports(readReport(first), readReport(second), flags);
      if (flags.json) {
        process.stdout.write(`${JSON.stringify(comparison, null, 2)}\n`);
        return;
      }
      const tables = comparisonTables(comparison).map(
        ({ title, head, rows }) => `${title}\n${textTable(head, rows)}`,
      );
      if (comparison.unpaired > 0)
        tables.push(`${comparison.unpaired} samples that only one of them ran are left out.`);
      process.stdout.write(`${tables.join('\n\n')}\n`);
    });
}
