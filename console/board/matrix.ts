import type { BoardSample } from '../../runner/board/board.ts';

/** What became of a sample in a run: its passes of so many attempts. */
export interface MatrixCell {
  readonly passes: number;
  readonly attempts: number;
  /** Every pass was luck. */
  readonly lucky: boolean;
  /** Where the review of the first attempt is. */
  readonly n: number;
}

/** A sample and what became of it, run by run; null where a run has not attempted it. */
export interface MatrixLine {
  readonly sample: BoardSample;
  readonly cells: readonly (MatrixCell | null)[];
}

/** The samples of several runs by their ids, in the order in which they are met. */
export function makeMatrix(runs: readonly (readonly BoardSample[])[]): MatrixLine[] {
  const lines = new Map<string, { sample: BoardSample; cells: (MatrixCell | null)[] }>();
  runs.forEach((samples, at) => {
    samples.forEach((sample, n) => {
      const line = lines.get(sample.sample_id) ?? { sample, cells: runs.map(() => null) };
      lines.set(sample.sample_id, line);
      const cell = line.cells[at] ?? { passes: 0, attempts: 0, lucky: true, n };
      if (sample.outcome === 'not_run') return;
      const passes = sample.outcome === 'pass' ? 1 : 0;
      line.cells[at] = {
        passes: cell.passes + passes,
        attempts: cell.attempts + 1,
        lucky: cell.lucky && (passes === 0 || sample.lucky === true),
        n: cell.n,
      };
    });
  });
  return [...lines.values()];
}

/** Whether the runs that attempted it came to different ends. */
export function isContested({ cells }: MatrixLine): boolean {
  const shares = cells.flatMap((cell) => (cell === null ? [] : [cell.passes / cell.attempts]));
  return new Set(shares).size > 1;
}

/** `pass`, `lucky`, `fail`, or `some` where some of several attempts passed. */
export function cellKind({ passes, attempts, lucky }: MatrixCell): 'pass' | 'lucky' | 'fail' | 'some' {
  if (passes === 0) return 'fail';
  if (passes < attempts) return 'some';
  return lucky ? 'lucky' : 'pass';
}
