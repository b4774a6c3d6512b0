import { serviceNames } from './service-names.ts';

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
