import type { CatalogTable } from '../../client/index.ts';

/** A table in the diagram: where its box is, in pixels, and which of its columns are named there. */
export interface Box {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly keys: readonly { readonly name: string; readonly kind: 'primary' | 'foreign' }[];
  /** How many columns are not named. */
  readonly others: number;
}

/** A foreign key: from the box that has it to the box that it refers to. */
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

/**
 * Places tables in columns of about equal height, those that refer to each other near each other. The same tables
 * always have the same places.
 */
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

/** The tables, each followed by those that it is tied to by keys and that have not come yet. */
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
