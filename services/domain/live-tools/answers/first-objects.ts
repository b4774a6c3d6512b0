/** The first `n` of some JSON objects that are joined by commas, as their text stands. */
export function firstObjects(text: string, n: number): string {
  if (n === 0) return '';
  let depth = 0;
  let left = n;
  let inText = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (inText) {
      // What is escaped ends no text.
      if (character === '\\') at++;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
    if (depth === 0 && character === '}' && !inText && --left === 0) return text.slice(0, at + 1);
  }
  return text;
}
