import type { BoardReport } from '../../../runner/board/board.ts';
import { readReport } from '../../board/board-source.ts';
import { useAnswer } from '../../use-answer.ts';
import { Answer } from '../answer.tsx';
import { Scrolled } from '../scrolled.tsx';
import { Chart } from './chart.tsx';

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
  const told = known.map(({ key, share }) => `${key.replaceAll('_', ' ')} ${text(share)}`).join('; ');
  return (
    <details>
      <summary>{title}</summary>
      <Chart title={title} told={told} width={NAMES + BAR + 160} height={known.length * LINE + 12}>
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
      <Scrolled label={title}>
        <table>
          <thead>
            <tr>
              {head.map((text) => (
                <th scope="col">{text.trim()}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr>
                {row.map((text, i) => (
                  <td class={i === 0 ? '' : 'number'}>{text.trim()}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
    </details>
  );
}
