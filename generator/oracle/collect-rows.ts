import { QueryError } from '../../contracts/errors.ts';
import type { Row } from '../../contracts/value.ts';
import type { OracleLimits } from './messages.ts';
import { cellBytes, toCell } from './to-cell.ts';

/** Reads rows of raw SQLite values into cells; throws SQL_TOO_LARGE at the first row beyond the limits. */
export function collectRows(raw: Iterable<readonly unknown[]>, limits: OracleLimits): Row[] {
  const rows: Row[] = [];
  let bytes = 0;
  for (const values of raw) {
    const row = values.map(toCell);
    for (const cell of row) bytes += cellBytes(cell);
    if (rows.length >= limits.maxRows) {
      throw new QueryError('SQL_TOO_LARGE', `more than ${limits.maxRows} rows`);
    }
    if (bytes > limits.maxBytes) throw new QueryError('SQL_TOO_LARGE', `more than ${limits.maxBytes} bytes`);
    rows.push(row);
  }
  return rows;
}
