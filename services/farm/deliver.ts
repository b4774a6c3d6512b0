import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serviceNames } from '../gateway/service-names.ts';
import { chooseDomains } from './choose-domains.ts';
import { readFarm } from './read-farm.ts';
import { servedFiles } from './served-files.ts';

/**
 * Copies what one domain's service reads (without a domain: what the gateway reads) from a farm into a folder, which
 * is then a farm to serve with `only`. farm.json comes last, so that a folder that has it is whole; when it is there
 * already and the same, nothing is done. Throws what reading a farm throws, and Node's errors of copying.
 */
export function deliver(from: string, to: string, db?: string): 'delivered' | 'unchanged' {
  const { root, farm } = readFarm(from);
  const files =
    db === undefined
      ? []
      : servedFiles(chooseDomains(farm, [db])[0] ?? db).filter((path) => path in farm.files);
  const mark = 'farm.json';
  if (sameFile(join(root, mark), join(to, mark))) return 'unchanged';
  rmSync(join(to, mark), { force: true });
  for (const path of [...files, mark]) copyWhole(join(root, path), join(to, path));
  return 'delivered';
}

/**
 * Delivers to everybody: to `<folder>/<service>` what each domain's service reads, by the service's name, and to
 * `<folder>/gateway` what the gateway does. Throws as `deliver` does.
 */
export function deliverAll(from: string, to: string): (readonly [name: string, 'delivered' | 'unchanged'])[] {
  const names = serviceNames(readFarm(from).farm.domains.map(({ db }) => db));
  const services = [...names].map(([db, name]) => [name, deliver(from, join(to, name), db)] as const);
  return [...services, ['gateway', deliver(from, join(to, 'gateway'))]];
}

function sameFile(one: string, other: string): boolean {
  return existsSync(other) && readFileSync(one).equals(readFileSync(other));
}

/** By renaming, so that whoever has the older one open keeps it. */
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
