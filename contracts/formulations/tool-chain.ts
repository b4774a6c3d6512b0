import { domainPath } from '../domain-path.ts';
import type { Formulation } from '../sample.ts';
import { rowCount } from './answer-facts.ts';
import type { CalledService, FormulationContract, SentCall } from './formulation-contract.ts';
import { replayChain } from './replay-chain.ts';

type Described = Pick<FormulationContract, 'name' | 'title' | 'summary'>;

/** A formulation whose calls are tools that turn tables, columns and values into others. */
export function toolChain(described: Described): FormulationContract {
  const routeOf = (service: CalledService, tool: string) => ({
    method: 'POST' as const,
    path: `${toolRoot(service, described.name)}/${encodeURIComponent(tool)}`,
  });
  const requestOf = (service: CalledService, call: SentCall) => ({
    ...routeOf(service, call.name),
    query: [],
    body: call.arguments ?? {},
  });
  return {
    ...described,
    calls: 'chain',
    everyQuestion: true,
    routeOf,
    requestOf,
    replay: (service, calls, context) =>
      replayChain(calls, { ...context, requestOf: (call) => requestOf(service, call) }),
    factsOf(body) {
      const handle = /^\{"kind":"\w+","handle":"([^"\\]*)"/.exec(body)?.[1] ?? null;
      return { rows: body.startsWith('{"kind":"value"') ? 1 : rowCount(body, 'first'), handle };
    },
  };
}

/** Where the tools of a domain are: `/v1/<split>/<db>/<formulation>`. */
export function toolRoot({ split, db }: Pick<CalledService, 'split' | 'db'>, name: Formulation): string {
  return `${domainPath(split, db)}/${name}`;
}
