import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../../contracts/errors.ts';
import { type Farm, farm as farmSchema } from '../../contracts/farm.ts';
import { service as serviceSchema } from '../../contracts/service.ts';
import type { DomainOptions } from '../app.ts';
import type { OpenapiSource } from '../context.ts';
import { didYouMean, nearestNames } from '../nearest.ts';
import { checkHashes } from './check-hashes.ts';
import { invalid, parseFarmFile, readFarmFile } from './read-json.ts';

/** A farm folder, checked and read: what `buildApp` needs of it. */
export interface LoadedFarm {
  /** Absolute path. */
  readonly folder: string;
  readonly farm: Farm;
  readonly domains: readonly Required<DomainOptions>[];
  readonly openapi: OpenapiSource;
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
}

export interface LoadOptions {
  /** Only these domains; the files of others need not be there. */
  readonly only?: readonly string[];
  /** Also compare every file that is served with its sha256 in farm.json. */
  readonly checkHashes?: boolean;
}

/**
 * Reads farm.json and the services' descriptions; databases are not opened, and `eval/` is never looked at.
 * Throws FARM_NOT_FOUND, FARM_INVALID, or OPTION_INVALID for an unknown domain in `only`.
 */
export async function loadFarm(folder: string, options: LoadOptions = {}): Promise<LoadedFarm> {
  const root = resolve(folder);
  const farmFile = join(root, 'farm.json');
  if (!existsSync(farmFile)) {
    const fix =
      'there is no farm.json in this folder; make a farm with `rookery generate <split> --out <folder>`';
    throw new UserError('FARM_NOT_FOUND', root, fix);
  }
  const text = readFarmFile(farmFile);
  const farm = parseFarmFile(farmFile, text, farmSchema);
  const names = chooseDomains(farm, options.only);
  // Every file's hash is in farm.json, so its own hash stands for them all.
  const version = createHash('sha256').update(text).digest('hex');
  const domains = names.map((db) => loadDomain(root, farm, db, version));
  const specs = listSpecs(root);
  if (options.checkHashes) await checkHashes(root, farm, names);
  const specName = (db: string, formulation: string) => `${db}.${formulation}.json`;
  return {
    folder: root,
    farm,
    domains,
    hasOpenapi: (db, formulation) => specs.has(specName(db, formulation)),
    openapi: (db, formulation) =>
      specs.has(specName(db, formulation))
        ? readFileSync(join(root, 'openapi', specName(db, formulation)), 'utf8')
        : undefined,
  };
}

function chooseDomains(farm: Farm, only: readonly string[] | undefined): string[] {
  const all = farm.domains.map(({ db }) => db);
  const unknown = only?.find((db) => !all.includes(db));
  if (unknown !== undefined) {
    const hint = didYouMean(nearestNames(unknown, all)) || `; it has ${all.join(', ')}`;
    throw new UserError('OPTION_INVALID', '--only', `the farm has no domain ${unknown}${hint}`);
  }
  return only ? all.filter((db) => only.includes(db)) : all;
}

function loadDomain(root: string, farm: Farm, db: string, version: string): Required<DomainOptions> {
  const file = join(root, 'services', `${db}.json`);
  const service = parseFarmFile(file, readFarmFile(file), serviceSchema);
  if (service.db !== db) throw invalid(file, `describes ${service.db}, not ${db}`);
  if (service.split !== farm.split.name)
    throw invalid(file, `belongs to ${service.split}, not ${farm.split.name}`);
  const database = join(root, 'databases', `${db}.sqlite`);
  if (!existsSync(database)) throw invalid(database, 'is missing');
  return { service, database, version };
}

/** Names of the emitted OpenAPI files; none when the folder is not there. */
function listSpecs(root: string): ReadonlySet<string> {
  const folder = join(root, 'openapi');
  return new Set(existsSync(folder) ? readdirSync(folder) : []);
}
