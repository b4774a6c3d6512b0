/** The words of a text: runs of letters, without marks, in lower case. */
export function plainWords(text: string): string[] {
  return withoutMarks(text)
    .toLowerCase()
    .split(/\P{L}+/u)
    .filter((word) => word !== '');
}

/** The text without accents and other marks: é is e. */
export function withoutMarks(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}
