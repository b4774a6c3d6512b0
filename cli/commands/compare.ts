import { basename } from 'node:path';
import type { Command } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import { printExactJson } from '../../contracts/exact-json.ts';
import { compareReports } from '../../eval/report/compare.ts';
import { comparisonTables } from '../../eval/report/compare-tables.ts';
import { readReport } from '../../eval/report/report-tables.ts';
import { DEFAULT_OPTIONS } from '../../eval/score/score-farm.ts';
import { wholeNumber } from '../options.ts';
import { titledTable } from '../terminal.ts';

interface CompareFlags {
  readonly json: boolean;
  readonly seed: number;
  readonly resamples: number;
}

/** `rookery compare <reports…>`: reports of one farm side by side, and every pair sample by sample. */
export function register(program: Command): void {
  program
    .command('compare')
    .description('compare reports of one farm, with significance tests on paired samples')
    .argument('<reports...>', 'two or more reports written by `rookery score --out`')
    .option('--json', 'print the comparison as JSON', false)
    .option('--seed <n>', 'seed of the bootstrap', wholeNumber(0), DEFAULT_OPTIONS.seed)
    .option('--resamples <n>', 'redraws of the bootstrap', wholeNumber(0, 100_000), DEFAULT_OPTIONS.resamples)
    .action((files: string[], flags: CompareFlags) => {
      if (files.length < 2) {
        throw new OptionError('compare', 'one report is nothing to compare; give two or more');
      }
      const names = namesOf(files);
      const reports = files.map((file, i) => ({ name: names[i] as string, report: readReport(file) }));
      const comparison = compareReports(reports, flags);
      if (flags.json) {
        process.stdout.write(`${printExactJson(comparison, 2)}\n`);
        return;
      }
      const tables = comparisonTables(comparison).map(titledTable);
      const note = `p (Holm) is corrected for all ${comparison.tests} tests of this comparison.`;
      process.stdout.write(`${[...tables, note].join('\n\n')}\n`);
    });
}

/** File names without folders and extensions, if these are unique; else the paths. */
function namesOf(files: readonly string[]): readonly string[] {
  const short = files.map((file) => basename(file).replace(/\.json$/, ''));
  return new Set(short).size === files.length ? short : files.map((file, i) => `${i + 1} ${file}`);
}
