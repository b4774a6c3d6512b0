/** One name as such, several as a list. */
export function oneOrMore(keys: readonly string[]): string | readonly string[] {
  return keys.length === 1 ? (keys[0] as string) : keys;
}
