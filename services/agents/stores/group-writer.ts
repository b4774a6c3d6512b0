import type { Write } from './postgres-schema.ts';

/** A row to be written, and who waits for it. */
interface Waiting {
  readonly write: Write;
  /** What the statement answers where it was written. */
  readonly key: string;
  readonly row: object;
  readonly resolve: (isWritten: boolean) => void;
  readonly reject: (error: unknown) => void;
}

/** Carries out one kind of write for some rows; answers the keys of those that were written. */
export type WriteRows = (write: Write, rows: readonly object[]) => Promise<readonly string[]>;

const ORDER: readonly Write[] = ['addRuns', 'start', 'addCall', 'end'];
/** Of one statement. */
const MOST_ROWS = 2000;

/**
 * Writes to a database in groups: while one is under way, what comes waits and is the next. So a commit is shared by all that
 * come in its time, however many these are.
 */
export class GroupWriter {
  readonly #writeRows: WriteRows;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | null = null;

  constructor(writeRows: WriteRows) {
    this.#writeRows = writeRows;
  }

  /** Resolves when the row is committed, or was found to have no place; rejects when that is not known. */
  add(write: Write, key: string, row: object): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, key, row, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when nothing waits any more. */
  async flush(): Promise<void> {
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    // What comes in the same turn is of the same group.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      for (const write of ORDER) {
        const some = group.filter((each) => each.write === write);
        for (let at = 0; at < some.length; at += MOST_ROWS) {
          await this.#writeSome(write, some.slice(at, at + MOST_ROWS));
        }
      }
    }
    this.#writing = null;
  }

  async #writeSome(write: Write, some: readonly Waiting[]): Promise<void> {
    try {
      const written = await this.#writeRows(
        write,
        some.map(({ row }) => row),
      );
      // Of two with the same key the first was written.
      const left = new Set(written);
      for (const { key, resolve } of some) resolve(left.delete(key));
    } catch (error) {
      const [only] = some;
      if (some.length === 1) return only?.reject(error);
      // One that cannot be written is no reason to refuse its neighbours.
      for (const each of some) await this.#writeSome(write, [each]);
    }
  }
}
