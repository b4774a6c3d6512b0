import { formulation } from '../../contracts/sample.ts';
import type { Service } from '../../contracts/service.ts';
import { SERVED_FORMULATIONS } from '../../services/domain/formulations/registry.ts';
import type { DomainResult } from '../emit/emit-farm.ts';

/** The OpenAPI documents of a domain; of `hybrid` where some of its tables are hidden. */
export function documentsOf(service: Service): DomainResult['openapi'] {
  return formulation.options
    .filter((kind) => kind !== 'hybrid' || service.hidden)
    .map((kind) => ({ formulation: kind, document: SERVED_FORMULATIONS[kind].openapi(service) }));
}
