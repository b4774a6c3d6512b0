import type { OpenapiSource } from '../../base/farm/load-farm.ts';
import type { DomainRegistry } from '../runtime/domain-registry.ts';

/** Context of the pages and files that describe a service. */
export interface PageContext {
  readonly domains: DomainRegistry;
  /** The text of an emitted OpenAPI file, if the farm has it. */
  readonly openapi: OpenapiSource;
  /** Whether the farm has that file. */
  readonly hasOpenapi: (db: string, formulation: string) => boolean;
}
