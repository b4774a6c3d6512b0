import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Farm } from '../../../contracts/farm.ts';
import { checkGazetteer } from './check-gazetteer.ts';
import { checkHashes } from './check-hashes.ts';
import { chooseDomains } from './choose-domains.ts';
import type { DomainOptions } from './domain-options.ts';
import { loadService } from './load-service.ts';
import { requirePart } from './part-hash.ts';
import { readFarm } from './read-farm.ts';
import { invalid } from './read-json.ts';
import { servedFiles } from './served-files.ts';

/** The text of a domain's OpenAPI file for `rest`, `slot` or `sel`; undefined when there is none. */
export type OpenapiSource = (db: string, formulation: string) => string | undefined;

/** A farm folder, checked and read: what `buildApp` needs of it. */
export interface LoadedFarm {
  /** Absolute path. */
  readonly folder: string;
  readonly farm: Farm;
  /** sha256 of farm.json, which holds every other file's. */
  readonly hash: string;
  readonly domains: readonly Required<DomainOptions>[];
  readonly openapi: OpenapiSource;
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
}

export interface LoadOptions {
  /** Only these domains; the files of others need not be there. */
  readonly only?: readonly string[];
  /** Also compare every file that is served with its sha256 in farm.json. */
  readonly checkHashes?: boolean;
  /** The `partHash` of the files that are served; nothing else is. */
  readonly expect?: string;
}

/**
 * Reads farm.json and the services' descriptions; databases are not opened, and `eval/` is never looked at.
 * Throws FARM_NOT_FOUND, FARM_INVALID, FARM_CHANGED, or OPTION_INVALID for an unknown domain in `only`.
 */
export async function loadFarm(folder: string, options: LoadOptions = {}): Promise<LoadedFarm> {
  const { root, farm, text } = readFarm(folder);
  checkGazetteer(root, farm);
  const names = chooseDomains(farm, options.only);
  if (options.expect !== undefined) requirePart(root, farm, names.flatMap(servedFiles), options.expect);
  // Every file's hash is in farm.json, so its own hash stands for them all.
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

/** Names of the emitted OpenAPI files; none when the folder is not there. */
function listSpecs(root: string): ReadonlySet<string> {
  const folder = join(root, 'openapi');
  return new Set(existsSync(folder) ? readdirSync(folder) : []);
}
