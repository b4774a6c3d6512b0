import type { Service } from '../../../contracts/service.ts';

/** A domain to serve. */
export interface DomainOptions {
  readonly service: Service;
  /** Path of the SQLite file. */
  readonly database: string;
  /** Stands for everything an answer depends on; without one, ETags hold for this process only. */
  readonly version?: string;
}
