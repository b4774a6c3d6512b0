/** What a terminal would obey, or show in another order: controls but line feed and tab, and marks of direction. */
const UNPRINTABLE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;
const KEPT = ['\n', '\t'];

/** Text as it can be shown on a terminal: `\u001b` for an escape. Of JSON, the value stays the same. */
export function printable(text: string): string {
  return text.replaceAll(UNPRINTABLE, (found) =>
    KEPT.includes(found) ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

type Write = NodeJS.WriteStream['write'];

/** By stream, what it wrote with before. */
const raw = new WeakMap<NodeJS.WriteStream, Write>();

/** From now on, all text that this process prints is printable, whoever prints it; bytes are left alone. */
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

/** The stream for what moves the cursor itself; texts of others have to be made printable first. */
export function unfiltered(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  const write = raw.get(stream);
  return write ? Object.create(stream, { write: { value: write } }) : stream;
}
