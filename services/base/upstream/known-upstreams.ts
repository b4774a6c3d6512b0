import { Upstream, type UpstreamOptions } from './upstream.ts';

/** The upstream of a domain's service. */
export function domainUpstream(db: string, options: UpstreamOptions): Upstream {
  return new Upstream(
    { db, name: db, title: `The service of ${db}`, goneCode: 'DOMAIN_UNAVAILABLE' },
    options,
  );
}

/** The upstream of the one process that keeps what agents need beside the domains. */
export function agentsUpstream(options: UpstreamOptions): Upstream {
  const title = 'The process that keeps tasks, tool lists, MCP and runs';
  return new Upstream({ db: '', name: 'agents', title, goneCode: 'AGENTS_UNAVAILABLE' }, options);
}
