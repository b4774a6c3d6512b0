import dagre from '@dagrejs/dagre';
import type { ComponentChildren } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import type { CatalogTable } from '../../client/index.ts';
import { curve, type Point } from '../parts/gold.tsx';
import { Scrolled } from '../parts/tables.tsx';
import { linkTo } from '../route.ts';
import { shorten } from '../wording.ts';

/** A table in the diagram: its box, in pixels, and the columns it lists. */
interface Box extends Point {
  readonly table: CatalogTable;
  readonly width: number;
  readonly height: number;
  readonly keys: readonly { readonly name: string; readonly mark: string }[];
  /** Number of columns not listed. */
  readonly others: number;
}

/** A foreign key: from the referring box to the box it refers to, around all others. */
interface Edge {
  readonly from: string;
  readonly to: string;
  readonly columns: readonly string[];
  /** Whether at most one row refers to each row. */
  readonly isOne: boolean;
  readonly points: readonly Point[];
}

interface Layout {
  readonly boxes: readonly Box[];
  readonly edges: readonly Edge[];
  readonly width: number;
  readonly height: number;
}

const LINE = 18;
const WIDTH = 190;
const GAP = 24;
const MOST_KEYS = 6;
const MOST_CHARACTERS = 24;

/** Places tables in layers, each to the left of those it refers to; tables without keys go below. Deterministic. */
function layOut(tables: readonly CatalogTable[]): Layout {
  const names = new Map(tables.map(({ name }) => [name.toLowerCase(), name]));
  const keys = tables.flatMap((table) =>
    table.foreign_keys.flatMap((key) => {
      const to = names.get(key.references_table.toLowerCase());
      return to === undefined || to === table.name ? [] : [{ table, key, to }];
    }),
  );
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'LR', nodesep: GAP, ranksep: 44, edgesep: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  const tied = new Set(keys.flatMap(({ table, to }) => [table.name, to]));
  const boxes = new Map(tables.map((table) => [table.name, boxOf(table)]));
  for (const [name, { width, height }] of boxes) if (tied.has(name)) graph.setNode(name, { width, height });
  keys.forEach(({ table, to }, i) => {
    graph.setEdge(table.name, to, {}, String(i));
  });
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { readonly width?: number; readonly height?: number };
  const extent = { width: Number.isFinite(width) ? width : 0, height: Number.isFinite(height) ? height : 0 };
  const placed: Box[] = [];
  let [x, y, deepest] = [0, tied.size === 0 ? 0 : extent.height + GAP, 0];
  const most = Math.max(extent.width, 4 * (WIDTH + GAP));
  for (const [name, box] of boxes) {
    if (tied.has(name)) {
      const at = graph.node(name) as unknown as Point;
      placed.push({ ...box, x: at.x - box.width / 2, y: at.y - box.height / 2 });
      continue;
    }
    if (x + WIDTH > most) [x, y, deepest] = [0, y + deepest + GAP, 0];
    placed.push({ ...box, x, y });
    [x, deepest] = [x + WIDTH + GAP, Math.max(deepest, box.height)];
  }
  return {
    boxes: placed,
    edges: keys.map(({ table, key, to }, i) => ({
      from: table.name,
      to,
      columns: key.columns,
      isOne: isUnique(table, key),
      points: (graph.edge(table.name, to, String(i)) as unknown as { readonly points: readonly Point[] })
        .points,
    })),
    width: Math.max(...placed.map((box) => box.x + box.width), 0),
    height: Math.max(...placed.map((box) => box.y + box.height), extent.height),
  };
}

function boxOf(table: CatalogTable): Box {
  const foreign = new Map(
    table.foreign_keys.flatMap(({ columns, references_table }) =>
      columns.map((name) => [
        name.toLowerCase(),
        references_table.toLowerCase() === table.name.toLowerCase(),
      ]),
    ),
  );
  const keys = table.columns.flatMap(({ name, primary_key }) => {
    const isOwn = foreign.get(name.toLowerCase());
    const marks = `${primary_key > 0 ? '●' : ''}${isOwn === undefined ? '' : isOwn ? '↺' : '→'}`;
    return marks === '' ? [] : [{ name, mark: marks }];
  });
  const named = keys.slice(0, MOST_KEYS);
  const others = table.columns.length - named.length;
  const height = LINE * (1 + named.length + (others > 0 ? 1 : 0)) + 12;
  return { table, x: 0, y: 0, width: WIDTH, height, keys: named, others };
}

/** Whether no two rows refer to the same: the key is the whole primary key, or its values are all different. */
function isUnique(
  { columns, rows }: CatalogTable,
  { columns: key }: CatalogTable['foreign_keys'][number],
): boolean {
  const isIn = (name: string) => key.some((each) => each.toLowerCase() === name.toLowerCase());
  const primary = columns.filter(({ primary_key }) => primary_key > 0);
  if (primary.length > 0 && primary.length === key.length && primary.every(({ name }) => isIn(name)))
    return true;
  const [only, ...more] = columns.filter(({ name }) => isIn(name));
  return only !== undefined && more.length === 0 && rows > 1 && only.statistics.distinct === rows;
}

