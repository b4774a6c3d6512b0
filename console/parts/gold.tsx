import type { Call, ServedGold } from '../../client/index.ts';
import { labelsIn } from '../chain.ts';
import { shorten } from '../wording.ts';
import { Folded, PositionedRows, Scrolled } from './tables.tsx';

interface HandleGraphProps {
  /** Accessible name of the graph. */
  readonly label: string;
  readonly starts: readonly string[];
  readonly calls: readonly Call[];
  /** By label: a short note on the result, such as its number of rows. */
  readonly notes?: ReadonlyMap<string, string>;
}

/** A place in a drawing, in pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Node {
  readonly label: string;
  readonly title: string;
  readonly note: string;
  readonly from: readonly string[];
  readonly column: number;
  readonly line: number;
}

const WIDTH = 188;
const HEIGHT = 64;
const GAP_X = 32;
const GAP_Y = 16;
const MARGIN = 8;
const MOST_CHARACTERS = 21;

/** A chain as a graph: start tables and results as boxes, with lines from each result to those derived from it. */
export function HandleGraph({ label, starts, calls, notes = new Map() }: HandleGraphProps) {
  const nodes = placeNodes(starts, calls, notes);
  const byLabel = new Map(nodes.map((node) => [node.label, node]));
  const width =
    MARGIN * 2 + (Math.max(0, ...nodes.map(({ column }) => column)) + 1) * (WIDTH + GAP_X) - GAP_X;
  const height = MARGIN * 2 + (Math.max(0, ...nodes.map(({ line }) => line)) + 1) * (HEIGHT + GAP_Y) - GAP_Y;
  const descriptions = nodes.map(({ title, label: own, from }) =>
    from.length === 0 ? own : `${own}: ${title} of ${from.join(' and ')}`,
  );
  return (
    <Scrolled label={label}>
      <svg class="diagram" role="img" aria-label={descriptions.join('; ')} width={width} height={height}>
        {nodes.flatMap((to) =>
          to.from.flatMap((name) => {
            const from = byLabel.get(name);
            return from ? [<path class="edge" d={pathOf(from, to)} />] : [];
          }),
        )}
        {nodes.map((node) => (
          <g transform={`translate(${xOf(node)} ${yOf(node)})`}>
            <rect class="box" width={WIDTH} height={HEIGHT} rx="6" />
            <text class="name" x="8" y="19">
              {shorten(node.title, MOST_CHARACTERS)}
            </text>
            <text class="others" x="8" y="37">
              {shorten(node.label, MOST_CHARACTERS)}
            </text>
            <text class="others" x="8" y="55">
              {shorten(node.note, MOST_CHARACTERS)}
            </text>
          </g>
        ))}
      </svg>
    </Scrolled>
  );
}

/** Places each result to the right of everything it is derived from. */
function placeNodes(
  starts: readonly string[],
  calls: readonly Call[],
  notes: ReadonlyMap<string, string>,
): Node[] {
  const nodes = new Map<string, Node>();
  const taken = new Map<number, number>();
  const add = (label: string, title: string, from: readonly string[]) => {
    const known = from.filter((name) => nodes.has(name));
    const column = Math.max(-1, ...known.map((name) => nodes.get(name)?.column ?? -1)) + 1;
    const line = taken.get(column) ?? 0;
    taken.set(column, line + 1);
    nodes.set(label, { label, title, note: notes.get(label) ?? '', from: known, column, line });
  };
  for (const start of starts) add(start, 'start table', []);
  calls.forEach(({ name, label, arguments: args }, i) => {
    add(label ?? `call ${i + 1}`, name, labelsIn(args));
  });
  // Shorter columns are centred on the longest.
  const most = Math.max(0, ...taken.values());
  return [...nodes.values()].map((node) => ({
    ...node,
    line: node.line + (most - (taken.get(node.column) ?? 0)) / 2,
  }));
}

const xOf = ({ column }: Node) => MARGIN + column * (WIDTH + GAP_X);
const yOf = ({ line }: Node) => MARGIN + line * (HEIGHT + GAP_Y);

function pathOf(from: Node, to: Node): string {
  return curve([
    { x: xOf(from) + WIDTH, y: yOf(from) + HEIGHT / 2 },
    { x: xOf(to), y: yOf(to) + HEIGHT / 2 },
  ]);
}

/** Horizontal curves from point to point. */
export function curve([first, ...points]: readonly Point[]): string {
  if (!first) return '';
  let from = first;
  const parts = points.map((to) => {
    const middle = (from.x + to.x) / 2;
    const part = `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
    from = to;
    return part;
  });
  return `M${first.x} ${first.y} ${parts.join(' ')}`;
}

/** The gold of a task: its SQL, its calls as a graph of handles, and its rows. */
export function GoldShown({ gold }: { readonly gold: ServedGold }) {
  const { query, output, initialization_step, gold_answer, gold_columns, ordered } = gold;
  const starts = startsOf(initialization_step);
  return (
    <>
      <h2>Gold SQL</h2>
      <Scrolled label="Gold SQL">
        <pre>{query}</pre>
      </Scrolled>
      <h2>Gold calls</h2>
      {starts.length > 0 && <HandleGraph label="Graph of the gold calls" starts={starts} calls={output} />}
      <Folded title="As JSON" text={JSON.stringify(output, null, 1)} open={starts.length === 0} />
      <h2>Gold rows{ordered && ', in order'}</h2>
      <PositionedRows label="Gold rows" rows={gold_answer} columns={gold_columns} />
    </>
  );
}

/** The labels of the start tables: one initialization may create several. */
function startsOf(step: ServedGold['initialization_step']): string[] {
  if (step === null) return [];
  const more = step.arguments.additional_tables;
  const others = Array.isArray(more) ? more.map(({ label }: { readonly label: string }) => label) : [];
  return [step.label ?? '', ...others];
}
