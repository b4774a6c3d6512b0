import { useMemo } from 'preact/hooks';
import type { BoardReport, BoardRun } from '../../runner/leaderboard/board.ts';
import { csvText, rowLabel, usedColumns } from '../../runner/leaderboard/columns.ts';
import type { LeaderboardRow } from '../../runner/leaderboard/leaderboard.ts';
import { Answer, useAnswer } from '../parts/answer.tsx';
import { Choice, namesToChoose } from '../parts/choice.tsx';
import { Scrolled, Table, VirtualRows } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';
import {
  cellKind,
  FILTER_NAMES,
  isContested,
  type MatrixCell,
  type MatrixLine,
  type SampleFilter,
} from './board-data.ts';
import { readReport } from './board-source.ts';
import { Chart, downloadText } from './charts.tsx';

interface SampleFiltersProps {
  readonly filter: SampleFilter;
  readonly choices: Readonly<Record<keyof SampleFilter, readonly string[]>> | undefined;
  readonly onChange: (name: keyof SampleFilter, value: string) => void;
}

const LABELS: Readonly<Record<keyof SampleFilter, string>> = {
  db: 'Domain',
  difficulty: 'Difficulty',
  construct: 'SQL construct',
  length: 'Gold calls',
};

/** Which samples figures are over. */
export function SampleFilters({ filter, choices, onChange }: SampleFiltersProps) {
  return (
    <div class="filters">
      {FILTER_NAMES.map((name) => (
        <Choice
          label={LABELS[name]}
          value={filter[name]}
          none="all"
          choices={namesToChoose(choices?.[name] ?? [filter[name]].filter(Boolean))}
          onChange={(value) => onChange(name, value)}
        />
      ))}
    </div>
  );
}

interface LeaderboardTableProps {
  readonly label: string;
  readonly rows: readonly LeaderboardRow[];
  /** A column's name, after a minus for the largest first. */
  readonly sort: string;
  /** The address without the order. */
  readonly query: Readonly<Record<string, string>>;
}

