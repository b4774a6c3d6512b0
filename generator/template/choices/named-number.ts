const WORDS = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen twenty'
).split(' ');
const TENS: Readonly<Record<number, string>> = { 30: 'thirty', 40: 'forty', 50: 'fifty', 100: 'hundred' };

/** How often a question says a number in digits: once in "79% of the average", never in "1979" or "the 79th". */
export function digitMentions(question: string, value: number): number {
  const plain = question.replace(/(\d),(?=\d{3}\b)/g, '$1');
  const digits = String(Math.abs(value)).replace('.', '\\.');
  const pattern = new RegExp(`(?<![\\d.\\p{L}])${digits}(?!\\d|\\.\\d|st\\b|nd\\b|rd\\b|th\\b)`, 'giu');
  return [...plain.matchAll(pattern)].length;
}

/**
 * How often a question names how many rows it wants: `5`, "five". One is only named next to a superlative
 * ("the top one"): elsewhere the word means "some".
 */
export function limitMentions(question: string, value: number): number {
  const text = question.toLowerCase();
  if (value === 1) return [...text.matchAll(/\b(top|first|bottom|last|best|worst)[ -](1|one)\b/g)].length;
  const word = WORDS[value] ?? TENS[value];
  const words = word === undefined ? 0 : [...text.matchAll(new RegExp(`\\b${word}\\b`, 'g'))].length;
  return words + digitMentions(text, value);
}

/** Parts of a whole and of time: numbers that only convert. */
const CONVERSIONS: ReadonlySet<number> = new Set([
  0, 1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 7, 12, 24, 60, 365, 365.25, 3_600, 86_400,
]);

/** Whether a number only converts a quantity, so that no user chooses it. */
export function isConversion(value: number): boolean {
  return CONVERSIONS.has(value);
}
