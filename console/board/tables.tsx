import { useMemo } from 'preact/hooks';
import { FORMULATION_NAMES } from '../../contracts/vocabulary.ts';
import type { BoardReport, BoardRun, BoardSample } from '../../runner/leaderboard/board.ts';
import { type Column, csvText, rowLabel, usedColumns } from '../../runner/leaderboard/columns.ts';
import type { LeaderboardRow } from '../../runner/leaderboard/leaderboard.ts';
import { Answer, Button, useAnswer } from '../parts/answer.tsx';
import { Choice, namesToChoose } from '../parts/choice.tsx';
import { Scrolled, Table, VirtualRows } from '../parts/tables.tsx';
import { go, linkTo } from '../route.ts';
import { percent } from '../wording.ts';
import {
  cellKind,
  FILTER_NAMES,
  failuresOf,
  isContested,
  type MatrixCell,
  type MatrixLine,
  type SampleFilter,
} from './board-data.ts';
import { readReport } from './board-source.ts';
import { BarChart, downloadText } from './charts.tsx';

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

/** Filters for the samples that the figures cover. */
export function SampleFilters({ filter, choices, onChange }: SampleFiltersProps) {
  return (
    <>
      {FILTER_NAMES.map((name) => (
        <Choice
          label={LABELS[name]}
          value={filter[name]}
          none="all"
          choices={namesToChoose(choices?.[name] ?? [filter[name]].filter(Boolean))}
          onChange={(value) => onChange(name, value)}
        />
      ))}
    </>
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

/** The columns that come first in every table. */
const LEADING = ['name', 'completion', '95 %', 'N', 'cost'];

/** The leaderboard of one formulation, by any column. Rows of papers are marked. */
export function LeaderboardTable({ label, rows, sort, query }: LeaderboardTableProps) {
  const used = usedColumns(rows);
  const leading = LEADING.flatMap((wanted) => used.find((column) => column.name === wanted) ?? []);
  const columns = [...leading, ...used.filter((column) => !leading.includes(column))];
  const [name, descending] = sort.startsWith('-') ? [sort.slice(1), true] : [sort, false];
  const by = columns.find((column) => column.name === name);
  const shown = by
    ? [...rows].sort((a, b) => (descending ? -1 : 1) * compare(by.value(a), by.value(b)))
    : rows;
  const order = (column: string) => {
    if (column !== name) return 'none' as const;
    return descending ? ('descending' as const) : ('ascending' as const);
  };
  const look = (column: Column, i: number) =>
    [column.isNumber ? 'number' : '', i === 0 ? 'pinned' : ''].join(' ').trim();
  return (
    <Scrolled label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((column, i) => (
              <th scope="col" aria-sort={order(column.name)} class={look(column, i)}>
                <Button
                  class="plain"
                  onClick={() => {
                    const next = column.name === name && descending ? column.name : `-${column.name}`;
                    go(linkTo(['board'], { ...query, sort: next }), { replace: true });
                  }}
                >
                  {column.name}
                </Button>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr class={row.source === null ? '' : 'published'}>
              {columns.map((column, i) => (
                <td class={look(column, i)}>
                  {i === 0 && row.run !== null ? (
                    <a href={linkTo(['board', row.run])}>{column.show(row)}</a>
                  ) : (
                    column.show(row)
                  )}
                  {i === 0 && row.source !== null && <span class="note"> published: {row.source}</span>}
                  {column.name === '95 %' && <Interval row={row} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  );
}

/** Completion on a line from 0 to 100 %, with its 95 % interval. */
function Interval({ row: { completion, interval } }: { readonly row: LeaderboardRow }) {
  if (completion === null) return null;
  const x = (share: number) => 5 + share * 110;
  return (
    <svg class="chart interval" viewBox="0 0 120 14" aria-hidden="true">
      <rect class="track" x="5" y="6" width="110" height="2" />
      {interval && <path class="whisker" d={`M${x(interval[0])} 3 v8 m0 -4 H${x(interval[1])} m0 -4 v8`} />}
      <circle class="point" cx={x(completion)} cy="7" r="4" />
    </svg>
  );
}

interface OverviewProps {
  readonly rows: readonly LeaderboardRow[];
}

/** Models by formulations: completion with its interval, and over how many. */
export function Overview({ rows }: OverviewProps) {
  const kinds = FORMULATION_NAMES.filter((name) => rows.some((row) => row.formulation === name));
  const names = [...new Set(rows.map(({ name }) => name))];
  const cost = (name: string) => {
    const costs = rows.flatMap((row) => (row.name === name && row.cost !== null ? row.cost : []));
    return costs.length === 0 ? '–' : costs.reduce((sum, each) => sum + each, 0).toFixed(4);
  };
  return (
    <Table
      label="Models by formulations"
      head={['model', ...kinds.map((kind) => kind.toUpperCase()), 'cost']}
      rows={names}
    >
      {(name) => (
        <>
          <td class="pinned">
            <strong>{name}</strong>
          </td>
          {kinds.map((kind) => (
            <td>
              {rows
                .filter((row) => row.name === name && row.formulation === kind)
                .map((row) => (
                  <OverviewCell row={row} />
                ))}
            </td>
          ))}
          <td class="number">{cost(name)}</td>
        </>
      )}
    </Table>
  );
}

function OverviewCell({ row }: { readonly row: LeaderboardRow }) {
  const share = row.completion === null ? '–' : percent(row.completion);
  return (
    <div class="overview">
      {row.run === null ? share : <a href={linkTo(['board', row.run])}>{share}</a>}
      <Interval row={row} />
      <span class="note">N {row.n}</span>
      {row.source !== null && <span class="note">published</span>}
    </div>
  );
}

interface FailureTableProps {
  readonly runs: readonly BoardRun[];
  readonly samples: ReadonlyMap<string, readonly BoardSample[]>;
}

/** Why samples failed in each run, with the first ones of each kind. */
export function FailureTable({ runs, samples }: FailureTableProps) {
  const failures = useMemo(() => failuresOf(runs.map(({ id }) => samples.get(id) ?? [])), [samples]);
  if (failures.size === 0) return null;
  return (
    <>
      <h2>Why samples failed</h2>
      <Table
        label="Why samples failed"
        head={['class', ...runs.map(({ row }) => rowLabel(row))]}
        rows={[...failures]}
      >
        {([name, members]) => (
          <>
            <td class="pinned">{name.replaceAll('_', ' ')}</td>
            {members.map(({ count, first }, i) => {
              const id = runs[i]?.id ?? '';
              return (
                <td>
                  {count === 0 ? (
                    <span class="note">0</span>
                  ) : (
                    <>
                      <a href={linkTo(['board', id], { failed: name })}>{count}</a>
                      <span class="note">
                        {' '}
                        first:{' '}
                        {first.map((n, at) => (
                          <>
                            {at > 0 && ' '}
                            <a href={linkTo(['board', id, String(n)])}>{n + 1}</a>
                          </>
                        ))}
                      </span>
                    </>
                  )}
                </td>
              );
            })}
          </>
        )}
      </Table>
    </>
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
  /** Only questions on which runs differ. */
  readonly contested: boolean;
}

/** What became of each question in each run: green, red, lucky. */
export function MatrixTable({ runs, lines, contested }: MatrixTableProps) {
  const shown = useMemo(() => (contested ? lines.filter(isContested) : lines), [lines, contested]);
  const csv = () =>
    csvText([
      ['db', 'question_id', 'question', ...runs.map(({ id }) => id)],
      ...shown.map(({ sample, cells }) => [
        sample.db,
        String(sample.question_id),
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
        items={shown}
        head={[
          'Question',
          ...runs.map(({ id, row }, i) => ({ text: `${i + 1}. ${rowLabel(row)}`, title: id })),
          'Id',
        ]}
        row={({ sample, cells }) => (
          <>
            <td title={sample.question}>{sample.question}</td>
            {cells.map((cell, i) => (
              <td class="cell">{cell && <Cell cell={cell} run={runs[i]?.id ?? ''} />}</td>
            ))}
            <td>
              <code>
                {sample.db}/{sample.question_id}
              </code>
            </td>
          </>
        )}
      />
      <Button onClick={() => downloadText('questions.csv', 'text/csv', csv())}>Questions as CSV</Button>
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
  ['depth', 'Completion by nesting of gold calls'],
  ['width', 'Completion by gold calls side by side'],
  ['parameters', 'Completion by most parameters of a gold tool'],
  ['gold_kind', 'Completion by kind of gold answer'],
] as const;

function GroupChart({ title, groups }: { title: string; groups: BoardReport['groups']['domain'] }) {
  const known = groups.flatMap((group) =>
    group.completion.value === null ? [] : [{ ...group, share: group.completion.value }],
  );
  if (known.length < 2) return null;
  const described = known.map(({ key, share }) => `${key.replaceAll('_', ' ')} ${percent(share)}`).join('; ');
  return (
    <details>
      <summary>{title}</summary>
      <BarChart
        title={title}
        described={described}
        names={220}
        width={800}
        bars={known.map(({ key, share, completion: { ci, n } }) => ({
          name: key.replaceAll('_', ' '),
          share,
          interval: ci,
          text: `${percent(share)} of ${n}`,
        }))}
      />
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
