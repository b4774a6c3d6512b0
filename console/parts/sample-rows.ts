import { RookeryError } from '../../client/index.ts';
import { parseToShow } from '../exact-json.ts';
import { farm } from '../farm.ts';

interface RowsWanted {
  readonly split: string;
  readonly db: string;
  readonly table: string;
  readonly offset: number;
  /** At most 100. */
  readonly limit: number;
}

interface TableAnswer {
  readonly handle: string;
  readonly columns: readonly string[];
  readonly preview: readonly Readonly<Record<string, unknown>>[];
}

/** Some rows of a table, by the general tools that every domain has. Throws RookeryError. */
export async function sampleRows({ split, db, table, offset, limit }: RowsWanted) {
  const base = `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}/slot`;
  const start = await call(`${base}/initialize_active_data?preview=0`, {
    condition_sequence: [],
    alias_to_table_dict: { T1: { original_table_name: table, modified_table_name: table } },
  });
  const { columns, preview } = await call(`${base}/truncate?preview=${limit}`, {
    truncate_array: start.handle,
    n: limit,
    offset,
  });
  return { columns, rows: preview };
}

async function call(path: string, args: unknown): Promise<TableAnswer> {
  const answer = await farm().send(path, { method: 'POST', body: JSON.stringify(args) });
  const text = await answer.text();
  if (!answer.ok) throw RookeryError.of(answer.status, text);
  return parseToShow(text) as TableAnswer;
}
