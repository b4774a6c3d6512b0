/** What a question mentions that may be the value of an argument. */
export interface Mentions {
  /** Whole and decimal numbers, in order. */
  readonly numbers: readonly number[];
  /** Dates as YYYY-MM-DD. */
  readonly dates: readonly string[];
  /** What stands in quotes, then runs of words with capitals, then single words, longest first. */
  readonly texts: readonly string[];
}

/** Finds them. */
export function mentionsIn(question: string): Mentions {
  const dates = [...question.matchAll(/\b\d{4}-\d{2}-\d{2}\b/g)].map(([date]) => date);
  const rest = question.replace(/\b\d{4}-\d{2}-\d{2}\b/g, ' ');
  const numbers = [...rest.matchAll(/(?<![\w.])-?\d[\d,]*(?:\.\d+)?/g)].map(([text]) =>
    Number(text.replaceAll(',', '')),
  );
  const quoted = [...question.matchAll(/"([^"]+)"|“([^”]+)”|(?<!\w)'([^']+)'(?!\w)/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  );
  const capitalised = [
    ...question.matchAll(
      /(?<!^)(?<![.?!]\s)\b\p{Lu}[\p{L}\p{N}.'&-]*(?:\s+(?:of|the|and|\p{Lu}[\p{L}\p{N}.'&-]*))*/gu,
    ),
  ].map(([text]) => text.replace(/\s+(?:of|the|and)$/, '').replace(/[.'-]+$/, ''));
  const words = question
    .split(/[\s,;?!]+/)
    .filter((word) => word.length > 1)
    .sort((a, b) => b.length - a.length);
  return {
    numbers: numbers.filter(Number.isFinite),
    dates,
    texts: [...new Set([...quoted, ...capitalised, ...words])],
  };
}

/** The value that a question mentions, longest first, letters of either case; undefined when it mentions none. */
export function mentionedValue(question: string, values: readonly unknown[]): unknown {
  const text = ` ${normalise(question)} `;
  return normalised(values)
    .filter(({ words }) => words !== '' && text.includes(` ${words} `))
    .sort((a, b) => b.words.length - a.words.length)[0]?.value;
}

interface Normalised {
  readonly value: unknown;
  readonly words: string;
}

/** By list of values: many questions are compared with those of the same column. */
const known = new WeakMap<readonly unknown[], readonly Normalised[]>();

function normalised(values: readonly unknown[]): readonly Normalised[] {
  const found = known.get(values) ?? values.map((value) => ({ value, words: normalise(String(value)) }));
  known.set(values, found);
  return found;
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .replace(/\.(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
