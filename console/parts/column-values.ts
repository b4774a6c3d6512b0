import type { CatalogTable, Cell, ToolAnswer } from '../../client/index.ts';
import { callTool } from './call-tool.ts';

interface ColumnWanted {
  readonly split: string;
  readonly db: string;
  readonly table: CatalogTable;
  readonly column: string;
}

/** So many values a browser still shows as a list. */
const MOST_VALUES = 200;

/** Different values of a column, as the general tools give them; none where they do not. Never rejects. */
export async function columnValues({ split, db, table, column }: ColumnWanted): Promise<readonly Cell[]> {
  const base = `/v1/${encodeURIComponent(split)}/${encodeURIComponent(db)}/slot`;
  try {
    const start = await callTool<Extract<ToolAnswer, { kind: 'table' }>>(
      `${base}/initialize_active_data?preview=0`,
      {
        condition_sequence: [],
        alias_to_table_dict: {
          T1: { original_table_name: table.name, modified_table_name: table.name },
        },
      },
    );
    // Columns of a start table have names of their own, and the table's order.
    const key = start.columns[table.columns.findIndex(({ name }) => name === column)];
    const answer = await callTool<ToolAnswer>(`${base}/retrieve_data?limit=${MOST_VALUES}`, {
      data_source: start.handle,
      key_name: key,
      distinct: true,
      limit: MOST_VALUES,
    });
    return answer.kind === 'column' ? answer.values.filter((value) => value !== null) : [];
  } catch {
    return [];
  }
}
