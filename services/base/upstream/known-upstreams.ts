import { Upstream, type UpstreamOptions } from './upstream.ts';

/** The upstream of the service of some domains. */
export function domainsUpstream(dbs: readonly string[], options: UpstreamOptions): Upstream {
  // A service of several domains is known by the name that it has in its address.
  const [db = '', ...others] = dbs;
  const name = others.length === 0 ? db : (options.urls[0]?.hostname ?? db);
  return new Upstream(
    { dbs, name, title: `The service of ${name}`, goneCode: 'DOMAIN_UNAVAILABLE' },
    options,
  );
}

/** The upstreams of domains by where these are: those at the same place are served by one service. */
export function upstreamsOf(
  places: ReadonlyMap<string, readonly URL[]>,
  limits: Omit<UpstreamOptions, 'urls'>,
): Upstream[] {
  const services = new Map<string, { readonly urls: readonly URL[]; readonly dbs: string[] }>();
  for (const [db, urls] of places) {
    const place = urls.join(' ');
    const service = services.get(place) ?? { urls, dbs: [] };
    services.set(place, service);
    service.dbs.push(db);
  }
  return [...services.values()].map(({ urls, dbs }) => domainsUpstream(dbs, { ...limits, urls }));
}

/** The upstream of the one process that keeps what agents need beside the domains. */
export function agentsUpstream(options: UpstreamOptions): Upstream {
  const title = 'The process that keeps tasks, tool lists, MCP and runs';
  return new Upstream({ dbs: [], name: 'agents', title, goneCode: 'AGENTS_UNAVAILABLE' }, options);
}
