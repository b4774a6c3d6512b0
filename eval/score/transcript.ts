import type { TranscriptCall } from '../../contracts/report.ts';
import { type CallElement, isMalformed } from '../calls/agent-call.ts';
import type { FinalRows } from './final-rows.ts';

/** The calls of an attempt in order, with what the run saw of each or, failing that, its replay. */
export function transcriptOf(
  elements: readonly CallElement[] | null,
  replayed: Pick<FinalRows, 'handles' | 'refusals'> | null,
): TranscriptCall[] {
  return (elements ?? []).map((element, i) => {
    if (isMalformed(element)) {
      return { name: null, arguments: element.malformed, label: null, handle: null, error: null };
    }
    const { name, arguments: args, label, handle, seen } = element;
    return {
      ...seen,
      name,
      arguments: args,
      label,
      handle: handle ?? replayed?.handles[i] ?? null,
      error: replayed?.refusals[i] ?? null,
    };
  });
}
