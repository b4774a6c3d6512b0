import type { FieldError } from '../../../contracts/api.ts';
import type { JsonRows, SqlValue } from '../sqlite/driver.ts';
import type { PlaceSource } from './gazetteer.ts';
import type { ReadStatement, StatementScope } from './read-statement.ts';
import type { ApiRows } from './scalars.ts';

/** Rows that a statement reads as a table that the database does not have. */
export interface GivenTable {
  readonly name: string;
  /** In the order of each row's values. */
  readonly columns: readonly GivenColumn[];
  readonly rows: readonly (readonly SqlValue[])[];
}

export interface GivenColumn {
  readonly name: string;
  /** As declared at the origin, since it determines how values are stored and compared. */
  readonly declaredType: string;
  /** Default: BINARY. */
  readonly collation: string;
  /** Whether it is an INTEGER PRIMARY KEY, so that rows come in its order. */
  readonly isRowid: boolean;
}

/** Known answers of scalar APIs, by `callKey`. */
export type KnownAnswers = Readonly<Record<string, ApiRows>>;

/** A caller's statement, still to be parsed and bound. */
export interface GivenStatement {
  readonly sql: string;
  readonly scope: StatementScope;
}

/** A statement that we have printed, so that it names only what it may. */
export interface PrintedStatement {
  readonly sql: string;
  readonly columns: readonly string[];
}

export interface ReadRequest extends GivenStatement {
  readonly kind: 'read';
}

/** A SELECT, and its inputs besides the database. */
export interface RunRequest {
  readonly kind: 'run';
  readonly database: string;
  readonly statement: GivenStatement | PrintedStatement;
  readonly tables: readonly GivenTable[];
  /**
   * The scalar APIs as functions and virtual tables: computed here with the places in these tables, or looked up among
   * known answers.
   */
  readonly scalars: { readonly places: readonly PlaceSource[] } | { readonly known: KnownAnswers };
  readonly caps: { readonly offset?: number; readonly maxRows: number; readonly maxBytes: number };
  /** Whether rows are values (`rows`) instead of JSON text. */
  readonly raw: boolean;
}

/** A call of a scalar API whose answer is not known yet. */
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
  /** No rows can be computed until these calls are made. */
  | { readonly kind: 'missing'; readonly calls: readonly ScalarCall[] };

export function callKey(api: string, inputs: readonly SqlValue[]): string {
  return JSON.stringify([api, ...inputs.map((value) => [typeof value, String(value)])]);
}
