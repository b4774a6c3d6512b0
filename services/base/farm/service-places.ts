import { UserError } from '../../../contracts/errors.ts';
import type { Farm } from '../../../contracts/farm.ts';
import { chooseDomains } from './choose-domains.ts';
import { serviceNames } from './service-names.ts';

export interface PlacesOptions {
  /** Only these domains; by their own names or those of their services. */
  readonly only?: readonly string[];
  /** Where services are: an http address with `{service}` in place of the service's name. */
  readonly servicesAt: string;
}

/** Where the service of each domain is. Throws OPTION_INVALID. */
export function servicePlaces(farm: Farm, { only, servicesAt }: PlacesOptions): Map<string, URL[]> {
  const names = serviceNames(farm.domains.map(({ db }) => db));
  const byService = new Map([...names].map(([db, service]) => [service, db]));
  const chosen = chooseDomains(
    farm,
    only?.map((name) => byService.get(name) ?? name),
  );
  const fix = 'give an address as http://{service}:8080';
  return new Map(
    chosen.map((db) => {
      const text = servicesAt.replaceAll('{service}', names.get(db) ?? db);
      return [db, [placeOf(text, '--services-at', fix)]];
    }),
  );
}

/** The http address that an option gives, which has no path. Throws OPTION_INVALID. */
export function placeOf(text: string, option: string, fix: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url;
  throw new UserError('OPTION_INVALID', option, `${text} cannot be used; ${fix}`);
}
