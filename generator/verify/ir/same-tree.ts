/** Whether two trees of the IR are the same but for where their literals stand in the text. */
export function sameTree(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a).filter(([key]) => key !== 'span');
  const right = Object.entries(b).filter(([key]) => key !== 'span');
  const other = new Map(right);
  return (
    left.length === right.length &&
    left.every(([key, value]) => other.has(key) && sameTree(value, other.get(key)))
  );
}
