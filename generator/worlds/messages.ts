import type { Catalog } from '../../contracts/catalog.ts';
import type { BeforeAfter, Way } from './growth.ts';

/** One domain for the child to alter. */
export interface AlterRequest {
  /** The served database; only read. */
  readonly served: string;
  readonly catalog: Catalog;
  /** By table. */
  readonly growth: ReadonlyMap<string, Way>;
  readonly seed: string;
  readonly referenceTime: string;
  /** Gold SQL as given, in a fixed order. */
  readonly questions: readonly string[];
  /** Files to write: as served, and without indexes and statistics. */
  readonly target: { readonly served: string; readonly plain: string };
}

export interface AlterReply {
  readonly literals: readonly BeforeAfter[];
  readonly rowCounts: readonly BeforeAfter[];
}
