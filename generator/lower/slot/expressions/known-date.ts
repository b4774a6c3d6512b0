import type { OperationOf } from './operation-of.ts';

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}):(\d{2}):(\d{2}))?$/;
const PARTS: Readonly<Record<string, number>> = { Y: 1, m: 2, d: 3, H: 4, M: 5, S: 6 };

/** A part of a literal date (such as the year of the pinned time), or null. */
export function knownDate({ operation, input, options, lists }: OperationOf): string | null {
  if (operation !== 'datetime_part' || lists?.modifiers !== undefined) return null;
  if (input.kind !== 'literal' || input.type !== 'text') return null;
  const found = DATE.exec(input.value);
  const pattern = String(options.datetime_pattern);
  if (!found || /%[^YmdHMS]/.test(pattern) || !isCalendarDay(found)) return null;
  return pattern.replace(/%([YmdHMS])/g, (_, part: string) => found[PARTS[part] as number] ?? '00');
}

function isCalendarDay([, year, month, day]: RegExpExecArray): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}
