import { addressOf } from '../../../contracts/formulations/call-request.ts';
import { FORMULATIONS } from '../../../contracts/formulations/registry.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import { writeJson } from '../../base/http/json-text.ts';
import type { BackendRequest } from '../backend/backend.ts';
import type { RealCall } from '../tool-lists/tool-list.ts';

/** The request that carries out a call; `view` is the query string for `preview`, `offset` and `limit` of SLOT and SEL. */
export function toolRequest(
  formulation: Formulation,
  { service, tool: name, arguments: args }: RealCall,
  view: string,
): BackendRequest {
  const request = FORMULATIONS[formulation].requestOf(service, { name, arguments: args });
  const address = addressOf(request);
  return {
    method: request.method,
    path: view === '' ? address : `${address}?${view}`,
    // As the agent wrote it: `5.0` stays `5.0`.
    ...(request.body === undefined ? {} : { body: writeJson(request.body) }),
  };
}
