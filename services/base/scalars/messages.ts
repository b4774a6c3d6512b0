import type { FieldError } from '../../../contracts/api.ts';
import type { JsonRows, SqlValue } from '../sqlite/driver.ts';
import type { PlaceSource } from './gazetteer.ts';
import type { ReadStatement, StatementScope } from './read-statement.ts';

/** Rows that a statement reads as a table, though no table of the database has them. */
export interface GivenTable {
  readonly name: string;
  /** In the order of each row. */
  readonly columns: readonly GivenColumn[];
  readonly rows: readonly (readonly SqlValue[])[];
}

export interface GivenColumn {
  readonly name: string;
  /** As declared where they come from: it decides how values are stored and compared. */
  readonly declaredType: string;
  /** BINARY unless declared otherwise. */
  readonly collation: string;
  /** Whether it is the table's only key and an INTEGER PRIMARY KEY, so that its order is that of the rows. */
  readonly isRowid: boolean;
}

/** The values of scalar APIs that are known, by `callKey`. */
export type KnownValues = Readonly<Record<string, SqlValue>>;

/** A statement from outside, to be read and bound before it is run. */
export interface GivenStatement {
  readonly sql: string;
  readonly scope: StatementScope;
}

/** A statement that was printed by us, so that it names nothing but what it may. */
export interface PrintedStatement {
  readonly sql: string;
  /** What its columns are called. */
  readonly columns: readonly string[];
}

/** Asks what a statement says. */
export interface ReadRequest extends GivenStatement {
  readonly kind: 'read';
}

/** One SELECT, and what it reads besides the database. */
export interface RunRequest {
  readonly kind: 'run';
  /** The SQLite file; it is only read. */
  readonly database: string;
  readonly statement: GivenStatement | PrintedStatement;
  readonly tables: readonly GivenTable[];
  /**
   * The scalar APIs as functions and virtual tables: computed here, with the places that these tables tell of, or looked up
   * among values that are known.
   */
  readonly scalars: { readonly places: readonly PlaceSource[] } | { readonly known: KnownValues };
  readonly caps: { readonly offset?: number; readonly maxRows: number; readonly maxBytes: number };
  /** Whether rows come as values (`rows`) rather than as JSON text. */
  readonly raw: boolean;
}

/** A call of a scalar API whose value was not known. */
export interface ScalarCall {
  readonly api: string;
  readonly inputs: readonly SqlValue[];
}

export type WorkspaceRequest = ReadRequest | RunRequest;

export type WorkspaceReply =
  | ({ readonly kind: 'read' } & ReadStatement)
  | { readonly kind: 'refused'; readonly errors: readonly FieldError[] }
  | RunReply;

export type RunReply =
  | { readonly kind: 'rows'; readonly columns: readonly string[]; readonly rows: JsonRows }
  | {
      readonly kind: 'values';
      readonly values: readonly (readonly SqlValue[])[];
      readonly truncated: boolean;
    }
  /** Nothing is known of the rows until these are. */
  | { readonly kind: 'missing'; readonly calls: readonly ScalarCall[] };

/** What tells one call of a scalar API from another. */
export function callKey(api: string, inputs: readonly SqlValue[]): string {
  return JSON.stringify([api, ...inputs.map((value) => [typeof value, String(value)])]);
}
