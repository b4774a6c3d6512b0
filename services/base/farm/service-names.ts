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
