import { UserError } from '../../../contracts/errors.ts';
import type { Farm } from '../../../contracts/farm.ts';
import { chooseDomains } from './choose-domains.ts';
import { serviceGroups } from './service-groups.ts';

export interface PlacesOptions {
  /** Only these domains were deployed. */
  readonly only?: readonly string[];
  /** Into how many services they were divided; without it, one a domain. */
  readonly services?: number;
  /** Which of them are meant, by their own names or those of their services; all unless given. */
  readonly chosen?: readonly string[];
  /** Where services are: an http address with `{service}` in place of the service's name. */
  readonly servicesAt: string;
}

/** Where the service of each domain is; domains of one service are at one place. Throws OPTION_INVALID. */
export function servicePlaces(
  farm: Farm,
  { only, services, chosen, servicesAt }: PlacesOptions,
): Map<string, URL[]> {
  const all = farm.domains.map(({ db }) => db);
  const groups = serviceGroups(all, chooseDomains(farm, only), services);
  const byName = new Map(groups.map(({ name, dbs }) => [name, dbs]));
  const meant = chooseDomains(
    farm,
    chosen?.flatMap((name) => byName.get(name) ?? [name]),
  );
  const fix = 'give an address as http://{service}:8080';
  return new Map(
    groups.flatMap(({ name, dbs }) => {
      const urls = [placeOf(servicesAt.replaceAll('{service}', name), '--services-at', fix)];
      return dbs.filter((db) => meant.includes(db)).map((db) => [db, urls] as const);
    }),
  );
}

/** The http address that an option gives, which has no path. Throws OPTION_INVALID. */
export function placeOf(text: string, option: string, fix: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' && url.pathname === '/' && url.search === '') return url;
  throw new UserError('OPTION_INVALID', option, `${text} cannot be used; ${fix}`);
}
