import { readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { OptionError } from '../../contracts/errors.ts';
import type { Distance, Farm, World } from '../../contracts/farm.ts';
import { type HiddenShare, printShare, readShare } from '../../contracts/hybrid.ts';
import { ROOKERY } from '../../contracts/package-root.ts';
import { renamed } from '../../contracts/renames.ts';
import { DEFAULT_TIMEOUT, splitFormat } from '../../contracts/split.ts';
import { counted, faultIn, percent } from '../../contracts/wording.ts';
import { deploymentFiles } from '../../deploy/deploy.ts';
import { type GenerateOptions, generate } from '../../generator/generate.ts';
import { privateFolder } from '../../generator/read/open-database.ts';
import { makeWorld, type WorldSummary } from '../../generator/worlds/make-world.ts';
import { isFarm } from '../../generator/write/write-folder.ts';
import { type GenerateFarmOptions, generateFarm, shownKinds } from '../generate-farm.ts';
import {
  choice,
  dataLicence,
  JOBS_OPTION,
  list,
  REFERENCE_TIME_OPTION,
  SERVICES_OPTION,
  wholeNumber,
} from '../options.ts';
import { interruptSignal, stepsTo, textTable, withProgress } from '../terminal.ts';

/** `rookery generate <split> --out <folder>`: reads a split, proves it, writes a farm. */
export function register(program: Command): void {
  program
    .command('generate')
    .description('make a farm of live APIs from an NL2SQL split')
    .argument(
      '<split>',
      'folder of a split (BIRD, Spider or rookery layout), or its questions file; with --world also a farm',
    )
    .requiredOption('-o, --out <folder>', 'where the farm goes; an older farm there is replaced')
    .addOption(choice('--format <format>', 'layout of the split (default: detected)', splitFormat.options))
    .option('--name <name>', 'name of the split (default: its folder)')
    .option(
      '--data-licence <licence>',
      'licence of the data, for the specifications (default: what the split says; else unknown)',
      dataLicence,
    )
    .option('--follow-links', 'follow links that lead out of the folder of the split', false)
    .option(
      '--corrections <file>',
      'corrections.jsonl: replacements for questions of the split (docs/audit.md)',
    )
    .option(
      '--renames <seed>',
      'new names for all tables and columns, drawn by a seed, or those in a .json file (docs/renames.md)',
      renamesOf,
    )
    .option('--only <db>', 'generate this domain only (may be repeated)', list)
    .option(...REFERENCE_TIME_OPTION)
    .option(
      '--timeout <seconds>',
      'processor time limit of a gold query; served calls are limited to 10 seconds',
      wholeNumber(1, 3600),
      DEFAULT_TIMEOUT,
    )
    .option(
      '--path-parameters',
      'put the key of an endpoint into its path: /clinics/{clinic_name}/… (docs/farm.md)',
      false,
    )
    .option(
      '--hidden <shares>',
      'also make tasks of the formulation hybrid, with these shares of the tables behind APIs: 40, or 0,20,40, or 40-7 by seed 7 (docs/hybrid.md)',
      hiddenShares,
    )
    .option(
      '--reads',
      'also make tasks of the formulation records of questions that one call of list_<table> answers (docs/state.md)',
      false,
    )
    .option(...JOBS_OPTION)
    .option('--services <n>', SERVICES_OPTION, wholeNumber(1, 1000))
    .option('--kubernetes', 'also write manifests for Kubernetes into kubernetes/', false)
    .option(
      '--world <seed>',
      'other data and other answers for the same questions and tools, by a seed (docs/worlds.md)',
    )
    .action((split: string, { world, ...flags }: GenerateFarmOptions & { readonly world?: string }) =>
      world === undefined ? generateFarm(split, flags) : generateWorld(split, world, flags),
    );
}

/** The names in a file such as the renames.json of a farm, or the seed itself. */
function renamesOf(text: string): GenerateOptions['renames'] {
  if (!text.endsWith('.json')) return text;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(text, 'utf8'));
  } catch (error) {
    throw new InvalidArgumentError(`a file of new names: ${(error as Error).message}`);
  }
  const read = renamed.pick({ names: true }).safeParse(value);
  if (read.success) return read.data.names;
  throw new InvalidArgumentError(`a file of new names: ${faultIn(read.error, 'the file')}`);
}

function hiddenShares(text: string): HiddenShare[] {
  const shares = new Map<string, HiddenShare>();
  for (const part of text.split(',')) {
    const share = readShare(part);
    if (!share)
      throw new InvalidArgumentError('shares from 0 to 100, such as 40, or 0,20,40, or 40-7 of seed 7');
    shares.set(printShare(share), share);
  }
  return [...shares.values()];
}

/** Makes a world of a farm, or of a split via a temporary farm. Progress goes to stderr, a summary to stdout. */
export async function generateWorld(
  source: string,
  seed: string,
  { timeout, kubernetes, services, ...options }: GenerateFarmOptions,
): Promise<void> {
  const aside = privateFolder();
  try {
    const farm = isFarm(source) ? source : join(aside, 'farm');
    if (resolve(farm) === resolve(options.out))
      throw new OptionError('--out', 'is the farm itself; give the world a folder of its own');
    const summary = await withProgress(async (update) => {
      const common = {
        ...options,
        timeoutMs: timeout * 1000,
        extraFiles: (farm: Farm) => deploymentFiles(farm, { kubernetes, services }),
        signal: interruptSignal(options.out),
        onProgress: stepsTo(update),
      };
      if (farm !== source) await generate(source, { ...common, out: farm });
      return makeWorld(farm, { ...common, seed });
    });
    process.stdout.write(printWorld(summary, options.out));
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
}

function printWorld({ farm, world }: WorldSummary, out: string): string {
  const kinds = shownKinds(farm);
  const table = textTable(
    ['domain', ...kinds, 'empty here', 'undefined here', 'same answer'],
    farm.domains.map(({ db, samples }) => {
      const here = world.domains.find((domain) => domain.db === db);
      return [
        db,
        ...kinds.map((kind) => samples[kind] ?? 0),
        here?.empty.length ?? 0,
        here?.undefined.length ?? 0,
        here?.same.length ?? 0,
      ];
    }),
  );
  return [
    table,
    '',
    ...questionIds(world, 'empty', 'Empty in this world only'),
    ...questionIds(world, 'undefined', 'Not kept, since the answer is open or fails in this world'),
    `Same answer as in the farm: ${percent(world.same_answer, world.samples)} of ${counted(world.samples, 'sample')}`,
    `Distance to the farm (Kolmogorov–Smirnov): literals ${ks(world.distances.literals)}, row counts ${ks(world.distances.row_counts)}, answer sizes ${ks(world.distances.answer_sizes)}`,
    `Commitment to the seed: ${world.commitment}`,
    `Serve it: ${ROOKERY} serve ${out}`,
    '',
  ].join('\n');
}

function questionIds({ domains }: World, kind: 'empty' | 'undefined', title: string): string[] {
  const having = domains.filter((domain) => domain[kind].length > 0);
  if (having.length === 0) return [];
  return [`${title}: ${having.map((domain) => `${domain.db} ${domain[kind].join(', ')}`).join('; ')}`];
}

function ks({ ks: value, n }: Distance): string {
  return `${value.toFixed(3)} (${n})`;
}
