/** What is said after a text that ends with the same words: for another given year. */
export function anotherThan(before: string, said: string): string {
  return said !== '' && before.endsWith(said) ? said.replaceAll(/\ba given\b/g, 'another given') : said;
}
