import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Coverage, coverage } from '../../contracts/coverage.ts';
import { UserError } from '../../contracts/errors.ts';
import { coverageReport } from '../coverage-report.ts';

/** `rookery coverage <farm>`: what was kept, and why the rest was not. */
export function register(program: Command): void {
  program
    .command('coverage')
    .description('show which questions a farm keeps, and why it does not keep the others')
    .argument('<farm>', 'folder made by `rookery generate`')
    .option('--json', 'print coverage.json as it is', false)
    .action(async (farm: string, flags: { json: boolean }) => {
      const read = await readCoverage(farm);
      process.stdout.write(flags.json ? `${JSON.stringify(read)}\n` : coverageReport(read));
    });
}

async function readCoverage(farm: string): Promise<Coverage> {
  const file = join(farm, 'coverage.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new UserError('FARM_NOT_FOUND', file, 'cannot be read; give a folder made by `rookery generate`', {
      cause,
    });
  }
  try {
    return coverage.parse(JSON.parse(text));
  } catch (cause) {
    throw new UserError('FARM_INVALID', file, 'is not a coverage file; generate the farm again', { cause });
  }
}
