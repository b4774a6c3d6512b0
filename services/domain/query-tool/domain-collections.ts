import type { Service } from '../../../contracts/service.ts';
import { type Collection, collectionsOf } from './collections.ts';

const known = new WeakMap<Service, readonly Collection[]>();

/** The collections of a domain's service; made once. */
export function domainCollections(service: Service): readonly Collection[] {
  const made = known.get(service) ?? collectionsOf(service.catalog, service.search_indexes);
  known.set(service, made);
  return made;
}
