/** A YAML scalar that Compose reads as exactly this text: quoted, and its dollars are no variables. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text.replaceAll('$', '$$$$'));
}
