import type { LowerContext } from './context.ts';
import type { Frame } from './frame.ts';

const MAX_CHARACTERS = 60;

/** A name for a column to be made: `<operation>_<column>` if that is short and clear, else numbered. */
export function newKey(operation: string, key: string | null, frame: Frame, context: LowerContext): string {
  const columns = context.sequence.plan(frame.label).columns;
  const taken = new Set(columns.map((column) => column.key.toLowerCase()));
  const source = columns.find((column) => column.key === key);
  const telling = source?.origin ? `${operation}_${key}` : operation;
  const name = telling.length > MAX_CHARACTERS ? operation : telling;
  if (name !== operation && !taken.has(name.toLowerCase())) return name;
  for (let n = 1; ; n++) {
    const numbered = `${name}_${n + (name === operation ? 0 : 1)}`;
    if (!taken.has(numbered.toLowerCase())) return numbered;
  }
}
