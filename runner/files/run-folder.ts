import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { parse } from 'lossless-json';
import { z } from 'zod';
import { UserError } from '../../contracts/errors.ts';
import { makeFolder } from '../../contracts/make-folder.ts';
import { faultIn } from '../../contracts/wording.ts';
import { writeJson } from '../attempt/tool-session.ts';
import { type RunHeader, runHeader, type SampleRecord, sampleRecord } from './run-records.ts';

/** Writes a file atomically: after a crash it has the old or the new content. Throws OUTPUT_FAILED. */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.new`;
  try {
    makeFolder(dirname(path));
    const file = openSync(temporary, 'w');
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    const code = cause instanceof Error && 'code' in cause ? cause.code : cause;
    throw new UserError('OUTPUT_FAILED', path, `cannot be written (${code})`, { cause });
  }
}

/**
 * A line log; `append` resolves when the line is on disk. Lines that arrive during a write are written
 * together, so that fifty concurrent attempts do not wait for fifty syncs.
 */
export class AppendLog {
  readonly #file: FileHandle;
  #waiting: {
    readonly line: string;
    readonly done: () => void;
    readonly failed: (error: unknown) => void;
  }[] = [];
  #writing: Promise<void> | null = null;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Opens a file for appending, removing a partial line left by a killed process. */
  static async open(path: string): Promise<AppendLog> {
    dropHalfLine(path);
    return new AppendLog(await open(path, 'a'));
  }

  append(line: string): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ line: `${line}\n`, done, failed });
      this.#writing ??= this.#write();
    });
  }

  async close(): Promise<void> {
    await this.#writing;
    await this.#file.close();
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting;
      this.#waiting = [];
      try {
        await this.#file.appendFile(batch.map(({ line }) => line).join(''));
        await this.#file.datasync();
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    this.#writing = null;
  }
}

function dropHalfLine(path: string): void {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch {
    return;
  }
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end === bytes.length) return;
  const file = openSync(path, 'r+');
  ftruncateSync(file, end);
  fsyncSync(file);
  closeSync(file);
}

export function attemptKey({ sample_id, epoch }: Pick<SampleRecord, 'sample_id' | 'epoch'>): string {
  return `${sample_id} ${epoch}`;
}

/** The folder of a run: `run.json`, `samples.jsonl`, `costs.jsonl`, `blobs/`, `predictions.jsonl`, `run.lock`. */
export class RunFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** null if the folder has no run yet. Throws RUN_INVALID. */
  readHeader(): RunHeader | null {
    const file = join(this.path, 'run.json');
    if (!existsSync(file)) return null;
    const read = runHeader.safeParse(parseText(file, readFileSync(file, 'utf8')));
    if (read.success) return { ...read.data, cost: sumOf(this.readPayments()) ?? read.data.cost };
    throw new UserError('RUN_INVALID', file, `${faultIn(read.error)}; give another folder`);
  }

  writeHeader(header: RunHeader): void {
    writeWhole(join(this.path, 'run.json'), `${JSON.stringify(header, null, 2)}\n`);
  }

  /** The last record of each attempt, in the order of first records. Throws RUN_INVALID. */
  readRecords(): Map<string, SampleRecord> {
    const file = join(this.path, 'samples.jsonl');
    const records = new Map<string, SampleRecord>();
    wholeLines(file).forEach((line, i) => {
      if (line === '') return;
      const read = sampleRecord.safeParse(parseText(`${file}:${i + 1}`, line));
      if (!read.success) {
        throw new UserError('RUN_INVALID', `${file}:${i + 1}`, faultIn(read.error));
      }
      // As it was written: answers keep the digits of their numbers.
      const exact = parse(line);
      const { answer = null, calls = null } = exact as {
        readonly answer?: unknown;
        readonly calls?: unknown;
      };
      const exactCalls = Array.isArray(calls) ? calls : null;
      const turns = exactTurns(exact, read.data.composed?.turns ?? null);
      const composed = read.data.composed === null ? null : { ...read.data.composed, turns };
      records.set(attemptKey(read.data), { ...read.data, answer, calls: exactCalls, composed });
    });
    return records;
  }

  openLog(): Promise<AppendLog> {
    makeFolder(this.path);
    return AppendLog.open(join(this.path, 'samples.jsonl'));
  }

  /** The log of paid completions, including those of failed attempts. */
  openCosts(): Promise<AppendLog> {
    makeFolder(this.path);
    return AppendLog.open(join(this.path, COSTS));
  }

  /** The cost of each completion. */
  readPayments(): number[] {
    const file = join(this.path, COSTS);
    const lines = wholeLines(file).filter((line) => line !== '');
    return lines.map((line) => payment.parse(parseText(file, line)).cost);
  }

  /** Locks the folder until `release`, or the end of the process. Throws RUN_INVALID if it is locked. */
  lock(): { release(): void } {
    try {
      makeFolder(this.path);
    } catch (cause) {
      const fault = `no folder can be made there (${(cause as NodeJS.ErrnoException).code}); give another --out`;
      throw new UserError('OUTPUT_FAILED', this.path, fault, { cause });
    }
    const lock = new Database(join(this.path, 'run.lock'), { timeout: 0 });
    try {
      lock.pragma('journal_mode = memory');
      lock.exec('BEGIN EXCLUSIVE');
      return { release: () => void lock.close() };
    } catch (cause) {
      lock.close();
      throw new UserError(
        'RUN_INVALID',
        this.path,
        'another run is writing into it: wait until that has ended, or give another --out',
        { cause },
      );
    }
  }

  /** Stores a text that is too long for a line under its sha256. */
  keepText(text: string, longest: number): string {
    const hash = createHash('sha256').update(text).digest('hex');
    if (text.length <= longest) return hash;
    const folder = join(this.path, 'blobs');
    makeFolder(folder);
    const file = join(folder, hash);
    if (!existsSync(file)) writeFileSync(file, text);
    return hash;
  }

  /** Writes prediction lines, the header first. */
  writePredictions(lines: readonly object[]): void {
    writeWhole(join(this.path, 'predictions.jsonl'), lines.map((line) => `${writeJson(line)}\n`).join(''));
  }
}

/** The complete lines of a file; text after the last line break was being written when the process was killed. */
function wholeLines(file: string): string[] {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
}

const COSTS = 'costs.jsonl';
function sumOf(costs: readonly number[]): number | null {
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}

const payment = z.object({ cost: z.number() });

type Turns = NonNullable<SampleRecord['composed']>['turns'];

/** Turns with their answers and calls re-read losslessly. */
function exactTurns(exact: unknown, turns: Turns): Turns {
  const read = exactComposed.safeParse(exact);
  const written = read.success ? read.data.composed.turns : [];
  return turns?.map((each, i) => ({ ...each, ...written[i] })) ?? null;
}

const exactComposed = z.looseObject({
  composed: z.looseObject({
    turns: z.array(z.looseObject({ answer: z.unknown(), calls: z.array(z.unknown()).nullish() })),
  }),
});

function parseText(place: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new UserError('RUN_INVALID', place, `is not JSON (${(cause as Error).message})`, { cause });
  }
}
