/** A YAML scalar that Compose reads as exactly this text: quoted, with dollar signs escaped. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text.replaceAll('$', '$$$$'));
}
