/** What one turn of a text loop says to do. */
export type ReactTurn =
  | { readonly kind: 'action'; readonly name: string; readonly input: string }
  | { readonly kind: 'answer'; readonly text: string }
  /** An action without an input, or none of all that. */
  | { readonly kind: 'nothing'; readonly fault: string };

/** Where a model would go on with an observation of its own. */
export const REACT_STOP = '\nObservation';

/**
 * Reads a turn: its first `Action:` and the JSON after the first `Action Input:` that follows, or its `Final Answer:`,
 * whichever comes first. What comes after an `Observation` of the model's own is not read.
 */
export function readTurn(text: string): ReactTurn {
  const cut = text.indexOf(REACT_STOP);
  const said = cut < 0 ? text : text.slice(0, cut);
  const action = /^[ \t*]*Action[ \t*]*:[ \t]*(.*)$/m.exec(said);
  const answer = /^[ \t*]*Final Answer[ \t*]*:[ \t]*/m.exec(said);
  if (answer !== null && (action === null || answer.index < action.index)) {
    return { kind: 'answer', text: said.slice(answer.index + answer[0].length).trim() };
  }
  if (action === null) return { kind: 'nothing', fault: 'There is neither an Action nor a Final Answer.' };
  const name = (action[1] ?? '').trim().replace(/^[`"'*\s]+|[`"'*\s]+$/g, '');
  const rest = said.slice(action.index + action[0].length);
  const input = /^[ \t*]*Action Input[ \t*]*:[ \t]*/m.exec(rest);
  if (input === null) return { kind: 'nothing', fault: 'The Action has no Action Input.' };
  return { kind: 'action', name, input: firstValue(rest.slice(input.index + input[0].length)) };
}

/** The JSON object at the beginning of a text, which may span lines; the text itself when it begins with none. */
function firstValue(text: string): string {
  const trimmed = text.trim().replace(/^```(?:json)?\s*/, '');
  if (!trimmed.startsWith('{')) return trimmed.split('\n', 1)[0] ?? '';
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < trimmed.length; at++) {
    const char = trimmed[at];
    if (quoted) {
      if (char === '\\') at++;
      else if (char === '"') quoted = false;
    } else if (char === '"') quoted = true;
    else if (char === '{') depth++;
    else if (char === '}' && --depth === 0) return trimmed.slice(0, at + 1);
  }
  return trimmed;
}
