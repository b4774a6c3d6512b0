import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { UserError } from '../../contracts/errors.ts';
import { makeFolder } from '../../contracts/make-folder.ts';
import { DEFAULT_REFERENCE_TIME } from '../../generator/generate.ts';
import {
  KIND_NAMES,
  type KindName,
  STYLE_NAMES,
  type StyleName,
} from '../../generator/synthesize/draw-query.ts';
import { describeTables, descriptionsOf, findDatabases } from '../../generator/synthesize/find-databases.ts';
import { synthesizeWithProgress } from '../make-splits.ts';
import { list, referenceTime, wholeNumber } from '../options.ts';

interface SynthesizeFlags {
  readonly out?: string;
  readonly questions: number;
  readonly perCombination?: number;
  readonly seed: string;
  readonly like: StyleName;
  readonly weight?: Partial<Record<KindName, number>>;
  readonly only?: readonly string[];
  readonly referenceTime: string;
  readonly timeout: number;
  readonly describe: boolean;
}

/** `rookery synthesize <database> --out <split>`: questions with gold SQL for databases that have none. */
export function register(program: Command): void {
  program
    .command('synthesize')
    .description('make a split for databases that have no questions: questions in English with their SQL')
    .argument('<database>', 'SQLite file, folder of SQLite files, or a split whose questions are left alone')
    .option('-o, --out <folder>', 'where the split goes; an older synthesized one there is replaced')
    .option('-n, --questions <n>', 'questions wanted for each database', wholeNumber(1, 100_000), 200)
    .option(
      '--per-combination <n>',
      'instead: questions for the query tool, so many for each of the 63 combinations of its operators',
      wholeNumber(1, 1_000),
    )
    .option('--seed <text>', 'another seed gives other questions', '7')
    .option('--like <style>', `mix of constructs: ${STYLE_NAMES.join(', ')}`, style, 'bird')
    .option(
      '--weight <kind=n>',
      `how often a kind of question is drawn, in place of what --like says (may be repeated): ${KIND_NAMES.join(', ')}`,
      weight,
    )
    .option('--only <db>', 'this database only (may be repeated)', list)
    .option(
      '--reference-time <time>',
      'what `now` means in the SQL, in UTC',
      referenceTime,
      DEFAULT_REFERENCE_TIME,
    )
    .option(
      '--timeout <seconds>',
      'processor time that one query may take; a slower one is not asked',
      wholeNumber(1, 3600),
      2,
    )
    .option(
      '--describe',
      'write a table of descriptions to fill in, beside each database, and nothing else',
      false,
    )
    .action(async (database: string, { timeout, describe, weight: weights, ...flags }: SynthesizeFlags) => {
      if (describe) return writeDescriptions(database, flags.only);
      const { out } = flags;
      if (flags.perCombination !== undefined && weights)
        throw new UserError(
          'OPTION_INVALID',
          '--weight',
          'has no meaning with --per-combination; leave one of them out',
        );
      if (out === undefined)
        throw new UserError('OPTION_INVALID', '--out', 'is missing; say where the split goes');
      await synthesizeWithProgress(database, {
        ...flags,
        out,
        weights,
        timeoutMs: timeout * 1000,
      });
    });
}

async function writeDescriptions(database: string, only?: readonly string[]): Promise<void> {
  for (const { file, catalog } of await findDatabases(database, only)) {
    const to = descriptionsOf(file);
    if (existsSync(to)) {
      process.stdout.write(`${to} is there already and is left as it is\n`);
      continue;
    }
    makeFolder(dirname(to));
    writeFileSync(to, describeTables(catalog), { flag: 'wx' });
    process.stdout.write(`${to}: fill in names, descriptions, and what codes stand for; then synthesize\n`);
  }
}

/** `percentage=20`, added to those given before. */
function weight(
  text: string,
  before: Partial<Record<KindName, number>> = {},
): Partial<Record<KindName, number>> {
  const [, name, value] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  const kind = KIND_NAMES.find((known) => known === name);
  if (kind === undefined || value === undefined) {
    throw new InvalidArgumentError(`<kind>=<number>, where the kind is one of ${KIND_NAMES.join(', ')}`);
  }
  return { ...before, [kind]: Number(value) };
}

function style(text: string): StyleName {
  const found = STYLE_NAMES.find((name) => name === text);
  if (found === undefined) throw new InvalidArgumentError(`one of ${STYLE_NAMES.join(', ')}`);
  return found;
}
