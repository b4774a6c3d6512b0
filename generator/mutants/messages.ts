import type { Catalog } from '../../contracts/catalog.ts';

/** Gold SQL and some of its mutants, by their place among `mutantsOf`. */
export interface Suspect {
  readonly sql: string;
  readonly mutants: readonly number[];
}

/** What a child is to find out: which mutants can be told from their gold SQL by changing a few rows. */
export interface SearchRequest {
  /** The database; only read. */
  readonly file: string;
  /** A path for a copy. */
  readonly scratch: string;
  readonly catalog: Catalog;
  readonly seed: string;
  /** `YYYY-MM-DD HH:MM:SS`, UTC. */
  readonly referenceTime: string;
  readonly suspects: readonly Suspect[];
}

/** For each suspect, the mutants that some change tells from it. */
export type SearchReply = readonly (readonly number[])[];
