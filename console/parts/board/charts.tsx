import { FAILURE_CLASSES } from '../../../contracts/error-classes.ts';
import { type Curve, findCurves } from '../../../runner/table/curves.ts';
import { colour } from '../../../runner/table/html-text.ts';
import type { LeaderboardRow } from '../../../runner/table/leaderboard.ts';
import { rowLabel } from '../../../runner/table/options-text.ts';
import { Chart } from './chart.tsx';

interface RowsProps {
  readonly rows: readonly LeaderboardRow[];
}

const NAMES = 300;
const BAR = 420;
const LINE = 26;
const WIDTH = NAMES + BAR + 130;

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const short = (text: string) => (text.length > 44 ? `${text.slice(0, 43)}…` : text);

/** Completion of every row, with its 95 % interval. */
export function CompletionChart({ rows }: RowsProps) {
  const known = rows.flatMap((row) => (row.completion === null ? [] : [{ row, share: row.completion }]));
  if (known.length === 0) return null;
  const told = known.map(({ row, share }) => `${rowLabel(row)}: ${percent(share)}`).join('; ');
  return (
    <Chart title="Completion" told={told} width={WIDTH} height={known.length * LINE + 12}>
      {known.map(({ row, share }, i) => (
        <g transform={`translate(0 ${i * LINE + 8})`}>
          <text x="8" y="14">
            {short(rowLabel(row))}
          </text>
          <rect class="track" x={NAMES} width={BAR} height="18" />
          <rect class="bar" x={NAMES} width={BAR * share} height="18" />
          {row.interval && (
            <path
              class="whisker"
              d={`M${NAMES + BAR * row.interval[0]} 4 v10 m0 -5 H${NAMES + BAR * row.interval[1]} m0 -5 v10`}
            />
          )}
          <text x={NAMES + BAR + 8} y="14">
            {percent(share)}
          </text>
        </g>
      ))}
    </Chart>
  );
}

/** Why samples failed, in shares of the failures of each row. */
export function ErrorsChart({ rows }: RowsProps) {
  const known = rows
    .map((row) => ({ row, counts: new Map(Object.entries(row.error_classes ?? {})) }))
    .map(({ row, counts }) => ({ row, counts, total: [...counts.values()].reduce((a, b) => a + b, 0) }))
    .filter(({ total }) => total > 0);
  const classes = FAILURE_CLASSES.filter((name) => known.some(({ counts }) => (counts.get(name) ?? 0) > 0));
  if (known.length === 0) return null;
  const told = known.map(
    ({ row, counts, total }) =>
      `${rowLabel(row)}: ${classes.map((name) => `${name.replaceAll('_', ' ')} ${percent((counts.get(name) ?? 0) / total)}`).join(', ')}`,
  );
  return (
    <Chart
      title="Why samples failed"
      told={told.join('; ')}
      width={WIDTH}
      height={known.length * LINE + 12}
      legend={classes.map((name) => [colourOf(name), name.replaceAll('_', ' ')] as const)}
    >
      {known.map(({ row, counts, total }, i) => {
        let x = NAMES;
        return (
          <g transform={`translate(0 ${i * LINE + 8})`}>
            <text x="8" y="14">
              {short(rowLabel(row))}
            </text>
            {classes.map((name) => {
              const width = ((counts.get(name) ?? 0) / total) * BAR;
              x += width;
              return <rect x={x - width} width={width} height="18" fill={colourOf(name)} />;
            })}
            <text x={NAMES + BAR + 8} y="14">
              {total} failed
            </text>
          </g>
        );
      })}
    </Chart>
  );
}

/** A class has the same colour everywhere. */
function colourOf(name: (typeof FAILURE_CLASSES)[number]): string {
  return colour(FAILURE_CLASSES.indexOf(name));
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
  const [left, width, height] = [60, 640, 240];
  const xs = curves.flatMap(({ points }) => points.map((point) => point.x));
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  const x = (value: number) => left + ((value - low) / Math.max(1e-9, high - low)) * (width - left - 40);
  const y = (share: number) => 12 + (1 - share) * (height - 60);
  const told = curves.map(
    ({ label, points }) => `${label}: ${points.map((at) => `${at.x} ${percent(at.y)}`).join(', ')}`,
  );
  return (
    <Chart
      title={`${curves[0]?.figure} by ${option}`}
      told={told.join('; ')}
      width={width}
      height={height}
      legend={curves.map(({ label }, i) => [colour(i), label] as const)}
    >
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <>
          <path class="edge" d={`M${left} ${y(share)} H${width}`} />
          <text x="8" y={y(share) + 4}>
            {share * 100} %
          </text>
        </>
      ))}
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
          />
          {points.map((at) => (
            <circle cx={x(at.x)} cy={y(at.y)} r="4" fill={colour(i)} />
          ))}
        </>
      ))}
    </Chart>
  );
}
