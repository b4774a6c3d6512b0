import { readPath } from '../../../contracts/path-template.ts';
import type { Endpoint } from '../../../contracts/service.ts';

/**
 * The parameters in the path of a request to an endpoint, by name; null where it is no path of the endpoint's. Every
 * endpoint answers at its name alone too, where all parameters are in the query string. `segments` are those after the
 * domain's, decoded.
 */
export function readEndpointPath(
  endpoint: Pick<Endpoint, 'path'> | undefined,
  segments: readonly string[],
): Readonly<Record<string, string>> | null {
  if (segments.length === 1) return {};
  return endpoint ? readPath(endpoint.path, segments) : null;
}