/** The leaderboard of one formulation, by any column. Rows of papers are marked. */
export function LeaderboardTable({ label, rows, sort, query }: LeaderboardTableProps) {
  const columns = usedColumns(rows);
  const [name, descending] = sort.startsWith('-') ? [sort.slice(1), true] : [sort, false];
  const by = columns.find((column) => column.name === name);
  const shown = by
    ? [...rows].sort((a, b) => (descending ? -1 : 1) * compare(by.value(a), by.value(b)))
    : rows;
  const order = (column: string) => {
    if (column !== name) return 'none' as const;
    return descending ? ('descending' as const) : ('ascending' as const);
  };
  return (
    <Scrolled label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" aria-sort={order(column.name)} class={column.isNumber ? 'number' : ''}>
                <button
                  type="button"
                  class="plain"
                  onClick={() => {
                    const next = column.name === name && descending ? column.name : `-${column.name}`;
                    go(linkTo(['board'], { ...query, sort: next }), { replace: true });
                  }}
                >
                  {column.name}
                </button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr class={row.source === null ? '' : 'published'}>
              {columns.map((column, i) => (
                <td class={column.isNumber ? 'number' : ''}>
                  {i === 0 && row.run !== null ? (
                    <a href={linkTo(['board', row.run])}>{column.show(row)}</a>
                  ) : (
                    column.show(row)
                  )}
                  {i === 0 && row.source !== null && <span class="note"> published: {row.source}</span>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

function compare(a: string | number | null, b: string | number | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

interface MatrixTableProps {
  readonly runs: readonly BoardRun[];
  readonly lines: readonly MatrixLine[];
  /** Only samples that runs came to different ends at. */
  readonly contested: boolean;
}

/** What became of each question in each run: green, red, lucky. */
export function MatrixTable({ runs, lines, contested }: MatrixTableProps) {
  const shown = useMemo(() => (contested ? lines.filter(isContested) : lines), [lines, contested]);
  const csv = () =>
    csvText([
      ['sample_id', 'question', ...runs.map(({ id }) => id)],
      ...shown.map(({ sample, cells }) => [
        sample.sample_id,
        sample.question,
        ...cells.map((cell) => (cell === null ? '' : cellText(cell))),
      ]),
    ]);
  return (
    <>
      <p class="note" role="status">
        {shown.length.toLocaleString('en')} of {lines.length.toLocaleString('en')} questions
      </p>
      <VirtualRows
        label="Questions by runs"
        width={runs.length + 2}
        items={shown}
        head={
          <tr>
            <th scope="col">Question</th>
            {runs.map(({ id, row }, i) => (
              <th scope="col" title={id}>
                {i + 1}. {rowLabel(row)}
              </th>
            ))}
            <th scope="col">Sample</th>
          </tr>
        }
        row={({ sample, cells }) => (
          <>
            <td title={sample.question}>{sample.question}</td>
            {cells.map((cell, i) => (
              <td class="cell">{cell && <Cell cell={cell} run={runs[i]?.id ?? ''} />}</td>
            ))}
            <td>
              <code>{sample.sample_id}</code>
            </td>
          </>
        )}
      />
      <button type="button" onClick={() => downloadText('questions.csv', 'text/csv', csv())}>
        Questions as CSV
      </button>
    </>
  );
}

function Cell({ cell, run }: { readonly cell: MatrixCell; readonly run: string }) {
  return (
    <a class={`mark ${cellKind(cell)}`} href={linkTo(['board', run, String(cell.n)])}>
      {cellText(cell)}
    </a>
  );
}

function cellText(cell: MatrixCell): string {
  const kind = cellKind(cell);
  return kind === 'some' ? `${cell.passes} of ${cell.attempts}` : kind;
}

/** Every figure of the report that a run is from, whatever is filtered: as the terminal has them, and parts of the samples as bars. */
export function WholeReport({ run }: { readonly run: string }) {
  const report = useAnswer(`report ${run}`, () => readReport(run));
  return (
    <>
      <h2>The whole report</h2>
      <Answer asked={report}>
        {({ headline, tables, groups }) => (
          <>
            <p>{headline}</p>
            {PARTS.map(([name, title]) => (
              <GroupChart title={title} groups={groups[name]} />
            ))}
            {tables.map((table) => (
              <ReportTable table={table} />
            ))}
          </>
        )}
      </Answer>
    </>
  );
}

const PARTS = [
  ['domain', 'Completion by domain'],
  ['difficulty', 'Completion by difficulty'],
  ['construct', 'Completion by SQL construct'],
  ['gold_calls', 'Completion by number of gold calls'],
  ['gold_kind', 'Completion by kind of gold answer'],
] as const;

const NAMES = 220;
const BAR = 420;
const LINE = 26;

function GroupChart({ title, groups }: { title: string; groups: BoardReport['groups']['domain'] }) {
  const known = groups.flatMap((group) =>
    group.completion.value === null ? [] : [{ ...group, share: group.completion.value }],
  );
  if (known.length < 2) return null;
  const text = (share: number) => `${(share * 100).toFixed(1)} %`;
  const described = known.map(({ key, share }) => `${key.replaceAll('_', ' ')} ${text(share)}`).join('; ');
  return (
    <details>
      <summary>{title}</summary>
      <Chart title={title} described={described} width={NAMES + BAR + 160} height={known.length * LINE + 12}>
        {known.map(({ key, share, completion: { ci, n } }, i) => (
          <g transform={`translate(0 ${i * LINE + 8})`}>
            <text x="8" y="14">
              {key.replaceAll('_', ' ')}
            </text>
            <rect class="track" x={NAMES} width={BAR} height="18" />
            <rect class="bar" x={NAMES} width={BAR * share} height="18" />
            {ci && (
              <path
                class="whisker"
                d={`M${NAMES + BAR * ci[0]} 4 v10 m0 -5 H${NAMES + BAR * ci[1]} m0 -5 v10`}
              />
            )}
            <text x={NAMES + BAR + 8} y="14">
              {text(share)} of {n}
            </text>
          </g>
        ))}
      </Chart>
    </details>
  );
}

function ReportTable({ table: { title, head, rows } }: { table: BoardReport['tables'][number] }) {
  return (
    <details>
      <summary>{title}</summary>
      <Table label={title} head={head.map((text) => text.trim())} rows={rows}>
        {(row) => row.map((text, i) => <td class={i === 0 ? '' : 'number'}>{text.trim()}</td>)}
      </Table>
    </details>
  );
}
