import type { Catalog, CatalogTable } from '../../contracts/catalog.ts';
import type { SourceId } from '../ir/nodes.ts';
import type { Carrier } from '../parse/carrier.ts';
import { foldName } from './fold-name.ts';

/** A common table expression in scope: its name in the IR and its columns. */
export interface KnownCte {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Shared state of binding one query: its carrier, the catalog, and fresh names. */
export class Binder {
  readonly carrier: Carrier;
  /** What `'now'` means: `YYYY-MM-DD HH:MM:SS`. */
  readonly referenceTime: string;
  private readonly tables: ReadonlyMap<string, CatalogTable>;
  private readonly cteNames = new Set<string>();
  private sources = 0;

  constructor(carrier: Carrier, catalog: Catalog, referenceTime: string) {
    this.carrier = carrier;
    this.referenceTime = referenceTime;
    this.tables = new Map(catalog.tables.map((table) => [foldName(table.name), table]));
  }

  table(name: string): CatalogTable | null {
    return this.tables.get(foldName(name)) ?? null;
  }

  nextSource(): SourceId {
    this.sources++;
    return `T${this.sources}`;
  }

  /** The name itself unless another CTE or a table has it. */
  uniqueCteName(name: string): string {
    let unique = name;
    for (let n = 2; this.cteNames.has(foldName(unique)) || this.table(unique) !== null; n++)
      unique = `${name}_${n}`;
    this.cteNames.add(foldName(unique));
    return unique;
  }
}

/** CTEs in scope by folded name. */
export type CteScope = ReadonlyMap<string, KnownCte>;
