import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { type Curve, colour, findCurves, findRadars } from '../../runner/leaderboard/charts.ts';
import { rowLabel } from '../../runner/leaderboard/columns.ts';
import type { LeaderboardRow } from '../../runner/leaderboard/leaderboard.ts';
import { Button } from '../parts/answer.tsx';
import { Scrolled } from '../parts/tables.tsx';
import { percent, shorten } from '../wording.ts';

export function downloadText(name: string, type: string, text: string): void {
  download(name, new Blob([text], { type }));
}

const STYLES = ['fill', 'stroke', 'stroke-width', 'font-family', 'font-size', 'font-weight', 'text-anchor'];
const SCALE = 2;

/** Downloads a drawing as a PNG, in the colours of the page. */
async function downloadPng(name: string, drawing: SVGSVGElement): Promise<void> {
  const { width, height } = drawing.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(standalone(drawing, width, height))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('the browser draws no pictures');
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob) download(name, blob);
}

/** The SVG text, with styles inlined. */
function standalone(drawing: SVGSVGElement, width: number, height: number): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [drawing, copy].map((each) => [each, ...each.querySelectorAll('*')]);
  from?.forEach((element, i) => {
    const style = getComputedStyle(element);
    for (const name of STYLES) to?.[i]?.setAttribute(name, style.getPropertyValue(name));
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(copy);
}

function download(name: string, blob: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

interface ChartProps {
  readonly title: string;
  /** The chart in words, for screen readers. */
  readonly described: string;
  readonly width: number;
  readonly height: number;
  /** What each colour stands for. */
  readonly legend?: readonly (readonly [colour: string, text: string])[];
  readonly children: ComponentChildren;
}

/** A chart with its title and legend, and a button to download it as a PNG. */
function Chart({ title, described, width, height, legend = [], children }: ChartProps) {
  const drawing = useRef<SVGSVGElement>(null);
  return (
    <div>
      <h2>{title}</h2>
      <Scrolled label={title}>
        <svg
          ref={drawing}
          class="chart"
          role="img"
          aria-label={described}
          width={width}
          height={height + legend.length * 20}
        >
          {children}
          {legend.map(([colour, text], i) => (
            <g transform={`translate(8 ${height + i * 20})`}>
              <rect width="12" height="12" fill={colour} />
              <text x="20" y="11">
                {text}
              </text>
            </g>
          ))}
        </svg>
      </Scrolled>
      <Button onClick={() => drawing.current && downloadPng(`${title}.png`, drawing.current)}>
        {title} as PNG
      </Button>
    </div>
  );
}

interface RowsProps {
  readonly rows: readonly LeaderboardRow[];
}

interface BarChartProps {
  readonly title: string;
  readonly described: string;
  /** Width of the names, in pixels, and of the whole. */
  readonly names: number;
  readonly width: number;
  readonly bars: readonly {
    readonly name: string;
    readonly share: number;
    readonly interval: readonly [low: number, high: number] | null;
    readonly text: string;
  }[];
}

const BAR = 420;
const LINE = 26;

/** Shares as bars, with their 95 % intervals. */
export function BarChart({ title, described, names, width, bars }: BarChartProps) {
  return (
    <Chart title={title} described={described} width={width} height={bars.length * LINE + 12}>
      {bars.map(({ name, share, interval, text }, i) => (
        <g transform={`translate(0 ${i * LINE + 8})`}>
          <text x="8" y="14">
            {name}
          </text>
          <rect class="track" x={names} width={BAR} height="18" />
          <rect class="bar" x={names} width={BAR * share} height="18" />
          {interval && (
            <path
              class="whisker"
              d={`M${names + BAR * interval[0]} 4 v10 m0 -5 H${names + BAR * interval[1]} m0 -5 v10`}
            />
          )}
          <text x={names + BAR + 8} y="14">
            {text}
          </text>
        </g>
      ))}
    </Chart>
  );
}

const WIDTH = 850;

const labelOf = (row: LeaderboardRow) => shorten(rowLabel(row), 44);

/** Completion of every row, with its 95 % interval. */
export function CompletionChart({ rows }: RowsProps) {
  const known = rows.flatMap((row) => (row.completion === null ? [] : [{ row, share: row.completion }]));
  if (known.length === 0) return null;
  const described = known.map(({ row, share }) => `${rowLabel(row)}: ${percent(share)}`).join('; ');
  return (
    <BarChart
      title="Completion"
      described={described}
      names={300}
      width={WIDTH}
      bars={known.map(({ row, share }) => ({
        name: labelOf(row),
        share,
        interval: row.interval,
        text: percent(share),
      }))}
    />
  );
}

/** A figure that completion is drawn against; null where it is not known. */
export interface Against {
  readonly title: string;
  readonly text: (value: number) => string;
  readonly of: (row: LeaderboardRow) => number | null;
}

const [PLOT_LEFT, PLOT_WIDTH, PLOT_HEIGHT] = [52, 560, 260];

/** Completion against what it took: a point per row, shaped by formulation, with its name beside it and its interval as a line. */
export function ScatterChart({ rows, against }: RowsProps & { readonly against: Against }) {
  const points = rows.flatMap((row) => {
    const [at, share] = [against.of(row), row.completion];
    return at === null || share === null ? [] : [{ row, at, share }];
  });
  const most = Math.max(...points.map(({ at }) => at));
  if (points.length < 2 || most <= 0) return null;
  const x = (value: number) => PLOT_LEFT + (value / most) * (PLOT_WIDTH - PLOT_LEFT - 150);
  const y = (share: number) => 14 + (1 - share) * (PLOT_HEIGHT - 60);
  const described = points.map(
    ({ row, at, share }) => `${rowLabel(row)}: ${percent(share)} at ${against.text(at)}`,
  );
  const shapes = [...new Set(points.map(({ row }) => row.formulation))];
  return (
    <Chart
      title={`Completion against ${against.title}`}
      described={described.join('; ')}
      width={PLOT_WIDTH}
      height={PLOT_HEIGHT}
    >
      <Shares y={y} width={PLOT_WIDTH} />
      {[0, 0.5, 1].map((part) => (
        <text class="axis-text" x={x(most * part)} y={PLOT_HEIGHT - 26} text-anchor="middle">
          {against.text(most * part)}
        </text>
      ))}
      {points.map(({ row, at, share }) => (
        <>
          {row.interval && (
            <path class="whisker" d={`M${x(at)} ${y(row.interval[0])} V${y(row.interval[1])}`} />
          )}
          <path class="point" d={shapeAt(shapes.indexOf(row.formulation), x(at), y(share))} />
        </>
      ))}
      {spread(points.map(({ share }) => y(share))).map((line, i) => {
        const { row, at } = points[i] ?? {};
        return row && at !== undefined ? (
          <text x={x(at) + 9} y={line + 4}>
            {labelOf(row)}
          </text>
        ) : null;
      })}
      <text class="axis-text" x={PLOT_LEFT} y={PLOT_HEIGHT - 6}>
        {shapes.map((name, i) => `${SHAPE_NAMES[i % SHAPE_NAMES.length]} ${name.toUpperCase()}`).join('   ')}
      </text>
    </Chart>
  );
}

const SHAPE_NAMES = ['●', '■', '▲', '◆'];

/** A circle, a square, a triangle or a diamond. */
function shapeAt(kind: number, x: number, y: number): string {
  return (
    [
      `M${x - 5} ${y} a5 5 0 1 0 10 0 a5 5 0 1 0 -10 0`,
      `M${x - 5} ${y - 5} h10 v10 h-10 z`,
      `M${x} ${y - 6} l6 11 h-12 z`,
      `M${x} ${y - 6} l6 6 l-6 6 l-6 -6 z`,
    ][kind % 4] ?? ''
  );
}

/** Moves overlapping lines of text apart. */
function spread(lines: readonly number[]): number[] {
  const placed = [...lines];
  const order = [...lines.keys()].sort((a, b) => (lines[a] ?? 0) - (lines[b] ?? 0));
  let last = Number.NEGATIVE_INFINITY;
  for (const i of order) {
    last = Math.max(placed[i] ?? 0, last + 15);
    placed[i] = last;
  }
  return placed;
}

/** Grid lines at every quarter. */
function Shares({ y, width }: { readonly y: (share: number) => number; readonly width: number }) {
  return (
    <>
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <>
          <path class="grid" d={`M${PLOT_LEFT} ${y(share)} H${width}`} />
          <text class="axis-text" x="8" y={y(share) + 4}>
            {share * 100} %
          </text>
        </>
      ))}
    </>
  );
}

