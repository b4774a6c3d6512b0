import { closeSync, fsyncSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/**
 * A file of lines, each of which is on the disk when `append` resolves. Lines that arrive while the disk is busy are
 * written together, so that fifty attempts at once do not wait for fifty syncs.
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

  /** Opens a file to append to, cutting off a half line that a killed process left at its end. */
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
