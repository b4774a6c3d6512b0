import { placeSources } from '../../base/scalars/place-sources.ts';
import { Gazetteer } from '../../base/scalars/places.ts';
import { readPlaces } from '../../base/scalars/read-places.ts';
import type { ServedDomain } from '../runtime/served-domain.ts';

const known = new WeakMap<ServedDomain, Gazetteer>();

/** The places that a domain's tables tell of; read when first asked for. */
export function placesOf(domain: ServedDomain): Gazetteer {
  const made =
    known.get(domain) ?? new Gazetteer(readPlaces(domain.connection(), placeSources(domain.service.catalog)));
  known.set(domain, made);
  return made;
}
