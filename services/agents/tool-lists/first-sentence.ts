/** The first sentence of the first line of a text. */
export function firstSentence(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const end = line.search(/[.;]\s/);
  return end < 0 ? line : `${line.slice(0, end)}.`;
}
