import type { QueryErrorCode } from '../../contracts/errors.ts';
import type { Row } from '../../contracts/value.ts';

/** What one run of a SELECT may give before it is refused. */
export interface OracleLimits {
  readonly maxRows: number;
  /** Bytes of JSON, about. */
  readonly maxBytes: number;
}

/**
 * Which SQLite answers: `native` takes `"text"` for a name only, `wasm` falls back to a string as SQLite does,
 * `requoted` is the native one with these strings written as such.
 */
export type Engine = 'native' | 'wasm' | 'requoted';

/** What the oracle asks of its child. */
export interface OracleRequest {
  readonly file: string;
  readonly sql: string;
  /** null: native when it accepts the text as given, else wasm, or requoted for a large database. */
  readonly engine: Engine | null;
  /** Visit rows in the opposite order wherever the SQL asks for none. */
  readonly reversed: boolean;
}

/** Asks for rows as SQLite stores them, of a query that the native SQLite accepts. */
export interface StoredRequest {
  readonly file: string;
  readonly storedOf: string;
  /** How often the query may call `VISITED`. */
  readonly maxVisits: number;
}

/** The function with which a query of ours counts the rows it visits; true whatever it is given. */
export const VISITED = 'rookery_visited';

/** A value as SQLite stores it; a Uint8Array is a blob. */
export type Stored = bigint | number | string | Uint8Array | null;

/** The rows SQLite gives. */
export interface OracleAnswer {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
  readonly engine: Engine;
}

/** A query error as a value, since classes do not cross a process boundary. */
export interface OracleFailure {
  readonly code: QueryErrorCode;
  readonly reason: string;
}
