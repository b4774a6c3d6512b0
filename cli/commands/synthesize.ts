import { existsSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import { makeFolder } from '../../contracts/make-folder.ts';
import { synthesizeRecordDialogues } from '../../generator/dialogues/record-dialogues.ts';
import { synthesizeDialogues } from '../../generator/dialogues/synthesize-dialogues.ts';
import { readLabel } from '../../generator/read/read-split.ts';
import {
  KIND_NAMES,
  type KindName,
  STYLE_NAMES,
  type StyleName,
} from '../../generator/synthesize/draw-query.ts';
import {
  describeTables,
  descriptionsOf,
  type FindOptions,
  findDatabases,
} from '../../generator/synthesize/find-databases.ts';
import { type Mix, readProperties } from '../../generator/synthesize/mix-database.ts';
import { synthesizeWithProgress } from '../make-splits.ts';
import { choice, list, REFERENCE_TIME_OPTION, wholeNumber } from '../options.ts';
import { unreadViewsNote, withProgress } from '../terminal.ts';

interface SynthesizeFlags {
  readonly out?: string;
  readonly questions: number;
  readonly perCombination?: number;
  readonly collections?: number;
  readonly properties?: Mix['properties'];
  readonly writes?: number;
  readonly dialogues?: number;
  readonly records: boolean;
  readonly seed: string;
  readonly like: StyleName;
  readonly weight?: Partial<Record<KindName, number>>;
  readonly only?: readonly string[];
  readonly referenceTime: string;
  readonly timeout: number;
  readonly describe: boolean;
}

/** `rookery synthesize <database> --out <split>`: generates questions with gold SQL for databases without questions. */
export function register(program: Command): void {
  program
    .command('synthesize')
    .description('make a split for databases that have no questions: questions in English with their SQL')
    .argument('<database>', 'SQLite file, folder of SQLite files, or a split whose questions are left alone')
    .option('-o, --out <folder>', 'folder of the new split; an older synthesized one is replaced')
    .option('-n, --questions <n>', 'number of questions per database', wholeNumber(1, 100_000), 200)
    .option(
      '--per-combination <n>',
      'instead: questions for the query tool, this many for each of the 63 combinations of its operators',
      wholeNumber(1, 1_000),
    )
    .option(
      '--collections <n>',
      'for these: databases have this many tables, drawn by the seed, from others too if they have fewer',
      wholeNumber(1, 1_000),
    )
    .option(
      '--properties <mix>',
      'for these: tables have so many texts, numbers and booleans, such as 2t1n1b; what lacks is computed from their own',
      properties,
    )
    .option(
      '--writes <n>',
      'instead: tasks that change records, this many for each database',
      wholeNumber(1, 10_000),
    )
    .option(
      '--dialogues <n>',
      'instead: dialogues per database, whose turns need the turns before them',
      wholeNumber(1, 100_000),
    )
    .option('--records', 'with --dialogues: turns change records and undo changes', false)
    .option('--seed <text>', 'seed of the questions', '7')
    .addOption(choice('--like <style>', 'mix of constructs', STYLE_NAMES, 'bird'))
    .option(
      '--weight <kind=n>',
      `relative frequency of a kind of question, overriding --like (may be repeated): ${KIND_NAMES.join(', ')}`,
      weight,
    )
    .option('--only <db>', 'this database only (may be repeated)', list)
    .option(...REFERENCE_TIME_OPTION)
    .option(
      '--timeout <seconds>',
      'processor time limit of a query; slower ones are dropped',
      wholeNumber(1, 3600),
      2,
    )
    .option('--describe', 'only write a table of descriptions to fill in, beside each database', false)
    .action(async (database: string, { timeout, describe, weight: weights, ...flags }: SynthesizeFlags) => {
      if (describe) return writeDescriptions(database, { only: flags.only, timeoutMs: timeout * 1000 });
      const { out } = flags;
      if (flags.perCombination !== undefined && flags.writes !== undefined)
        throw new OptionError('--writes', 'cannot be combined with --per-combination; leave one of them out');
      if (flags.writes !== undefined && weights)
        throw new OptionError('--weight', 'cannot be combined with --writes; leave one of them out');
      if (flags.perCombination !== undefined && weights)
        throw new OptionError('--weight', 'cannot be combined with --per-combination; leave one of them out');
      if (flags.dialogues !== undefined && (weights ?? flags.perCombination ?? flags.writes) !== undefined)
        throw new OptionError(
          '--dialogues',
          'cannot be combined with --weight, --per-combination or --writes; leave them out',
        );
      if (flags.records && flags.dialogues === undefined)
        throw new OptionError('--records', 'is for --dialogues; give that too');
      const { collections, properties: kept, records, ...rest } = flags;
      const mix =
        collections === undefined && kept === undefined ? undefined : { collections, properties: kept };
      if (mix && flags.perCombination === undefined)
        throw new OptionError('--collections', 'and --properties are for --per-combination; give that too');
      if (out === undefined)
        throw new OptionError('--out', 'is missing; give the folder to write the split to');
      await synthesizeWithProgress(database, {
        ...rest,
        mix,
        dialogues:
          flags.dialogues === undefined
            ? undefined
            : { count: flags.dialogues, make: records ? synthesizeRecordDialogues : synthesizeDialogues },
        out,
        weights,
        timeoutMs: timeout * 1000,
      });
    });
}

async function writeDescriptions(database: string, options: FindOptions): Promise<void> {
  const found = await withProgress((update) =>
    findDatabases(database, {
      ...options,
      onProgress: (read) => update('read', read.done, read.total, readLabel(read)),
    }),
  );
  process.stderr.write(unreadViewsNote(found));
  for (const { file, catalog } of found) {
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

function properties(text: string): Mix['properties'] {
  const read = readProperties(text);
  if (read) return read;
  throw new InvalidArgumentError('numbers of texts, numbers and booleans, such as 2t1n1b');
}

/** Parses `percentage=20` and adds it to earlier ones. */
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
