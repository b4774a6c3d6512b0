import type { Expr, Like } from '../../../../sql/index.ts';
import { textLiteral } from '../../../../sql/index.ts';

/**
 * `x LIKE p ESCAPE c` without its ESCAPE: as plain LIKE where nothing special is escaped, else as `lower(x) GLOB q`,
 * which knows a way to write every character and, of lower-case text, matches the same. Null when the pattern is not a
 * literal.
 */
export function withoutEscape(like: Like): Like | null {
  const { expr, pattern, escape: mark } = like;
  if (mark?.kind !== 'literal' || mark.type !== 'text') return null;
  if (pattern.kind !== 'literal' || pattern.type !== 'text') return null;
  const parts = partsOf(pattern.value, mark.value);
  if (!parts.some(({ text, wild }) => !wild && (text === '%' || text === '_'))) {
    return { ...like, pattern: textLiteral(parts.map(({ text }) => text).join('')), escape: null };
  }
  const glob = parts.map(({ text, wild }) => (wild ? WILD[text] : literally(text))).join('');
  const lower: Expr = { kind: 'call', name: 'lower', args: [expr] };
  return { ...like, op: 'glob', expr: lower, pattern: textLiteral(glob), escape: null };
}

const WILD: Readonly<Record<string, string>> = { '%': '*', _: '?' };

/** The characters of a pattern, and whether each is a wildcard. */
function partsOf(pattern: string, mark: string): { text: string; wild: boolean }[] {
  const parts: { text: string; wild: boolean }[] = [];
  const characters = [...pattern];
  for (let at = 0; at < characters.length; at++) {
    const escaped = characters[at] === mark;
    const text = characters[escaped ? ++at : at] ?? '';
    parts.push({ text, wild: !escaped && text in WILD });
  }
  return parts;
}

/** A character in a GLOB pattern for lower-case text. LIKE ignores the case of ASCII letters. */
function literally(character: string): string {
  if ('*?['.includes(character)) return `[${character}]`;
  return character.replace(/[A-Z]/, (letter) => letter.toLowerCase());
}
