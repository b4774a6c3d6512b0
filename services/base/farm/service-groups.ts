/** A service of a farm in containers: its DNS name and its domains. */
export interface ServiceGroup {
  readonly name: string;
  readonly dbs: readonly string[];
}

/** Default maximum number of services: more containers gain little and cost 40 MB each. */
export const MAX_SERVICES = 24;

/**
 * Groups the chosen domains, given in farm order, into services: one per domain, or `max` of equal size with neighbours
 * together. Deployment files and the gateway, which looks services up, must agree on it.
 */
export function serviceGroups(
  all: readonly string[],
  chosen: readonly string[],
  max: number = Number.POSITIVE_INFINITY,
): ServiceGroup[] {
  if (chosen.length <= max) {
    const names = serviceNames(all);
    return chosen.map((db) => ({ name: names.get(db) ?? db, dbs: [db] }));
  }
  const digits = String(max).length;
  return Array.from({ length: max }, (_, i) => ({
    name: `domains-${String(i + 1).padStart(digits, '0')}`,
    dbs: chosen.slice(Math.floor((i * chosen.length) / max), Math.floor(((i + 1) * chosen.length) / max)),
  }));
}

/** Names of other processes, of the volume of runs, of the delivery of farm files, and the word for all domains. */
const RESERVED = ['gateway', 'agents', 'runs', 'farm', 'all'];
const MAX_LETTERS = 50;

/**
 * The DNS name of each domain's service, from a farm's domains in order: lower-case letters, digits and hyphens,
 * unique. The gateway looks services up by it, and deployments name them by it.
 */
export function serviceNames(dbs: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set(RESERVED);
  const names = new Map<string, string>();
  for (const db of dbs) {
    const wanted = dnsLabel(db);
    let name = wanted;
    for (let i = 2; used.has(name); i++) name = `${wanted}-${i}`;
    used.add(name);
    names.set(db, name);
  }
  return names;
}

function dnsLabel(db: string): string {
  const label = db
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LETTERS)
    .replace(/^-+|-+$/g, '');
  return /^[a-z]/.test(label) ? label : `db-${label}`.replace(/-+$/, '');
}

/** Parses the domain names of `--only`: separated by commas, with commas in names escaped by a backslash. */
export function readOnly(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((name) => name.replaceAll('\\,', ','))
    .filter((name) => name !== '');
}

/** The `--only` option for one domain. No domain name has a backslash. */
export function onlyOption(db: string): string {
  return `--only=${db.replaceAll(',', '\\,')}`;
}
