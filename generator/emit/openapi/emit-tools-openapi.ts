import type { Service } from '../../../contracts/service.ts';
import { openapiOfTools } from '../../../services/domain/live-tools/toolset/openapi.ts';
import { generalTools } from '../../../services/domain/live-tools/toolset/toolset-for.ts';

/** The OpenAPI 3.1 document of a domain's SLOT tools, whatever table a task begins from: same service, same document. */
export function emitSlotOpenapi(service: Service) {
  return openapiOfTools(service, 'slot', generalTools(service, 'slot'));
}

/** The OpenAPI 3.1 document of a domain's SEL tools, the getters of all start tables among them. */
export function emitSelOpenapi(service: Service) {
  return openapiOfTools(service, 'sel', generalTools(service, 'sel'));
}
