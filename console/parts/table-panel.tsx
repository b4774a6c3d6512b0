import { useState } from 'preact/hooks';
import type { CatalogColumn, CatalogTable } from '../../client/index.ts';
import { useAnswer } from '../use-answer.ts';
import { Answer } from './answer.tsx';
import { RowsTable } from './rows-table.tsx';
import { sampleRows } from './sample-rows.ts';

interface TablePanelProps {
  readonly split: string;
  readonly db: string;
  readonly table: CatalogTable;
}

const PAGE = 20;

/** A table: its columns, and its rows a page at a time. */
export function TablePanel({ split, db, table }: TablePanelProps) {
  const [offset, setOffset] = useState(0);
  const { name, description, rows: total, columns } = table;
  const page = useAnswer(`${db} ${name} ${offset}`, () =>
    sampleRows({ split, db, table: name, offset, limit: PAGE }),
  );
  return (
    <section aria-label={`Table ${name}`}>
      {description !== null && <p>{description}</p>}
      <details>
        <summary>
          {columns.length} {columns.length === 1 ? 'column' : 'columns'}
        </summary>
        <RowsTable
          label={`Columns of ${name}`}
          columns={['column', 'type', 'key', 'distinct', 'nulls', 'about']}
          rows={columns.map(describe)}
        />
      </details>
      <Answer asked={page}>
        {({ columns: shown, rows }) => <RowsTable label={`Rows of ${name}`} columns={shown} rows={rows} />}
      </Answer>
      <div class="pages">
        <button type="button" disabled={offset === 0} onClick={() => setOffset(offset - PAGE)}>
          Back
        </button>
        <span role="status">
          {total === 0
            ? 'no rows'
            : `rows ${offset + 1} to ${Math.min(offset + PAGE, total)} of ${total.toLocaleString('en')}`}
        </span>
        <button type="button" disabled={offset + PAGE >= total} onClick={() => setOffset(offset + PAGE)}>
          Further
        </button>
      </div>
    </section>
  );
}

function describe(column: CatalogColumn): Record<string, unknown> {
  const { name, type, primary_key, statistics, friendly_name, description, value_description } = column;
  return {
    column: name,
    type,
    key: primary_key > 0 ? 'primary' : '',
    distinct: statistics.distinct,
    nulls: statistics.nulls,
    about: [friendly_name, description, value_description].filter((text) => !!text).join('; '),
  };
}
