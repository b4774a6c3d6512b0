import type { TableApiStyle } from '../../../contracts/table-api.ts';
import type { Limits } from '../../base/limits.ts';
import type { AnswerCache } from './answer-cache.ts';
import type { DomainRegistry } from './domain-registry.ts';
import type { Metrics } from './metrics.ts';
import type { SlowQueries } from './slow-queries.ts';
import type { Workspaces } from './workspaces.ts';

/** Context of every route over a domain's data. */
export interface RuntimeContext {
  readonly domains: DomainRegistry;
  readonly limits: Limits;
  /** Where queries run that may take long: each is stopped at the limit and delays no other. */
  readonly slowQueries: SlowQueries;
  /** Where statements from outside run. */
  readonly workspaces: Workspaces;
  /** How much the APIs of tables can do; rich unless given. */
  readonly tableApi?: TableApiStyle | undefined;
  readonly cache: AnswerCache;
  readonly metrics: Metrics;
}
