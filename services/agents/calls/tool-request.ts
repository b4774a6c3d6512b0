import { isLosslessNumber } from 'lossless-json';
import { domainPath } from '../../../contracts/domain-path.ts';
import { parameterText } from '../../../contracts/parameter-text.ts';
import type { Formulation } from '../../../contracts/sample.ts';
import type { Service } from '../../../contracts/service.ts';
import { writeJson } from '../../base/http/json-text.ts';
import type { BackendRequest } from '../backend/backend.ts';
import type { RealCall } from '../tool-lists/tool-list.ts';

/** The request that carries out a call; `view` is the query string for `preview`, `offset` and `limit` of SLOT and SEL. */
export function toolRequest(
  service: Service,
  formulation: Formulation,
  { name, arguments: args }: RealCall,
  view: string,
): BackendRequest {
  if (formulation === 'rest') {
    const path = service.endpoints.find((endpoint) => endpoint.operation_id === name)?.path ?? `/v1/${name}`;
    return { method: 'GET', path: `${path}${queryOf(args)}` };
  }
  const base = `${domainPath(service.split, service.db)}/${formulation}`;
  const path = `${base}/${encodeURIComponent(name)}${view === '' ? '' : `?${view}`}`;
  return { method: 'POST', path, body: writeJson(args ?? {}) };
}

function queryOf(args: unknown): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((args ?? {}) as Record<string, unknown>)) {
    // A missing one is reported by the service.
    for (const item of [value].flat())
      if (item !== null && item !== undefined) query.append(name, textOf(item));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

function textOf(value: unknown): string {
  const isScalar = typeof value !== 'object' || value === null || isLosslessNumber(value);
  return isScalar ? parameterText(value) : writeJson(value);
}
