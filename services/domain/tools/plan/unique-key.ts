/** The name made safe (`[A-Za-z0-9_]`) and, when taken (in any case), numbered from 2; it is taken then. */
export function uniqueKey(name: string, taken: Set<string>): string {
  const safe = name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^_+|_+$/g, '') || 'column';
  let key = safe;
  for (let n = 2; taken.has(key.toLowerCase()); n++) key = `${safe}_${n}`;
  taken.add(key.toLowerCase());
  return key;
}
