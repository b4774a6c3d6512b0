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

/** The original `write` of each stream. */
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
