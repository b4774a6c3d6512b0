import { useMemo, useState } from 'preact/hooks';
import type { CatalogColumn, CatalogTable, ServedCatalog } from '../../client/index.ts';
import { askOnce, callTool, catalogOf, invitingEndpoint, openTable, type TableAnswer } from '../farm.ts';
import { Answer, Button, Header, Prose, useAnswer, useTitle } from '../parts/answer.tsx';
import { BeginRun } from '../parts/begin-run.tsx';
import { Field, TableTabs } from '../parts/choice.tsx';
import { tablesOf } from '../parts/jump.tsx';
import { Folded, RowsTable, VirtualRows } from '../parts/tables.tsx';
import { linkTo } from '../route.ts';
import { counted, rowsText } from '../wording.ts';

/** The diagram, whose layout comes in a script of its own. */
function Schema({
  catalog,
  chosen,
}: {
  readonly catalog: ServedCatalog;
  readonly chosen: string | undefined;
}) {
  const { db, tables } = catalog;
  const drawn = useAnswer('schema', () => import('./schema.tsx'));
  const peek = (table: CatalogTable) => <Peek key={table.name} catalog={catalog} table={table} />;
  return (
    <Answer asked={drawn}>
      {({ SchemaDiagram }) => <SchemaDiagram db={db} tables={tables} chosen={chosen} peek={peek} />}
    </Answer>
  );
}

const PEEKED = { offset: 0, limit: 3 };
const peeks = new Map<string, ReturnType<typeof sampleRows>>();

/** A table in brief: what it is, who reads it, and its first rows, column by column. */
function Peek({ catalog, table }: { readonly catalog: ServedCatalog; readonly table: CatalogTable }) {
  const { split, db, tables, endpoints } = catalog;
  const { name, description, rows: total } = table;
  const key = `${db} ${name}`;
  const asked = useAnswer(key, () => askOnce(peeks, key, () => sampleRows({ split, db, table, ...PEEKED })));
  const reading = endpoints.filter((endpoint) => tablesOf(endpoint, tables).includes(name));
  return (
    <>
      {description !== null && <p>{description}</p>}
      <p class="note">
        {rowsText(total)} · read by {counted(reading.length, 'endpoint')}
      </p>
      <Answer asked={asked}>
        {({ columns, rows }) => (
          <dl class="facts">
            {columns.map((column) => (
              <>
                <dt>{column}</dt>
                <dd>{rows.map((row) => String(row[column] ?? '–')).join(' · ')}</dd>
              </>
            ))}
          </dl>
        )}
      </Answer>
    </>
  );
}

interface RowsWanted {
  readonly split: string;
  readonly db: string;
  readonly table: CatalogTable;
  readonly offset: number;
  /** At most 100. */
  readonly limit: number;
}

/** A page of a table's rows, by the general tools that every domain has, under the database's names. Throws RookeryError. */
async function sampleRows({ split, db, table, offset, limit }: RowsWanted) {
  const { base, handle } = await openTable(split, db, table.name);
  const { columns, preview } = await callTool<TableAnswer>(`${base}/truncate?preview=${limit}`, {
    truncate_array: handle,
    n: limit,
    offset,
  });
  const names = new Map(columns.map((column, i) => [column, table.columns[i]?.name ?? column]));
  const rows = preview.map((row) =>
    Object.fromEntries(columns.map((column) => [names.get(column), row[column]])),
  );
  return { columns: [...names.values()], rows };
}

interface TablePanelProps {
  readonly split: string;
  readonly db: string;
  readonly table: CatalogTable;
}

const PAGE = 20;

