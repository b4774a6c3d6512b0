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

/** Rows as text in columns: text to the left, numbers to the right, a rule under the head. */
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
