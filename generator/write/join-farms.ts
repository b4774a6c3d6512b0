import { cpSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OptionError } from '../../contracts/errors.ts';
import { type Coverage, coverage, type Farm, splitOf } from '../../contracts/farm.ts';
import { packageVersion } from '../../contracts/package-root.ts';
import { parseFarmFile, readFarm, readFarmFile } from '../../services/base/farm.ts';
import { hashText } from './emit-farm.ts';
import { type FarmFile, type FarmOptions, isFarm, printJson, writeFolder } from './write-folder.ts';

const COVERAGE = 'coverage.json';

interface JoinOptions extends FarmOptions {
  /** Default: the names of the farms, with plus signs between them. */
  readonly name?: string;
}

type Source = ReturnType<typeof readFarm>;

/**
 * Writes a farm that has the domains of several, as they are: each remains of its own split, and nothing is proven again.
 * Throws OPTION_INVALID for farms that cannot be served as one, FARM_NOT_FOUND and FARM_INVALID.
 */
export async function joinFarms(
  folders: readonly string[],
  { out, name, extraFiles = () => [], signal }: JoinOptions,
): Promise<Farm> {
  const sources = folders.map(readFarm);
  requireOneFarm(sources);
  const listed = printJson(joinedCoverage(sources), { compact: true });
  const farm = joinedFarm(sources, name, hashText(listed));
  function* files(scratch: string): Iterable<FarmFile> {
    yield* copies(sources, scratch);
    yield { path: COVERAGE, content: listed };
    yield { path: 'farm.json', content: printJson(farm) };
    yield* extraFiles(farm);
  }
  await writeFolder(out, { isOurs: isFarm, signal }, (scratch) => ({ files: files(scratch) }));
  return farm;
}

/** The first farm decides what the others have to share. */
function requireOneFarm(sources: readonly Source[]): void {
  const [first] = sources;
  const domains = new Map<string, string>();
  for (const { root, farm } of sources) {
    const refuse = (fault: string) => new OptionError(root, fault);
    if (farm.world !== undefined || farm.renamed !== undefined)
      throw refuse('is compared with its own farm, as a world or under new names');
    if (farm.vectors !== undefined) throw refuse('is searched by vectors; join farms first, then embed');
    if (farm.reference_time !== first?.farm.reference_time)
      throw refuse(`has another value of now than ${first?.root}; generate both with one --reference-time`);
    if (farm.gazetteer?.sha256 !== first.farm.gazetteer?.sha256)
      throw refuse(`was proven with other places of the world than ${first.root}; generate it again`);
    for (const { db } of farm.domains) {
      const other = domains.get(db);
      if (other !== undefined)
        throw refuse(`has a domain ${db}, as ${other} does; leave it out of one by --only`);
      domains.set(db, root);
    }
  }
}

function* copies(sources: readonly Source[], scratch: string): Iterable<FarmFile> {
  for (const { root, farm } of sources) {
    for (const path of Object.keys(farm.files)) {
      if (path === COVERAGE) continue;
      const copy = join(scratch, path);
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(join(root, path), copy);
      yield { path, moveFrom: copy };
    }
  }
}

function joinedFarm(sources: readonly Source[], given: string | undefined, coverageHash: string): Farm {
  const farms = sources.map(({ farm }) => farm);
  const [first] = farms as [Farm, ...Farm[]];
  const name = given ?? [...new Set(farms.map((farm) => farm.name))].join('+');
  const hashes = sources.map(({ text }) => hashText(text));
  return {
    ...first,
    name,
    split: {
      name,
      format: 'rookery',
      content_hash: hashText(JSON.stringify(hashes)),
    },
    generator_version: packageVersion,
    domains: farms
      .flatMap((farm) => farm.domains.map((domain) => ({ ...domain, split: splitOf(farm, domain.db) })))
      .sort((a, b) => (a.db < b.db ? -1 : 1)),
    files: Object.fromEntries(
      farms
        .flatMap(({ files }) => Object.entries(files))
        .map(([path, hash]) => [path, path === COVERAGE ? coverageHash : hash] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

function joinedCoverage(sources: readonly Source[]): Coverage {
  const all = sources.map(({ root }) => {
    const file = join(root, COVERAGE);
    return parseFarmFile(file, readFarmFile(file), coverage);
  });
  const together = <Key extends 'machine_dependent' | 'unanswerable'>(key: Key) => {
    const items = all.flatMap((each) => each[key] ?? []);
    return items.length === 0 ? {} : { [key]: items };
  };
  return {
    split: [...new Set(all.map(({ split }) => split))].join('+'),
    questions: all.reduce((sum, { questions }) => sum + questions, 0),
    verdicts: all.flatMap(({ verdicts }) => verdicts),
    ...together('machine_dependent'),
    ...together('unanswerable'),
  };
}
