import type { Command } from 'commander';
import type { AugmentSplitOptions } from '../../generator/augment/augment-split.ts';
import { augmentWithProgress } from '../make-splits.ts';
import { JOBS_OPTION, list, REFERENCE_TIME_OPTION, TIMEOUT_OPTION, wholeNumber } from '../options.ts';

type AugmentFlags = Omit<AugmentSplitOptions, 'timeoutMs' | 'signal' | 'onProgress'> & {
  readonly timeout: number;
};

/** `rookery augment <split> --out <split>`: derives questions that also need scalar APIs. */
export function register(program: Command): void {
  program
    .command('augment')
    .description('make a split of questions that also need scalar APIs, from the questions of another')
    .argument('<split>', 'folder of a split (BIRD, Spider or rookery layout), or its questions file')
    .requiredOption('-o, --out <folder>', 'folder of the new split; an older augmented one is replaced')
    .option('-n, --per-question <n>', 'maximum number of questions derived from one', wholeNumber(1, 20), 3)
    .option('--every <n>', 'take only every n-th question of a database', wholeNumber(1, 10_000), 1)
    .option('--seed <text>', 'seed of the questions', '7')
    .option('--name <name>', 'name of the split (default: its folder)')
    .option('--only <db>', 'this database only (may be repeated)', list)
    .option(...REFERENCE_TIME_OPTION)
    .option(...TIMEOUT_OPTION)
    .option(...JOBS_OPTION)
    .action((split: string, { timeout, ...flags }: AugmentFlags) =>
      augmentWithProgress(split, { ...flags, timeoutMs: timeout * 1000 }),
    );
}
