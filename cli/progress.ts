import { Presets, SingleBar } from 'cli-progress';
import type { Domain } from '../contracts/split.ts';
import { printable, unfiltered } from './terminal.ts';

export interface Progress {
  /** One stage of the work: the number of items done, the total, and the current item. */
  update(stage: string, done: number, total: number, label?: string): void;
  stop(): void;
}

const LINE_EVERY_MS = 5_000;

/** One bar per stage on a terminal, an occasional plain line elsewhere. */
export function createProgress(stream: NodeJS.WriteStream = process.stderr): Progress {
  return stream.isTTY ? barProgress(unfiltered(stream)) : lineProgress(stream);
}

/** Runs work with its progress on stderr; removes the display when the work is done or has failed. */
export async function withProgress<T>(work: (update: Progress['update']) => Promise<T> | T): Promise<T> {
  const progress = createProgress();
  try {
    return await work(progress.update);
  } finally {
    progress.stop();
  }
}

/** An `onProgress` callback that displays each step. */
export function stepsTo(update: Progress['update']) {
  return (step: {
    readonly stage: string;
    readonly done: number;
    readonly total: number;
    readonly label?: string;
  }) => update(step.stage, step.done, step.total, step.label);
}

function barProgress(stream: NodeJS.WriteStream): Progress {
  let bar: SingleBar | null = null;
  let current = '';
  return {
    update(stage, done, total, text = '') {
      const label = printable(text);
      if (stage !== current) {
        bar?.stop();
        current = stage;
        bar = new SingleBar(
          {
            format: '{stage} {bar} {value}/{total} {label}',
            stream,
            hideCursor: true,
            clearOnComplete: false,
          },
          Presets.shades_classic,
        );
        bar.start(total, done, { stage: stage.padEnd(10), label });
      }
      bar?.setTotal(total);
      bar?.update(done, { stage: stage.padEnd(10), label });
    },
    stop() {
      bar?.stop();
      bar = null;
    },
  };
}

function lineProgress(stream: NodeJS.WriteStream): Progress {
  let current = '';
  let last = 0;
  let waiting = '';
  const write = () => {
    if (waiting) stream.write(waiting);
    waiting = '';
    last = Date.now();
  };
  // Also print the last state before a long silence.
  const timer = setInterval(write, LINE_EVERY_MS).unref();
  return {
    update(stage, done, total, label = '') {
      waiting = `${stage} ${done}/${total}${label ? ` ${label}` : ''}\n`;
      if (stage !== current || done === total || Date.now() - last >= LINE_EVERY_MS) write();
      current = stage;
    },
    stop: () => clearInterval(timer),
  };
}

/** A note on views that could not be read completely; empty if there are none. */
export function unreadViewsNote(domains: readonly Pick<Domain, 'db' | 'unread_views'>[]): string {
  const names = domains.flatMap(({ db, unread_views = [] }) => unread_views.map((view) => `${db}.${view}`));
  if (names.length === 0) return '';
  return `Views that fail or do not come to an end within --timeout, left out with the questions about them: ${names.join(', ')}\n`;
}
