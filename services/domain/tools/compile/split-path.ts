/** `alias.column`; the alias is all up to the first dot. */
export function splitPath(path: string): { alias: string; column: string } {
  const dot = path.indexOf('.');
  return { alias: path.slice(0, dot), column: path.slice(dot + 1) };
}
