import { Presets, SingleBar } from 'cli-progress';
import { CommanderError } from 'commander';
import type { FormatTable } from '../adapters/format-command.ts';
import { UserError } from '../contracts/errors.ts';
import { calledHere } from '../contracts/package-root.ts';
import type { Domain } from '../contracts/split.ts';

/** Characters that control a terminal or reorder its text, except line feed and tab. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const KEPT = ['\n', '\t'];

/** Escapes unprintable characters: `\u001b` for an escape. JSON keeps its value. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (found) =>
    KEPT.includes(found) ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

type Write = NodeJS.WriteStream['write'];

const raw = new WeakMap<NodeJS.WriteStream, Write>();

/** Escapes all text that this process prints from now on; bytes pass through. */
export function printOnlyPrintable(
  streams: readonly NodeJS.WriteStream[] = [process.stdout, process.stderr],
): void {
  for (const stream of streams) {
    if (raw.has(stream)) continue;
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
    raw.set(stream, write as Write);
    stream.write = ((chunk: unknown, ...more: unknown[]) =>
      write(typeof chunk === 'string' ? printable(chunk) : chunk, ...more)) as Write;
  }
}

/** The stream for moving the cursor; text from outside must be escaped first. */
export function unfiltered(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = raw.get(stream);
  return write ? Object.create(stream, { write: { value: write } }) : stream;
}

/** Formats rows in columns: text left-aligned, numbers right-aligned, a rule under the header. */
export function textTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = rows.map((row) => row.map(String));
  const widths = head.map((title, i) => Math.max(title.length, ...cells.map((row) => row[i]?.length ?? 0)));
  const isNumber = head.map(
    (_, i) => rows.length > 0 && rows.every((row) => typeof row[i] === 'number' || row[i] === ''),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (isNumber[i] ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...cells.map(line)].join('\n');
}

export function titledTable({ title, head, rows }: FormatTable): string {
  return `${title}\n${textTable(head, rows)}`;
}

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

/** Exit codes: 0 done, 1 below a threshold, 2 bad input, 3 stopped but resumable, 70 a bug, 130 interrupted. */
export const EXIT = { ok: 0, missed: 1, usage: 2, stopped: 3, bug: 70, interrupted: 130 } as const;

/** Ends a command with the exit code of a command it ran, which has printed the reason. */
export class CommandFailed extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a command ended with ${exitCode}`);
    this.exitCode = exitCode;
  }
}

/** Turns an error into an exit code and a message for stderr. */
export function reportError(error: unknown): { exitCode: number; message: string } {
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? EXIT.ok : EXIT.usage, message: '' };
  if (error instanceof CommandFailed) return { exitCode: error.exitCode, message: '' };
  if (error instanceof UserError) {
    const exitCode = error.code === 'INTERRUPTED' ? EXIT.interrupted : EXIT.usage;
    return { exitCode, message: calledHere(`${error.file}: ${error.code} ${error.message}`) };
  }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { exitCode: EXIT.bug, message: `This is a bug in rookery.\n${stack}` };
}

/**
 * A signal that fires at Ctrl-C or SIGTERM; a second Ctrl-C ends the process at once. `out` is the folder
 * that the command writes; its temporary files are removed if the process has to be killed.
 */
export function interruptSignal(out?: string): AbortSignal {
  if (out !== undefined) process.send?.({ writing: out });
  const controller = new AbortController();
  const stop = () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}