/** Completion over each option that was varied. */
export function CurveCharts({ rows }: RowsProps) {
  const all = findCurves(rows);
  return (
    <>
      {[...new Set(all.map(({ option }) => option))].map((option) => (
        <CurveChart option={option} curves={all.filter((curve) => curve.option === option)} />
      ))}
    </>
  );
}

function CurveChart({ option, curves }: { readonly option: string; readonly curves: readonly Curve[] }) {
  const [left, width, height] = [PLOT_LEFT, 640, 240];
  const xs = curves.flatMap(({ points }) => points.map((point) => point.x));
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const x = (value: number) => left + ((value - low) / Math.max(1e-9, high - low)) * (width - left - 40);
  const y = (share: number) => 12 + (1 - share) * (height - 60);
  const described = curves.map(
    ({ label, points }) => `${label}: ${points.map((at) => `${at.x} ${percent(at.y)}`).join(', ')}`,
  );
  return (
    <Chart
      title={`${curves[0]?.figure} by ${option}`}
      described={described.join('; ')}
      width={width}
      height={height}
      legend={curves.map(({ label }, i) => [colour(i), `${SHAPE_NAMES[i % 4]} ${label}`] as const)}
    >
      <Shares y={y} width={width} />
      {[...new Set(xs)].map((value) => (
        <text x={x(value)} y={height - 24} text-anchor="middle">
          {value}
        </text>
      ))}
      {curves.map(({ points }, i) => (
        <>
          <polyline
            points={points.map((at) => `${x(at.x)},${y(at.y)}`).join(' ')}
            fill="none"
            stroke={colour(i)}
            stroke-width="2"
            stroke-dasharray={['', '6 3', '2 3', '8 3 2 3'][i % 4]}
          />
          {points.map((at) => (
            <path d={shapeAt(i, x(at.x), y(at.y))} fill={colour(i)} />
          ))}
        </>
      ))}
    </Chart>
  );
}

