import type { Catalog, CatalogColumn, CatalogTable } from '../../contracts/catalog.ts';
import type { Question } from '../../contracts/split.ts';
import type { Row } from '../../contracts/value.ts';
import type { Origins, Query } from '../../sql/index.ts';

/** One gold query, and what a rule may find out about it. Queries that SQLite does not run give null. */
export interface AuditedQuery {
  readonly question: Question;
  readonly query: Query;
  readonly catalog: Catalog;
  readonly origins: Origins;
  /** The gold rows. */
  readonly rows: readonly Row[];
  /** Rows of another query on the original database. */
  run(query: Query): Promise<readonly Row[] | null>;
  /** Rows of SQL of the rule's own on the original database. */
  runSql(sql: string): Promise<readonly Row[] | null>;
  /** Whether a changed query gives another answer, on the original or on a neighbour of it. */
  differs(changed: Query): Promise<boolean>;
}

/** Something in a gold query that is probably not what its question asks for. */
export interface Finding {
  /** What is wrong here, in one sentence. */
  readonly reason: string;
  /** What would mend it. */
  readonly suggestion: string;
}

/** One rule of the audit. To add one, add a file beside the others and a line in `rules/index.ts`. */
export interface Rule {
  /** `fan_out`, as reports and flags name it. */
  readonly name: string;
  /** Why it matters, in one sentence. */
  readonly why: string;
  /** Whether its findings make a sample unclean. Rules that are right less often only inform. */
  readonly byDefault: boolean;
  /** Whether it asks what a query answers on neighbours, which take time to make. */
  readonly asksNeighbours?: true;
  check(audited: AuditedQuery): Promise<readonly Finding[]> | readonly Finding[];
}

/** A column as people would name it in a report. */
export function columnLabel(table: CatalogTable, column: CatalogColumn): string {
  return `${table.name}.${column.name}`;
}
