import type { Command } from 'commander';
import { DEFAULT_REFERENCE_TIME, DEFAULT_TIMEOUT } from '../../generator/generate.ts';
import { augmentWithProgress } from '../make-splits.ts';
import { JOBS_OPTION, list, referenceTime, wholeNumber } from '../options.ts';

interface AugmentFlags {
  readonly out: string;
  readonly perQuestion: number;
  readonly every: number;
  readonly seed: string;
  readonly name?: string;
  readonly only?: readonly string[];
  readonly referenceTime: string;
  readonly timeout: number;
  readonly jobs?: number;
}

/** `rookery augment <split> --out <split>`: questions that need scalar APIs too, made of those of a split. */
export function register(program: Command): void {
  program
    .command('augment')
    .description('make a split of questions that need scalar APIs too, from the questions of another')
    .argument('<split>', 'folder of a split (BIRD, Spider or rookery layout), or its questions file')
    .requiredOption(
      '-o, --out <folder>',
      'where the new split goes; an older augmented one there is replaced',
    )
    .option('-n, --per-question <n>', 'questions made of one at most', wholeNumber(1, 20), 3)
    .option('--every <n>', 'take every so many-th question of a database only', wholeNumber(1, 10_000), 1)
    .option('--seed <text>', 'another seed gives other questions', '7')
    .option('--name <name>', 'what the split is called (default: its folder)')
    .option('--only <db>', 'this database only (may be repeated)', list)
    .option(
      '--reference-time <time>',
      'what `now` means in the SQL, in UTC',
      referenceTime,
      DEFAULT_REFERENCE_TIME,
    )
    .option(
      '--timeout <seconds>',
      'processor time that one query may take',
      wholeNumber(1, 3600),
      DEFAULT_TIMEOUT,
    )
    .option(...JOBS_OPTION)
    .action((split: string, { timeout, ...flags }: AugmentFlags) =>
      augmentWithProgress(split, { ...flags, timeoutMs: timeout * 1000 }),
    );
}
