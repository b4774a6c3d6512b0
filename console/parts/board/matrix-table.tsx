import { useMemo } from 'preact/hooks';
import type { BoardRun } from '../../../runner/board/board.ts';
import { csvText } from '../../../runner/table/csv.ts';
import { rowLabel } from '../../../runner/table/options-text.ts';
import { cellKind, isContested, type MatrixCell, type MatrixLine } from '../../board/matrix.ts';
import { linkTo } from '../../route.ts';
import { VirtualRows } from '../virtual-rows.tsx';
import { downloadText } from './download.ts';

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
