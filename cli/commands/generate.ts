import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { type HiddenShare, printShare, readShare } from '../../contracts/share.ts';
import { type SplitFormat, splitFormat } from '../../contracts/split.ts';
import { DEFAULT_REFERENCE_TIME, DEFAULT_TIMEOUT } from '../../generator/generate.ts';
import { type GenerateFarmOptions, generateFarm } from '../generate-farm.ts';
import { generateWorld } from '../generate-world.ts';
import { dataLicence, JOBS_OPTION, list, referenceTime, SERVICES_OPTION, wholeNumber } from '../options.ts';

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
    .option(
      '--format <format>',
      `layout of the split: ${splitFormat.options.join(', ')} (default: found by looking)`,
      format,
    )
    .option('--name <name>', 'what to call the split (default: its folder)')
    .option(
      '--data-licence <licence>',
      'licence of the data, for the specifications (default: what the split says; else unknown)',
      dataLicence,
    )
    .option('--follow-links', 'follow links that lead out of the folder of the split', false)
    .option(
      '--corrections <file>',
      'corrections.jsonl: what questions of the split should say instead (docs/audit.md)',
    )
    .option('--only <db>', 'generate this domain only (may be repeated)', list)
    .option(
      '--reference-time <time>',
      'what `now` means in the SQL, in UTC',
      referenceTime,
      DEFAULT_REFERENCE_TIME,
    )
    .option(
      '--timeout <seconds>',
      'processor time that one gold query may take; a call has the 10 seconds that it is served with',
      wholeNumber(1, 3600),
      DEFAULT_TIMEOUT,
    )
    .option(
      '--path-parameters',
      'put what an endpoint looks up into its path: /clinics/{clinic_name}/… (docs/farm.md)',
      false,
    )
    .option(
      '--hidden <shares>',
      'also make tasks of the formulation hybrid, with these shares of the tables behind APIs: 40, or 0,20,40, or 40-7 by seed 7 (docs/hybrid.md)',
      hiddenShares,
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

function format(text: string): SplitFormat {
  const parsed = splitFormat.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError(`one of ${splitFormat.options.join(', ')}`);
  return parsed.data;
}
