/** A service of a farm in containers: its DNS name, and the domains that it serves. */
export interface ServiceGroup {
  readonly name: string;
  readonly dbs: readonly string[];
}

/** Into how many services a farm is divided unless told otherwise: more containers buy little and cost 40 MB each. */
export const MAX_SERVICES = 24;

/**
 * Which services serve the chosen domains of a farm, whose names are given in its order. As many as there are domains,
 * or `max` of equal size, neighbours together: the same for the deployment files and for the gateway that looks for services.
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

/** Taken by other processes, by the volume of runs, by what delivers a farm's files, and by the word for every domain. */
const RESERVED = ['gateway', 'agents', 'runs', 'farm', 'all'];
const MAX_LETTERS = 50;

/**
 * The DNS name of each domain's service, from the domains of a farm in its order: lower-case letters, digits and
 * hyphens, unique. The gateway finds services by it, and whatever emits a deployment names them by it.
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

/** Names of domains as `--only` takes them: separated by commas, and a comma in a name behind a backslash. */
export function readOnly(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((name) => name.replaceAll('\\,', ','))
    .filter((name) => name !== '');
}

/** The `--only` option that chooses one domain; no name of a domain has a backslash. */
export function onlyOption(db: string): string {
  return `--only=${db.replaceAll(',', '\\,')}`;
}
