import { counted } from '../../contracts/wording.ts';
import type { CellProgress } from '../../runner/harness/run-cell.ts';
import { printable, unfiltered } from '../printable.ts';

const LINE_EVERY_MS = 5_000;

/** One line with the progress of a run: updated in place on a terminal, printed now and then elsewhere. */
export function runProgress(name: string, stream: NodeJS.WriteStream = process.stderr) {
  let last = 0;
  let shown = false;
  return {
    update(progress: CellProgress): void {
      const now = Date.now();
      const over = progress.done + progress.errors >= progress.total;
      if (!over && now - last < (stream.isTTY ? 200 : LINE_EVERY_MS)) return;
      last = now;
      shown = true;
      const text = progressText(name, progress);
      if (stream.isTTY) unfiltered(stream).write(`\r\u001b[K${printable(text)}`);
      else stream.write(`${text}\n`);
    },
    stop(): void {
      if (shown && stream.isTTY) stream.write('\n');
    },
  };
}

/** `mini 12/50, 1 error, cost 0.0123, 40 s left` */
export function progressText(name: string, { done, total, errors, cost, remainingS }: CellProgress): string {
  const parts = [`${name} ${done}/${total}`];
  if (errors > 0) parts.push(counted(errors, 'error'));
  if (cost !== null) parts.push(`cost ${cost.toFixed(4)}`);
  if (remainingS !== null && done + errors < total) parts.push(`${timeText(remainingS)} left`);
  return parts.join(', ');
}

function timeText(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
