import { parseLenient } from '../../eval/parse/lenient.ts';
import { type MadeCall, readArguments } from '../attempt/tool-session.ts';
import type { OfferedTools } from './tool-lists.ts';

/**
 * Calls made in a run as a prediction has them: under their real names, with the handle that each was answered as its
 * label, so that they can be replayed. A call whose answer was lost by a fault on purpose is left out: repeating it was
 * right. One whose arguments were no JSON stays as it was written, to be counted as malformed.
 */
export function predictionCalls(made: readonly MadeCall[], { real }: OfferedTools): unknown[] {
  return made
    .filter(({ fault, ok }) => fault === null || fault === 'latency' || ok)
    .map(({ name, arguments: text, handle }) => {
      const shown = real.get(name);
      // Where names are hidden, a real one is as made up as any other that is not offered.
      const called = shown?.name ?? (real.size === 0 ? name : `not_offered:${name}`);
      const args = readArguments(text);
      const label = handle === null ? {} : { label: handle, handle };
      if (args === undefined) return { name: called, arguments: text };
      const given = shown === undefined ? args : rename(args, shown.args);
      return { name: called, arguments: given, ...label };
    });
}

/**
 * Calls written as text under hidden names, as a prediction has them; null where the text needs no such help, or holds
 * no calls.
 */
export function revealedCalls(rawOutput: string, { real }: OfferedTools): unknown[] | null {
  if (real.size === 0) return null;
  const parsed = parseLenient(rawOutput);
  if (parsed === null) return null;
  return parsed.calls.map((call) => {
    if ('malformed' in call) return call.malformed;
    const shown = real.get(call.name);
    const label = call.label === null ? {} : { label: call.label };
    if (shown === undefined) return { name: `not_offered:${call.name}`, arguments: call.arguments, ...label };
    return { name: shown.name, arguments: rename(call.arguments, shown.args), ...label };
  });
}

function rename(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, names));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [names.get(key) ?? key, rename(inner, names)]),
  );
}
