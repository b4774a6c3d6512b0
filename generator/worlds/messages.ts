import type { Catalog } from '../../contracts/catalog.ts';
import type { Pair, Way } from './growth.ts';

/** What the child is to alter: one domain. */
export interface AlterRequest {
  /** The served database; only read. */
  readonly served: string;
  readonly catalog: Catalog;
  /** Whether a table may rather grow or shrink, by name. */
  readonly growth: ReadonlyMap<string, Way>;
  readonly seed: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  /** Gold SQL as given, in a fixed order. */
  readonly questions: readonly string[];
  /** Paths of the files to write: as served, and without what serving added. */
  readonly target: { readonly served: string; readonly plain: string };
}

/** What it came to. */
export interface AlterReply {
  readonly literals: readonly Pair[];
  readonly rowCounts: readonly Pair[];
}
