/** A split's name as used in URLs and sample ids: lower case, `[a-z0-9-]`, never empty. */
export function splitName(text: string): string {
  const name = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return name === '' ? 'split' : name;
}
