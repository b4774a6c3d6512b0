/** Names of domains as `--only` takes them: separated by commas, and a comma in a name behind a backslash. */
export function readOnly(text: string): string[] {
  return text
    .split(/(?<!\\),/)
    .map((name) => name.replaceAll('\\,', ','))
    .filter((name) => name !== '');
}

/** The `--only` option that chooses one domain; no name of a domain has a backslash. */
export function onlyOption(db: string): string {
  return `--only=${db.replaceAll(',', '\\,')}`;
}
