import type { FoundEndpoints } from '../../../contracts/found-endpoints.ts';
import { DEFAULT_LIST } from '../../../contracts/list-options.ts';
import type { Endpoint, Service } from '../../../contracts/service.ts';
import type { ToolLists } from './tool-lists.ts';

interface Searched {
  readonly services: ReadonlyMap<string, Service>;
  readonly lists: ToolLists;
}

/**
 * The endpoints of all domains that fit some words, under the farm's own names: the search that agents have by
 * `via=search`, for people.
 */
export function findEndpoints(
  { services, lists }: Searched,
  { query, limit }: { readonly query: string; readonly limit: number },
): FoundEndpoints {
  const [db] = services.keys();
  if (db === undefined) return { endpoints: [] };
  const subject = { db, formulation: 'rest' as const, start_tables: [] };
  const list = lists.get({ subject, options: { ...DEFAULT_LIST, scope: 'farm', via: 'search' } }, null);
  return {
    endpoints: list.search(query, limit).map(({ name: shown }) => {
      const { service, name } = list.placed(shown);
      return described(service, name);
    }),
  };
}

function described(service: Service, tool: string): FoundEndpoints['endpoints'][number] {
  // The list was made of the endpoints of these services.
  const endpoint = service.endpoints.find(({ operation_id }) => operation_id === tool) as Endpoint;
  const { name, summary, path } = endpoint;
  return { split: service.split, db: service.db, name, summary, path };
}
