/** Names that must not be read in a text, and what stands for them. */
export interface HiddenNames {
  readonly tools: ReadonlyMap<string, string>;
  readonly args: ReadonlyMap<string, string>;
}

const WORD = /[A-Za-z0-9_]+/g;

/**
 * A text for agents with the real names replaced. Many names of arguments are words too (`value`, `limit`), so in
 * prose they are replaced only where they are meant as names: with an underscore, quoted, or listed as in
 * `substring(start, length?)`. What is written about a call at fault is replaced `everywhere`.
 */
export function replaceNames(text: string, names: HiddenNames, where: 'names' | 'everywhere'): string {
  const all = (part: string) =>
    part.replace(WORD, (word) => names.tools.get(word) ?? names.args.get(word) ?? word);
  if (where === 'everywhere') return all(text);
  return text
    .replace(/`[^`]*`|"[^"]*"|\b\w+\([^()]*\)/g, all)
    .replace(
      WORD,
      (word) => names.tools.get(word) ?? (word.includes('_') ? names.args.get(word) : null) ?? word,
    );
}