const MARGIN = 12;
/** A diagram that is too wide is drawn smaller, down to this; then it scrolls. */
const LEAST_SCALE = 0.75;

interface SchemaProps {
  readonly db: string;
  readonly tables: readonly CatalogTable[];
  /** The table whose rows are shown. */
  readonly chosen: string | undefined;
  /** What is shown of a table while it is pointed at, or has the focus. */
  readonly peek: (table: CatalogTable) => ComponentChildren;
}

/** Long enough that a pointer on its way elsewhere asks for nothing. */
const PAUSE_MS = 200;

/** The tables of a domain with their keys, and lines for foreign keys with the number of rows at each end. A table leads to its rows. */
export function SchemaDiagram({ db, tables, chosen, peek }: SchemaProps) {
  const [peeked, setPeeked] = useState<Peeked | null>(null);
  const frame = useRef<HTMLDivElement>(null);
  const timer = useRef(0);
  const stay = () => window.clearTimeout(timer.current);
  const peekAt = (table: CatalogTable | null, box?: Element) => {
    stay();
    const [at, around] = [box, frame.current].map((each) => each?.getBoundingClientRect());
    const next = table && at && around ? { table, box: at, around } : null;
    timer.current = window.setTimeout(() => setPeeked(next), PAUSE_MS);
  };
  const close = () => {
    stay();
    setPeeked(null);
  };
  const { boxes, edges, width, height } = useMemo(() => layOut(tables), [tables]);
  const [w, h] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const relations = edges.map(({ from, to }) => `${from} refers to ${to}`);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes what the focus has opened.
    <div class="peeking" ref={frame} onKeyDown={({ key }) => key === 'Escape' && close()}>
      <Scrolled label="Diagram of the schema">
        {/* biome-ignore lint/a11y/useSemanticElements: a drawing is no fieldset. */}
        <svg
          class="diagram"
          role="group"
          aria-label={`${tables.length} tables. ${relations.join('; ')}`}
          width={w}
          viewBox={`${-MARGIN} ${-MARGIN} ${w} ${h}`}
          style={{ minWidth: `${LEAST_SCALE * w}px` }}
        >
          {edges.map((edge) => (
            <EdgeShown edge={edge} />
          ))}
          {boxes.map((box) => (
            <a
              href={linkTo(['domain', db], { table: box.table.name })}
              class={box.table.name === chosen ? 'chosen' : ''}
              aria-describedby={box.table === peeked?.table ? 'peek' : undefined}
              onPointerEnter={({ currentTarget }) => peekAt(box.table, currentTarget)}
              onFocus={({ currentTarget }) => peekAt(box.table, currentTarget)}
              onPointerLeave={() => peekAt(null)}
              onBlur={() => peekAt(null)}
              onClick={close}
            >
              <BoxShown box={box} />
            </a>
          ))}
        </svg>
      </Scrolled>
      {peeked && (
        <div
          id="peek"
          role="tooltip"
          class="peek"
          style={placeOf(peeked)}
          onPointerEnter={stay}
          onPointerLeave={close}
        >
          {peek(peeked.table)}
        </div>
      )}
    </div>
  );
}

/** A table that is pointed at: its box in the window, and the frame around the diagram. */
interface Peeked {
  readonly table: CatalogTable;
  readonly box: DOMRect;
  readonly around: DOMRect;
}

/** Below the box, or above one in the lower half of the window. */
function placeOf({ box, around }: Peeked) {
  const left = `max(0px, min(${box.left - around.left}px, 100% - 22rem))`;
  return box.bottom < innerHeight / 2
    ? { left, top: `${box.bottom - around.top}px` }
    : { left, bottom: `${around.bottom - box.top}px` };
}

function EdgeShown({ edge: { from, to, columns, isOne, points } }: { readonly edge: Edge }) {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) return null;
  return (
    <g>
      <title>{`${from}.${columns.join(', ')} refers to ${to}`}</title>
      <path class="edge" d={curve(points)} />
      <text class="end" x={first.x + 4} y={first.y - 4}>
        {isOne ? '1' : 'n'}
      </text>
      <text class="end" x={last.x - 10} y={last.y - 4}>
        1
      </text>
    </g>
  );
}

function BoxShown({ box: { table, x, y, width, height, keys, others } }: { readonly box: Box }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect class="box" width={width} height={height} rx="6" />
      <text class="name" x="10" y={LINE}>
        {shorten(table.name, MOST_CHARACTERS)}
      </text>
      {keys.map(({ name, mark }, i) => (
        <text class={mark.startsWith('●') ? '' : 'foreign'} x="10" y={LINE * (i + 2)}>
          {`${mark} ${shorten(name, MOST_CHARACTERS)}`}
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
