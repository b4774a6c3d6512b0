import type { SampleRecord } from '../../runner/files/sample-record.ts';
import { type RequestedModel, withAdvice } from '../../runner/providers/advice.ts';

/** Different failures that are told. */
const MOST_TOLD = 3;

/** Why attempts ended in errors, or outgrew the model: the most frequent reasons with what to do about them, a line each. */
export function failureNotes(records: readonly SampleRecord[], asked: RequestedModel): string[] {
  const found = new Map<string, { readonly kind: string; readonly message: string; count: number }>();
  for (const { outcome, error, reason } of records) {
    const failed = outcome === 'context_window' ? { kind: outcome, message: reason ?? '' } : error;
    if (failed === null) continue;
    // Numbers differ from one request to the next, and the fault is the same.
    const key = `${failed.kind} ${failed.message.replace(/\d+/g, '#')}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { ...failed, count: 1 });
    else known.count++;
  }
  const sorted = [...found.values()].sort((a, b) => b.count - a.count);
  return sorted.slice(0, MOST_TOLD).map(({ count, ...failed }) => {
    const message = failed.message.length > 300 ? `${failed.message.slice(0, 300)}…` : failed.message;
    return `${count} × ${failed.kind}: ${withAdvice({ ...failed, message }, asked)}`;
  });
}
