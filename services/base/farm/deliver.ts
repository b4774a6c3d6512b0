import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Farm } from '../../../contracts/farm.ts';
import { chooseDomains } from './choose-domains.ts';
import { readFarm } from './read-farm.ts';
import { agentFiles, servedFiles } from './served-files.ts';
import { serviceGroups } from './service-groups.ts';

/** Whose files are meant: the service of some domains, the gateway, or the process for agents. */
export type Reader = { readonly dbs: readonly string[] } | 'gateway' | 'agents';

export type Outcome = 'delivered' | 'unchanged';

/**
 * Copies what one process reads from a farm into a folder, which is then a farm to start that process with. farm.json
 * comes last, so that a folder that has it is whole; when it is there already and the same, nothing is done. Throws
 * what reading a farm throws, and Node's errors of copying.
 */
export function deliver(from: string, to: string, reader: Reader): Outcome {
  const { root, farm } = readFarm(from);
  const files = filesOf(farm, reader).filter((path) => path in farm.files);
  const mark = 'farm.json';
  if (sameFile(join(root, mark), join(to, mark))) return 'unchanged';
  rmSync(join(to, mark), { force: true });
  for (const path of [...files, mark]) copyWhole(join(root, path), join(to, path));
  return 'delivered';
}

/**
 * Delivers to everybody, each to `<folder>/<name of the service>`; `services`: into how many the domains are divided.
 * Throws as `deliver` does.
 */
export function deliverAll(
  from: string,
  to: string,
  services?: number,
): (readonly [name: string, Outcome])[] {
  const dbs = readFarm(from).farm.domains.map(({ db }) => db);
  const readers: (readonly [string, Reader])[] = [
    ...serviceGroups(dbs, dbs, services).map((group) => [group.name, group] as const),
    ['gateway', 'gateway'],
    ['agents', 'agents'],
  ];
  return readers.map(([name, reader]) => [name, deliver(from, join(to, name), reader)]);
}

function filesOf(farm: Farm, reader: Reader): string[] {
  if (reader === 'gateway') return [];
  if (reader === 'agents') return farm.domains.flatMap(({ db }) => agentFiles(db));
  return chooseDomains(farm, reader.dbs).flatMap(servedFiles);
}

function sameFile(one: string, other: string): boolean {
  return existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

/** By renaming, so that processes that have the older one open keep it. */
function copyWhole(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  const aside = `${to}.${randomUUID()}`;
  try {
    copyFileSync(from, aside);
    renameSync(aside, to);
  } finally {
    rmSync(aside, { force: true });
  }
}
