/** A name as SQLite compares it: it knows the case of the letters A to Z, and no others. `É` and `é` are two columns. */
export function foldName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