/** What models reached in each category, of those that were run in three or more. */
export function RadarChart({ rows }: RowsProps) {
  const radars = findRadars(rows);
  if (radars.length === 0) return null;
  const axes = [...new Set(radars.flatMap(({ values }) => [...values.keys()]))].sort();
  const [size, radius] = [380, 130];
  const point = (axis: string, share: number) => {
    const angle = (axes.indexOf(axis) / axes.length) * 2 * Math.PI - Math.PI / 2;
    return [
      size / 2 + Math.cos(angle) * radius * share,
      size / 2 + Math.sin(angle) * radius * share,
    ] as const;
  };
  const polygon = (shareOf: (axis: string) => number) =>
    axes.map((axis) => point(axis, shareOf(axis)).join(',')).join(' ');
  const described = radars.map(
    ({ label, values }) =>
      `${label}: ${[...values].map(([axis, share]) => `${axis} ${percent(share)}`).join(', ')}`,
  );
  return (
    <Chart
      title="Categories"
      described={described.join('; ')}
      width={WIDTH}
      height={size}
      legend={radars.map(({ label }, i) => [colour(i), label] as const)}
    >
      {[0.25, 0.5, 0.75, 1].map((share) => (
        <polygon class="edge" points={polygon(() => share)} fill="none" />
      ))}
      {axes.map((axis) => {
        const [x, y] = point(axis, 1.18);
        return (
          <text x={x} y={y} text-anchor="middle">
            {axis}
          </text>
        );
      })}
      {radars.map(({ values }, i) => (
        <polygon
          points={polygon((axis) => values.get(axis) ?? 0)}
          fill={`${colour(i)}22`}
          stroke={colour(i)}
          stroke-width="2"
        />
      ))}
    </Chart>
  );
}
