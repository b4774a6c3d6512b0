import { Rookery } from '../../client/index.ts';
import { UserError } from '../../contracts/errors.ts';
import { readFarm, type ScoredFarm } from '../../eval/farm/read-farm.ts';
import type { FarmAccess } from '../../runner/harness/prepare-cell.ts';
import { textFetch } from '../../runner/text-fetch.ts';
import { loadFarm, makeHarnessKey } from '../../services/index.ts';
import { openFarmData } from './farm-data.ts';
import { startFarmProcess } from './farm-process.ts';
import { splitDatabases } from './split-databases.ts';

export interface OpenedFarm extends FarmAccess {
  /** Where the gold is; null when it is nowhere on this machine. */
  readonly folder: string | null;
  readonly scored: ScoredFarm | null;
  close(): Promise<void>;
}

export interface OpenFarmOptions {
  /** The folder of a farm that is served elsewhere. */
  readonly gold?: string;
  /** The split that the farm was made from: SQL then runs on its own databases. */
  readonly split?: string;
  /** Sent to a farm that requires keys. */
  readonly apiKey?: string;
  /** Opens, at a farm that is served elsewhere, what tells of gold: parts of toolsets, faults, whole records. */
  readonly harnessKey?: string;
}

/**
 * A farm to run on: a folder, which is served by a process of its own, or an address. Functions that need
 * the gold exist only with a folder. Throws FARM_NOT_FOUND, FARM_INVALID, and OPTION_INVALID for an address where none
 * answers.
 */
export async function openFarmAccess(place: string, options: OpenFarmOptions = {}): Promise<OpenedFarm> {
  if (/^https?:\/\//.test(place)) return openServed(place, options);
  const scored = readFarm(place);
  const harnessKey = makeHarnessKey();
  const opening = [openFolder(scored, options.split), startFarmProcess({ farm: place, harnessKey })] as const;
  try {
    const [local, served] = await Promise.all(opening);
    return {
      ...local,
      client: new Rookery(served.address, { harnessKey, fetch: textFetch() }),
      keepsRecords: false,
      close: async () => void (await Promise.all([local.close(), served.close()])),
    };
  } catch (error) {
    await Promise.allSettled(opening.map(async (each) => (await each).close()));
    throw error;
  }
}

async function openServed(
  address: string,
  { gold, apiKey, harnessKey, split }: OpenFarmOptions,
): Promise<OpenedFarm> {
  const client = new Rookery(address, {
    fetch: textFetch(),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(harnessKey === undefined ? {} : { harnessKey }),
  });
  try {
    await client.get('/tasks?limit=1');
  } catch (cause) {
    const { message, cause: below } = cause as Error;
    const reason = below instanceof Error ? below.message : message;
    const fix = 'give the address that `rookery serve` prints';
    throw new UserError('OPTION_INVALID', address, `no farm answers there (${reason}); ${fix}`, { cause });
  }
  if (gold !== undefined) return { ...(await openFolder(readFarm(gold), split)), client, keepsRecords: true };
  return {
    client,
    keepsRecords: true,
    name: address,
    split: null,
    hash: null,
    samples: null,
    data: null,
    folder: null,
    scored: null,
    close: async () => {},
  };
}

async function openFolder(
  scored: ScoredFarm,
  split?: string,
): Promise<Omit<OpenedFarm, 'client' | 'keepsRecords'>> {
  const { folder, farm, hash, samples } = scored;
  const { domains } = await loadFarm(folder);
  const catalogs = new Map(domains.map(({ service }) => [service.db, service.catalog]));
  const data = openFarmData(
    folder,
    farm.reference_time,
    catalogs,
    split === undefined ? undefined : splitDatabases(split),
  );
  return {
    name: farm.name,
    split: farm.split.name,
    hash,
    samples,
    data,
    folder,
    scored,
    close: () => data.close(),
  };
}
