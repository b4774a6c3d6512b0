import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { FARM_FORMAT_VERSION, type Farm } from '../../../contracts/farm.ts';
import { packageVersion } from '../../../contracts/package-root.ts';
import type { Service } from '../../../contracts/service.ts';
import { gazetteerMark } from '../scalars/gazetteer.ts';
import { chooseDomains, invalid, loadService, readFarm, requirePart, servedFiles } from './farm-files.ts';

/** Returns the text of a domain's OpenAPI file for a formulation; undefined if there is none. */
export type OpenapiSource = (db: string, formulation: string) => string | undefined;

/** A validated farm folder, with what `buildApp` needs. */
export interface LoadedFarm {
  /** Absolute path. */
  readonly folder: string;
  readonly farm: Farm;
  /** sha256 of farm.json, which has the hashes of all other files. */
  readonly hash: string;
  readonly domains: readonly Required<DomainOptions>[];
  readonly openapi: OpenapiSource;
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
}

/** A farm without domains, to be served while it is generated into `folder`. */
export function emptyFarm(folder: string, name: string): LoadedFarm {
  const farm: Farm = {
    format_version: FARM_FORMAT_VERSION,
    name,
    split: { name, format: 'rookery', content_hash: '0'.repeat(64) },
    generator_version: packageVersion,
    reference_time: '',
    domains: [],
    files: {},
  };
  return { folder, farm, hash: '', domains: [], openapi: () => undefined, hasOpenapi: () => false };
}

export interface LoadOptions {
  /** Load only these domains; files of others need not exist. */
  readonly only?: readonly string[];
  /** Also compare the sha256 of every served file with farm.json. */
  readonly checkHashes?: boolean;
  /** Expected `partHash` of the served files. */
  readonly expect?: string;
}

/**
 * Reads farm.json and the services' descriptions. It opens no database, and never reads `eval/`. Throws FARM_NOT_FOUND,
 * FARM_INVALID, FARM_CHANGED, or OPTION_INVALID for an unknown domain in `only`.
 */
export async function loadFarm(folder: string, options: LoadOptions = {}): Promise<LoadedFarm> {
  const { root, farm, text } = readFarm(folder);
  checkGazetteer(root, farm);
  const names = chooseDomains(farm, options.only);
  if (options.expect !== undefined) requirePart(root, farm, names.flatMap(servedFiles), options.expect);
  // farm.json has the hash of every file, so its own hash covers them all.
  const version = createHash('sha256').update(text).digest('hex');
  const domains = names.map((db) => loadDomain(root, farm, db, version));
  const specs = listSpecs(root);
  if (options.checkHashes) await checkHashes(root, farm, names.flatMap(servedFiles));
  const specName = (db: string, formulation: string) => `${db}.${formulation}.json`;
  return {
    folder: root,
    farm,
    hash: version,
    domains,
    hasOpenapi: (db, formulation) => specs.has(specName(db, formulation)),
    openapi: (db, formulation) =>
      specs.has(specName(db, formulation))
        ? readFileSync(join(root, 'openapi', specName(db, formulation)), 'utf8')
        : undefined,
  };
}

function loadDomain(root: string, farm: Farm, db: string, version: string): Required<DomainOptions> {
  const service = loadService(root, farm, db);
  const database = join(root, 'databases', `${db}.sqlite`);
  if (!existsSync(database)) throw invalid(database, 'is missing');
  return { service, database, version };
}

/** Names of the emitted OpenAPI files; none if the folder does not exist. */
function listSpecs(root: string): ReadonlySet<string> {
  const folder = join(root, 'openapi');
  return new Set(existsSync(folder) ? readdirSync(folder) : []);
}

/** Compares the sha256 of existing files with farm.json. Throws FARM_INVALID at the first difference. */
export async function checkHashes(root: string, farm: Farm, paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    const expected = farm.files[path];
    if (expected === undefined) continue;
    const file = join(root, path);
    if ((await hashOf(file)) !== expected) throw invalid(file, 'is not the file that farm.json describes');
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (cause) {
    throw invalid(file, `cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
  return hash.digest('hex');
}

/**
 * A farm whose gold uses places must be served with the gazetteer that it was proven with. Throws FARM_INVALID if this
 * version of rookery has another; a farm that does not record its gazetteer is accepted.
 */
export function checkGazetteer(root: string, { domains, gazetteer }: Farm): void {
  const asksForPlaces = domains.some(({ samples }) => samples.hybrid > 0);
  if (!asksForPlaces || gazetteer === undefined) return;
  const own = gazetteerMark();
  if (gazetteer.sha256 === own.sha256) return;
  const versions = `${gazetteer.version}, not ${own.version}`;
  throw invalid(join(root, 'farm.json'), `was proven with other places of the world (version ${versions})`);
}

export interface DomainOptions {
  readonly service: Service;
  readonly database: string;
  /** Identifies everything that answers depend on. Without it, ETags are valid for this process only. */
  readonly version?: string;
}