/** A table: its columns, and its rows page by page. */
function TablePanel({ split, db, table }: TablePanelProps) {
  const [offset, setOffset] = useState(0);
  const { name, description, rows: total, columns } = table;
  const page = useAnswer(`${db} ${name} ${offset}`, () =>
    sampleRows({ split, db, table, offset, limit: PAGE }),
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
        <Button disabled={offset === 0} onClick={() => setOffset(offset - PAGE)}>
          Back
        </Button>
        <span role="status">
          {total === 0
            ? 'no rows'
            : `rows ${offset + 1} to ${Math.min(offset + PAGE, total)} of ${total.toLocaleString('en')}`}
        </span>
        <Button disabled={offset + PAGE >= total} onClick={() => setOffset(offset + PAGE)}>
          Next
        </Button>
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

interface DomainViewProps {
  readonly db: string;
  /** The selected table; null: the first. */
  readonly table: string | null;
}

/** A domain: its schema as a diagram, its tables with their rows, and its endpoints. */
export function DomainView({ db, table }: DomainViewProps) {
  useTitle(db);
  const catalog = useAnswer(`catalog ${db}`, () => catalogOf(db));
  return (
    <Answer title={db} asked={catalog}>
      {(known) => <Domain catalog={known} table={table} />}
    </Answer>
  );
}

function Domain({ catalog, table }: { readonly catalog: ServedCatalog; readonly table: string | null }) {
  const { split, db, title, data_licence, reference_time, tables, endpoints, glossary } = catalog;
  const shown = tables.find(({ name }) => name === table) ?? tables[0];
  const first = invitingEndpoint(endpoints);
  return (
    <>
      <Header
        title={title}
        path={[['Home', linkTo([])]]}
        about={
          <>
            <code>
              {split}/{db}
            </code>{' '}
            · {tables.length} tables · {endpoints.length} endpoints · “now” is {reference_time} · data
            licence: {data_licence ?? 'not stated'}
          </>
        }
        actions={
          <>
            {first && (
              <a class="button main" href={linkTo(['endpoint', db, first.name])}>
                Try an endpoint
              </a>
            )}
            <a class="button" href={linkTo(['tasks'], { db })}>
              Its tasks
            </a>
            <a class="button" href={linkTo(['playground', db])}>
              Chain calls
            </a>
            <a class="button" href={linkTo(['reference', db])}>
              API reference
            </a>
            <BeginRun db={db} />
          </>
        }
      />
      <Schema catalog={catalog} chosen={shown?.name} />
      <TableTabs tables={tables} shown={shown} linkTo={(table) => linkTo(['domain', db], { table })} />
      {shown && <TablePanel key={shown.name} split={split} db={db} table={shown} />}
      <Endpoints catalog={catalog} table={table} />
      {glossary !== undefined && <Folded title="What its people mean by their words" text={glossary} />}
    </>
  );
}

function Endpoints({ catalog, table }: { readonly catalog: ServedCatalog; readonly table: string | null }) {
  const { db, endpoints, tables } = catalog;
  const [words, setWords] = useState('');
  const known = useMemo(
    () =>
      endpoints.map((endpoint) => ({
        endpoint,
        text: `${endpoint.name} ${endpoint.summary}`.toLowerCase(),
        reads: tablesOf(endpoint, tables),
      })),
    [endpoints],
  );
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = known.filter(
    ({ text, reads }) =>
      (table === null || reads.includes(table)) && wanted.every((word) => text.includes(word)),
  );
  return (
    <>
      <h2>{table === null ? 'Endpoints' : `Endpoints that read ${table}`}</h2>
      <div class="filters">
        <Field label="Filter by words" type="search" value={words} onChange={setWords} />
        <p class="note" role="status">
          {found.length} of {endpoints.length}
        </p>
        {table !== null && <a href={linkTo(['domain', db])}>All endpoints</a>}
      </div>
      <VirtualRows
        label="Endpoints"
        items={found}
        head={['Summary', 'Reads', 'Name']}
        row={({ endpoint: { name, summary }, reads }) => (
          <>
            <td class="wide" title={summary}>
              <a href={linkTo(['endpoint', db, name])}>
                <Prose text={summary} />
              </a>
            </td>
            <td class="note">{reads.join(', ')}</td>
            <td>
              <code>{name}</code>
            </td>
          </>
        )}
      />
    </>
  );
}
