import type { QueryErrorCode } from '../../contracts/errors.ts';
import type { Row } from '../../contracts/value.ts';
import type { PlaceSource } from '../../services/base/scalars/place-sources.ts';

/** Limits of one SELECT's result. */
export interface OracleLimits {
  readonly maxRows: number;
  /** Approximate bytes of JSON. */
  readonly maxBytes: number;
}

/**
 * Which SQLite answers: `native` takes `"text"` for a name only, `wasm` falls back to a string as SQLite does,
 * `requoted` is the native one with these strings written as such.
 */
export type Engine = 'native' | 'wasm' | 'requoted';

/** What every request says. */
interface OnDatabase {
  readonly file: string;
  /** Given where the statement may call scalar APIs: the tables that tell of places. */
  readonly places?: readonly PlaceSource[];
}

/** What the oracle asks of its child. */
export interface OracleRequest extends OnDatabase {
  readonly sql: string;
  /** null: native when it accepts the text as given, else wasm, or requoted for a large database. */
  readonly engine: Engine | null;
  /** Visit rows in the opposite order wherever the SQL asks for none. */
  readonly reversed: boolean;
}

/** Requests a query's rows as SQLite stores them; the native SQLite must accept the query. */
export interface StoredRequest extends OnDatabase {
  readonly storedOf: string;
  /** How often the query may call `VISITED`. */
  readonly maxVisits: number;
}

/** Asks how often a query calls `VISITED`, up to once more than `maxVisits`. */
export interface VisitsRequest extends OnDatabase {
  readonly visitsOf: string;
  readonly maxVisits: number;
}

/** The function by which a query counts the rows it visits; always true. */
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
