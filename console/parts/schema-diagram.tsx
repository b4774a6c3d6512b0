import type { CatalogTable } from '../../client/index.ts';
import { type Box, type Edge, LINE, layOut } from './schema-layout.ts';
import { Scrolled } from './scrolled.tsx';

const MARGIN = 8;
const MOST_CHARACTERS = 26;

/** The tables of a domain with their keys, and lines from foreign keys to what they refer to. */
export function SchemaDiagram({ tables }: { readonly tables: readonly CatalogTable[] }) {
  const { boxes, edges, width, height } = layOut(tables);
  const [w, h] = [width + 2 * MARGIN, height + 2 * MARGIN];
  const told = edges.map(({ from, to }) => `${from.name} refers to ${to.name}`);
  const label = `${tables.length} tables: ${boxes.map(({ name }) => name).join(', ')}. ${told.join('; ')}`;
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

/** From the nearer sides of the two boxes; between boxes of one column, around their right sides. */
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
