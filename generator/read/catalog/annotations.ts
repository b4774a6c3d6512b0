import type { Facet } from '../../../contracts/catalog.ts';

/** Annotations of tables and columns from a split's files (not its database); null where there are none. */
export interface Annotations {
  /** The files this was read from, for the split's content hash. */
  readonly files: readonly string[];
  /** Sources in order of preference: where two describe the same thing, the earlier wins. */
  readonly tables: readonly TableAnnotation[];
}

export interface TableAnnotation {
  /** As the file spells it; matched to the database's own name leniently. */
  readonly table: string;
  readonly friendly_name: string | null;
  readonly description: string | null;
  readonly columns: readonly ColumnAnnotation[];
}

export interface ColumnAnnotation {
  readonly column: string;
  readonly friendly_name: string | null;
  readonly description: string | null;
  readonly value_description: string | null;
  /** What its texts may be about. */
  readonly facets?: readonly Facet[];
}

export const NO_ANNOTATIONS: Annotations = { files: [], tables: [] };
