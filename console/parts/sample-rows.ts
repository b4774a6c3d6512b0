import { callTool } from './call-tool.ts';

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
  const start = await callTool<TableAnswer>(`${base}/initialize_active_data?preview=0`, {
    condition_sequence: [],
    alias_to_table_dict: { T1: { original_table_name: table, modified_table_name: table } },
  });
  const { columns, preview } = await callTool<TableAnswer>(`${base}/truncate?preview=${limit}`, {
    truncate_array: start.handle,
    n: limit,
    offset,
  });
  return { columns, rows: preview };
}
