import { CALL_TOOL, SEARCH_TOOLS, unwrapCall } from '../../contracts/search-tools.ts';
import { parseLenient } from '../../eval/parse/lenient.ts';
import { type MadeCall, readArguments, writeJson } from '../attempt/tool-session.ts';
import { renameArguments } from './rename-arguments.ts';
import type { OfferedTools } from './tool-lists.ts';

/**
 * Calls made in a run as a prediction has them: under their real names, with the handle that each was answered as its
 * label, so that they can be replayed. Looking for a tool is no call. A call whose answer was lost by a fault on purpose is left out: repeating it was
 * right. One whose arguments were no JSON stays as it was written, to be counted as malformed.
 */
export function predictionCalls(made: readonly MadeCall[], { real, viaSearch }: OfferedTools): unknown[] {
  return made
    .filter(({ fault, ok }) => fault === null || fault === 'latency' || ok)
    .filter(({ name }) => !viaSearch || name !== SEARCH_TOOLS)
    .map((call) => (viaSearch && call.name === CALL_TOOL ? { ...call, ...calledByName(call) } : call))
    .map(({ name, arguments: text, handle }) => {
      const shown = real.get(name);
      // Where names are hidden, a real one is as made up as any other that is not offered.
      const called = shown?.name ?? (real.size === 0 ? name : `not_offered:${name}`);
      const args = readArguments(text);
      const label = handle === null ? {} : { label: handle, handle };
      if (args === undefined) return { name: called, arguments: text };
      const given = shown === undefined ? args : renameArguments(args, shown.args);
      return { name: called, arguments: given, ...label };
    });
}

/** What a call of `call_tool` called; itself where it called nothing. */
function calledByName({ name, arguments: text }: MadeCall): Pick<MadeCall, 'name' | 'arguments'> {
  const inner = unwrapCall(readArguments(text));
  return inner === null
    ? { name, arguments: text }
    : { name: inner.name, arguments: writeJson(inner.arguments) };
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
    return { name: shown.name, arguments: renameArguments(call.arguments, shown.args), ...label };
  });
}
