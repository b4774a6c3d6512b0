import type { ToolParameter } from '../tools/parameters-of.ts';

/** The place in a question where it says the value of an argument. */
export interface Mention {
  readonly parameter: ToolParameter;
  /** As the question has it. */
  readonly text: string;
  readonly before: string;
  readonly after: string;
}

/**
 * The arguments that a question says in so many words, once each, and that the tool cannot do without. What stands in
 * the evidence too, or more than once, is left out: the task could be done without the mention.
 */
export function findMentions(
  { question, evidence }: { readonly question: string; readonly evidence: string },
  args: Readonly<Record<string, unknown>>,
  parameters: readonly ToolParameter[],
): Mention[] {
  return parameters.flatMap((parameter) => {
    const value = args[parameter.name];
    const text = typeof value === 'number' ? String(value) : value;
    if (!parameter.required || typeof text !== 'string' || text.trim() !== text || text === '') return [];
    if (typeof value === 'string' && text.length < SHORTEST_TEXT) return [];
    const [found, ...others] = placesOf(text, question);
    if (found === undefined || others.length > 0 || placesOf(text, evidence).length > 0) return [];
    const said = question.slice(found, found + text.length);
    return [
      { parameter, text: said, before: question.slice(0, found), after: question.slice(found + text.length) },
    ];
  });
}

/** Shorter ones are found in words by chance. */
const SHORTEST_TEXT = 2;

/** Where a text stands as words of its own, letters of either case. */
function placesOf(text: string, within: string): number[] {
  const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const words = new RegExp(`(?<![\\p{L}\\p{N}]|\\d[.,])${pattern}(?![\\p{L}\\p{N}]|[.,]\\d)`, 'giu');
  return [...within.matchAll(words)].map(({ index }) => index);
}
