import { useMemo, useState } from 'preact/hooks';
import type { CatalogColumn, CatalogTable, ServedCatalog } from '../../client/index.ts';
import { callTool, catalogOf } from '../farm.ts';
import { Answer, Header, Prose, useAnswer, useTitle } from '../parts/answer.tsx';
import { tablesOf } from '../parts/jump.tsx';
import { Folded, RowsTable, Scrolled, VirtualRows } from '../parts/tables.tsx';
import { linkTo } from '../route.ts';
import { BeginRun } from './records-view.tsx';

/** A table in the diagram: the position of its box, in pixels, and the columns it lists. */
export interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly keys: readonly { readonly name: string; readonly kind: 'primary' | 'foreign' }[];
  /** Number of columns not listed. */
  readonly others: number;
}

/** A foreign key: from the referring box to the box it refers to. */
export interface Edge {
  readonly from: Box;
  readonly to: Box;
}

export interface Layout {
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

export const LINE = 18;
const WIDTH = 210;
const GAP_X = 56;
const GAP_Y = 28;
const MOST_KEYS = 6;

/** Places tables in columns of similar height, with related tables close together. Deterministic. */
export function layOut(tables: readonly CatalogTable[]): Layout {
  const columns = Math.max(1, Math.ceil(Math.sqrt(tables.length)));
  const heights = Array.from({ length: columns }, () => 0);
  const boxes = byNeighbours(tables).map((table): Box => {
    const keys = keysOf(table);
    const named = keys.slice(0, MOST_KEYS);
    const others = table.columns.length - named.length;
    const height = LINE * (1 + named.length + (others > 0 ? 1 : 0)) + 12;
    const column = heights.indexOf(Math.min(...heights));
    const y = heights[column] ?? 0;
    heights[column] = y + height + GAP_Y;
    return { name: table.name, x: column * (WIDTH + GAP_X), y, width: WIDTH, height, keys: named, others };
  });
  const byName = new Map(boxes.map((box) => [box.name.toLowerCase(), box]));
  const edges = tables.flatMap(({ name, foreign_keys }) =>
    foreign_keys.flatMap(({ references_table }) => {
      const [from, to] = [byName.get(name.toLowerCase()), byName.get(references_table.toLowerCase())];
      return from && to && from !== to ? [{ from, to }] : [];
    }),
  );
  const used = Math.min(columns, boxes.length);
  return {
    boxes,
    edges,
    width: used * (WIDTH + GAP_X) - GAP_X,
    height: Math.max(0, ...heights) - GAP_Y,
  };
}

/** The tables, each followed by the unplaced ones it is related to by keys. */
function byNeighbours(tables: readonly CatalogTable[]): readonly CatalogTable[] {
  const byName = new Map(tables.map((table) => [table.name.toLowerCase(), table]));
  const ordered = new Set<CatalogTable>();
  for (const start of tables) {
    const waiting = [start];
    for (let table = waiting.shift(); table; table = waiting.shift()) {
      if (ordered.has(table)) continue;
      ordered.add(table);
      const tied = table.foreign_keys.flatMap(
        ({ references_table }) => byName.get(references_table.toLowerCase()) ?? [],
      );
      waiting.push(...tied);
    }
  }
  return [...ordered];
}

function keysOf({ columns, foreign_keys }: CatalogTable): Box['keys'] {
  const foreign = new Set(foreign_keys.flatMap((key) => key.columns.map((name) => name.toLowerCase())));
  return columns.flatMap(({ name, primary_key }) => {
    const kind = primary_key > 0 ? 'primary' : foreign.has(name.toLowerCase()) ? 'foreign' : null;
    return kind === null ? [] : [{ name, kind }];
  });
}

const MARGIN = 8;
const MOST_CHARACTERS = 26;

/** The tables of a domain with their keys, and lines for foreign keys. */
export function SchemaDiagram({
  tables,
}: {
  readonly db: string;
  readonly tables: readonly CatalogTable[];
  readonly chosen: string | undefined;
}) {
  const { boxes, edges, width, height } = layOut(tables);
  const [w, h] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const relations = edges.map(({ from, to }) => `${from.name} refers to ${to.name}`);
  const label = `${tables.length} tables: ${boxes.map(({ name }) => name).join(', ')}. ${relations.join('; ')}`;
  return (
    <Scrolled label="Diagram of the schema">
      <svg
        class="diagram"
        role="img"
        aria-label={label}
        width={w}
        height={h}
        viewBox={`${-MARGIN} ${-MARGIN} ${w} ${h}`}
      >
        {edges.map((edge) => (
          <path class="edge" d={pathOf(edge)} />
        ))}
        {boxes.map((box) => (
          <TableBox box={box} />
        ))}
      </svg>
    </Scrolled>
  );
}

function TableBox({ box: { name, x, y, width, height, keys, others } }: { readonly box: Box }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect class="box" width={width} height={height} rx="6" />
      <text class="name" x="10" y={LINE}>
        {short(name)}
      </text>
      {keys.map((key, i) => (
        <text class={key.kind} x="10" y={LINE * (i + 2)}>
          {key.kind === 'primary' ? '● ' : '→ '}
          {short(key.name)}
        </text>
      ))}
      {others > 0 && (
        <text class="others" x="10" y={LINE * (keys.length + 2)}>
          {others} more {others === 1 ? 'column' : 'columns'}
        </text>
      )}
    </g>
  );
}

/** From the nearer sides of the two boxes; within one column, around their right sides. */
function pathOf({ from, to }: Edge): string {
  const [fromY, toY] = [from.y + from.height / 2, to.y + to.height / 2];
  if (from.x === to.x) {
    const x = from.x + from.width;
    return `M${x} ${fromY} C${x + 36} ${fromY} ${x + 36} ${toY} ${x} ${toY}`;
  }
  const rightwards = from.x < to.x;
  const start = rightwards ? from.x + from.width : from.x;
  const end = rightwards ? to.x : to.x + to.width;
  const bend = (start + end) / 2;
  return `M${start} ${fromY} C${bend} ${fromY} ${bend} ${toY} ${end} ${toY}`;
}

function short(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS - 1)}…` : text;
}

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

/** A page of a table's rows, by the general tools that every domain has. Throws RookeryError. */
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

interface TablePanelProps {
  readonly split: string;
  readonly db: string;
  readonly table: CatalogTable;
}

const PAGE = 20;

/** A table: its columns, and its rows page by page. */
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
          Next
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
  const [first] = endpoints;
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
            <a class="button" href={`/docs/${encodeURIComponent(db)}`}>
              OpenAPI
            </a>
            <BeginRun db={db} />
          </>
        }
      />
      <SchemaDiagram db={db} tables={tables} chosen={shown?.name} />
      <nav class="tabs" aria-label="Tables">
        {tables.map(({ name }) => (
          <a
            href={linkTo(['domain', db], { table: name })}
            aria-current={name === shown?.name ? 'true' : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
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
        <label>
          Filter by words
          <input type="search" value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
        </label>
        <p class="note" role="status">
          {found.length} of {endpoints.length}
        </p>
        {table !== null && <a href={linkTo(['domain', db])}>All endpoints</a>}
      </div>
      <VirtualRows
        label="Endpoints"
        width={3}
        items={found}
        head={
          <tr>
            <th scope="col">Summary</th>
            <th scope="col">Reads</th>
            <th scope="col">Name</th>
          </tr>
        }
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
