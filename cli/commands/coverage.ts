import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { type Coverage, coverage } from '../../contracts/coverage.ts';
import { UserError } from '../../contracts/errors.ts';
import { farmNotFound } from '../../contracts/not-found.ts';
import type { MutantVerdict } from '../../generator/mutants/measure-mutants.ts';
import { coverageReport } from '../coverage-report.ts';
import { mutantReport } from '../mutant-report.ts';
import { list, wholeNumber } from '../options.ts';
import { createProgress } from '../progress.ts';
import { searchOf, searchReport } from '../search-report.ts';

/** `rookery coverage <farm>`: what was kept, and why the rest was not. */
export function register(program: Command): void {
  program
    .command('coverage')
    .description('show which questions a farm keeps, and why it does not keep the others')
    .argument('<farm>', 'folder made by `rookery generate`')
    .option('--json', 'print coverage.json as it is', false)
    .option(
      '--mutants',
      'also how many wrong versions of the gold SQL the proof tells from it; takes minutes',
      false,
    )
    .option('--every <n>', 'with --mutants: every n-th question of a domain only', wholeNumber(1), 1)
    .option('--search', 'also how often `search_tools` finds the tool that a question needs', false)
    .option('--among <farm>', 'with --search: among the tools of this farm too (may be repeated)', list)
    .action(async (farm: string, flags: CoverageFlags) => {
      const read = await readCoverage(farm);
      process.stdout.write(flags.json ? `${JSON.stringify(read)}\n` : coverageReport(read));
      if (flags.search) process.stdout.write(`\n${searchReport(await searchOf(farm, flags.among ?? []))}`);
      if (flags.mutants) process.stdout.write(`\n${mutantReport(await measure(farm, flags.every))}`);
    });
}

interface CoverageFlags {
  readonly json: boolean;
  readonly mutants: boolean;
  readonly search: boolean;
  readonly among?: readonly string[];
  readonly every: number;
}

/** Loaded only when asked for: it reads the farm's gold and runs SQL. */
async function measure(farm: string, every: number): Promise<MutantVerdict[]> {
  const [{ measureMutants }, { readOrigin }] = await Promise.all([
    import('../../generator/mutants/measure-mutants.ts'),
    import('../../generator/worlds/read-origin.ts'),
  ]);
  const progress = createProgress();
  try {
    return await measureMutants(await readOrigin(farm), {
      every,
      onProgress: (done, total, db) => progress.update('mutants', done, total, db),
    });
  } finally {
    progress.stop();
  }
}

async function readCoverage(farm: string): Promise<Coverage> {
  const file = join(farm, 'coverage.json');
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') throw farmNotFound(farm);
    throw new UserError('FARM_INVALID', file, `cannot be read (${(cause as Error).message})`, { cause });
  }
  try {
    return coverage.parse(JSON.parse(text));
  } catch (cause) {
    throw new UserError('FARM_INVALID', file, 'is not a coverage file; generate the farm again', { cause });
  }
}
