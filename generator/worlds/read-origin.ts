import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../contracts/catalog.ts';
import { UserError } from '../../contracts/errors.ts';
import { parseExactJson } from '../../contracts/exact-json.ts';
import { type Coverage, coverage, type Farm } from '../../contracts/farm.ts';
import { type Sample, sample } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { chooseDomains } from '../../services/base/farm.ts';
import { type LoadedFarm, loadFarm } from '../../services/index.ts';

export interface OriginDomain {
  readonly db: string;
  readonly service: Service;
  /** The served database; only read. */
  readonly database: string;
  /** Kept samples, in the farm's order. */
  readonly samples: readonly Sample[];
}

/** A farm with its gold. */
export interface Origin {
  readonly folder: string;
  readonly farm: Farm;
  /** sha256 of its `farm.json`. */
  readonly hash: string;
  readonly coverage: Coverage;
  readonly domains: readonly OriginDomain[];
  /** Computed from all domains, so that a world of some has the same data as a world of all. */
  readonly growth: Growth;
}

/** Throws FARM_NOT_FOUND, FARM_INVALID (also without gold, or for a world), or OPTION_INVALID. */
export async function readOrigin(folder: string, only?: readonly string[]): Promise<Origin> {
  const loaded = await loadFarm(folder);
  const chosen = new Set(chooseDomains(loaded.farm, only));
  const fault = loaded.farm.world
    ? 'is a world itself; give the farm that it was made from'
    : 'has vectors of its own rows; give the farm that it was made from, and embed its world';
  if (loaded.farm.world || loaded.farm.vectors) throw new UserError('FARM_INVALID', loaded.folder, fault);
  return {
    folder: loaded.folder,
    farm: loaded.farm,
    hash: createHash('sha256')
      .update(readFileSync(join(loaded.folder, 'farm.json')))
      .digest('hex'),
    coverage: readCoverage(loaded),
    growth: growthOf(loaded.domains.map(({ service }) => service.catalog)),
    domains: loaded.domains
      .filter(({ service }) => chosen.has(service.db))
      .map(({ service, database }) => ({
        db: service.db,
        service,
        database,
        samples: readSamples(join(loaded.folder, 'eval', `${service.db}.jsonl`)),
      })),
  };
}

function readCoverage({ folder }: LoadedFarm): Coverage {
  const file = join(folder, 'coverage.json');
  return parsed(file, () => coverage.parse(JSON.parse(readFileSync(file, 'utf8'))));
}

function readSamples(file: string): Sample[] {
  if (!existsSync(file)) {
    throw new UserError('FARM_INVALID', file, 'is missing: this folder holds no gold to make a world of');
  }
  return parsed(file, () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => sample.parse(parseExactJson(line))),
  );
}

function parsed<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const fault = 'has been changed since rookery wrote it; generate the farm again';
    throw new UserError('FARM_INVALID', file, fault, { cause });
  }
}

/** The hash of the seed alone, so that anyone can check it: `printf %s <seed> | sha256sum`. */
export function commitmentOf(seed: string): string {
  return createHash('sha256').update(seed, 'utf8').digest('hex');
}

/** Whether a table may grow by a row (1), shrink (-1) or stay (0). */
export type Way = 1 | -1 | 0;

/** By domain and table. */
type Growth = ReadonlyMap<string, ReadonlyMap<string, Way>>;

/** Share of all tables that may leave one size upwards, and downwards. */
const MAX_SHARE = 0.045;

/**
 * Directions that nearly preserve the distribution of table sizes: of equal sizes every other table grows; a
 * lone odd one grows to meet those that shrink.
 */
export function growthOf(catalogs: readonly Catalog[]): Growth {
  const growth = new Map(catalogs.map(({ db }) => [db, new Map<string, Way>()]));
  const all = catalogs.flatMap(({ tables }) => tables.filter(({ view }) => !view)).length;
  const most = 2 * Math.max(1, Math.floor(MAX_SHARE * all));
  const seen = new Map<number, number>();
  for (const { db, tables } of catalogs) {
    for (const { name, rows, view } of tables) {
      if (view) continue;
      const nth = seen.get(rows) ?? 0;
      seen.set(rows, nth + 1);
      growth.get(db)?.set(name, nth >= most ? 0 : (nth + rows) % 2 === 1 ? 1 : -1);
    }
  }
  return growth;
}
